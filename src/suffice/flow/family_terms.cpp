// The exponential form of a family at a parameter, distances between two, dispersions and maps of Gaussians.
#include "suffice/flow/family_terms.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "suffice/family/gaussian_vector_maps.hpp"
#include "suffice/family/handle.hpp"
#include "suffice/family/parameter_form.hpp"

namespace suffice {
namespace {

struct Stated {
    FamilyHandle family;
    Record parameter;  // as it is kept
};

std::string told_name(const std::string& kept) {
    return kept == "factor" ? "covariance" : kept == "log_probability" ? "probability" : kept;
}

Record::Value value_of(const PriorArgument& argument, bool is_list) {
    if (argument.is_list || is_list) return argument.values;
    return argument.values[0];
}

// Of a family that has columns or levels: how many there are, by the numbers given.
std::size_t size_of(const Record& told) {
    if (const auto& mean = told.numbers("mean"); !mean.empty()) return mean.size();
    if (const auto& shares = told.numbers("probability"); !shares.empty()) return shares.size();
    const auto count = static_cast<double>(told.numbers("covariance").size());
    return count > 0 ? static_cast<std::size_t>(std::llround(std::sqrt(count))) : 1;
}

// The numbers of a term by the names that the family has for its parameter and its shape; without names in this order.
Result<Stated> stated(const PriorText& term) {
    const auto plain = make_family(term.name);
    if (!plain) return plain.error();
    std::vector<std::string> names;
    for (const std::string& each : (*plain)->parameter_names()) names.push_back(told_name(each));
    const Record usual = (*plain)->shape();
    for (const auto& [name, value] : usual.entries)
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    Record told;
    // Probabilities of levels may be written without brackets: categorical(0.2, 0.3, 0.5).
    if (names[0] == "probability" && (*plain)->parameter_names()[0] == "log_probability" &&
        std::ranges::all_of(term.arguments, [](const auto& each) { return each.name.empty() && !each.is_list; })) {
        std::vector<double> shares;
        for (const auto& each : term.arguments) shares.push_back(each.values[0]);
        told.entries.emplace_back("probability", std::move(shares));
    } else {
        auto next = names.begin();
        for (const PriorArgument& each : term.arguments) {
            if (each.name.empty() && next == names.end())
                return Error(ErrorKind::usage, term.name + " takes fewer numbers");
            const std::string& name = each.name.empty() ? *next++ : each.name;
            told.entries.emplace_back(name, value_of(each, is_matrix(name)));
        }
    }
    auto sized = make_sized_family(term.name, size_of(told));
    if (!sized) return sized.error();
    Record shape = (*sized)->shape(), parameter;
    const auto own = (*sized)->parameter_names();
    for (auto& [name, value] : told.entries) {
        const bool of_parameter = std::ranges::any_of(own, [&](const auto& each) { return told_name(each) == name; });
        const auto place = std::ranges::find(shape.entries, name, [](const auto& each) { return each.first; });
        if (!of_parameter && place != shape.entries.end())
            place->second = std::move(value);
        else
            parameter.entries.emplace_back(name, std::move(value));
    }
    auto family = make_family(term.name, shape);
    if (!family) return family.error();
    auto kept = as_kept(parameter);
    if (!kept) return kept.error();
    return Stated{std::move(*family), std::move(*kept)};
}

Result<Calculation> exponential_form(const Stated& at) {
    Calculation told;
    told.record(as_told(at.parameter));
    const auto mean = at.family->mean(at.parameter);
    if (!mean) return mean.error();
    const auto variance = at.family->variance(at.parameter);
    if (!variance) return variance.error();
    if (at.family->is_joint()) {
        if (at.parameter.find("mean") == nullptr) told.list("expectation", *mean);
        if (as_told(at.parameter).find("covariance") == nullptr) told.matrix("spread", *variance, mean->size());
    } else {
        told.list("expectation", *mean);
        told.list("spread", *variance);
    }
    if (const auto natural = at.family->natural(at.parameter)) {
        told.list("natural parameters", *natural);
        told.number("log partition", at.family->log_partition(at.parameter).value());
        const auto gradient = at.family->mean_features(at.parameter);
        told.list("gradient of A", *gradient);
        if (const auto hessian = at.family->feature_covariance(at.parameter))
            told.matrix("Hessian of A", *hessian, gradient->size());
        told.number("entropy", at.family->entropy(at.parameter).value());
    }
    return told;
}

Result<Calculation> distance(const Stated& truth, const PriorText& term) {
    const auto other = stated(term);
    if (!other) return other.error();
    const auto entropy = truth.family->entropy(truth.parameter),
               cross = truth.family->cross_entropy(truth.parameter, other->parameter),
               divergence = truth.family->kl_divergence(truth.parameter, other->parameter);
    if (!divergence) return divergence.error();
    Calculation told;
    told.number("entropy", *entropy);
    told.number("risk", *cross);
    told.number("divergence", *divergence);
    return told;
}

Result<Calculation> dispersion(const Stated& at, const PriorText& term) {
    if (term.arguments.size() != 1 || term.arguments[0].values.size() != 1)
        return Error(ErrorKind::usage, "dispersion takes one number");
    const auto form = at.family->dispersed(at.parameter, term.arguments[0].values[0]);
    if (!form) return form.error();
    Calculation told;
    told.list("expectation", form->mean);
    if (form->mean.size() > 1)
        told.matrix("spread", form->variance, form->mean.size());
    else
        told.list("spread", form->variance);
    told.list("weights of x", form->weights);
    told.number("constant", form->offset);
    return told;
}

// Lists of a map by their names, or in their order.
class MapArguments {
public:
    explicit MapArguments(const PriorText& term) : term_(term), used_(term.arguments.size()) {}

