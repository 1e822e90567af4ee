// Looks numbers up, and scores columns that are often zero.
#include "suffice/score/stepped_scorer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/data/rows_of.hpp"
#include "suffice/family/log_normal.hpp"
#include "suffice/kernel/scores.hpp"
#include "suffice/score/expression.hpp"

namespace suffice {
namespace {

// Columns scored one value at a time: `Column` has a place in the schema, add(x, joint), record(c) and sample(c, rng).
template <class Column>
class NumberScorer final : public Scorer {
public:
    NumberScorer(std::vector<Column> columns, std::size_t class_count)
        : columns_(std::move(columns)), class_count_(class_count) {
        for (const Column& each : columns_) places_.push_back(each.of.column);
    }
    void add(const Block& tile, kernel::Tile joint, Exactness, Workspace& workspace) const override {
        auto& scratch = workspace.of<Scratch>();
        const kernel::Rows rows = rows_of(tile, places_, scratch.gathered);
        scratch.line.resize(class_count_);
        for (std::size_t row = 0; row < rows.row_count; ++row) {
            std::ranges::fill(scratch.line, 0.0);
            for (std::size_t k = 0; k < columns_.size(); ++k)
                if (const double x = rows.row(row)[k]; !std::isnan(x)) columns_[k].add(x, scratch.line.data());
            for (std::size_t c = 0; c < class_count_; ++c) joint.of_class(c)[row] += scratch.line[c];
        }
    }
    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        std::vector<double> line(class_count_);
        for (const Column& each : columns_)
            if (const double x = value_at(block, row, each.of.column); !std::isnan(x)) each.add(x, line.data());
        for (std::size_t c = 0; c < class_count_; ++c) joint[c] += line[c];
        return {};
    }
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        for (const Column& each : columns_) {
            auto& term =
                into.terms.emplace_back(each.of.column, Explanation::no_level, std::vector<double>(class_count_));
            if (const double x = value_at(block, row, each.of.column); !std::isnan(x))
                each.add(x, term.by_class.data());
        }
    }
    void sample(std::size_t c, Rng& rng, SampledRow& into) const override {
        for (const Column& each : columns_) into.values[each.of.column] = each.sample(c, class_count_, rng);
    }
    void describe(Description& into) const override {
        for (const Column& each : columns_) {
            auto& column = into.columns.emplace_back(each.of.column, std::string(each.family()));
            for (std::size_t c = 0; c < class_count_; ++c) column.by_class.push_back(each.record(c, class_count_));
        }
    }
    Result<void> express(ScoreExpression& into) const override {
        for (const Column& each : columns_) each.express(into);
        return {};
    }

private:
    struct Scratch {
        std::vector<double> gathered, line;
    };
    std::vector<Column> columns_;
    std::vector<std::uint32_t> places_;
    std::size_t class_count_;
};

// The next number; of zero one that every program can read.
double after(double x) {
    return x == 0 ? std::numeric_limits<double>::min() : std::nextafter(x, std::numeric_limits<double>::infinity());
}

struct Stepped {
    SteppedColumn of;
    std::size_t class_count = of.log_density.size() / (of.start.size() + 1);

