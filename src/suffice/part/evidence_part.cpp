// Counts numbers, and makes of each column what the evidence says.
#include "suffice/part/evidence_part.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "suffice/base/limits.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/part/family_part.hpp"
#include "suffice/part/number_statistics.hpp"
#include "suffice/score/stepped_scorer.hpp"

namespace suffice {
namespace {

// Wide tables take fewer bins, so that all of them stay a few MiB.
std::uint32_t bins_for(std::size_t column_count) { return column_count <= 64 ? 128 : column_count <= 512 ? 64 : 32; }

struct EvidenceScratch {
    kernel::Rows rows;
    std::vector<double> gathered, x, weight;
    std::vector<std::uint32_t> code;
    NumberCounts::Scratch sums;
};

// The columns of one family as its Part.
template <class F>
FamilyPart<F> part_of(const EvidencePart& from, const std::vector<std::size_t>& which) {
    FamilyPart<F> made;
    made.refused.assign(which.size(), 0.0);
    for (const std::size_t k : which) {
        made.columns.push_back(from.columns[k]);
        made.family.emplace_back();
        made.by_class.resize(from.counts[k].class_count);
        for (std::size_t c = 0; c < from.counts[k].class_count; ++c)
            made.by_class[c].push_back(statistic_of<F>(from.counts[k], c));
    }
    return made;
}

// A scorer that takes a value outside its family's support for a missing one: the family was chosen by rows that lacked
// such values, and nobody has promised that others do.
template <class F>
class Tolerant final : public Scorer {
public:
    Tolerant(std::unique_ptr<Scorer> inner, std::vector<std::uint32_t> columns)
        : inner_(std::move(inner)), columns_(std::move(columns)) {}
    void add(const Block& tile, kernel::Tile joint, Exactness exactness, Workspace& workspace) const override {
        inner_->add(tile, joint, exactness, workspace);
    }
    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        std::vector<double> values(column_count(block), not_a_number);
        for (const std::uint32_t column : columns_)
            if (const double x = value_at(block, row, column); F{}.supports(x)) values[column] = x;
        const auto width = static_cast<std::ptrdiff_t>(values.size());
        return inner_->add_row(DenseBlock{values.data(), Element::f64, 1, values.size(), width, 1}, 0, joint);
    }
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        inner_->explain(block, row, into);
    }
    void sample(std::size_t c, Rng& rng, SampledRow& into) const override { inner_->sample(c, rng, into); }
    bool write_form(ScoreForm& form) const override { return inner_->write_form(form); }
    void describe(Description& into) const override { inner_->describe(into); }
    // What has no logarithm tells nothing there either.
    Result<void> express(ScoreExpression& into) const override { return inner_->express(into); }

private:
    std::unique_ptr<Scorer> inner_;
    std::vector<std::uint32_t> columns_;
};

class Estimating {
public:
    Estimating(const EvidencePart& part, const Settings& settings, const Schema& schema)
        : part_(part), settings_(settings), schema_(schema) {}

    template <class F>
    Result<void> family(const std::vector<NumberChoice>& chosen) {
        const auto which = columns_of(chosen, F::name);
        if (which.empty()) return {};
        const FamilyPart<F> part = part_of<F>(part_, which);
        auto estimated = part.estimate(settings_, schema_);
        if (!estimated) return estimated.error();
        for (auto& scorer : estimated->scorers) {
            if constexpr (!std::same_as<F, Gaussian>)
                scorer = std::make_unique<Tolerant<F>>(std::move(scorer), part.columns);
            done_.scorers.push_back(std::move(scorer));
        }
        done_.log_likelihood += estimated->log_likelihood;
        done_.parameter_count += estimated->parameter_count;
        std::ranges::move(estimated->notes, std::back_inserter(done_.notes));
        return {};
    }
    // Values, or bins, as the levels of a category.
    Result<void> tables(const std::vector<NumberChoice>& chosen) {
        std::vector<SteppedColumn> columns;
        for (const std::string_view family : {"categorical", "histogram"})
            for (const std::size_t k : columns_of(chosen, family)) {
                auto column = table(k, family == "histogram" ? chosen[k].bins : part_.counts[k]);
                if (!column) return column.error();
                columns.push_back(std::move(*column));
            }
        if (!columns.empty()) done_.scorers.push_back(stepped_scorer(std::move(columns), schema_.classes.size()));
        return {};
    }
    Result<void> zero_inflated(const std::vector<NumberChoice>& chosen) {
        const auto which = columns_of(chosen, "zero_inflated");
        std::vector<ZeroInflatedColumn> columns;
        for (const std::size_t k : which) {
            auto column = inflated(k);
            if (!column) return column.error();
            columns.push_back(std::move(*column));
        }
        if (!columns.empty()) done_.scorers.push_back(zero_inflated_scorer(std::move(columns), schema_.classes.size()));
        return {};
    }
    Estimated take() { return std::move(done_); }

private:
    static std::vector<std::size_t> columns_of(const std::vector<NumberChoice>& chosen, std::string_view family) {
        std::vector<std::size_t> which;
        for (std::size_t k = 0; k < chosen.size(); ++k)
            if (chosen[k].family == family) which.push_back(k);
        return which;
    }
    const std::string& name_of(std::size_t k) const { return schema_.columns[part_.columns[k]].name; }

