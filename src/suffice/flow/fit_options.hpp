// All that can be said about a fit.
#pragma once
#include <string>
#include <vector>

#include "suffice/compare/regression_options.hpp"
#include "suffice/encode/table_stream.hpp"
#include "suffice/group/component_shape.hpp"
#include "suffice/group/mixture_discriminant.hpp"
#include "suffice/model/recipe.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

// A column of rows in memory: numbers, or codes of levels that all exist whether seen or not.
struct DeclaredColumn {
    DeclaredColumn(std::string column_name, ColumnKind column_kind = ColumnKind::number,
                   std::vector<std::string> column_levels = {})
        : name(std::move(column_name)), kind(column_kind), levels(std::move(column_levels)) {}
    DeclaredColumn(const char* column_name) : DeclaredColumn(std::string(column_name)) {}
    std::string name;
    ColumnKind kind;
    std::vector<std::string> levels;
};

enum class Unlabeled : std::uint8_t { skip, use };  // rows without a class
template <>
inline constexpr std::array<std::string_view, 2> enum_names<Unlabeled>{"skip", "use"};
enum class DocumentNorm : std::uint8_t { none, l2 };
template <>
inline constexpr std::array<std::string_view, 2> enum_names<DocumentNorm>{"none", "l2"};

// What makes a sum over rows take more than one pass over them.
struct PassOptions {
    Unlabeled unlabeled = Unlabeled::skip;
    double unlabeled_weight = 1;
    DocumentNorm document_norm = DocumentNorm::none;
    static constexpr auto fields =
        FieldTuple{setting("unlabeled", &PassOptions::unlabeled, "rows without a class: left out, or used by EM"),
                   setting("unlabeled_weight", &PassOptions::unlabeled_weight,
                           "how much a row without a class counts in EM", at_least(0)),
                   setting("document_norm", &PassOptions::document_norm,
                           "text: l2 scales documents to length one, after idf: two passes over them, no merging")};

    bool uses_unlabeled() const { return unlabeled == Unlabeled::use; }
    bool unit_length() const { return document_norm == DocumentNorm::l2; }
    Result<void> check() const;
};

struct FitOptions {
    std::string target = {};                   // name of the label column in files
    std::string model = "naive_bayes";         // "auto": the one that compares best
    std::vector<DeclaredColumn> columns = {};  // of a block in memory; files and tables name their own
    std::vector<FamilyChoice> families = {};
    std::vector<std::string> exclude = {};  // columns of files to leave out
    std::string weight = {};                // column of row weights in files
    WeightKind weight_kind = WeightKind::frequency;
    bool has_classes = true;  // false: all rows are of one kind, and there is no target
    Settings settings = {};   // from sums to parameters
    PartOptions parts = {};   // what is summed
    TextOptions text = {};    // how text columns are cut into words
    PassOptions passes = {};
    RegressionOptions regression = {};         // of logistic_regression
    MixtureDiscriminantSettings mixture = {};  // of mixture_discriminant
    ReadOptions read = {};

    // Whatever a user sets by name is in one of these.
    static constexpr auto fields = FieldTuple{field("settings", &FitOptions::settings),
                                              field("parts", &FitOptions::parts),
                                              field("text", &FitOptions::text),
                                              field("passes", &FitOptions::passes),
                                              field("regression", &FitOptions::regression),
                                              field("mixture", &FitOptions::mixture)};

    bool by_evidence = true;  // naive_bayes chooses the family of each column of numbers by itself

    Recipe recipe() const { return {model, settings, families, parts, by_evidence && !passes.uses_unlabeled()}; }
};

}  // namespace suffice
