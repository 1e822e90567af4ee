// One pass over the rows for each E-step; only the sums of completed rows are kept.
#include "suffice/part/complete_by_passes.hpp"

#include <map>

#include "suffice/accumulate/fold.hpp"
#include "suffice/estimate/completion.hpp"

namespace suffice {
namespace {

struct CodeScratch {
    std::vector<std::int32_t> code;
};

// Rows of a unit by pattern. A stream may have numbered the classes in another order than the schema.
class PatternsOfRows {
public:
    PatternsOfRows(const CovariancePart& part, const Schema& schema) : blank_(part.blank()) {
        for (std::size_t c = 0; c < schema.classes.size(); ++c) code_[schema.classes[c]] = static_cast<std::int32_t>(c);
    }
    std::size_t class_count() const { return code_.size(); }
    std::size_t dimension() const { return blank_.columns.size(); }
    CovariancePart observe(const LabeledBlock& unit, const Schema& names, Workspace& workspace) const {
        std::vector<std::int32_t> to;
        for (const auto& name : names.classes) {
            const auto found = code_.find(name);
            to.push_back(found == code_.end() ? -1 : found->second);
        }
        auto& code = workspace.of<CodeScratch>().code;
        code.clear();
        for (const auto label : unit.label) code.push_back(label < 0 ? -1 : to[static_cast<std::size_t>(label)]);
        CovariancePart seen = blank_;
        if (!code.empty()) seen.observe(unit.rows, {class_count(), code, unit.weight}, workspace);
        return seen;
    }

private:
    CovariancePart blank_;
    std::map<std::string, std::int32_t> code_;
};

struct ColumnsPass {
    using Statistic = Several<Several<Gaussian::Statistic>>;
    const PatternsOfRows& rows;

    Statistic empty() const { return Statistic(rows.class_count(), Several<Gaussian::Statistic>(rows.dimension())); }
    std::size_t footprint() const { return rows.class_count() * rows.dimension() * sizeof(Gaussian::Statistic); }
    Result<void> observe(Statistic& into, const LabeledBlock& unit, const Schema& names, Workspace& workspace) const {
        const auto seen = rows.observe(unit, names, workspace);
        into.merge(columns_present(seen.complete, seen.incomplete));
        return {};
    }
};

struct CompletionPass {
    using Statistic = CompletedRows;
    const PatternsOfRows& rows;
    const Completion& completion;

    CompletedRows empty() const { return completion.none(); }
    std::size_t footprint() const {
        return rows.class_count() * rows.dimension() * (rows.dimension() + 1) * sizeof(double);
    }
    Result<void> observe(CompletedRows& into, const LabeledBlock& unit, const Schema& names,
                         Workspace& workspace) const {
        completion.add(rows.observe(unit, names, workspace).incomplete, into);
        return {};
    }
};

template <Pass P>
Result<typename P::Statistic> fold_again(const P& pass, Stream& stream, const Context& context) {
    if (auto again = stream.rewind(); !again) return again.error();
    return fold(pass, stream, context);
}

}  // namespace

Result<CompletedPart> complete_by_passes(const CovariancePart& part, const Settings& settings, const Schema& schema,
                                         Stream& stream, const Context& context) {
    if (auto refusal = part.refuses(schema); !refusal) return refusal.error();
    if (auto possible = part.check_holes(settings); !possible) return possible.error();
    GaussianNames names{schema.classes, {}};
    for (auto column : part.columns) names.columns.push_back(schema.columns[column].name);
    const PatternsOfRows rows(part, schema);
    const auto columns = fold_again(ColumnsPass{rows}, stream, context);
    if (!columns) return columns.error();
    const auto expect = [&](const Completion& completion) {
        return fold_again(CompletionPass{rows, completion}, stream, context);
    };
    auto done = estimate_completed(part.complete, available_cases(*columns), expect, settings, names);
    if (!done) return done.error();
    CompletedPart completed{part.blank(), done->gaussians.log_likelihood, done->settled};
    completed.part.complete = std::move(done->sums);
    return completed;
}

}  // namespace suffice
