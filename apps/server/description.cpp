// Models as JSON.
#include "server/description.hpp"

#include "server/predict.hpp"
#include <nlohmann/json.hpp>

#include "suffice/base/random.hpp"
#include "suffice/report/drift_report.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/suffice.hpp"

namespace suffice::server {
namespace {

// Where nearly all values of each column lie, by the model itself: rows are drawn from it.
std::vector<std::pair<double, double>> usual_ranges(const Model& model) {
    constexpr std::size_t drawn_rows = 400;
    const Predictor& predictor = model.predictor();
    std::vector<std::pair<double, double>> ranges;
    if (!predictor.check_density()) return ranges;
    std::vector<std::vector<double>> values(model.schema().columns.size());
    const Rng source(0, "ranges");
    for (std::size_t row = 0; row < drawn_rows; ++row) {
        Rng rng = source.fork(row);
        const SampledRow drawn = predictor.sample(row % model.classes().size(), rng);
        for (std::size_t k = 0; k < values.size() && k < drawn.values.size(); ++k)
            if (std::isfinite(drawn.values[k])) values[k].push_back(drawn.values[k]);
    }
    for (auto& each : values) {
        std::ranges::sort(each);
        const std::size_t odd = each.size() / 100;
        ranges.emplace_back(each.empty() ? 0 : each[odd], each.empty() ? 0 : each[each.size() - 1 - odd]);
    }
    return ranges;
}

Json rounded(double value) { return std::strtod(short_number(value, 3).c_str(), nullptr); }

}  // namespace

std::string about(const Served& served) {
    const auto version = served.now();
    const Model& model = version->model;
    Json columns = Json::array();
    constexpr std::size_t few = 100;  // a form of more is none, and drawing rows of many columns takes long
    const bool drawn = version->dense && model.schema().columns.size() <= few;
    const auto ranges = drawn ? usual_ranges(model) : std::vector<std::pair<double, double>>{};
    for (std::size_t k = 0; k < model.schema().columns.size(); ++k) {
        const Column& column = model.schema().columns[k];
        Json told{{"name", column.name}, {"kind", enum_names<ColumnKind>[static_cast<std::size_t>(column.kind)]}};
        if (column.kind == ColumnKind::category) told["levels"] = column.levels;
        if (column.kind == ColumnKind::number && k < ranges.size())
            told["range"] = {rounded(ranges[k].first), rounded(ranges[k].second)};
        columns.push_back(std::move(told));
    }
    const Json told{
        {"name", served.name()},      {"model", model.predictor().name()}, {"target", model.schema().target},
        {"classes", model.classes()}, {"columns", std::move(columns)},     {"rows", model.seen().rows},
        {"version", version->number}, {"sequence", version->sequence},     {"learns", served.journal != nullptr}};
    return told.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string asked_text(const Served& served) {
    const auto version = served.now();
    const AskedShares asked = served.asked.shares();
    Json classes = Json::object();
    for (std::size_t c = 0; c < std::min(asked.classes.size(), version->model.classes().size()); ++c)
        classes[version->model.classes()[c]] = asked.classes[c];
    Json told{{"model", served.name()}, {"rows", asked.rows}, {"looked_at", asked.looked_at}, {"classes", classes}};
    told["novel_share"] = asked.novel_share ? Json(*asked.novel_share) : Json();
    const auto drift = served.asked.drift();
    told["drift"] = drift ? Json::parse(drift_json(*drift)) : Json();
    return told.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace suffice::server
