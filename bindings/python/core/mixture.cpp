// Passes of Gaussian components over rows: what the drop-in mixtures of Python step and score with.
#include <cmath>
#include <memory>
#include <string>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/component_shape.hpp"
#include "core/running.hpp"
#include "core/spelling.hpp"
#include "core/state.hpp"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/flow/cluster_finders.hpp"
#include "suffice/group/gaussian_steps.hpp"
#include "suffice/group/mixture_moments.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/persist/model_file.hpp"

namespace suffice::python {
namespace {

Matrix matrix_of(const Buffer& buffer, const char* what) {
    if (buffer.dimension_count() != 2) throw Exception(Error(ErrorKind::usage, std::string(what) + " needs two axes"));
    Matrix made(buffer.size(0), buffer.size(1));
    const auto values = buffer.doubles(what);
    made.values.assign(values.begin(), values.end());
    return made;
}

ScoredComponents components_of(ComponentShape shape, nb::handle mean, nb::handle factor, nb::handle offset) {
    const Buffer mean_buffer(mean), factor_buffer(factor), offset_buffer(offset);
    const auto offsets = offset_buffer.doubles("offset");
    return scored_components(shape, matrix_of(mean_buffer, "mean"), factor_buffer.doubles("factor"),
                             std::vector<double>(offsets.begin(), offsets.end()))
        .value();
}

nb::tuple to_tuple(const ComponentMoments& moments) {
    const std::size_t k = moments.mean.row_count, d = moments.mean.column_count;
    return nb::make_tuple(to_array(moments.weight), to_array<double>(moments.mean.values, {k, d}),
                          to_array(moments.covariance), moments.total_weight, moments.log_likelihood,
                          moments.negative_entropy);
}

// Rows and weights that EM steps over again and again.
class MixtureRows {
public:
    MixtureRows(nb::handle rows, nb::handle weight, const std::string& shape)
        : kept_rows_(nb::borrow(rows)),
          kept_weight_(nb::borrow(weight)),
          rows_(rows),
          weight_(weight),
          shape_(shape_of(shape)),
          passes_(
              std::make_shared<GaussianRows>(LabeledBlock{rows_.block(), {}, weight_.doubles("weight"), 0}, shape_)) {}

    bool look(int threads) {
        const nb::gil_scoped_release release;
        const Running running(threads);
        return passes_->look(running.context()).value();
    }
    nb::tuple step(nb::handle mean, nb::handle factor, nb::handle offset, bool hard, bool entropy, int threads) {
        const ScoredComponents components = components_of(shape_, mean, factor, offset);
        return to_tuple(run(threads, [&](const Context& context) {
            return passes_->step(components, hard ? Assignment::hard : Assignment::soft, entropy, context);
        }));
    }
    nb::tuple of_labels(nb::handle labels, std::size_t count, int threads) {
        const Buffer buffer(labels);
        const auto codes = buffer.codes("labels");
        return to_tuple(
            run(threads, [&](const Context& context) { return passes_->of_labels(codes, count, context); }));
    }

    // EM from components given by their scores: the library's own, under scikit-learn's settings.
    nb::dict fit(nb::handle mean, nb::handle factor, nb::handle offset, double added_variance, const nb::dict& prior,
                 double tolerance, std::size_t step_limit, std::optional<double> before, int threads) {
        ScoredComponents start = components_of(shape_, mean, factor, offset);
        GaussianMixtureSettings settings;
        settings.components = start.offset.size();
        settings.shape = shape_;
        settings.added_variance = added_variance;
        if (prior.size() > 0) settings.prior = settings_from(prior).gaussian_prior;
        Schema schema;
        for (std::size_t k = 0; k < passes_->column_count(); ++k) schema.columns.push_back({"x" + std::to_string(k)});
        GaussianSteps steps(passes_, gaussian_mixture_recipe(schema, settings, false).value(), std::move(start), false);
        MixtureSettings limits;
        limits.tolerance = tolerance;
        limits.step_limit = step_limit;
        const StepsTaken taken = [&] {
            const nb::gil_scoped_release release;
            const Running running(threads);
            return run_steps(steps, limits, running.context(), before).value();
        }();
        nb::dict told;
        std::vector<double> bounds = taken.path, weights, covariances;
        for (double& each : bounds) each /= taken.weight;
        const GaussianClasses& found = steps.components().gaussians;
        const std::size_t k = found.class_count(), d = found.dimension;
        std::vector<double> means;
        for (std::size_t c = 0; c < k; ++c) {
            weights.push_back(std::exp(steps.components().offset[c]));
            means.insert(means.end(), found.mean[c].begin(), found.mean[c].end());
            const auto own = found.covariance(found.group[c]);
            covariances.insert(covariances.end(), own.begin(), own.end());
        }
        told["bounds"] = to_array(bounds);
        told["settled"] = taken.settled;
        told["weights"] = to_array(weights);
        told["means"] = to_array<double>(means, {k, d});
        told["covariances"] = to_array<double>(covariances, {k, d, d});
        told["gathered"] = steps.moments() ? nb::object(to_tuple(*steps.moments())) : nb::none();
        return told;
    }

private:
    template <class Work>
    static ComponentMoments run(int threads, const Work& work) {
        const nb::gil_scoped_release release;
        const Running running(threads);
        return work(running.context()).value();
    }

