// Draws rows from models.
#include "suffice/flow/sample.hpp"

#include "suffice/base/guarded.hpp"
#include "suffice/model/draw_row.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {

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
        for (std::uint64_t row = 0; row < options.count; ++row) {
            const auto [c, drawn] = draw_row(classifier, options.seed, row, options.of_class);
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
