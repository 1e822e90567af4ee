// Mixture discriminants that learn from rows without a class too, or go on from earlier fits.
#pragma once
#include <map>
#include <string>
#include <tuple>

#include "suffice/group/mixture_discriminant.hpp"

namespace suffice {

Result<void> check_unlabeled_weight(double weight);

// Where the mixtures of classes have ended, by class, structure and number of components: a fit to nearly the same
// rows, as of a fold, goes on from there instead of trying several starts. What is chosen is chosen by its own rows.
class EarlierMixtures {
public:
    const Classifier* of(const std::string& class_name, ComponentShape shape, std::size_t components) const;
    void keep(const std::string& class_name, ComponentShape shape, const Classifier& end);

private:
    std::map<std::tuple<std::string, ComponentShape, std::size_t>, Classifier> ends_;
};

// Each class is fitted to its own rows; then EM runs over all rows, those without a class counting `unlabeled_weight`.
Result<MixtureDiscriminant> fit_mixture_discriminant(const Schema& schema, Stream& stream,
                                                     const MixtureDiscriminantSettings& settings,
                                                     double unlabeled_weight, const Context& context = {},
                                                     EarlierMixtures* earlier = nullptr);

}  // namespace suffice
