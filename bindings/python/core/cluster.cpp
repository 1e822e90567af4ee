// k-means over rows of Python: what the drop-in classes cluster with; and the steps to groups of any model.
#include <algorithm>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/component_shape.hpp"
#include "core/running.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/flow/cluster_finders.hpp"
#include "suffice/group/centre_clusters.hpp"
#include "suffice/group/centre_model.hpp"
#include "suffice/group/k_means.hpp"
#include "suffice/group/k_means_rows.hpp"
#include "suffice/persist/model_file.hpp"

namespace suffice::python {
namespace {

Matrix centres_of(nb::handle array) {
    const Buffer buffer(array);
    if (buffer.dimension_count() != 2) throw Exception(Error(ErrorKind::usage, "centres need two axes"));
    Matrix made(buffer.size(0), buffer.size(1));
    const auto values = buffer.doubles("centres");
    made.values.assign(values.begin(), values.end());
    return made;
}

// Rows and weights, and what one look at them told.
class ClusterRows {
public:
    ClusterRows(nb::handle rows, nb::handle weight, int threads)
        : kept_rows_(nb::borrow(rows)), kept_weight_(nb::borrow(weight)), rows_(rows), weight_(weight) {
        const LabeledBlock block{rows_.block(), {}, weight_.doubles("weight"), 0};
        const nb::gil_scoped_release release;
        const Running running(threads);
        steps_ = std::make_unique<KMeansRows>(KMeansRows::from(block, running.context()).value());
    }

    Array<double> mean() const { return to_array(steps_->mean()); }
    double mean_variance() const { return steps_->mean_variance(); }

    nb::tuple run(nb::handle start, std::size_t steps, double move, bool wants_path, int threads) const {
        const Matrix centres = centres_of(start);
        KMeansRun done;
        {
            const nb::gil_scoped_release release;
            const Running running(threads);
            done = steps_->run(centres, {steps, move, wants_path}, running.context()).value();
        }
        return nb::make_tuple(
            to_array<double>(done.centres.values, {done.centres.row_count, done.centres.column_count}),
            to_array<std::int32_t>(done.nearest, {done.nearest.size()}), done.inertia, done.steps, done.unchanged,
            done.moved, to_array(done.path));
    }

    Array<std::int32_t> spread(std::size_t first, std::size_t count, nb::handle uniform, int threads) const {
        const Buffer buffer(uniform);
        const auto draws = buffer.doubles("uniform");
        std::vector<std::int32_t> chosen;
        {
            const nb::gil_scoped_release release;
            const Running running(threads);
            const auto rows = steps_->spread(first, count, draws, running.context()).value();
            for (const std::size_t row : rows) chosen.push_back(static_cast<std::int32_t>(row));
        }
        return to_array<std::int32_t>(chosen, {chosen.size()});
    }

private:
    nb::object kept_rows_, kept_weight_;
    RowsArgument rows_;
    OptionalNumbers weight_;
    std::unique_ptr<KMeansRows> steps_;
};

// (the nearest centre of each row, the squared distance to it)
nb::tuple nearest_centres(nb::handle rows, nb::handle centres, int threads) {
    const RowsArgument x(rows);
    KMeans model;
    model.centres = centres_of(centres);
    std::vector<std::int32_t> nearest;
    std::vector<double> square;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        nearest = model.predict({x.block(), {}, {}, 0}, running.context(), &square).value();
    }
    return nb::make_tuple(to_array<std::int32_t>(nearest, {nearest.size()}), to_array(square));
}

// (weight of the rows of each centre, their sums, inertia) of one batch: rows numbered `which`, or all of them.
nb::tuple assign_batch_of(nb::handle rows, nb::handle which, nb::handle weight, nb::handle centres) {
    const RowsArgument x(rows);
    const OptionalNumbers weights(weight);
    std::unique_ptr<Buffer> numbers;
    if (!which.is_none()) numbers = std::make_unique<Buffer>(which);
    const auto batch = assign_batch(x.block(), numbers ? numbers->codes("which") : std::span<const std::int32_t>{},
                                    weights.doubles("weight"), centres_of(centres))
                           .value();
    return nb::make_tuple(to_array(batch.weight_of),
                          to_array<double>(batch.sum.values, {batch.sum.row_count, batch.sum.column_count}),
                          batch.inertia);
}

ClusterDistance distance_of(const std::string& name) {
    const auto known = value_named<ClusterDistance>(name);
    if (!known) throw Exception(Error("distance must be cosine, manhattan, euclidean or chebyshev, not " + name));
    return *known;
}

// (centres, the nearest of each row, cost, steps, settled, cost before each step)
nb::tuple fit_centres(nb::handle rows, nb::handle weight, std::size_t count, const std::string& distance,
                      std::size_t starts, std::size_t step_limit, std::uint64_t seed, int threads) {
    const Matrix points = centres_of(rows);
    const OptionalNumbers weights(weight);
    const CentreClusterSettings settings{count, distance_of(distance), starts, step_limit};
    CentreClusters found;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        Context context = running.context();
        context.seed = seed;
        found = fit_centre_clusters(points, weights.doubles("weight"), settings, context).value();
    }
    return nb::make_tuple(to_array<double>(found.centres.values, {found.centres.row_count, found.centres.column_count}),
                          to_array<std::int32_t>(found.nearest, {found.nearest.size()}), found.cost, found.steps,
                          found.settled, to_array(found.path));
}