    std::string_view family() const { return of.width > 0 ? "histogram" : "categorical"; }
    std::size_t place(double x) const {
        if (of.width > 0) {
            const double at = std::floor(x / of.width) - of.start.front() / of.width;
            return at >= 0 && at < static_cast<double>(of.start.size()) ? static_cast<std::size_t>(at)
                                                                        : of.start.size();
        }
        const auto found = std::ranges::lower_bound(of.start, x);
        return found != of.start.end() && *found == x ? static_cast<std::size_t>(found - of.start.begin())
                                                      : of.start.size();
    }
    void add(double x, double* joint) const {
        const double* line = of.log_density.data() + place(x) * class_count;
        for (std::size_t c = 0; c < class_count; ++c) joint[c] += line[c];
    }
    // A value by itself is a piece that ends before the next number.
    void express(ScoreExpression& into) const {
        PieceTerm term{.column = of.column};
        const auto piece = [&](std::size_t at) {
            const double* line = of.log_density.data() + at * class_count;
            term.pieces.emplace_back().coefficient.emplace_back(line, line + class_count);
        };
        piece(of.start.size());
        for (std::size_t at = 0; at < of.start.size(); ++at) {
            term.edges.push_back(of.width > 0 ? first_of(at) : of.start[at]);
            piece(at);
            if (of.width > 0) continue;
            term.edges.push_back(after(of.start[at]));
            piece(of.start.size());
        }
        if (of.width > 0) {
            term.edges.push_back(first_of(of.start.size()));
            piece(of.start.size());
        }
        into.pieces.push_back(std::move(term));
    }
    // The least number of a bin, as place() rounds: near where the bin starts.
    double first_of(std::size_t bin) const {
        const auto inside = [&](double x) {
            return std::floor(x / of.width) - of.start.front() / of.width >= static_cast<double>(bin);
        };
        const double start = of.start.front() + static_cast<double>(bin) * of.width;
        double below = start - 2 * of.width, edge = start + 2 * of.width;
        for (double middle = start; below < middle && middle < edge; middle = below + (edge - below) / 2)
            (inside(middle) ? edge : below) = middle;
        return edge;
    }
    double probability(std::size_t at, std::size_t c) const {
        return std::exp(of.log_density[at * class_count + c]) * (of.width > 0 ? of.width : 1);
    }
    Record record(std::size_t c, std::size_t) const {
        std::vector<double> share;
        for (std::size_t at = 0; at < of.start.size(); ++at) share.push_back(probability(at, c));
        Record made{{{of.width > 0 ? "start" : "value", of.start}, {"probability", std::move(share)}}};
        if (of.width > 0) made.entries.emplace_back("width", of.width);
        return made;
    }
    double sample(std::size_t c, std::size_t, Rng& rng) const {
        double left = rng.uniform();
        std::size_t at = 0;
        for (; at + 1 < of.start.size(); ++at)
            if ((left -= probability(at, c)) < 0) break;
        return of.start[at] + (of.width > 0 ? of.width * rng.uniform() : 0);
    }
};

struct ZeroInflated {
    ZeroInflatedColumn of;

    static std::string_view family() { return "zero_inflated"; }
    LogNormal::Parameter others(std::size_t c) const { return {of.log_mean[c], of.log_variance[c]}; }
    void add(double x, double* joint) const {
        if (x < 0) return;  // no row was ever below zero: it tells nothing
        for (std::size_t c = 0; c < of.zero.size(); ++c)
            joint[c] += x == 0 ? std::log(of.zero[c]) : std::log1p(-of.zero[c]) + LogNormal{}.log_density(others(c), x);
    }
    // Below zero nothing, at zero its share, above it the share of the others with their bell.
    void express(ScoreExpression& into) const {
        const std::size_t classes = of.zero.size();
        BellTerm bell{.column = of.column, .of_logarithm = true};
        PieceTerm shares{.column = of.column, .edges = {0, after(0)}};
        for (int k = 0; k < 3; ++k) shares.pieces.emplace_back().coefficient.emplace_back(classes);
        for (std::size_t c = 0; c < classes; ++c) {
            bell.mean.push_back(of.log_mean[c]);
            bell.scale.push_back(1 / std::sqrt(of.log_variance[c]));
            bell.peak.push_back(-0.5 * std::log(of.log_variance[c]));
            shares.pieces[1].coefficient[0][c] = std::log(of.zero[c]);
            shares.pieces[2].coefficient[0][c] = std::log1p(-of.zero[c]);
        }
        into.bells.push_back(std::move(bell));
        into.pieces.push_back(std::move(shares));
    }
    Record record(std::size_t c, std::size_t) const {
        return {{{"zero", of.zero[c]}, {"log_mean", of.log_mean[c]}, {"log_variance", of.log_variance[c]}}};
    }
    double sample(std::size_t c, std::size_t, Rng& rng) const {
        return rng.uniform() < of.zero[c] ? 0 : LogNormal{}.sample(others(c), rng);
    }
};

template <class Column, class Given>
std::unique_ptr<Scorer> make_scorer(std::vector<Given> columns, std::size_t class_count) {
    std::vector<Column> made;
    for (Given& each : columns) made.push_back({std::move(each)});
    return std::make_unique<NumberScorer<Column>>(std::move(made), class_count);
}

}  // namespace

std::unique_ptr<Scorer> stepped_scorer(std::vector<SteppedColumn> columns, std::size_t class_count) {
    return make_scorer<Stepped>(std::move(columns), class_count);
}

std::unique_ptr<Scorer> zero_inflated_scorer(std::vector<ZeroInflatedColumn> columns, std::size_t class_count) {
    return make_scorer<ZeroInflated>(std::move(columns), class_count);
}

}  // namespace suffice