    nb::object kept_rows_, kept_weight_;
    RowsArgument rows_;
    OptionalNumbers weight_;
    ComponentShape shape_;
    std::shared_ptr<GaussianRows> passes_;
};

// scikit-learn's factors of precisions: upper triangular U with U U' the inverse of each covariance (k x d x d). None
// where one is not positive definite. Here because threads of NumPy's BLAS, once woken, spin beside the next pass.
nb::object precision_factors(nb::handle covariance) {
    const Buffer buffer(covariance);
    if (buffer.dimension_count() != 3) throw Exception(Error(ErrorKind::usage, "covariance needs three axes"));
    const std::size_t k = buffer.size(0), d = buffer.size(1);
    const auto values = buffer.doubles("covariance");
    auto out = new_array<double>({k, d, d});
    std::vector<double> factor, inverse(d * d);
    for (std::size_t c = 0; c < k; ++c) {
        factor.assign(values.begin() + static_cast<std::ptrdiff_t>(c * d * d),
                      values.begin() + static_cast<std::ptrdiff_t>((c + 1) * d * d));
        if (!factorize(factor, d)) return nb::none();
        inverse_lower(factor, d, inverse);
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < d; ++j) out.data()[(c * d + i) * d + j] = inverse[j * d + i];
    }
    return nb::cast(out);
}

// form: "evidence" (log p(x)), "posterior" (rows x components) or "best".
nb::object gaussian_scores(nb::handle rows, const std::string& shape, nb::handle mean, nb::handle factor,
                           nb::handle offset, const std::string& form, int threads) {
    const RowsArgument x(rows);
    const ScoredComponents components = components_of(shape_of(shape), mean, factor, offset);
    const std::size_t count = row_count(x.block());
    ComponentScores into;
    nb::object result;
    if (form == "best") {
        auto best = new_array<std::int32_t>({count});
        into.best = best.data();
        result = nb::cast(best);
    } else {
        auto scores =
            form == "posterior" ? new_array<double>({count, components.offset.size()}) : new_array<double>({count});
        (form == "posterior" ? into.posterior : into.log_evidence) = scores.data();
        result = nb::cast(scores);
    }
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        score_rows(x.block(), components, into, running.context()).value();
    }
    return result;
}

MixtureStart start_of(const std::string& name) {
    if (name == "several") return MixtureStart::several;
    if (name == "kmeans") return MixtureStart::k_means;
    if (name == "k-means++") return MixtureStart::k_means_plus_plus;
    if (name == "random_from_data") return MixtureStart::random_rows;
    if (name == "random") return MixtureStart::random_shares;
    throw Exception(Error("init_params must be several, kmeans, k-means++, random_from_data or random, not " + name));
}

nb::tuple told_of(const MixtureFit& fitted) {
    nb::dict told;
    told["log_likelihood"] = fitted.log_likelihood;
    told["bic"] = fitted.bic();
    told["aic"] = fitted.aic();
    told["icl"] = fitted.icl();
    told["weight"] = fitted.weight;
    told["steps"] = fitted.steps;
    told["settled"] = fitted.settled;
    told["path"] = to_array(fitted.path);
    told["notes"] = suffice::told(fitted.notes, spell_keyword);
    return nb::make_tuple(fitted.model, told);
}

// A mixture of these columns, by the recipe of the command: (model, what the fit came to).
nb::tuple fit_family_mixture(const nb::dict& wanted, const nb::list& columns, const nb::dict& families, nb::handle rows,
                             nb::handle weights, std::size_t count, const std::string& start, std::size_t starts,
                             std::size_t step_limit, double tolerance, bool hard, std::uint64_t seed, int threads) {
    const RowsArgument x(rows);
    const OptionalNumbers weight(weights);
    const MixtureSettings settings{
        .start = start_of(start), .starts = starts, .step_limit = step_limit, .tolerance = tolerance, .hard = hard};
    Recipe components;
    components.model = "naive_bayes";
    components.settings = settings_from(wanted);
    components.by_evidence = true;
    for (const auto& [column, family] : families)
        components.families.push_back({nb::cast<std::string>(column), nb::cast<std::string>(family)});
    const ModelState recipe = mixture_recipe(components, {columns_from(columns), {}, {}, false}, count).value();
    MemoryStream stream({x.block(), {}, weight.doubles("weight"), 0}, recipe.statistic.schema);
    const auto fitted = [&] {
        const nb::gil_scoped_release release;
        const Running running(threads);
        Context context = running.context();
        context.seed = seed;
        auto found = fit_mixture(recipe, stream, settings, context).value();
        found.model = heaviest_first(found.model).value();
        return found;
    }();
    return told_of(fitted);
}

