// Settings by their names, and models as the objects that Python holds of them.
#include "core/fit_arguments.hpp"

#include "core/setting_values.hpp"
#include "core/spelling.hpp"
#include "core/state.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/flow/settings_table.hpp"

namespace suffice::python {

FitOptions options_of(const std::string& target, const std::string& model, const nb::dict& settings,
                      const nb::dict& families) {
    FitOptions options;
    options.target = target;
    options.model = model;
    for (const auto& [name, value] : settings)
        set_setting(options, nb::cast<std::string>(name), setting_value(value)).value();
    for (const auto& [column, family] : families)
        options.families.push_back({nb::cast<std::string>(column), nb::cast<std::string>(family)});
    return options;
}

nb::tuple result_of(const Model& done) {
    if (const auto* logistic = done.as<LogisticRegression>())
        return nb::make_tuple(*logistic, told(done.notes(), spell_keyword));
    if (const auto* mixture = done.as<MixtureDiscriminant>())
        return nb::make_tuple(*mixture, told(done.notes(), spell_keyword));
    return nb::make_tuple(State(done.as<Classifier>()->state(), done.seen()), told(done.notes(), spell_keyword));
}

}  // namespace suffice::python
