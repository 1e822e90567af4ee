// Puts reports together.
#include "suffice/show/report.hpp"

#include <cmath>

#include "suffice/base/guarded.hpp"
#include "suffice/flow/training_rows.hpp"
#include "suffice/read/paths.hpp"
#include "suffice/report/model_report.hpp"
#include "suffice/show/plane.hpp"
#include "suffice/show/report_columns.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_explained = 2000;

// Each picture of a column holds a curve for each class: the more of them, the fewer pictures keep the page readable
// and below 2 MB.
std::size_t most_pictures(std::size_t columns, std::size_t classes) {
    return columns > 400 ? 8 : classes > 4 ? 12 : 24;
}

// In discriminant coordinates where there are any, and in the two columns named or chosen.
Result<std::vector<PlaneView>> planes_of(const Model& model, const SeenRows& rows,
                                         const std::vector<std::string>& columns) {
    std::vector<PlaneView> planes;
    std::size_t numbers = 0;
    for (const auto& column : model.schema().columns) numbers += column.kind == ColumnKind::number ? 1 : 0;
    if (numbers < 2 && columns.empty()) return planes;
    PlaneOptions options;
    options.most_rows = 400;
    options.columns = columns;
    for (const bool discriminant : {true, false}) {
        options.discriminant = discriminant;
        auto view = plane_of(model, rows, options);
        if (!view && !columns.empty()) return view.error();
        if (!view) continue;  // nobody asked for it
        if (!model.predictor().check_density()) view->log_density.clear();
        if (planes.empty() || planes[0].x.title != view->x.title) planes.push_back(std::move(*view));
    }
    return planes;
}

Result<ReportContent> content_of(const Model& model, ReportRows rows, const ReportOptions& options,
                                 const Context& context) {
    const Predictor& predictor = model.predictor();
    ReportContent content;
    content.model = predictor.name();
    if (const auto* sum = model.as<Classifier>()) content.settings = settings_words(sum->state().settings);
    content.target = model.schema().target;
    content.trained_rows = model.seen().rows;
    content.trained_files = model.seen().files;
    content.comparison = model.seen().compared;
    for (const auto& file : rows.files) content.files.push_back(recorded_name(file));
    content.notes = model.notes();
    content.spell = options.spell;
    content.parameter_count = predictor.parameter_count();
    content.log_likelihood = predictor.log_likelihood();
    content.bic = predictor.bic();
    content.aic = predictor.aic();
    content.class_weight = predictor.class_weight();
    for (const double each : predictor.log_prior()) content.prior.push_back(std::exp(each));
    content.schema = model.schema();
    content.scores = rows.evaluation.scores();
    content.on_training_rows = rows.training;
    content.evaluation = std::move(rows.evaluation);
    content.sampled_rows = rows.sample.size();
    content.column_count = model.schema().columns.size();
    content.columns =
        column_pictures(predictor, rows.sample, most_pictures(content.column_count, predictor.class_count()));
    content.telling = telling_columns(predictor, rows.sample, most_explained);
    auto novelty = novelty_of(predictor, rows.sample, context.seed);
    if (!novelty) return novelty.error();
    content.novelty = std::move(*novelty);
    auto planes = planes_of(model, rows.sample, options.columns);
    if (!planes) return planes.error();
    content.planes = std::move(*planes);
    content.mistakes = std::move(rows.mistakes);
    content.odd = std::move(rows.odd);
    content.words = std::move(rows.words);
    return content;
}

Result<Reported> told(const Model& model, Result<ReportRows> rows, const ReportOptions& options,
                      const Context& context) {
    if (!rows) return rows.error();
    Reported made{{}, rows->notes};
    if (rows->training) made.notes.push_back(training_rows_note());
    const auto content = content_of(model, std::move(*rows), options, context);
    if (!content) return content.error();
    const auto write = options.format == ReportFormat::html       ? report_html
                       : options.format == ReportFormat::markdown ? report_markdown
                                                                  : report_json;
    made.text = write(*content);
    return made;
}

}  // namespace

Result<Reported> report(const Model& model, const Data& data, const ReportOptions& options, const Context& context) {
    return guarded([&]() -> Result<Reported> {
        return told(model, gather_rows(model, data, options.apply, {.training = true}, context), options, context);
    });
}

Result<Reported> report(const Model& model, const LabeledBlock& rows, const ReportOptions& options,
                        const Context& context) {
    return guarded([&]() -> Result<Reported> {
        return told(model, gather_rows(model, rows, {.training = true}, context), options, context);
    });
}

}  // namespace suffice
