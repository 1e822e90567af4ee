// Every family against SciPy: densities, predictives, evidences, priors and fits (tools/goldens/family.py makes the
// files).
#include "math/golden.hpp"

#include <set>

#include "suffice/family/all.hpp"
#include "suffice/family/observe.hpp"

namespace suffice {
namespace {

constexpr double accuracy = 1e-10;

std::vector<double> numbers(const std::string& text) {
    std::istringstream words(text);
    std::vector<double> out;
    for (std::string word; words >> word;) out.push_back(std::strtod(word.c_str(), nullptr));
    return out;
}

// Members are separated by ";", in the order of `fields`.
template <class T>
T parse(const std::string& cell) {
    std::istringstream members(cell);
    T value;
    for_each_field(value, [&](const auto& each, auto& member) {
        std::string text;
        std::getline(members, text, ';');
        const std::vector<double> read = numbers(text);
        if constexpr (requires { member.assign(read.begin(), read.end()); }) {
            member.assign(read.begin(), read.end());
        } else {
            ASSERT_EQ(read.size(), 1U) << each.name << " in " << cell;
            member = static_cast<std::remove_cvref_t<decltype(member)>>(read[0]);
        }
    });
    return value;
}

template <class T>
std::vector<double> flat(const T& value) {
    std::vector<double> out;
    for_each_field(value, [&](const auto&, const auto& member) {
        if constexpr (requires { member.begin(); })
            out.insert(out.end(), member.begin(), member.end());
        else
            out.push_back(static_cast<double>(member));
    });
    return out;
}

// Calls check(family, row) for each row, and fails where a family has none.
template <class Check>
void for_each_golden(const std::string& file, Check check) {
    const auto rows = testing::read_golden(file);
    std::set<std::string> unknown;
    for (const auto& row : rows) unknown.insert(row.at("family"));
    for_each_family([&]<class F>() {
        if constexpr (std::invocable<Check, F, const testing::GoldenRow&>) {
            EXPECT_EQ(unknown.erase(std::string(F::name)), 1U) << F::name << " has no golden in " << file;
            for (const auto& row : rows)
                if (row.at("family") == F::name) check(parse<F>(row.at("shape")), row);
        }
    });
    EXPECT_TRUE(unknown.empty()) << *unknown.begin() << " in " << file << " is no family";
}

std::string where(const testing::GoldenRow& row) {
    std::string text;
    for (const auto& [name, cell] : row) text += name + " " + cell.substr(0, 60) + ", ";
    return text;
}

TEST(Families, HaveTheDensitiesOfSciPy) {
    for_each_golden("family_density.csv", []<Family F>(const F& family, const testing::GoldenRow& row) {
        const auto x = numbers(row.at("values"));
        const auto parameter = parse<typename F::Parameter>(row.at("parameter"));
        ASSERT_TRUE(family.valid(parameter)) << where(row);
        testing::expect_close(family.log_density(parameter, value_at(family, std::span<const double>(x), 0)),
                              testing::number(row, "expected"), accuracy, where(row));
    });
}

TEST(Families, HaveThePredictivesOfSciPy) {
    for_each_golden("family_predictive.csv", []<ConjugateFamily F>(const F& family, const testing::GoldenRow& row) {
        const auto x = numbers(row.at("values"));
        const auto prior = parse<typename F::Prior>(row.at("prior"));
        ASSERT_TRUE(family.valid(prior)) << where(row);
        testing::expect_close(family.log_predictive(prior, value_at(family, std::span<const double>(x), 0)),
                              testing::number(row, "expected"), accuracy, where(row));
    });
}

TEST(Families, HaveTheEvidencesOfSciPy) {
    for_each_golden("family_evidence.csv", []<ConjugateFamily F>(const F& family, const testing::GoldenRow& row) {
        const auto statistic = observe_all(family, numbers(row.at("values"))).value();
        testing::expect_close(family.log_evidence(parse<typename F::Prior>(row.at("prior")), statistic),
                              testing::number(row, "expected"), accuracy, where(row));
    });
}

TEST(Families, HaveThePriorDensitiesOfSciPy) {
    for_each_golden("family_prior.csv", []<ConjugateFamily F>(const F& family, const testing::GoldenRow& row) {
        testing::expect_close(family.log_prior_density(parse<typename F::Prior>(row.at("prior")),
                                                       parse<typename F::Parameter>(row.at("parameter"))),
                              testing::number(row, "expected"), accuracy, where(row));
    });
}

TEST(Families, HaveTheFitsOfSciPy) {
    for_each_golden("family_fit.csv", []<Family F>(const F& family, const testing::GoldenRow& row) {
        const auto statistic = observe_all(family, numbers(row.at("values"))).value();
        const auto fit = flat(family.most_likely(statistic).value());
        const auto expected = flat(parse<typename F::Parameter>(row.at("expected")));
        ASSERT_EQ(fit.size(), expected.size()) << where(row);
        for (std::size_t i = 0; i < fit.size(); ++i) testing::expect_close(fit[i], expected[i], accuracy, where(row));
    });
}

}  // namespace
}  // namespace suffice
