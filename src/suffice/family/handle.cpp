// The erased families: the one place where every family meets every run-time operation.
#include "suffice/family/handle.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "suffice/family/all.hpp"
#include "suffice/family/dispersion.hpp"
#include "suffice/family/divergence.hpp"
#include "suffice/family/erased_statistic.hpp"
#include "suffice/family/prior_text.hpp"

namespace suffice {
namespace {

constexpr std::size_t largest_level_count = std::size_t{1} << 24;
constexpr std::size_t largest_matrix_side = 4096;

std::vector<double> as_numbers(double number) { return {number}; }
std::vector<double> as_numbers(std::vector<double> numbers) { return numbers; }

template <Family F>
class Erased final : public AnyFamily {
    using Parameter = typename F::Parameter;

public:
    explicit Erased(F family) : family_(std::move(family)) {}

    std::string_view name() const override { return F::name; }
    std::string_view support() const override { return F::support; }
    std::string_view prior_name() const override {
        if constexpr (ConjugateFamily<F>) return F::prior_name;
        return {};
    }
    Record shape() const override { return to_record(family_); }
    std::size_t value_size() const override { return suffice::value_size(family_); }
    bool is_joint() const override { return !std::same_as<typename F::Value, double>; }
    std::size_t parameter_count() const override { return family_.parameter_count(); }
    std::vector<std::string> parameter_names() const override {
        std::vector<std::string> names;
        const Parameter usual{};
        for_each_field(usual, [&](const auto& each, const auto&) { names.emplace_back(each.name); });
        return names;
    }

    FamilyStatistic empty_statistic() const override {
        return FamilyStatistic(std::make_unique<ErasedStatistic<F>>(family_));
    }
    Result<Record> fit(const FamilyStatistic& rows, FamilyEstimate estimate, const Record* prior) const override {
        const auto statistic = own(rows);
        if (!statistic) return statistic.error();
        if (estimate == FamilyEstimate::likelihood) return recorded(family_.most_likely(*statistic));
        if (estimate == FamilyEstimate::unbiased) {
            if constexpr (UnbiasedFamily<F>) return recorded(family_.unbiased(*statistic));
            return Error{ErrorKind::usage, sentence("has no unbiased estimate other than the likelihood's")};
        }
        if constexpr (ConjugateFamily<F>) {
            const auto start = prior == nullptr ? family_.default_prior() : read_prior_record(*prior);
            if (!start) return start.error();
            const auto posterior = family_.posterior(*start, *statistic);
            return recorded(estimate == FamilyEstimate::map ? family_.most_probable(posterior)
                                                            : family_.expected(posterior));
        }
        return no_prior();
    }

    Result<std::vector<double>> log_density(const Record& parameter, Numbers values) const override {
        const auto p = read_parameter(parameter);
        if (!p) return p.error();
        return of_each(values, [&](const typename F::Value& x) { return family_.log_density(*p, x); });
    }
    Result<double> log_likelihood(const Record& parameter, const FamilyStatistic& rows) const override {
        const auto p = read_parameter(parameter);
        if (!p) return p.error();
        const auto statistic = own(rows);
        if (!statistic) return statistic.error();
        return family_.log_likelihood(*p, *statistic);
    }
    Result<std::vector<double>> mean(const Record& parameter) const override {
        const auto p = read_parameter(parameter);
        if (!p) return p.error();
        return as_numbers(family_.mean(*p));
    }
    Result<std::vector<double>> variance(const Record& parameter) const override {
        const auto p = read_parameter(parameter);
        if (!p) return p.error();
        if (as_numbers(family_.mean(*p)).size() > largest_matrix_side) return too_large();
        return as_numbers(family_.variance(*p));
    }
    Result<std::vector<double>> sample(const Record& parameter, std::size_t count, Rng& rng) const override {
        const auto p = read_parameter(parameter);
        if (!p) return p.error();
        std::vector<double> rows;
        rows.reserve(count * value_size());
        for (std::size_t i = 0; i < count; ++i)
            for (double number : as_numbers(family_.sample(*p, rng))) rows.push_back(number);
        return rows;
    }

