// Steps of k-means and of EM on the same rows, from the same start.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "suffice/flow/fit.hpp"
#include "suffice/group/gaussian_mixture.hpp"
#include "suffice/group/k_means.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/show/lessons.hpp"

namespace suffice {
namespace {

// Two long clouds, like the eruptions of a geyser.
std::vector<PlotPoint> invented(std::uint64_t seed) {
    Rng rng(seed, "em lesson");
    std::vector<PlotPoint> rows;
    for (int k = 0; k < 240; ++k) {
        const bool second = rng.uniform() < 0.62;
        const double u = sample_normal(rng), v = sample_normal(rng);
        rows.push_back({(second ? 4.3 : 2.05) + (second ? 0.42 : 0.28) * u,
                        (second ? 80 : 54.5) + (second ? 2.4 * u : 2.0 * u) + 5.4 * v});
    }
    return rows;
}

Polyline ellipse(PlotPoint centre, const std::vector<double>& covariance) {
    const double a = std::sqrt(covariance[0]), b = covariance[2] / a;
    const double c = std::sqrt(std::max(0.0, covariance[3] - b * b));
    Polyline line;
    for (int k = 0; k <= 72; ++k) {
        const double angle = k * std::numbers::pi / 36, u = 2 * std::cos(angle), v = 2 * std::sin(angle);
        line.push_back({centre.x + a * u, centre.y + b * u + c * v});
    }
    return line;
}

struct Standard {  // columns brought to mean 0 and variance 1, so that neither rules k-means
    PlotPoint mean, deviation;
    explicit Standard(const std::vector<PlotPoint>& rows) {
        const auto n = static_cast<double>(rows.size());
        for (const auto& row : rows) mean = {mean.x + row.x / n, mean.y + row.y / n};
        for (const auto& row : rows)
            deviation = {deviation.x + std::pow(row.x - mean.x, 2) / n, deviation.y + std::pow(row.y - mean.y, 2) / n};
        deviation = {std::sqrt(deviation.x), std::sqrt(deviation.y)};
    }
    PlotPoint back(double u, double v) const { return {mean.x + deviation.x * u, mean.y + deviation.y * v}; }
};

// The rows on columns of one scale, and a poor start on purpose, as in the textbooks: both centres off the clouds' long
// axis.
struct Lesson {
    Standard scale;
    std::vector<double> values;
    Schema schema;
    Matrix start{2, 2};

    explicit Lesson(const std::vector<PlotPoint>& rows) : scale(rows) {
        for (const auto& row : rows) {
            values.push_back((row.x - scale.mean.x) / scale.deviation.x);
            values.push_back((row.y - scale.mean.y) / scale.deviation.y);
        }
        schema.columns = {{"x"}, {"y"}};
        start.values = {-1.2, 1.2, 1.2, -1.2};
    }
    Block block() const { return rows(values.data(), values.size() / 2, 2); }
    MemoryStream stream() const { return MemoryStream({block(), {}, {}, 0}, schema); }
};

StepPanel panel_of(const char* method, std::size_t steps, std::size_t last) {
    StepPanel panel;
    panel.title = steps == 0      ? std::string(method) + ": start"
                  : steps == last ? "settled"
                                  : "step " + std::to_string(steps);
    return panel;
}

Result<StepPanel> k_means_after(const Lesson& lesson, std::size_t steps, const Context& context) {
    KMeans found;
    found.centres = lesson.start;
    if (steps > 0) {
        KMeansSettings settings;
        settings.centre_count = 2;
        settings.start = CentreStart::given;
        settings.given = lesson.start;
        settings.step_limit = steps;
        MemoryStream stream = lesson.stream();
        auto fitted = fit_k_means(stream, lesson.schema, settings, context);
        if (!fitted) return fitted.error();
        found = std::move(*fitted);
    }
    const auto nearest = found.predict({lesson.block(), {}, {}, 0}, context);
    if (!nearest) return nearest.error();
    StepPanel panel = panel_of("k-means", steps, 20);
    for (const auto code : *nearest) panel.share.push_back(code == 0 ? std::vector{1.0, 0.0} : std::vector{0.0, 1.0});
    for (std::size_t c = 0; c < 2; ++c)
        panel.centres.push_back(lesson.scale.back(found.centres(c, 0), found.centres(c, 1)));
    return panel;
}

Result<StepPanel> em_after(const Lesson& lesson, const Classifier& first, std::size_t steps, const Context& context) {
    Classifier model = first;
    if (steps > 0) {
        MixtureSettings limit;
        limit.tolerance = 0;
        limit.step_limit = steps;
        MemoryStream stream = lesson.stream();
        auto fitted = continue_mixture(first, stream, limit, context);
        if (!fitted) return fitted.error();
        model = std::move(fitted->model);
    }
    const auto share = model.posteriors(lesson.block(), context);
    if (!share) return share.error();
    const auto components = components_of(model);
    if (!components) return components.error();
    StepPanel panel = panel_of("EM", steps, 200);
    for (std::size_t row = 0; row < share->row_count; ++row)
        panel.share.emplace_back(share->row(row).begin(), share->row(row).end());
    for (std::size_t c = 0; c < 2; ++c) {
        panel.centres.push_back(lesson.scale.back(components->mean(c, 0), components->mean(c, 1)));
        Polyline line = ellipse({components->mean(c, 0), components->mean(c, 1)}, components->covariance[c]);
        for (auto& point : line) point = lesson.scale.back(point.x, point.y);
        panel.outlines.push_back(std::move(line));
    }
    return panel;
}

}  // namespace

Result<Figure> em_lesson(std::vector<PlotPoint> rows, std::string x_title, std::string y_title,
                         const Context& context) {
    if (rows.empty()) {
        rows = invented(context.seed);
        x_title = "length of an eruption";
        y_title = "time until the next";
    }
    if (rows.size() < 8)
        return Error("eight rows are the least for a picture of EM; there are " + std::to_string(rows.size()));
    const Lesson lesson(rows);
    if (!(lesson.scale.deviation.x > 0) || !(lesson.scale.deviation.y > 0))
        return Error("a column without spread has no clusters");
    StepLesson shown{std::move(x_title), std::move(y_title), std::move(rows), {{}, {}}};
    for (const std::size_t steps : {0u, 1u, 2u, 20u}) {
        auto panel = k_means_after(lesson, steps, context);
        if (!panel) return panel.error();
        shown.lines[0].push_back(std::move(*panel));
    }
    GaussianMixtureSettings settings;
    settings.components = 2;
    const auto first =
        gaussian_mixture_of(lesson.schema, {{0.5, 0.5}, lesson.start, {{0.5, 0, 0, 0.5}, {0.5, 0, 0, 0.5}}}, settings);
    if (!first) return first.error();
    for (const std::size_t steps : {0u, 2u, 14u, 200u}) {
        auto panel = em_after(lesson, *first, steps, context);
        if (!panel) return panel.error();
        shown.lines[1].push_back(std::move(*panel));
    }
    return steps_figure(
        "Steps of k-means and of EM",
        "The same rows and the same poor start. k-means (above) gives each row to the nearest centre; EM "
        "for a mixture of two Gaussians (below) shares rows out by responsibility (mixed colours) and "
        "learns the shapes too (ellipses at two standard deviations).",
        shown);
}

}  // namespace suffice
