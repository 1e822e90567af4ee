// A model as a file: what it was made from, and which rows it has seen.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "suffice/compare/cross_validation.hpp"
#include "suffice/decide/calibration.hpp"
#include "suffice/decide/decision_stage.hpp"
#include "suffice/group/mixture_discriminant.hpp"
#include "suffice/model/classifier.hpp"
#include "suffice/model/logistic_regression.hpp"

namespace suffice {

// Where the rows came from; names only, never whole paths.
struct Provenance {
    double rows = 0;  // total weight
    std::vector<std::string> files;
    std::vector<Compared> compared = {};    // where it was chosen by comparison: the whole table, best first
    std::vector<std::string> reading = {};  // how files were read where that was said: name=value (flow/reading.hpp)
    static constexpr auto fields =
        FieldTuple{field("rows", &Provenance::rows), field("files", &Provenance::files),
                   field("compared", &Provenance::compared), field("reading", &Provenance::reading)};
    bool operator==(const Provenance&) const = default;
    void merge(const Provenance& from);
};

// What is saved of each kind of model.
using PredictorState = std::variant<ModelState, LogisticState, MixtureState>;

struct ModelFile {
    PredictorState state;
    Provenance seen = {};
    Calibration calibration = {};          // of the posteriors; none by default
    DecisionStage decision = {};           // what follows it; none by default
    std::vector<std::string> shards = {};  // of a fit to shards of its input: those in here (flow/shards.hpp)
    std::string author = {};  // what the program that saved it says of itself, so that it gets the same back
    bool operator==(const ModelFile&) const = default;
    bool valid() const {
        return std::visit([](const auto& each) { return each.valid(); }, state);
    }
    void write(FieldSink& sink, std::string_view name) const;
    void read(FieldSource& source);
};

std::string to_file_bytes(const ModelFile& model);
Result<ModelFile> from_file_bytes(std::string_view bytes);

// Written beside the target, synced, then renamed: the old file or the new one is there, whole.
Result<void> write_atomically(const std::string& path, std::string_view bytes);
Result<std::string> read_whole_file(const std::string& path);

Result<void> save_model_file(const ModelFile& model, const std::string& path);
Result<ModelFile> load_model_file(const std::string& path);
// Whether a file begins as models do; what is in it may still be damaged.
bool looks_like_model(const std::string& path);

}  // namespace suffice