    Result<std::vector<double>> natural(const Record& parameter) const override {
        if constexpr (!LinearFamily<F>)
            return no_linear_form();
        else
            return with(parameter, [&](const Parameter& p) { return natural_of(family_, p); });
    }
    Result<Record> from_natural(Numbers natural) const override {
        if constexpr (!LinearFamily<F>)
            return no_linear_form();
        else {
            if (natural.size() != family_.feature_count())
                return Error{ErrorKind::usage, sentence("has " + std::to_string(family_.feature_count()) +
                                                        " natural parameters, not " + std::to_string(natural.size()))};
            return recorded(family_.from_natural(natural));
        }
    }
    Result<double> log_partition(const Record& parameter) const override {
        if constexpr (!LinearFamily<F>)
            return no_linear_form();
        else
            return with(parameter, [&](const Parameter& p) { return family_.log_partition(p); });
    }
    Result<std::vector<double>> mean_features(const Record& parameter) const override {
        if constexpr (!LinearFamily<F>)
            return no_linear_form();
        else
            return with(parameter, [&](const Parameter& p) { return suffice::mean_features(family_, p); });
    }
    Result<std::vector<double>> feature_covariance(const Record& parameter) const override {
        if constexpr (!LinearFamily<F>)
            return no_linear_form();
        else {
            const std::size_t side = family_.feature_count();
            if (side > largest_matrix_side) return too_large();
            return with(parameter, [&](const Parameter& p) {
                std::vector<double> covariance(side * side);
                family_.write_feature_covariance(p, covariance);
                return covariance;
            });
        }
    }
    Result<double> entropy(const Record& parameter) const override {
        if constexpr (!LinearFamily<F>)
            return no_linear_form();
        else
            return with(parameter, [&](const Parameter& p) { return suffice::entropy(family_, p); });
    }
    Result<double> cross_entropy(const Record& truth, const Record& other) const override {
        if constexpr (!LinearFamily<F>)
            return no_linear_form();
        else {
            const auto q = read_parameter(other);
            if (!q) return q.error();
            return with(truth, [&](const Parameter& p) { return suffice::cross_entropy(family_, p, *q); });
        }
    }
    Result<double> kl_divergence(const Record& truth, const Record& other) const override {
        if constexpr (!LinearFamily<F>)
            return no_linear_form();
        else {
            const auto q = read_parameter(other);
            if (!q) return q.error();
            return with(truth, [&](const Parameter& p) { return suffice::kl_divergence(family_, p, *q); });
        }
    }
    Result<DispersedFamily> dispersed(const Record& parameter, double scale, Numbers values) const override {
        if constexpr (!DispersibleFamily<F>)
            return Error{ErrorKind::usage, sentence("has no dispersion form: it is for exponential, and for Gaussians "
                                                    "whose variance is known")};
        else {
            if (!(scale > 0) || !std::isfinite(scale))
                return Error{ErrorKind::usage, sentence("takes a dispersion above zero")};
            const auto p = read_parameter(parameter);
            if (!p) return p.error();
            const Dispersion<F> form{family_, scale};
            auto dense = of_each(values, [&](const typename F::Value& x) { return form.log_density(*p, x); });
            if (!dense) return dense.error();
            auto [weights, offset] = form.linear_score(*p);
            return DispersedFamily{as_numbers(form.mean(*p)), as_numbers(form.variance(*p)), std::move(weights), offset,
                                   std::move(*dense)};
        }
    }