// Gaussian components of any structure, by the function that the command calls.
nb::tuple fit_gaussian_components(nb::handle rows, nb::handle weights, const std::vector<std::string>& columns,
                                  std::size_t least, std::size_t most, const std::string& shape, bool with_prior,
                                  std::size_t starts, std::size_t step_limit, double tolerance, bool hard,
                                  std::uint64_t seed, int threads) {
    const RowsArgument x(rows);
    const OptionalNumbers weight(weights);
    ClusterOptions options;
    options.least = least;
    options.most = most;
    options.shapes = {shape_of(shape)};
    options.with_prior = with_prior;
    options.starts = starts;
    options.step_limit = step_limit;
    options.tolerance = tolerance;
    options.hard = hard;
    Schema schema;
    for (const auto& name : columns) schema.columns.push_back({name});
    MemoryStream stream({x.block(), {}, weight.doubles("weight"), 0}, schema);
    const auto chosen = [&] {
        const nb::gil_scoped_release release;
        const Running running(threads);
        Context context = running.context();
        context.seed = seed;
        return fit_components(options, schema, stream, context).value();
    }();
    nb::tuple told = told_of(chosen.best);
    nb::list candidates;
    for (const MixtureCandidate& each : chosen.candidates)
        candidates.append(nb::make_tuple(each.components, std::string(name_of(each.shape)), each.log_likelihood,
                                         each.bic, each.degenerate));
    told[1]["candidates"] = candidates;
    told[1]["covariance"] = std::string(name_of(chosen.candidates[chosen.chosen].shape));
    return told;
}

// The mixture after a further batch; `keep` None: earlier ones fade as OnlineSteps says.
Classifier learn_batch(const Classifier& model, nb::handle rows, nb::handle weights, std::optional<double> keep,
                       int threads) {
    const RowsArgument x(rows);
    const OptionalNumbers weight(weights);
    const nb::gil_scoped_release release;
    const Running running(threads);
    auto online = OnlineMixture::from(model, OnlineSteps{keep}).value();
    online.learn({x.block(), {}, weight.doubles("weight"), 0}, running.context()).value();
    return online.model();
}

// The model that an M-step makes of what a pass gathered: weights, means and covariances as `step` gives them.
Classifier mixture_of_moments(const std::string& shape, nb::handle weight, nb::handle mean, nb::handle covariance,
                              double log_likelihood, double added_variance, const nb::dict& prior,
                              const std::vector<std::string>& columns) {
    const Buffer weight_buffer(weight), mean_buffer(mean), covariance_buffer(covariance);
    const auto weights = weight_buffer.doubles("weight"), covariances = covariance_buffer.doubles("covariance");
    ComponentMoments moments;
    moments.weight.assign(weights.begin(), weights.end());
    moments.mean = matrix_of(mean_buffer, "mean");
    moments.covariance.assign(covariances.begin(), covariances.end());
    moments.log_likelihood = log_likelihood;
    GaussianMixtureSettings settings;
    settings.components = weights.size();
    settings.shape = shape_of(shape);
    settings.added_variance = added_variance;
    if (prior.size() > 0) settings.prior = settings_from(prior).gaussian_prior;
    Schema schema;
    for (const auto& name : columns) schema.columns.push_back({name});
    schema.integer_classes = true;
    return gaussian_mixture_of(schema, moments, settings).value();
}

// Weights, means and covariances (k x d x d) of a mixture of Gaussians.
nb::tuple mixture_components(const Classifier& model) {
    const GaussianComponents found = components_of(model).value();
    const std::size_t k = found.weight.size(), d = found.mean.column_count;
    std::vector<double> covariance;
    for (const auto& each : found.covariance) covariance.insert(covariance.end(), each.begin(), each.end());
    return nb::make_tuple(to_array(found.weight), to_array<double>(found.mean.values, {k, d}),
                          to_array<double>(covariance, {k, d, d}));
}

