// Draws rows from one model and lets another one answer.
#include "suffice/compare/expected_accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "suffice/base/limits.hpp"
#include "suffice/encode/names.hpp"

namespace suffice {
namespace {

constexpr std::size_t usual_draws = 4000, least_draws = 200, most_values = 2'000'000;

// Rows drawn from one model, laid out for another one.
class DrawnRows {
public:
    DrawnRows(const Schema& from, const Schema& into, std::size_t row_count) : rows_(row_count) {
        values_.resize(into.columns.size());
        documents_.resize(into.columns.size());
        for (const Column& column : into.columns) {
            const auto found = from.column_named(column.name);
            const bool alike = found && (from.columns[*found].kind == column.kind ||
                                         (is_numeric(from.columns[*found]) && is_numeric(column)));
            source_.push_back(alike ? static_cast<std::int64_t>(*found) : -1);
            levels_.push_back(alike ? map_codes(from.columns[*found].levels, column.levels) : CodeMap{});
            kind_.push_back(column.kind);
        }
        for (std::size_t k = 0; k < kind_.size(); ++k) {
            if (kind_[k] == ColumnKind::text) documents_[k].level_count = into.columns[k].levels.size();
            values_[k].reserve(row_count);
        }
    }
    void add(const SampledRow& row) {
        for (std::size_t k = 0; k < kind_.size(); ++k) {
            if (kind_[k] == ColumnKind::text)
                documents_[k].add(source_[k] < 0 ? std::vector<std::uint32_t>{} : row.tokens[place(k)], levels_[k]);
            else
                values_[k].push_back(source_[k] < 0 ? not_a_number : value(k, row.values[place(k)]));
        }
    }
    Block rows() {
        views_.assign(kind_.size(), {});
        for (std::size_t k = 0; k < kind_.size(); ++k) {
            if (kind_[k] == ColumnKind::text)
                views_[k].tokens = documents_[k].view();
            else
                views_[k].values = values_[k].data();
        }
        return ColumnBlock{views_, rows_, 0};
    }

private:
    struct Documents {
        std::vector<std::int64_t> row_start = {0};
        std::vector<std::uint32_t> word;
        std::vector<double> count;
        std::size_t level_count = 0;

        void add(const std::vector<std::uint32_t>& drawn, const CodeMap& codes) {
            std::map<std::uint32_t, double> counted;
            for (const std::uint32_t each : drawn)
                if (codes.to[each] != CodeMap::dropped) ++counted[codes.to[each]];
            for (const auto& [code, times] : counted) {
                word.push_back(code);
                count.push_back(times);
            }
            row_start.push_back(static_cast<std::int64_t>(word.size()));
        }
        SparseBlock view() const { return {row_start, word, count, level_count}; }
    };
    static bool is_numeric(const Column& column) {
        return column.kind == ColumnKind::number || column.kind == ColumnKind::flag;
    }
    std::size_t place(std::size_t k) const { return static_cast<std::size_t>(source_[k]); }
    double value(std::size_t k, double drawn) const {
        if (kind_[k] != ColumnKind::category || std::isnan(drawn)) return drawn;
        if (!(drawn >= 0) || drawn >= static_cast<double>(levels_[k].to.size())) return unseen_level;
        const std::uint32_t code = levels_[k].to[static_cast<std::size_t>(drawn)];
        return code == CodeMap::dropped ? unseen_level : code;
    }

    std::size_t rows_;
    std::vector<std::int64_t> source_;  // of each column: where it is drawn; -1: nowhere
    std::vector<CodeMap> levels_;
    std::vector<ColumnKind> kind_;
    std::vector<std::vector<double>> values_;
    std::vector<Documents> documents_;
    std::vector<ColumnView> views_;
};

std::vector<double> log_shares(const std::vector<double>& weight, double all) {
    std::vector<double> shares;
    for (const double each : weight) shares.push_back(std::log(each / all));
    return shares;
}

}  // namespace

Result<std::optional<double>> expected_accuracy(const Predictor& model, const Predictor& truth,
                                                const Context& context) {
    const double all = truth.weight();
    if (!truth.check_density() || !(all > 0)) return std::optional<double>{};
    const std::size_t width = std::max<std::size_t>(truth.schema().columns.size() * truth.class_count(), 1);
    const std::size_t draws = std::clamp(most_values / width, least_draws, usual_draws);
    // The classes in turn, so that only what is drawn within each is left to chance.
    DrawnRows seen(truth.schema(), model.schema(), draws), own(truth.schema(), truth.schema(), draws);
    const Rng source(context.seed, "drift");
    std::size_t c = 0;
    double reached = truth.class_weight()[0];
    for (std::size_t row = 0; row < draws; ++row) {
        const double at = (static_cast<double>(row) + 0.5) / static_cast<double>(draws) * all;
        while (reached < at && c + 1 < truth.class_count()) reached += truth.class_weight()[++c];
        Rng rng = source.fork(row);
        const SampledRow drawn = truth.sample(c, rng);
        seen.add(drawn);
        own.add(drawn);
    }
    const auto answers = model.predict(seen.rows(), context);
    if (!answers) return answers.error();
    const auto posteriors = truth.under_priors(log_shares(truth.class_weight(), all))->posteriors(own.rows(), context);
    if (!posteriors) return posteriors.error();
    const CodeMap classes = map_codes(model.schema().classes, truth.schema().classes);
    double sum = 0;
    for (std::size_t row = 0; row < draws; ++row) {
        const std::uint32_t answer = classes.to[static_cast<std::size_t>((*answers)[row])];
        if (answer != CodeMap::dropped) sum += posteriors->row(row)[answer];
    }
    return std::optional<double>(sum / static_cast<double>(draws));
}

}  // namespace suffice
