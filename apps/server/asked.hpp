// What a model is asked, as a statistic beside the one of what it learned: rows of requests are noted, and by and by
// folded into a blank state of the same recipe, so that drift compares two states.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "suffice/compare/drift.hpp"
#include "suffice/flow/model.hpp"

namespace suffice::server {

// What is told of it.
struct AskedShares {
    std::uint64_t rows = 0;             // asked since the start
    std::uint64_t looked_at = 0;        // of them; more than enough a second are counted only
    std::vector<double> classes = {};   // mean posteriors of those looked at lately
    std::optional<double> novel_share;  // of them; none where the model does not know which rows are usual
};

class Asked {
public:
    static constexpr std::size_t rows_between_folds = 4096;
    static constexpr double rows_remembered = 100'000;  // beyond it the older ones fade

    // By any thread, while it answers: rows with the columns of the model's schema.
    void note(const std::shared_ptr<const Model>& model, const Block& rows);
    void note_text(std::size_t rows);  // of models of text, whose rows are counted only
    // By one thread at a time, every second or so.
    void fold();

    AskedShares shares() const;
    // What was asked lately, by the classes that the model gives the rows, against what was learned; null: there is
    // nothing yet, or the model keeps no sums over its rows.
    std::shared_ptr<const Drift> drift() const;

private:
    struct Noted {
        std::shared_ptr<const Model> model;
        std::vector<double> values;
        std::size_t rows = 0;
    };
    void add(const Noted& noted);
    void learn(const ModelState& learned, const Block& block, std::span<const double> posteriors);
    void count(const Model& model, std::span<const double> posteriors, std::span<const double> evidence);

    mutable std::mutex noting_;  // held for moments
    Noted noted_;
    std::uint64_t rows_ = 0;

    mutable std::mutex telling_;
    std::shared_ptr<const Model> of_;  // whose recipe and classes the numbers below are of
    std::optional<ModelState> state_;
    std::shared_ptr<const Drift> drift_;
    std::vector<double> class_sum_;
    double weight_ = 0, novel_ = 0;
    bool knows_novelty_ = false;
    std::uint64_t looked_at_ = 0;
};

}  // namespace suffice::server