    Result<Record> default_prior() const override {
        if constexpr (!ConjugateFamily<F>)
            return no_prior();
        else
            return to_record(family_.default_prior());
    }
    Result<Record> parse_prior(std::string_view text) const override {
        if constexpr (!ConjugateFamily<F>)
            return no_prior();
        else
            return recorded(suffice::read_prior(family_, text));
    }
    Result<Record> posterior(const Record& prior, const FamilyStatistic& rows) const override {
        return with_prior<Record>(prior, [&](const auto& family, const auto& start) -> Result<Record> {
            const auto statistic = own(rows);
            if (!statistic) return statistic.error();
            return to_record(family.posterior(start, *statistic));
        });
    }
    Result<Record> prior_mode(const Record& prior) const override {
        return with_prior<Record>(
            prior, [&](const auto& family, const auto& start) { return recorded(family.most_probable(start)); });
    }
    Result<Record> prior_mean(const Record& prior) const override {
        return with_prior<Record>(
            prior, [&](const auto& family, const auto& start) { return recorded(family.expected(start)); });
    }
    Result<double> log_prior_density(const Record& prior, const Record& parameter) const override {
        return with_prior<double>(prior, [&](const auto& family, const auto& start) {
            return with(parameter, [&](const Parameter& p) { return family.log_prior_density(start, p); });
        });
    }
    Result<Record> draw(const Record& prior, Rng& rng) const override {
        return with_prior<Record>(
            prior, [&](const auto& family, const auto& start) { return to_record(family.draw(start, rng)); });
    }
    Result<std::vector<double>> log_predictive(const Record& prior, Numbers values) const override {
        return with_prior<std::vector<double>>(prior, [&](const auto& family, const auto& start) {
            return of_each(values, [&](const typename F::Value& x) { return family.log_predictive(start, x); });
        });
    }
    Result<double> log_evidence(const Record& prior, const FamilyStatistic& rows) const override {
        return with_prior<double>(prior, [&](const auto& family, const auto& start) -> Result<double> {
            const auto statistic = own(rows);
            if (!statistic) return statistic.error();
            return family.log_evidence(start, *statistic);
        });
    }
    Result<std::vector<NamedInterval>> credible_intervals(const Record& prior, double mass) const override {
        return with_prior<std::vector<NamedInterval>>(prior, [&](const auto& family, const auto& start) {
            return suffice::credible_intervals(family, start, mass);
        });
    }

private:
    // A family named gamma stands beside a setting of that name.
    static std::string sentence(const std::string& rest) { return "the family " + std::string(F::name) + " " + rest; }
    static Error no_prior() { return {ErrorKind::usage, sentence("has no conjugate prior")}; }
    static Error no_linear_form() { return {ErrorKind::usage, sentence("has no linear exponential form")}; }
    static Error too_large() {
        return {ErrorKind::usage, sentence("is too large here for a covariance matrix; at most " +
                                           std::to_string(largest_matrix_side) + " on a side")};
    }

    // The statistic of this family and shape that `rows` holds.
    Result<typename F::Statistic> own(const FamilyStatistic& rows) const {
        const auto* held = dynamic_cast<const ErasedStatistic<F>*>(rows.held());
        if (held == nullptr)
            return Error{ErrorKind::usage,
                         sentence(rows.held() == nullptr ? "was given a statistic of no family"
                                                         : "was given a statistic of " + std::string(rows.family()))};
        if (held->of() == family_) return held->statistic();
        auto widened = empty_statistic();
        if (const auto merged = widened.merge(rows); !merged) return merged.error();
        const auto& same = dynamic_cast<const ErasedStatistic<F>&>(*widened.held());
        if (same.of() == family_) return same.statistic();
        return Error{ErrorKind::usage, sentence("with " + record_text(shape()) + " was given a statistic with " +
                                                record_text(rows.shape()))};
    }

