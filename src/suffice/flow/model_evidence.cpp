// The evidence of rows for models that stand already.
#include <cmath>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/flow/density.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/math/log_sum_exp.hpp"

namespace suffice {
namespace {

struct Evidence {
    double log_evidence = 0, weight = 0;
};

Result<Evidence> evidence_of(const Predictor& model, const LabeledBlock& block) {
    std::vector<double> by_row(block.size());
    ScoreSink sink;
    sink.log_evidence = by_row.data();
    Context alone;
    alone.thread_count = 1;
    if (auto scored = model.score(block.rows, sink, alone, block.first_row); !scored) return scored.error();
    Evidence part;
    for (std::size_t row = 0; row < block.size(); ++row) {
        const double weight = block.weight_of(row);
        part.weight += weight;
        if (weight > 0) part.log_evidence += weight * by_row[row];
    }
    return part;
}

Result<Evidence> evidence_in_files(const Model& model, const std::vector<std::string>& files,
                                   const ApplyOptions& options, const Context& context) {
    if (auto dense = model.predictor().check_density(); !dense) return dense.error();
    auto applied = open_for_model(model, files, options);
    if (!applied) return applied.error();
    Evidence all;
    const auto done = map_in_order(
        *applied->data.stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&, Workspace&) {
            return evidence_of(model.predictor(), block);
        },
        [&](const Evidence& part) -> Result<void> {
            all.log_evidence += part.log_evidence;
            all.weight += part.weight;
            return {};
        });
    if (!done) return in_data(done.error(), *applied->data.reader);
    return all;
}

}  // namespace

Result<ComparedModels> compare_models(const std::vector<std::string>& model_files,
                                      const std::vector<std::string>& files, const ApplyOptions& options,
                                      const Context& context) {
    ComparedModels compared;
    std::vector<double> evidence;
    for (const std::string& file : model_files) {
        const auto model = load(file);
        if (!model) return model.error();
        const auto found = evidence_in_files(*model, files, options, context);
        if (!found) return found.error();
        compared.models.push_back({file, found->log_evidence});
        compared.rows = found->weight;
        evidence.push_back(found->log_evidence);
    }
    const double all = log_sum_exp(evidence);
    for (ModelEvidence& each : compared.models) each.probability = std::exp(each.log_evidence - all);
    return compared;
}

}  // namespace suffice
