// Draws rows from models.
#include "suffice/flow/sample.hpp"

#include <cmath>

#include "suffice/base/guarded.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

std::size_t draw_class(const std::vector<double>& log_prior, Rng& rng) {
    double left = rng.uniform();
    std::size_t c = 0;
    for (; c + 1 < log_prior.size(); ++c)
        if ((left -= std::exp(log_prior[c])) < 0) break;
    return c;
}

std::string document_text(const std::vector<std::uint32_t>& words, const std::vector<std::string>& vocabulary) {
    std::string text;
    for (const auto word : words) text += (text.empty() ? "" : " ") + vocabulary[word];
    return text;
}

}  // namespace

Result<void> sample(const Model& model, const SampleOptions& options, const TextSink& sink) {
    return guarded([&]() -> Result<void> {
        constexpr std::size_t piece = std::size_t{1} << 16;
        const Predictor& classifier = model.predictor();
        const Schema& schema = classifier.schema();
        if (auto dense = classifier.check_density(); !dense)
            return Error(ErrorKind::usage, dense.error().message + ", so nothing can be drawn from it");
        std::string text;
        for (const auto& column : schema.columns) {
            append_cell(text, column.name);
            text += ',';
        }
        append_cell(text, schema.target.empty() ? "class" : schema.target);
        text += '\n';
        const Rng source(options.seed, "sample");
        for (std::uint64_t row = 0; row < options.count; ++row) {
            Rng rng = source.fork(row);
            const std::size_t c = options.of_class ? *options.of_class : draw_class(classifier.log_prior(), rng);
            const SampledRow drawn = classifier.sample(c, rng);
            for (std::size_t k = 0; k < schema.columns.size(); ++k) {
                const double value = drawn.values[k];
                const auto& levels = schema.columns[k].levels;
                if (schema.columns[k].kind == ColumnKind::text)
                    append_cell(text, document_text(drawn.tokens[k], levels));
                else if (schema.columns[k].kind != ColumnKind::category)
                    append_number(text, value);
                else if (value >= 0 && value < static_cast<double>(levels.size()))
                    append_cell(text, levels[static_cast<std::size_t>(value)]);
                text += ',';
            }
            append_cell(text, schema.classes[c]);
            text += '\n';
            if (text.size() < piece) continue;
            if (auto taken = sink(text); !taken) return taken;
            text.clear();
        }
        return sink(text);
    });
}

}  // namespace suffice