nb::object to_dict(const GaussianPrior& prior) {
    if (prior.vague) return nb::none();
    nb::dict told;
    told["mean"] = to_array(prior.mean);
    told["mean_weight"] = prior.mean_weight;
    told["degrees"] = prior.degrees;
    told["scatter"] = to_array<double>(prior.scatter, {prior.mean.size(), prior.mean.size()});
    return told;
}

// What a mixture of Gaussians was fitted under.
nb::dict mixture_settings(const Classifier& model) {
    nb::dict told;
    const ComponentShape shape = shape_of(model.state());
    told["covariance_type"] = shape == ComponentShape::diagonal ? "diag" : std::string(name_of(shape));
    told["reg_covar"] = model.state().settings.added_variance;
    told["prior"] = to_dict(model.state().settings.gaussian_prior);
    return told;
}

// The Normal-Wishart prior that the rows themselves suggest.
nb::object default_prior(nb::handle rows, nb::handle weights, std::size_t components, const std::string& shape) {
    const RowsArgument x(rows);
    const OptionalNumbers weight(weights);
    Schema schema;
    for (std::size_t k = 0; k < column_count(x.block()); ++k) schema.columns.push_back({"x" + std::to_string(k)});
    MemoryStream stream({x.block(), {}, weight.doubles("weight"), 0}, schema);
    const auto looked = look_at_rows(stream, schema, {}, Context{}).value();
    return to_dict(default_gaussian_prior(looked.sample, components, shape_of(shape)));
}

nb::bytes mixture_file(const Classifier& model) {
    const Model whole = mixture_model(model.state(), model.weight(), {}).value();
    const std::string file = to_file_bytes(whole.file());
    return nb::bytes(file.data(), file.size());
}

}  // namespace

void bind_mixture(nb::module_& module) {
    nb::class_<MixtureRows>(module, "GaussianRows")
        .def(nb::init<nb::handle, nb::handle, const std::string&>(), nb::arg("rows"), nb::arg("weight").none(),
             nb::arg("shape"))
        .def("look", &MixtureRows::look, nb::arg("threads") = 0)
        .def("step", &MixtureRows::step, nb::arg("mean"), nb::arg("factor"), nb::arg("offset"), nb::arg("hard") = false,
             nb::arg("entropy") = false, nb::arg("threads") = 0)
        .def("fit", &MixtureRows::fit, nb::arg("mean"), nb::arg("factor"), nb::arg("offset"), nb::arg("added_variance"),
             nb::arg("prior"), nb::arg("tolerance"), nb::arg("step_limit"), nb::arg("before").none(),
             nb::arg("threads") = 0)
        .def("of_labels", &MixtureRows::of_labels, nb::arg("labels"), nb::arg("count"), nb::arg("threads") = 0);
    module.def("precision_factors", &precision_factors, nb::arg("covariance"));
    module.def("fit_mixture", &fit_family_mixture, nb::arg("settings"), nb::arg("columns"), nb::arg("families"),
               nb::arg("rows"), nb::arg("weight").none(), nb::arg("count"), nb::arg("start"), nb::arg("starts"),
               nb::arg("step_limit"), nb::arg("tolerance"), nb::arg("hard"), nb::arg("seed"), nb::arg("threads") = 0);
    module.def("fit_gaussian_components", &fit_gaussian_components, nb::arg("rows"), nb::arg("weight").none(),
               nb::arg("columns"), nb::arg("least"), nb::arg("most"), nb::arg("covariance"), nb::arg("with_prior"),
               nb::arg("starts"), nb::arg("step_limit"), nb::arg("tolerance"), nb::arg("hard"), nb::arg("seed"),
               nb::arg("threads") = 0);
    module.def("learn_batch", &learn_batch, nb::arg("model"), nb::arg("rows"), nb::arg("weight").none(),
               nb::arg("keep").none(), nb::arg("threads") = 0);
    module.def("mixture_of_moments", &mixture_of_moments, nb::arg("shape"), nb::arg("weight"), nb::arg("mean"),
               nb::arg("covariance"), nb::arg("log_likelihood"), nb::arg("added_variance"), nb::arg("prior"),
               nb::arg("columns"));
    module.def("mixture_components", &mixture_components, nb::arg("model"));
    module.def("mixture_settings", &mixture_settings, nb::arg("model"));
    module.def("default_prior", &default_prior, nb::arg("rows"), nb::arg("weight").none(), nb::arg("components"),
               nb::arg("shape"));
    module.def("mixture_file", &mixture_file, nb::arg("model"));
    module.def("gaussian_scores", &gaussian_scores, nb::arg("rows"), nb::arg("shape"), nb::arg("mean"),
               nb::arg("factor"), nb::arg("offset"), nb::arg("form"), nb::arg("threads") = 0);
}

}  // namespace suffice::python
