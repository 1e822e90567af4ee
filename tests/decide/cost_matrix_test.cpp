// Cost matrices from numbers, inline text and CSV, and what each refuses to read.
#include "suffice/decide/cost_matrix.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace suffice {
namespace {

const std::vector<std::string> classes{"fraud", "ok"};

std::string refusal(const Result<CostMatrix>& result) {
    EXPECT_FALSE(result);
    return result ? std::string() : result.error().sentence();
}

TEST(CostMatrix, InlineTextNamesTruthThenDecision) {
    const CostMatrix cost = parse_cost_matrix(classes, "fraud:ok=50").value();
    EXPECT_EQ(cost.values, (std::vector<double>{0, 50, 1, 0}));
    EXPECT_FALSE(cost.can_reject());
    EXPECT_EQ(parse_cost_matrix(classes, " fraud:ok = 5e1 , ok:ok=-2,ok:fraud=+3").value().values,
              (std::vector<double>{0, 50, 3, -2}));
}

TEST(CostMatrix, InlineTextMayGiveTheCostOfRejecting) {
    const CostMatrix cost = parse_cost_matrix(classes, "fraud:reject=5,reject=2,fraud:ok=50").value();
    EXPECT_TRUE(cost.can_reject());
    EXPECT_EQ(cost.values, (std::vector<double>{0, 50, 5, 1, 0, 2}));
    EXPECT_EQ(refusal(parse_cost_matrix(classes, "fraud:reject=5")),
              "Rejecting has a cost under some classes only; give reject=COST for the others.");
}

TEST(CostMatrix, QuotedNamesMayHoldAnySign) {
    const std::vector<std::string> odd{"a:b=1,c", "say \"x\""};
    const CostMatrix cost = parse_cost_matrix(odd, R"("a:b=1,c":"say ""x"""=7)").value();
    EXPECT_EQ(cost.at(0, 1), 7);
    const CostMatrix table =
        parse_cost_table(odd, "t,\"say \"\"x\"\"\",\"a:b=1,c\"\n\"a:b=1,c\",7,0\n\"say \"\"x\"\"\",0,3\n").value();
    EXPECT_EQ(table.values, (std::vector<double>{0, 7, 3, 0}));
}

TEST(CostMatrix, RefusesInlineTextItCannotRead) {
    EXPECT_EQ(refusal(parse_cost_matrix(classes, "froud:ok=50")),
              "The costs name the class \"froud\", but the classes are fraud, ok.");
    EXPECT_EQ(refusal(parse_cost_matrix(classes, "fraud:ok=much")), "The cost \"much\" is not a finite number.");
    EXPECT_EQ(refusal(parse_cost_matrix(classes, "fraud:ok=inf")), "The cost \"inf\" is not a finite number.");
    EXPECT_EQ(refusal(parse_cost_matrix(classes, "fraud=50")),
              "The cost \"fraud=50\" is not of the form TRUTH:DECISION=COST or reject=COST.");
    EXPECT_FALSE(parse_cost_matrix(classes, ""));
    EXPECT_FALSE(parse_cost_matrix(classes, "fraud:ok=50,"));
}

TEST(CostMatrix, TableHasTruthInItsFirstColumnAndAnyOrder) {
    const CostMatrix cost =
        parse_cost_table(classes, "truth,ok,fraud,reject\r\nok,0,1,0.5\r\nfraud,50,0,3\r\n").value();
    EXPECT_EQ(cost.values, (std::vector<double>{0, 50, 3, 1, 0, 0.5}));
    EXPECT_EQ(parse_cost_table(classes, "\xEF\xBB\xBF,fraud,ok\nfraud,0,50\nok,1,0").value(),
              parse_cost_matrix(classes, "fraud:ok=50").value());
}

TEST(CostMatrix, RefusesTablesOfTheWrongShapeOrNames) {
    EXPECT_EQ(refusal(parse_cost_table(classes, "t,fraud,ok\nfraud,0,50\n")),
              "The cost table has no row for the truth \"ok\".");
    EXPECT_EQ(refusal(parse_cost_table(classes, "t,fraud\nfraud,0\nok,1\n")),
              "The cost table has no column for the decision \"ok\".");
    EXPECT_EQ(refusal(parse_cost_table(classes, "t,fraud,no\nfraud,0,50\nok,1,0\n")),
              "row 1: The costs name the class \"no\", but the classes are fraud, ok.");
    EXPECT_EQ(refusal(parse_cost_table(classes, "t,fraud,ok\nfraud,0,50\nok,1\n")),
              "row 3: The row has 1 costs for 2 decisions.");
    EXPECT_EQ(refusal(parse_cost_table(classes, "t,fraud,ok\nfraud,0,50\nfraud,1,0\n")),
              "row 3: The truth \"fraud\" has two rows of costs.");
    EXPECT_EQ(refusal(parse_cost_table(classes, "t,fraud,fraud\n")),
              "row 1: The decision \"fraud\" stands twice in the header.");
    EXPECT_EQ(refusal(parse_cost_table(classes, "t,fraud,ok\nfraud,0,x\n")),
              "row 2: The cost \"x\" is not a finite number.");
    EXPECT_FALSE(parse_cost_table(classes, ""));
}

TEST(CostMatrix, RefusesNumbersOfTheWrongCountOrKind) {
    EXPECT_FALSE(make_cost_matrix(classes, {0, 1, 2}));
    EXPECT_FALSE(make_cost_matrix(classes, {0, 1, NAN, 0}));
    EXPECT_FALSE(make_cost_matrix({"one"}, {0}));
    EXPECT_TRUE(make_cost_matrix(classes, {0, -1, -2, 0}));
}

}  // namespace
}  // namespace suffice
