// What pictures of families share.
#include "suffice/show/family_table.hpp"

#include <algorithm>
#include <array>

#include "suffice/report/json_text.hpp"

namespace suffice {
namespace {

std::string panels_json(const std::vector<LessonPanel>& panels) {
    JsonText json;
    json.open_record();
    json.open_list("panels");
    for (const auto& panel : panels) {
        json.open_record();
        json.text("x", panel.x_title);
        json.text("y", panel.y_title);
        json.open_list("curves");
        for (const auto& curve : panel.curves) {
            json.open_record();
            json.text("name", curve.name);
            json.open_list("points");
            for (const auto& point : curve.points) json.numbers({}, std::array{point.x, point.y});
            json.close();
            json.close();
        }
        json.close();
        json.open_list("bars");
        for (const auto& bar : panel.bars) json.numbers({}, std::array{bar.low, bar.high, bar.height});
        json.close();
        json.close();
    }
    json.close();
    json.close();
    return json.take();
}

}  // namespace

Result<Record> prior_for(const AnyFamily& family, const PlotOptions& options) {
    if (family.prior_name().empty())
        return Error(ErrorKind::usage, "the family " + std::string(family.name()) + " has no conjugate prior");
    return options.prior.empty() ? family.default_prior() : family.parse_prior(options.prior);
}

Plotted finished(std::string title, std::string words, const std::vector<LessonPanel>& panels) {
    const std::size_t columns = panels.size() > 4 ? 3 : std::min<std::size_t>(panels.size(), 2);
    return {curves_figure(std::move(title), std::move(words), panels, columns), {}, panels_json(panels)};
}

}  // namespace suffice