    Result<SteppedColumn> table(std::size_t k, const NumberCounts& counts) {
        const std::size_t cells = counts.start.size(), classes = counts.class_count;
        const Categorical family{static_cast<std::uint32_t>(cells)};
        std::vector<Categorical::Statistic> of_class(classes, family.empty());
        Categorical::Statistic whole = family.empty();
        for (std::size_t c = 0; c < classes; ++c) {
            for (std::size_t at = 0; at < cells; ++at) of_class[c].level_weight[at] = counts.weight_at(at, c);
            whole.merge(of_class[c]);
        }
        const auto prior = column_prior(family, settings_, name_of(k), whole);
        if (!prior) return prior.error();
        const double log_width = counts.width > 0 ? std::log(counts.width) : 0;
        SteppedColumn made{part_.columns[k], counts.width, counts.start, std::vector<double>((cells + 1) * classes)};
        for (std::size_t c = 0; c < classes; ++c) {
            const auto& seen = of_class[c].weight() > 0 ? of_class[c] : whole;
            const auto learned = !*prior ? likely_parameter(family, seen, settings_.estimate)
                                 : settings_.estimate == Estimate::predictive
                                     ? family.expected(family.posterior(**prior, seen))
                                     : family.most_probable(family.posterior(**prior, seen));
            if (!learned) return Error(learned.error()).in_column(name_of(k));
            done_.log_likelihood += family.log_likelihood(*learned, of_class[c]) - of_class[c].weight() * log_width;
            for (std::size_t at = 0; at < cells; ++at)
                made.log_density[at * classes + c] = learned->log_probability[at] - log_width;
            // What was never seen scores as a cell of count 0; without smoothing it tells nothing.
            if (*prior && settings_.smoothing > 0)
                made.log_density[cells * classes + c] =
                    std::log(settings_.smoothing / (seen.weight() + settings_.smoothing * static_cast<double>(cells))) -
                    log_width;
        }
        done_.parameter_count += classes * (cells - 1);
        return made;
    }

    Result<ZeroInflatedColumn> inflated(std::size_t k) {
        const NumberCounts& counts = part_.counts[k];
        NumberSums whole;
        for (std::size_t c = 0; c < counts.class_count; ++c) whole.merge(counts.sums_of(c));
        Gaussian::Statistic row = whole.logs;
        row.scale(1 / row.total_weight);
        ZeroInflatedColumn made{part_.columns[k], {}, {}, {}};
        for (std::size_t c = 0; c < counts.class_count; ++c) {
            NumberSums sums = counts.sums_of(c);
            const Gaussian::Statistic own = sums.logs;
            const double zeros = sums.plain.total_weight - own.total_weight, rows = sums.plain.total_weight;
            const double overall = (whole.plain.total_weight - whole.logs.total_weight) / whole.plain.total_weight;
            sums.logs.merge(row);
            const double a = std::max(settings_.smoothing, 1e-9);
            made.zero.push_back((zeros + 2 * a * overall) / (rows + 2 * a));
            made.log_mean.push_back(sums.logs.mean);
            made.log_variance.push_back(std::max(sums.logs.scatter / sums.logs.total_weight, 1e-300));
            if (zeros > 0) done_.log_likelihood += zeros * std::log(made.zero.back());
            if (own.total_weight > 0)
                done_.log_likelihood +=
                    own.total_weight * std::log1p(-made.zero.back()) +
                    LogNormal{}.log_likelihood({made.log_mean.back(), made.log_variance.back()}, own);
        }
        done_.parameter_count += 3 * counts.class_count;
        return made;
    }

    const EvidencePart& part_;
    const Settings& settings_;
    const Schema& schema_;
    Estimated done_;
};

}  // namespace

