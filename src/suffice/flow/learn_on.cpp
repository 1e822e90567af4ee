// Runs a mixture over the rows of files, batch by batch.
#include "suffice/flow/learn_on.hpp"

#include "suffice/data/for_each_block.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/read/paths.hpp"

namespace suffice {

bool learns_by_steps(const Model& model) {
    const auto* classifier = model.as<Classifier>();
    return classifier != nullptr && is_mixture(classifier->state());
}

Result<Model> learn_on(const Model& model, const Data& data, const ApplyOptions& options, const OnlineSteps& steps,
                       const Context& context) {
    if (!learns_by_steps(model))
        return Error(ErrorKind::usage,
                     std::string(model.predictor().name()) + " takes no steps of EM batch by batch; only mixtures do");
    auto online = OnlineMixture::from(*model.as<Classifier>(), steps);
    if (!online) return online.error();
    auto applied = open_for_model(model, data, options);
    if (!applied) return applied.error();
    TableStream& stream = *applied->data.stream;
    const TableReader& reader = *applied->data.reader;
    Provenance seen{0, {}};
    const auto add = [&](const LabeledBlock& block, const Stream::Lane&) -> Result<bool> {
        if (auto added = online->add(block, context); !added) return added.error();
        for (std::size_t row = 0; row < block.size(); ++row) seen.rows += block.weight_of(row);
        return true;
    };
    if (auto added = for_each_block(stream, add, context); !added) return in_data(added.error(), reader);
    if (auto last = online->finish(); !last) return in_data(last.error(), reader);
    for (const auto& file : reader.files()) seen.files.push_back(recorded_name(file));
    ModelFile made{online->model().state(), model.seen()};
    made.seen.merge(seen);
    return Model::from(std::move(made), applied->data.notes);
}

}  // namespace suffice
