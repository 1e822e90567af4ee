// Runs a mixture over the rows of files, batch by batch.
#include "suffice/flow/learn_on.hpp"

#include "suffice/flow/where.hpp"

namespace suffice {

bool learns_by_steps(const Model& model) {
    const auto* classifier = model.as<Classifier>();
    return classifier != nullptr && is_mixture(classifier->state());
}

Result<Model> learn_on(const Model& model, const std::vector<std::string>& files, const ApplyOptions& options,
                       const OnlineSteps& steps, const Context& context) {
    if (!learns_by_steps(model))
        return Error(ErrorKind::usage,
                     std::string(model.predictor().name()) + " takes no steps of EM batch by batch; only mixtures do");
    auto online = OnlineMixture::from(*model.as<Classifier>(), steps);
    if (!online) return online.error();
    auto applied = open_for_model(model, files, options);
    if (!applied) return applied.error();
    TableStream& stream = *applied->data.stream;
    const TableReader& reader = *applied->data.reader;
    const auto drawn = stream.drawn();
    const auto lane = stream.lane();
    Provenance seen{0, {}};
    for (;;) {
        if (context.stopped()) return Error(ErrorKind::cancelled, "the computation was stopped");
        if (context.progress) context.progress(stream.progress());
        const auto more = stream.draw(*drawn);
        if (!more) return in_data(more.error(), reader);
        if (!*more) break;
        const auto block = stream.decode(*drawn, *lane);
        if (!block) return in_data(block.error(), reader);
        if (auto added = online->add(*block, context); !added)
            return in_data(stream.located(added.error(), *lane), reader);
        for (std::size_t row = 0; row < block->size(); ++row) seen.rows += block->weight_of(row);
    }
    if (auto last = online->finish(); !last) return in_data(last.error(), reader);
    for (const auto& file : reader.files()) seen.files.push_back(file.substr(file.rfind('/') + 1));
    ModelFile made{online->model().state(), model.seen()};
    made.seen.merge(seen);
    return Model::from(std::move(made), applied->data.notes);
}

}  // namespace suffice