    template <class T>
    static Result<Record> recorded(const Result<T>& value) {
        if (!value) return value.error();
        return to_record(*value);
    }
    Result<Parameter> read_parameter(const Record& record) const {
        auto parameter = from_record<Parameter>(F::name, record, {}, Absent::refuse);
        if (!parameter || family_.valid(*parameter)) return parameter;
        return Error{std::string(F::name) + ": the parameter (" + record_text(record) + ") is out of range"};
    }
    auto read_prior_record(const Record& record) const
        requires ConjugateFamily<F>
    {
        using Prior = typename F::Prior;
        Result<Prior> prior = from_record(F::name, record, family_.default_prior(), Absent::keep);
        if (!prior || family_.valid(*prior)) return prior;
        return Result<Prior>(Error{std::string(F::name) + ": the prior (" + record_text(record) + ") is out of range"});
    }

    template <class Act>
    auto with(const Record& parameter, Act act) const -> Result<decltype(act(std::declval<Parameter>()))> {
        const auto p = read_parameter(parameter);
        if (!p) return p.error();
        return act(*p);
    }
    // What `act` makes of the family and the prior; it takes both as auto, so that it compiles for families without a
    // prior.
    template <class Answer, class Act>
    Result<Answer> with_prior(const Record& prior, Act act) const {
        if constexpr (!ConjugateFamily<F>)
            return no_prior();
        else {
            const auto start = read_prior_record(prior);
            if (!start) return start.error();
            return act(family_, *start);
        }
    }
    template <class Act>
    Result<std::vector<double>> of_each(Numbers values, Act act) const {
        if (const auto checked = check_values(family_, values); !checked) return checked.error();
        std::vector<double> results(values.size() / value_size());
        for (std::size_t row = 0; row < results.size(); ++row) results[row] = act(value_at(family_, values, row));
        return results;
    }

    F family_;
};

// A shape is right when its sizes can be held in memory, and the family itself has nothing against it.
template <Family F>
bool good_shape(const F& family) {
    if constexpr (requires { family.dimension; })
        if (family.dimension == 0 || family.dimension > largest_matrix_side) return false;
    if constexpr (requires { family.level_count; })
        if (family.level_count > largest_level_count) return false;
    bool good = true;
    for_each_field(family, [&](const auto&, const auto& member) {
        if constexpr (std::same_as<std::remove_cvref_t<decltype(member)>, std::vector<double>>)
            good = good && !member.empty() && std::ranges::all_of(member, [](double x) { return std::isfinite(x); });
    });
    if constexpr (requires { family.valid_shape(); }) good = good && family.valid_shape();
    return good;
}

template <Family F>
Result<FamilyHandle> make(const Record& shape) {
    const auto family = from_record(F::name, shape, F{}, Absent::keep);
    if (!family) return family.error();
    if (!good_shape(*family))
        return Error{ErrorKind::usage,
                     std::string(F::name) + ": there is none with " + record_text(to_record(*family))};
    return FamilyHandle(std::make_shared<Erased<F>>(*family));
}

}  // namespace

Result<FamilyStatistic> AnyFamily::observe(Numbers values, Numbers weights) const {
    FamilyStatistic rows = empty_statistic();
    if (const auto observed = rows.observe(values, weights); !observed) return observed.error();
    return rows;
}

Result<FamilyHandle> make_family(std::string_view name, const Record& shape) {
    std::optional<Result<FamilyHandle>> made;
    for_each_family([&]<class F>() {
        if (F::name == name) made = make<F>(shape);
    });
    if (made) return *made;
    std::string sentence = "there is no family " + std::string(name) + "; known:";
    for (const auto each : family_names()) sentence += " " + std::string(each);
    return Error{ErrorKind::usage, sentence};
}

Result<FamilyHandle> make_sized_family(std::string_view name, std::size_t size) {
    const auto plain = make_family(name);
    if (!plain) return plain.error();
    Record shape = (*plain)->shape();
    for (auto& [key, value] : shape.entries)
        if (key == "dimension" || key == "level_count") value = static_cast<double>(size);
    return make_family(name, shape);
}

std::vector<std::string_view> family_names() {
    std::vector<std::string_view> names;
    for_each_family([&]<class F>() { names.push_back(F::name); });
    return names;
}

}  // namespace suffice
