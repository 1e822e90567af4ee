// Looks up categorical columns.
#include "suffice/score/table_scorer.hpp"

#include <cmath>
#include <limits>

#include "suffice/data/check_rows.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/kernel/count.hpp"
#include "suffice/kernel/scores.hpp"
#include "suffice/score/expression.hpp"
#include "suffice/score/refused_value.hpp"

namespace suffice {
namespace {

struct TableScratch {
    std::vector<double> gathered;
    std::vector<std::int32_t> codes;
};

class TableScorer final : public Scorer {
public:
    explicit TableScorer(LevelTables tables) : tables_(std::move(tables)) {
        std::vector<std::int32_t> lines;
        std::vector<const double*> first;
        for (std::size_t k = 0; k < tables_.columns.size(); ++k) {
            levels_.push_back(static_cast<std::int32_t>(tables_.level_count[k]));
            lines.push_back(levels_.back() + 1);
            first.push_back(tables_.log_probability[k].data());
        }
        packed_ = {tables_.class_count, std::move(lines), first.data()};
    }

    void add(const Block& tile, kernel::Tile joint, Exactness, Workspace& workspace) const override {
        auto& scratch = workspace.of<TableScratch>();
        const kernel::Rows rows = rows_of(tile, tables_.columns, scratch.gathered);
        const std::size_t width = tables_.columns.size();
        scratch.codes.resize(rows.row_count * width);
        const auto stride = static_cast<std::ptrdiff_t>(width);
        if (kernel::level_codes(rows, levels_.data(), scratch.codes.data(), stride) > 0)
            for (std::size_t at = 0; at < scratch.codes.size(); ++at) {
                if (scratch.codes[at] >= -1) continue;
                scratch.codes[at] = levels_[at % width];
                if (rows.row(at / width)[at % width] != unseen_level)  // add_row says why
                    joint.of_class(0)[at / width] = std::numeric_limits<double>::quiet_NaN();
            }
        kernel::table_scores(scratch.codes.data(), stride, packed_, joint);
    }
    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        for (std::size_t k = 0; k < tables_.columns.size(); ++k) {
            const double x = value_at(block, row, tables_.columns[k]);
            if (!std::isnan(x) && !is_level_code(x, tables_.level_count[k]))
                return no_level(tables_.columns[k], tables_.level_count[k], x);
            if (const double* line = line_of(x, k))
                for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += line[c];
        }
        return {};
    }
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        for (std::size_t k = 0; k < tables_.columns.size(); ++k) {
            auto& term = into.terms.emplace_back(tables_.columns[k], Explanation::no_level,
                                                 std::vector<double>(tables_.class_count));
            if (const double* line = line_of(value_at(block, row, tables_.columns[k]), k))
                term.by_class.assign(line, line + tables_.class_count);
        }
    }
    void sample(std::size_t c, Rng& rng, SampledRow& into) const override {
        for (std::size_t k = 0; k < tables_.columns.size(); ++k) {
            double left = rng.uniform();
            std::uint32_t level = 0;
            for (; level + 1 < tables_.level_count[k]; ++level)
                if ((left -= std::exp(tables_.log_probability[k][level * tables_.class_count + c])) < 0) break;
            into.values[tables_.columns[k]] = level;
        }
    }
    void describe(Description& into) const override {
        for (std::size_t k = 0; k < tables_.columns.size(); ++k) {
            auto& column = into.columns.emplace_back(tables_.columns[k], "categorical");
            for (std::size_t c = 0; c < tables_.class_count; ++c) {
                std::vector<double> probability;
                for (std::size_t level = 0; level < tables_.level_count[k]; ++level)
                    probability.push_back(std::exp(tables_.log_probability[k][level * tables_.class_count + c]));
                column.by_class.push_back({{{"probability", std::move(probability)}}});
            }
        }
    }
    Result<void> express(ScoreExpression& into) const override {
        for (std::size_t k = 0; k < tables_.columns.size(); ++k) {
            TableTerm term{{tables_.columns[k]}, {tables_.level_count[k]}};
            term.lines.resize(tables_.class_count);
            for (std::size_t c = 0; c < tables_.class_count; ++c) {
                for (std::size_t line = 0; line <= tables_.level_count[k]; ++line)
                    term.lines[c].push_back(tables_.log_probability[k][line * tables_.class_count + c]);
                term.lines[c].push_back(0);  // missing
            }
            into.tables.push_back(std::move(term));
        }
        return {};
    }

private:
    // Null: missing.
    const double* line_of(double x, std::size_t k) const {
        if (std::isnan(x)) return nullptr;
        const std::size_t level = x != unseen_level ? static_cast<std::size_t>(x) : tables_.level_count[k];
        return tables_.log_probability[k].data() + level * tables_.class_count;
    }

    LevelTables tables_;
    std::vector<std::int32_t> levels_;
    kernel::PackedTables packed_;
};

}  // namespace

std::unique_ptr<Scorer> table_scorer(LevelTables tables) { return std::make_unique<TableScorer>(std::move(tables)); }

}  // namespace suffice
