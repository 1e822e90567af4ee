// Gathers the rows of a sample and steps on them.
#include "suffice/regress/logistic_sample.hpp"

#include <algorithm>

#include "suffice/regress/logistic_search.hpp"

namespace suffice {
namespace {

constexpr double fewest_of_a_class = 200;  // rows in the sample, where the class has them
constexpr double rough = 1e-4;             // tolerance of the objective, per unit of weight
constexpr std::uint32_t most_steps = 15;

// By the row's number: the same for every thread count, spread so that no period in the data can match.
bool sampled(std::uint64_t row, double share) {
    if (share >= 1) return true;
    const std::uint64_t mixed = (row + 1) * 0x9E3779B97F4A7C15u;
    return static_cast<double>((mixed ^ (mixed >> 29)) >> 32) < share * 4294967296.0;
}

struct GatheredRows {
    std::vector<double> values, weights;
    std::vector<std::int32_t> codes;
    bool operator==(const GatheredRows&) const = default;

    double weight() const { return static_cast<double>(codes.size()); }
    void merge(const GatheredRows& from) {
        values.insert(values.end(), from.values.begin(), from.values.end());
        weights.insert(weights.end(), from.weights.begin(), from.weights.end());
        codes.insert(codes.end(), from.codes.begin(), from.codes.end());
    }
};

struct GatherScratch {
    std::vector<double> features, weight;
    std::vector<std::int32_t> code;
};

struct GatherPass {
    using Statistic = GatheredRows;
    const LogisticRows* rows = nullptr;
    double share = 0;
    std::vector<double> class_share;
    std::size_t expected = 0;

    GatheredRows empty() const { return {}; }
    std::size_t footprint() const { return sizeof(double) * expected * (rows->centre.size() + 2) / most_lanes; }
    Result<void> observe(GatheredRows& into, const LabeledBlock& unit, const Schema& names,
                         Workspace& workspace) const {
        auto& scratch = workspace.of<GatherScratch>();
        if (!rows->label(unit, names, scratch.code, scratch.weight)) return {};
        for (std::size_t row = 0; row < unit.size(); ++row) {
            if (scratch.code[row] < 0) continue;
            const double own = class_share[static_cast<std::size_t>(scratch.code[row])];
            if (!sampled(unit.first_row + row, own)) continue;
            const kernel::Rows x = rows->features.rows_of(slice(unit.rows, row, 1), scratch.features);
            into.values.insert(into.values.end(), x.row(0), x.row(0) + x.column_count);
            into.weights.push_back(share / own * (scratch.weight.empty() ? 1.0 : scratch.weight[row]));
            into.codes.push_back(scratch.code[row]);
        }
        return {};
    }
};

static_assert(Pass<GatherPass>);

}  // namespace

Result<std::unique_ptr<LogisticSample>> LogisticSample::of(LogisticProblem& whole, double share) {
    GatherPass pass{&whole.rows, share, {}, static_cast<std::size_t>(share * whole.total())};
    for (double weight : whole.class_weight())
        pass.class_share.push_back(std::clamp(fewest_of_a_class / weight, share, 1.0));
    auto gathered = whole.pass_over(pass);
    if (!gathered) return gathered.error();
    std::unique_ptr<LogisticSample> made(new LogisticSample(whole, share));
    made->values_ = std::move(gathered->values);
    made->weights_ = std::move(gathered->weights);
    made->codes_ = std::move(gathered->codes);
    LogisticSettings& settings = made->settings_;
    settings.penalty *= share;
    settings.balanced = false;  // weights have it
    settings.class_weight.clear();
    settings.tolerance = rough;
    settings.gradient_tolerance = 0;
    settings.step_limit = most_steps;
    Schema schema;
    schema.classes = whole.rows.classes;
    Features features;
    const std::size_t d = whole.feature_count;
    for (std::uint32_t j = 0; j < d; ++j) {
        schema.columns.push_back({std::to_string(j)});
        features.columns.emplace_back().column = j;
    }
    settings.offset.clear();  // columns have other names here; which ones are given is known
    settings.class_offset.clear();
    const DenseBlock block{
        made->values_.data(), Element::f64, made->codes_.size(), d, static_cast<std::ptrdiff_t>(d), 1};
    made->stream_ = std::make_unique<MemoryStream>(LabeledBlock{block, made->codes_, made->weights_, 0}, schema);
    made->problem_ = std::make_unique<LogisticProblem>(whole, schema, features, *made->stream_, settings, share);
    return made;
}

Result<std::vector<double>> LogisticSample::minimize(std::vector<double> phi) {
    auto first = problem_->evaluate(std::move(phi), true);
    if (!first) return first.error();
    LogisticSearch search{std::move(*first), {}, 0, false};
    if (auto done = minimize_smooth(*problem_, {true, true, 1}, nullptr, search); !done) return done.error();
    return std::move(search.at.phi);
}

Result<std::vector<double>> LogisticSample::hessian(std::span<const double> phi) {
    const auto at = problem_->evaluate({phi.begin(), phi.end()}, true);
    if (!at) return at.error();
    std::vector<double> all = problem_->hessian(*at);
    for (double& cell : all) cell /= share_;
    return all;
}

}  // namespace suffice
