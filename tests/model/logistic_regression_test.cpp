// Logistic regression against R's glm, against the numbers of books, and against the discriminant it equals.
#include "suffice/model/logistic_regression.hpp"

#include <cmath>
#include <fstream>
#include <map>

#include "model/labeled_table.hpp"
#include "model/real_data.hpp"
#include <gtest/gtest.h>

namespace suffice {
namespace {

LogisticRegression regress(const RealTable& table, const LogisticSettings& settings = {}) {
    MemoryStream stream(table.block(), table.schema);
    return fit_logistic_regression(table.schema, stream, settings).value();
}

double error_rate(const RealTable& table, const LogisticRegression& model) {
    const auto codes = model.predict(table.rows()).value();
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < table.size(); ++row) wrong += codes[row] != table.labels[row];
    return static_cast<double>(wrong) / static_cast<double>(table.size());
}

RealTable two_irises() {
    RealTable iris = read_iris().where([labels = read_iris().labels](std::size_t row) { return labels[row] > 0; });
    iris.schema.classes.erase(iris.schema.classes.begin());
    for (auto& label : iris.labels) --label;
    return iris;
}

TEST(LogisticRegression, HasTheTableOfEstimatesOfGlm) {
    const LogisticRegression model = regress(two_irises());
    const auto golden = testing_rows::csv_lines(SUFFICE_SOURCE_DIR "/tests/goldens/glm_iris.csv");
    const auto table = model.table().value();
    ASSERT_EQ(golden.size(), table.size() + 1);
    const auto close = [](double ours, const std::string& theirs, double share) {
        EXPECT_NEAR(ours, std::stod(theirs), share * std::abs(std::stod(theirs)));
    };
    for (std::size_t j = 0; j < table.size(); ++j) {
        SCOPED_TRACE(golden[j][0]);
        close(table[j].coefficient, golden[j][1], 1e-8);
        close(table[j].standard_error, golden[j][2], 1e-8);
        close(table[j].z, golden[j][3], 1e-8);
        close(table[j].p_value, golden[j][4], 1e-8);
    }
    close(model.deviance(), golden.back()[1], 1e-10);
    close(model.null_deviance(), golden.back()[2], 1e-12);
    close(model.aic(), golden.back()[3], 1e-10);
    close(model.bic(), golden.back()[4], 1e-10);
}

// scikit-learn 1.9, solver newton-cholesky, tol 1e-13; C is 1 / penalty.
TEST(LogisticRegression, HasThePenalisedCoefficientsOfScikitLearn) {
    LogisticSettings settings;
    settings.penalty = 1;
    const double three[] = {-0.423509920122714, 0.967350579571552,  -2.51715237760921,  -1.07933664850072,
                            0.534461508995933,  -0.321587855191934, -0.206392071294867, -0.944298465396338,
                            -0.110951588873206, -0.645762724379617, 2.72354444890409,   2.02363511389706};
    const LogisticRegression irises = regress(read_iris(), settings);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(irises.state().parameter.coefficient[i], three[i], 1e-8) << i;
    const double intercepts[] = {9.84956805048219, 2.23720563220319, -12.0867736826854};
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(irises.state().parameter.intercept[c], intercepts[c], 1e-7) << c;

    const double two[] = {-14.4307581801687, -0.394433478572058, -0.513277404428434, 2.93075138385336,
                          2.41703218833701};
    const Matrix binary = regress(two_irises(), settings).contrasts();
    for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(binary(0, j), two[j], 1e-7) << j;

    settings.penalty = 2;
    settings.balanced = true;
    const double balanced[] = {-13.4453740241809, 0.0872409571813707, -0.12866010126589, 2.15986328073242,
                               1.64548376118657};
    const Matrix fewer = regress(two_irises().where([](std::size_t row) { return row >= 10; }), settings).contrasts();
    for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(fewer(0, j), balanced[j], 1e-7) << j;
}

// Hastie, Tibshirani, Friedman, The Elements of Statistical Learning, 2nd edition, table 4.2.
TEST(LogisticRegression, HasTheCoefficientsOfTheHeartDiseaseTable) {
    SUFFICE_NEEDS_DATA("saheart/SAheart.data");
    const auto lines = testing_rows::csv_lines((data_folder() / "saheart/SAheart.data").string());
    testing_rows::LabeledTable heart;
    for (const char* name : {"sbp", "tobacco", "ldl", "famhist", "obesity", "alcohol", "age"})
        heart.schema.columns.push_back({name});
    heart.schema.columns[3].kind = ColumnKind::category;
    heart.schema.columns[3].levels = {"Absent", "Present"};
    heart.schema.classes = {"0", "1"};
    for (const auto& line : lines) {
        for (int k : {1, 2, 3, 5, 7, 8, 9})
            heart.values.push_back(k == 5 ? (line[5] == "Present" ? 1.0 : 0.0)
                                          : std::stod(line[static_cast<std::size_t>(k)]));
        heart.labels.push_back(std::stoi(line[10]));
    }
    ASSERT_EQ(heart.labels.size(), 462u);
    MemoryStream stream(heart.block(), heart.schema);
    const auto table = fit_logistic_regression(heart.schema, stream).value().table().value();
    const double book[][2] = {{-4.130, .964}, {.006, .006},  {.080, .026}, {.185, .057},
                              {.939, .225},   {-.035, .029}, {.001, .004}, {.043, .010}};
    ASSERT_EQ(table.size(), 8u);
    EXPECT_EQ(table[4].name, "famhist=Present");
    for (std::size_t j = 0; j < 8; ++j) {
        EXPECT_NEAR(table[j].coefficient, book[j][0], 6e-4) << table[j].name;
        EXPECT_NEAR(table[j].standard_error, book[j][1], 6e-4) << table[j].name;
    }
}

// The same, table 4.1; the deviance by R's multinom.
TEST(LogisticRegression, TellsVowelsApartAsPublished) {
    SUFFICE_NEEDS_DATA("vowel/vowel.train");
    const auto read = [](const char* file) { return read_real(data_folder() / "vowel" / file, {"y"}, {"row.names"}); };
    const RealTable train = read("vowel.train"), test = read("vowel.test");
    const LogisticRegression model = regress(train);
    EXPECT_NEAR(model.deviance(), 676.998, 5e-4);
    EXPECT_NEAR(error_rate(train, model), 0.2235, 5e-5);
    EXPECT_NEAR(error_rate(test, model), 0.5130, 5e-5);
    EXPECT_TRUE(model.notes().empty()) << model.notes()[0].told();
}

TEST(LogisticRegression, FindsSpamAsPublished) {
    SUFFICE_NEEDS_DATA("spambase/esl_spam.data");
    ReadOptions options;
    options.delimiter = ' ';
    options.header = false;
    const RealTable all = read_real(data_folder() / "spambase/esl_spam.data", {"c58"}, {}, options);
    const RealTable part = read_real(data_folder() / "spambase/esl_spam.traintest", {"c1"}, {}, options);
    const RealTable train = all.where([&](std::size_t row) { return part.labels[row] == 0; });
    const RealTable test = all.where([&](std::size_t row) { return part.labels[row] == 1; });
    ASSERT_EQ(train.size(), 3065u);
    EXPECT_NEAR(error_rate(test, regress(train)), 0.0762, 5e-5);
}

// Ripley, Pattern Recognition and Neural Networks, 1996.
TEST(LogisticRegression, HasTheErrorsOfRipley) {
    SUFFICE_NEEDS_DATA("pima/Pima_tr_MASS.csv");
    const auto read = [](const char* file, const char* target) { return read_real(data_folder() / file, {target}); };
    const RealTable pima = read("pima/Pima_te_MASS.csv", "type");
    const auto diabetes = regress(read("pima/Pima_tr_MASS.csv", "type"));
    EXPECT_NEAR(error_rate(pima, diabetes) * static_cast<double>(pima.size()), 66, 1e-9);
    const auto synthetic = regress(read("synth/synth_tr.csv", "yc"));
    EXPECT_NEAR(error_rate(read("synth/synth_te.csv", "yc"), synthetic), 0.114, 1e-9);
}

TEST(LogisticRegression, ALinearDiscriminantWrittenAsARegressionHasItsPosterior) {
    const RealTable iris = read_iris();
    const Classifier lda = iris.fit({"lda"});
    const LogisticRegression same = to_logistic(lda).value();
    const Matrix ours = same.posteriors(iris.rows()).value(), theirs = lda.posteriors(iris.rows()).value();
    for (std::size_t at = 0; at < ours.values.size(); ++at) EXPECT_NEAR(ours.values[at], theirs.values[at], 1e-12);
    EXPECT_FALSE(to_logistic(iris.fit({"qda"})));
}

TEST(LogisticRegression, TwoClassesAndOneSigmoidConvertBothWays) {
    const BinaryWeights binary{{1.5, -2, 1e-30}, 0.25};
    EXPECT_EQ(to_binary(to_softmax(binary)).value(), binary);
    EXPECT_FALSE(to_binary(LogisticParameter{{1, 2, 3}, {1, 2, 3}}));
}

TEST(LogisticRegression, ExplanationsSumToTheScoresAndPosteriorsToOne) {
    const RealTable iris = read_iris();
    LogisticSettings settings;
    settings.penalty = 1;
    const LogisticRegression model = regress(iris, settings);
    Matrix scores(iris.size(), 3);
    ScoreSink sink;
    sink.form = ScoreSink::Form::log_joint;
    sink.scores = scores.values.data();
    sink.stride = 3;
    model.score(iris.rows(), sink, {}).value();
    const Matrix posterior = model.posteriors(iris.rows()).value();
    for (std::size_t row = 0; row < iris.size(); ++row) {
        const Explanation told = model.explain(iris.rows(), row).value();
        for (std::size_t c = 0; c < 3; ++c) {
            double sum = told.intercept[c];
            for (const auto& term : told.terms) sum += term.by_class[c];
            EXPECT_NEAR(sum, scores(row, c), 1e-12);
        }
        EXPECT_NEAR(posterior(row, 0) + posterior(row, 1) + posterior(row, 2), 1, 1e-14);
    }
}

TEST(LogisticRegression, SetosaIsSeparatedAndAnUpdateStartsWhereItStood) {
    const RealTable iris = read_iris();
    const LogisticRegression free = regress(iris);
    ASSERT_FALSE(free.notes().empty());
    EXPECT_NE(free.notes()[0].sentence.find("separated"), std::string::npos);
    LogisticSettings settings;
    settings.penalty = 1;
    const LogisticRegression model = regress(iris, settings);
    MemoryStream stream(iris.block(), iris.schema);
    const LogisticRegression again = update(model, stream).value();
    EXPECT_LE(again.state().iterations, 1u);
    for (std::size_t i = 0; i < 12; ++i)
        EXPECT_NEAR(again.state().parameter.coefficient[i], model.state().parameter.coefficient[i], 1e-8);
}

TEST(LogisticRegression, ModeratedPosteriorsAreLessSureAndDecideAlike) {
    const RealTable iris = two_irises();
    const LogisticRegression model = regress(iris);
    const Matrix plain = model.posteriors(iris.rows()).value();
    const Matrix moderated = model.moderated().value().posteriors(iris.rows()).value();
    for (std::size_t row = 0; row < iris.size(); ++row) {
        EXPECT_LE(std::abs(moderated(row, 1) - 0.5), std::abs(plain(row, 1) - 0.5) + 1e-12);
        EXPECT_EQ(moderated(row, 1) > 0.5, plain(row, 1) > 0.5);
    }
}

}  // namespace
}  // namespace suffice
