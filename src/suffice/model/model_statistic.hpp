// What a model is made from, and all that is saved of it. Blank it is a recipe, fed it is a model:
// the two are one type, so whatever can be done to one Part can be done to a whole model.
#pragma once
#include "suffice/accumulate/several.hpp"
#include "suffice/part/part.hpp"

namespace suffice {

struct ModelStatistic {
    Schema schema;
    std::vector<double> class_weight;
    Several<Part> parts;
    double log_likelihood = 0;    // of the rows under the parameters an EM pass held fixed
    double unlabeled_weight = 0;  // rows without a class that were passed over
    static constexpr auto fields =
        FieldTuple{field("schema", &ModelStatistic::schema), field("class_weight", &ModelStatistic::class_weight),
                   field("parts", &ModelStatistic::parts), field("log_likelihood", &ModelStatistic::log_likelihood),
                   field("unlabeled_weight", &ModelStatistic::unlabeled_weight)};
    bool operator==(const ModelStatistic&) const = default;

    ModelStatistic() = default;
    ModelStatistic(Schema names, Several<Part> blank_parts)
        : schema(std::move(names)), class_weight(schema.classes.size()), parts(std::move(blank_parts)) {}

    ModelStatistic blank() const;
    double weight() const;
    void observe(const Block& block, const Membership& membership, Workspace& workspace);
    // Columns that were flags here and are numbers there become numbers.
    void widen(const Schema& names);
    // Makes room for names that a stream has found since.
    void grow(const Schema& names);
    // Names may differ; both sides are recoded to the union. Columns must agree, which align() checks.
    void merge(const ModelStatistic& from);
    void remove(const ModelStatistic& rows);
    void scale(double factor);
    void recode(const Recoding& recoding, Schema united);
    void recode(const Recoding& recoding);  // the codes alone: the schema has its new names already
    // Classes and levels in an order that does not depend on which row came first; those without weight that nobody
    // declared are dropped, so that taking rows out equals never having had them.
    void tidy();
    std::size_t footprint() const;
    bool valid() const;
};

}  // namespace suffice