Array<std::int32_t> assign_to_centres(nb::handle rows, nb::handle centres, const std::string& distance, int threads) {
    CentreClusters model;
    model.centres = centres_of(centres);
    model.distance = distance_of(distance);
    const Matrix points = centres_of(rows);
    std::vector<std::int32_t> nearest;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        nearest = model.predict(points, running.context()).value();
    }
    return to_array<std::int32_t>(nearest, {nearest.size()});
}

// The file of k-means with these centres; `rows` of them have the inertia.
nb::bytes centres_file(nb::handle centres, const std::vector<std::string>& columns, double inertia, double rows) {
    const Classifier model = classifier_of_centres(columns, centres_of(centres), inertia, rows).value();
    const std::string file = to_file_bytes({model.state(), {rows, {}}});
    return nb::bytes(file.data(), file.size());
}

nb::dict to_dict(const GroupStep& step, std::size_t number, double objective) {
    const auto& columns = step.parameters.columns;
    const std::size_t k = step.share.size(), d = columns.size();
    std::vector<double> means(k * d), covariances(k * d * d);
    bool spread = false;
    for (std::size_t c = 0; c < k; ++c)
        for (std::size_t j = 0; j < d; ++j) {
            const Record& own = columns[j].by_class[c];
            spread = own.find("variance") != nullptr;
            means[c * d + j] = own.number(spread ? "mean" : "centre");
            covariances[(c * d + j) * d + j] = own.number("variance");
        }
    for (const auto& each : step.parameters.covariances)
        for (const std::uint32_t c : each.classes)
            std::ranges::copy(each.values, covariances.begin() + static_cast<std::ptrdiff_t>(c * d * d));
    nb::dict made;
    made["step"] = number;
    made["objective"] = objective;
    made["shares"] = to_array(step.share);
    made["means"] = to_array<double>(means, {k, d});
    made["covariances"] = spread ? nb::cast(to_array<double>(covariances, {k, d, d})) : nb::none();
    return made;
}

// The steps of `suffice cluster --trace` over rows in memory. start: the group that each row begins in, or empty.
nb::list group_steps(nb::handle rows, nb::handle weight, std::size_t count, const std::string& model,
                     const std::string& shape, bool hard, const std::vector<std::int32_t>& start, std::size_t starts,
                     std::size_t step_limit, std::uint64_t seed) {
    const RowsArgument x(rows);
    const OptionalNumbers weights(weight);
    ClusterOptions options;
    options.model = cluster_model(model).value();
    options.least = options.most = count;
    options.shapes = {shape_of(shape)};
    options.hard = hard;
    options.start = start;
    options.starts = starts;
    options.step_limit = step_limit;
    options.follow = true;
    Schema schema;
    for (std::size_t j = 0; j < column_count(x.block()); ++j) schema.columns.push_back({"x" + std::to_string(j)});
    MemoryStream stream({x.block(), {}, weights.doubles("weight"), 0}, schema);
    const Clustered found = [&] {
        const nb::gil_scoped_release release;
        const Running running(0);
        Context context = running.context();
        context.seed = seed;
        return find_groups(options, schema, stream, context).value().told;
    }();
    nb::list steps;
    for (std::size_t at = 0; at < found.followed.size(); ++at)
        steps.append(to_dict(found.followed[at], found.first_step + at, found.path[at]));
    return steps;
}

}  // namespace

void bind_cluster(nb::module_& module) {
    nb::class_<ClusterRows>(module, "KMeansRows")
        .def(nb::init<nb::handle, nb::handle, int>(), nb::arg("rows"), nb::arg("weight").none(), nb::arg("threads") = 0)
        .def("mean", &ClusterRows::mean)
        .def_prop_ro("mean_variance", &ClusterRows::mean_variance)
        .def("run", &ClusterRows::run, nb::arg("start"), nb::arg("steps"), nb::arg("move"),
             nb::arg("wants_path") = false, nb::arg("threads") = 0)
        .def("spread", &ClusterRows::spread, nb::arg("first"), nb::arg("count"), nb::arg("uniform"),
             nb::arg("threads") = 0);
    module.def("assign_batch", &assign_batch_of, nb::arg("rows"), nb::arg("which").none(), nb::arg("weight").none(),
               nb::arg("centres"));
    module.def("fit_centres", &fit_centres, nb::arg("rows"), nb::arg("weight").none(), nb::arg("count"),
               nb::arg("distance"), nb::arg("starts"), nb::arg("step_limit"), nb::arg("seed"), nb::arg("threads") = 0);
    module.def("assign_to_centres", &assign_to_centres, nb::arg("rows"), nb::arg("centres"), nb::arg("distance"),
               nb::arg("threads") = 0);
    module.def("centres_file", &centres_file, nb::arg("centres"), nb::arg("columns"), nb::arg("inertia"),
               nb::arg("rows"));
    module.def("group_steps", &group_steps, nb::arg("rows"), nb::arg("weight").none(), nb::arg("count"),
               nb::arg("model"), nb::arg("shape"), nb::arg("hard"), nb::arg("start"), nb::arg("starts"),
               nb::arg("step_limit"), nb::arg("seed"));
    module.def("nearest_centres", &nearest_centres, nb::arg("rows"), nb::arg("centres"), nb::arg("threads") = 0);
}

}  // namespace suffice::python
