// Looks up joint tables and their marginals.
#include "suffice/score/joint_scorer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/data/check_rows.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/score/expression.hpp"
#include "suffice/score/refused_value.hpp"

namespace suffice {
namespace {

struct JointTileScratch {
    std::vector<double> gathered;
};

class JointScorer final : public Scorer {
public:
    explicit JointScorer(JointTable table) : table_(std::move(table)) {
        std::size_t cells = 1;
        for (auto levels : table_.level_count) cells *= levels;
        line_.assign(cells, unseen);
        for (std::uint32_t at = 0; at < table_.cell.size(); ++at) line_[static_cast<std::size_t>(table_.cell[at])] = at;
    }

    void add(const Block& tile, kernel::Tile joint, Exactness, Workspace& workspace) const override {
        const kernel::Rows rows = rows_of(tile, table_.columns, workspace.of<JointTileScratch>().gathered);
        for (std::size_t row = 0; row < rows.row_count; ++row) {
            const double* x = rows.row(row);
            std::size_t place = 0;
            bool whole = true;
            for (std::size_t k = 0; k < table_.columns.size(); ++k) {
                whole = whole && is_level(x[k], k);
                place = place * table_.level_count[k] + (whole ? static_cast<std::size_t>(x[k]) : 0);
            }
            if (whole) {
                const double* line = line_at(place);
                for (std::size_t c = 0; c < table_.class_count; ++c) joint.of_class(c)[row] += line[c];
            } else {
                const auto marginal = log_marginal({x, table_.columns.size()});
                for (std::size_t c = 0; c < table_.class_count; ++c) joint.of_class(c)[row] += marginal[c];
                for (std::size_t k = 0; k < table_.columns.size(); ++k)
                    if (!std::isnan(x[k]) && !is_level_code(x[k], table_.level_count[k]))
                        joint.of_class(0)[row] = std::numeric_limits<double>::quiet_NaN();  // add_row says why
            }
        }
    }
    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        const auto x = values_of(block, row);
        for (std::size_t k = 0; k < x.size(); ++k)
            if (!std::isnan(x[k]) && !is_level_code(x[k], table_.level_count[k]))
                return no_level(table_.columns[k], table_.level_count[k], x[k]);
        const auto marginal = log_marginal(x);
        for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += marginal[c];
        return {};
    }
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        const auto x = values_of(block, row);
        std::vector<double> known(x.size(), std::numeric_limits<double>::quiet_NaN()), before(table_.class_count);
        for (std::size_t k = 0; k < x.size(); ++k) {
            known[k] = x[k];
            const auto now = log_marginal(known);
            auto& term = into.terms.emplace_back(table_.columns[k], Explanation::no_level, now);
            for (std::size_t c = 0; c < now.size(); ++c) term.by_class[c] -= before[c];
            before = now;
        }
    }
    // Cells that were seen come first; what is left of the probability is spread over all others.
    void sample(std::size_t c, Rng& rng, SampledRow& into) const override {
        double left = rng.uniform();
        for (std::size_t at = 0; at < table_.cell.size(); ++at)
            if ((left -= std::exp(table_.log_probability[at * table_.class_count + c])) < 0)
                return write_cell(static_cast<std::size_t>(table_.cell[at]), into);
        if (table_.cell.size() == line_.size()) return write_cell(line_.size() - 1, into);
        std::size_t place = 0;
        do {
            place =
                std::min(static_cast<std::size_t>(rng.uniform() * static_cast<double>(line_.size())), line_.size() - 1);
        } while (line_[place] != unseen);
        write_cell(place, into);
    }
    void describe(Description& into) const override {  // the marginals of the columns
        for (std::size_t k = 0; k < table_.columns.size(); ++k) {
            std::vector<std::vector<double>> probability(table_.class_count);
            std::vector<double> x(table_.columns.size(), std::numeric_limits<double>::quiet_NaN());
            for (std::uint32_t level = 0; level < table_.level_count[k]; ++level) {
                x[k] = level;
                const auto marginal = log_marginal(x);
                for (std::size_t c = 0; c < marginal.size(); ++c) probability[c].push_back(std::exp(marginal[c]));
            }
            auto& column = into.columns.emplace_back(table_.columns[k], "joint");
            for (auto& each : probability) column.by_class.push_back({{{"probability", std::move(each)}}});
        }
    }
    // Every combination of levels, one never seen and one missing.
    Result<void> express(ScoreExpression& into) const override {
        constexpr std::size_t most_lines = 100'000;
        std::size_t lines = 1;
        for (const auto levels : table_.level_count) lines *= levels + 2;
        if (lines > most_lines)
            return Error(ErrorKind::usage,
                         "the joint table of its columns has " + std::to_string(lines) + " lines, too many to export");
        TableTerm term{table_.columns, table_.level_count};
        term.lines.resize(table_.class_count);
        std::vector<double> x(table_.columns.size());
        for (std::size_t line = 0; line < lines; ++line) {
            std::size_t place = line;
            for (std::size_t k = x.size(); k-- > 0; place /= table_.level_count[k] + 2) {
                const std::size_t code = place % (table_.level_count[k] + 2);
                x[k] = code < table_.level_count[k]    ? static_cast<double>(code)
                       : code == table_.level_count[k] ? unseen_level
                                                       : std::numeric_limits<double>::quiet_NaN();
            }
            const auto marginal = log_marginal(x);
            for (std::size_t c = 0; c < marginal.size(); ++c) term.lines[c].push_back(marginal[c]);
        }
        into.tables.push_back(std::move(term));
        return {};
    }

private:
    static constexpr std::uint32_t unseen = ~std::uint32_t{0};