    std::vector<double> take(std::string_view name) {
        for (std::size_t pass = 0; pass < 2; ++pass)
            for (std::size_t k = 0; k < used_.size(); ++k)
                if (!used_[k] && term_.arguments[k].name == (pass == 0 ? name : std::string_view{})) {
                    used_[k] = true;
                    return term_.arguments[k].values;
                }
        return {};
    }
    bool all_taken() const {
        return std::ranges::all_of(used_, [](bool each) { return each; });
    }

private:
    const PriorText& term_;
    std::vector<bool> used_;
};

Result<std::vector<std::uint32_t>> columns_of(const std::vector<double>& counted, std::size_t d) {
    std::vector<std::uint32_t> columns;
    for (const double each : counted) {
        if (!(each >= 1 && each <= static_cast<double>(d)) || each != std::floor(each))
            return Error(ErrorKind::usage, "columns count from 1 to " + std::to_string(d));
        columns.push_back(static_cast<std::uint32_t>(each) - 1);
    }
    if (columns.empty()) return Error(ErrorKind::usage, "name columns, from 1 to " + std::to_string(d));
    return columns;
}

Result<GaussianVector::Parameter> mapped(const GaussianVector::Parameter& p, const PriorText& term) {
    const std::size_t d = p.mean.size();
    const Error unfit(ErrorKind::usage, term.name + " has arguments that it does not know");
    MapArguments given(term);
    if (term.name == "affine") {
        AffineMap map;
        map.matrix.values = given.take("matrix");
        map.matrix.column_count = d;
        map.matrix.row_count = map.matrix.values.size() / d;
        map.offset = given.take("offset");
        map.noise = given.take("noise");
        map.cross_covariance = given.take("cross");
        if (map.matrix.row_count == 0 || map.matrix.row_count * d != map.matrix.values.size())
            return Error(ErrorKind::usage, "affine takes a matrix with " + std::to_string(d) + " columns");
        return given.all_taken() ? affine_map(p, map) : unfit;
    }
    std::vector<double> counted;
    if (term.name == "marginal" &&
        std::ranges::all_of(term.arguments, [](const auto& each) { return each.name.empty() && !each.is_list; }))
        for (std::size_t k = 0; k < term.arguments.size(); ++k) counted.push_back(given.take("columns")[0]);
    else
        counted = given.take("columns");
    const auto columns = columns_of(counted, d);
    if (!columns) return columns.error();
    if (term.name == "marginal") return given.all_taken() ? marginal(p, *columns) : unfit;
    const auto values = given.take("values");
    return given.all_taken() ? conditional(p, *columns, values) : unfit;
}

bool is_map(const std::string& name) { return name == "affine" || name == "marginal" || name == "conditional"; }

Result<Calculation> map_gaussian(const Stated& start, const std::vector<PriorText>& terms) {
    if (start.family->name() != "gaussian_vector")
        return Error(ErrorKind::usage, terms[1].name + " is of gaussian_vector(mean=[...], covariance=[[...]])");
    GaussianVector::Parameter p{start.parameter.numbers("mean"), start.parameter.numbers("factor")};
    if (p.mean.empty() || p.factor.size() != p.mean.size() * p.mean.size())
        return Error(ErrorKind::usage, "gaussian_vector takes a mean and a covariance of as many columns");
    for (std::size_t k = 1; k < terms.size(); ++k) {
        if (!is_map(terms[k].name))
            return Error(ErrorKind::usage, terms[k].name + " is no map of a Gaussian: affine, marginal or conditional");
        auto next = mapped(p, terms[k]);
        if (!next) return next.error();
        p = std::move(*next);
    }
    Calculation told;
    told.record(as_told(to_record(p)));
    return told;
}

}  // namespace

Result<Calculation> calculate_family(const std::vector<PriorText>& terms) {
    const auto start = stated(terms[0]);
    if (!start) return start.error();
    if (terms.size() == 1) return exponential_form(*start);
    if (is_map(terms[1].name)) return map_gaussian(*start, terms);
    if (terms.size() > 2) return Error(ErrorKind::usage, "only maps of Gaussians follow one another");
    if (terms[1].name == "dispersion") return dispersion(*start, terms[1]);
    if (terms[1].name == terms[0].name) return distance(*start, terms[1]);
    return Error(
        ErrorKind::usage,
        terms[1].name + " is neither dispersion, affine, marginal or conditional nor another " + terms[0].name);
}

}  // namespace suffice
