// Numbers of which only the sign counts: below, at or above zero. A kind of Part that the library does not have:
// tests/extend adds it as HACKING.md says, by this file and one line.
#pragma once
#include <array>
#include <cmath>

#include "suffice/accumulate/several.hpp"
#include "suffice/family/categorical.hpp"
#include "suffice/part/part.hpp"

namespace suffice {

inline std::size_t sign_of(double x) { return x < 0 ? 0 : x > 0 ? 2 : 1; }

class SignScorer final : public Scorer {
public:
    struct Column {
        std::uint32_t column = 0;
        std::vector<std::array<double, 3>> log_share;  // by class
    };
    explicit SignScorer(std::vector<Column> columns) : columns_(std::move(columns)) {}
    void add(const Block& tile, kernel::Tile joint, Exactness, Workspace&) const override {
        std::vector<long double> line(columns_.empty() ? 0 : columns_.front().log_share.size());
        for (std::size_t row = 0; row < row_count(tile); ++row) {
            std::ranges::fill(line, 0.0L);
            (void)add_row(tile, row, line);
            for (std::size_t c = 0; c < line.size(); ++c) joint.of_class(c)[row] += static_cast<double>(line[c]);
        }
    }
    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        for (const Column& each : columns_)
            if (const double x = value_at(block, row, each.column); !std::isnan(x))
                for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += each.log_share[c][sign_of(x)];
        return {};
    }
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        for (const Column& each : columns_) {
            auto& term =
                into.terms.emplace_back(each.column, Explanation::no_level, std::vector<double>(each.log_share.size()));
            if (const double x = value_at(block, row, each.column); !std::isnan(x))
                for (std::size_t c = 0; c < term.by_class.size(); ++c) term.by_class[c] = each.log_share[c][sign_of(x)];
        }
    }
    void sample(std::size_t c, Rng& rng, SampledRow& into) const override {
        for (const Column& each : columns_) {
            const double u = rng.uniform(), below = std::exp(each.log_share[c][0]), at = std::exp(each.log_share[c][1]);
            into.values[each.column] = u < below ? -1 : u < below + at ? 0 : 1;
        }
    }
    void describe(Description& into) const override {
        for (const Column& each : columns_) {
            auto& column = into.columns.emplace_back(each.column, "signs");
            for (const auto& share : each.log_share)
                column.by_class.push_back(Record{
                    {{"below", std::exp(share[0])}, {"zero", std::exp(share[1])}, {"above", std::exp(share[2])}}});
        }
    }

private:
    std::vector<Column> columns_;
};

struct SignPart {
    static constexpr std::string_view name = "signs", word = name;
    static constexpr std::string_view takes = "numbers: below, at or above zero";

    std::vector<std::uint32_t> columns;
    Several<Several<Categorical::Statistic>> by_class;  // then by column
    static constexpr auto fields =
        FieldTuple{field("columns", &SignPart::columns), field("by_class", &SignPart::by_class)};
    bool operator==(const SignPart&) const = default;

    SignPart() = default;
    SignPart(const Schema& schema, std::vector<std::uint32_t> which) : columns(std::move(which)) {
        by_class.assign(schema.classes.size(), empties());
    }
    Several<Categorical::Statistic> empties() const {
        Several<Categorical::Statistic> made;
        made.assign(columns.size(), Categorical{3}.empty());
        return made;
    }
    SignPart blank() const {
        SignPart fresh = *this;
        fresh.by_class.assign(by_class.size(), empties());
        return fresh;
    }
    double weight() const { return by_class.weight(); }
    void observe(const Block& block, const Membership& membership, Workspace&) {
        for (std::size_t row = 0; row < row_count(block); ++row)
            membership.for_each_class(row, [&](std::size_t c, double w) {
                for (std::size_t k = 0; k < columns.size(); ++k)
                    if (const double x = value_at(block, row, columns[k]); !std::isnan(x))
                        Categorical{3}.observe(by_class[c][k], static_cast<double>(sign_of(x)), w);
            });
    }
    void merge(const SignPart& from) { by_class.merge(from.by_class); }
    void remove(const SignPart& rows) { by_class.remove(rows.by_class); }
    void scale(double factor) { by_class.scale(factor); }
    void recode(const Recoding& recoding) {
        if (!recoding.classes.is_identity()) by_class.recode(recoding.classes, empties());
    }
    bool valid(const Schema& schema) const {
        bool good = schema.holds(columns) && by_class.size() == schema.classes.size();
        for (const auto& row : by_class) {
            good = good && row.size() == columns.size();
            for (const auto& each : row) good = good && Categorical{3}.valid(each);
        }
        return good;
    }
    std::size_t footprint(const Schema& schema) const { return schema.classes.size() * columns.size() * 64; }
    Result<void> refuses(const Schema&) const { return {}; }
    std::vector<double> level_weight(std::uint32_t, std::size_t) const { return {}; }
    Result<Estimated> estimate(const Settings& settings, const Schema&) const {
        Estimated done;
        std::vector<SignScorer::Column> made;
        const double a = std::max(settings.smoothing, 1e-9);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            auto& column = made.emplace_back(columns[k]);
            for (const auto& row : by_class) {
                auto& share = column.log_share.emplace_back();
                for (std::size_t sign = 0; sign < 3; ++sign) {
                    share[sign] = std::log((row[k].level_weight[sign] + a) / (row[k].weight() + 3 * a));
                    done.log_likelihood += row[k].level_weight[sign] * share[sign];
                }
            }
        }
        done.parameter_count = 2 * columns.size() * by_class.size();
        done.scorers.push_back(std::make_unique<SignScorer>(std::move(made)));
        return done;
    }
};

static_assert(PartKind<SignPart> && RemovableStatistic<SignPart> && DecayableStatistic<SignPart>);

}  // namespace suffice