    bool is_level(double x, std::size_t k) const { return x >= 0 && x < table_.level_count[k] && x == std::floor(x); }
    const double* line_at(std::size_t place) const {
        return line_[place] == unseen ? table_.log_unseen.data()
                                      : table_.log_probability.data() + line_[place] * table_.class_count;
    }
    std::vector<double> values_of(const Block& block, std::size_t row) const {
        std::vector<double> x;
        for (auto column : table_.columns) x.push_back(value_at(block, row, column));
        return x;
    }
    // Log of the sum over all cells that agree with what is there; nothing there: log 1.
    std::vector<double> log_marginal(std::span<const double> x) const {
        std::vector<double> sum(table_.class_count);
        double agreeing = 1;
        bool anything = false, strange = false;
        for (std::size_t k = 0; k < x.size(); ++k) {
            if (std::isnan(x[k])) agreeing *= table_.level_count[k];
            anything = anything || !std::isnan(x[k]);
            strange = strange || (!std::isnan(x[k]) && !is_level(x[k], k));
        }
        if (!anything || (strange && !table_.smoothed)) return sum;
        for (std::size_t at = 0; !strange && at < table_.cell.size(); ++at) {
            auto place = static_cast<std::size_t>(table_.cell[at]);
            bool agrees = true;
            for (std::size_t k = x.size(); k-- > 0; place /= table_.level_count[k])
                agrees = agrees && (std::isnan(x[k]) || static_cast<double>(place % table_.level_count[k]) == x[k]);
            if (!agrees) continue;
            --agreeing;
            for (std::size_t c = 0; c < sum.size(); ++c)
                sum[c] += std::exp(table_.log_probability[at * table_.class_count + c]);
        }
        for (std::size_t c = 0; c < sum.size(); ++c)
            sum[c] = std::log(
                std::max(sum[c] + agreeing * std::exp(table_.log_unseen[c]), std::numeric_limits<double>::min()));
        return sum;
    }
    void write_cell(std::size_t place, SampledRow& into) const {
        for (std::size_t k = table_.columns.size(); k-- > 0; place /= table_.level_count[k])
            into.values[table_.columns[k]] = static_cast<double>(place % table_.level_count[k]);
    }

    JointTable table_;
    std::vector<std::uint32_t> line_;  // by cell
};

}  // namespace

std::unique_ptr<Scorer> joint_scorer(JointTable table) { return std::make_unique<JointScorer>(std::move(table)); }

}  // namespace suffice