EvidencePart::EvidencePart(const Schema& schema, std::vector<std::uint32_t> which)
    : columns(std::move(which)), refused(columns.size()) {
    const std::uint32_t bins = bins_for(columns.size()), classes = static_cast<std::uint32_t>(schema.classes.size());
    counts.assign(columns.size(), NumberCounts{.limit = bins, .class_count = classes});
}

EvidencePart EvidencePart::blank() const {
    EvidencePart fresh = *this;
    for (NumberCounts& each : fresh.counts) each = {.limit = each.limit, .class_count = each.class_count};
    fresh.refused.assign(refused.size(), 0.0);
    return fresh;
}

void EvidencePart::observe(const Block& block, const Membership& membership, Workspace& workspace) {
    auto& scratch = workspace.of<EvidenceScratch>();
    // A column at a time, in place where files have it so; sparse rows are spread once.
    const bool sparse = std::holds_alternative<SparseBlock>(block);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const std::span<const std::uint32_t> wanted = sparse ? std::span(columns) : std::span(columns).subspan(k, 1);
        if (!sparse || k == 0) scratch.rows = rows_of(block, wanted, scratch.gathered);
        const kernel::Rows& rows = scratch.rows;
        scratch.x.clear();
        scratch.code.clear();
        scratch.weight.clear();
        for (std::size_t row = 0; row < rows.row_count; ++row) {
            const double x = rows.row(row)[sparse ? k : 0];
            if (std::isnan(x)) continue;
            membership.for_each_class(row, [&](std::size_t c, double weight) {
                if (std::isinf(x)) {
                    refused[k] += weight;
                    return;
                }
                scratch.x.push_back(x);
                scratch.code.push_back(static_cast<std::uint32_t>(c));
                scratch.weight.push_back(weight);
            });
        }
        counts[k].observe({scratch.x, scratch.code, scratch.weight}, scratch.sums);
    }
}

void EvidencePart::merge(const EvidencePart& from) {
    counts.merge(from.counts);
    add_sums(refused, from.refused);
}

void EvidencePart::remove(const EvidencePart& rows) {
    counts.remove(rows.counts);
    remove_sums(refused, rows.refused);
}

void EvidencePart::scale(double factor) {
    counts.scale(factor);
    scale_sums(refused, factor);
}

void EvidencePart::recode(const Recoding& recoding) {
    if (recoding.classes.is_identity()) return;
    for (NumberCounts& each : counts) each.recode(recoding.classes);
}

bool EvidencePart::matches(const EvidencePart& other) const {
    return families == other.families &&
           std::ranges::equal(counts, other.counts, {}, &NumberCounts::limit, &NumberCounts::limit);
}

bool EvidencePart::valid(const Schema& schema) const {
    return schema.holds(columns) && counts.size() == columns.size() && refused.size() == columns.size() &&
           std::ranges::find(families, Gaussian::name) != families.end() &&
           std::ranges::all_of(counts, [&](const NumberCounts& each) {
               return each.class_count == schema.classes.size() && each.valid();
           });
}

std::size_t EvidencePart::footprint(const Schema& schema) const {
    const std::size_t bins = counts.empty() ? 0 : counts.front().limit;
    return columns.size() * std::max<std::size_t>(schema.classes.size(), 1) *
           (bins * sizeof(double) + sizeof(NumberSums));
}

Result<void> EvidencePart::refuses(const Schema& schema) const {
    for (std::size_t k = 0; k < columns.size(); ++k)
        if (refused[k] > 0)
            return Error("the column holds infinite values, and families of numbers take finite ones")
                .in_column(schema.columns[columns[k]].name);
    return {};
}

std::vector<NumberChoice> EvidencePart::choose(const Settings& settings) const {
    std::vector<NumberChoice> chosen;
    for (const NumberCounts& each : counts) chosen.push_back(choose_family(each, settings.smoothing, families));
    return chosen;
}

Result<Estimated> EvidencePart::estimate(const Settings& settings, const Schema& schema) const {
    if (auto refusal = refuses(schema); !refusal) return refusal.error();
    const auto chosen = choose(settings);
    Estimating estimating(*this, settings, schema);
    Result<void> done;
    for_each_shapeless_family([&]<class F>() {
        if (done) done = estimating.family<F>(chosen);
    });
    if (done) done = estimating.tables(chosen);
    if (done) done = estimating.zero_inflated(chosen);
    if (!done) return done.error();
    return estimating.take();
}

}  // namespace suffice
