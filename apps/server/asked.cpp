// Rows of requests to a statistic.
#include "server/asked.hpp"

#include <algorithm>

#include "server/rows.hpp"

#include "suffice/base/limits.hpp"
#include "suffice/base/random.hpp"
#include "suffice/decide/decision.hpp"
#include "suffice/flow/algebra.hpp"
#include "suffice/group/degenerate.hpp"

namespace suffice::server {
namespace {

constexpr double novelty_share = 0.01;  // of the rows that the model was calibrated on

// Codes mean the same in both. Levels only ever grow together, so that their number tells.
bool codes_alike(const Model& left, const Model& right) {
    const auto alike = [](const Column& one, const Column& other) {
        return one.name == other.name && one.kind == other.kind && one.levels.size() == other.levels.size();
    };
    return &left == &right || (left.classes().size() == right.classes().size() &&
                               std::ranges::equal(left.schema().columns, right.schema().columns, alike));
}

// A class for each row, drawn by its posteriors, so that classes that overlap get their due.
std::vector<std::int32_t> drawn_classes(std::span<const double> posteriors, std::size_t classes, std::uint64_t seed) {
    Rng source(seed, "asked");
    std::vector<std::int32_t> labels;
    for (std::size_t row = 0; row * classes < posteriors.size(); ++row) {
        double left = source.uniform();
        std::size_t chosen = 0;
        for (std::size_t c = 0; c < classes; ++c) {
            chosen = c;
            left -= posteriors[row * classes + c];
            if (left < 0) break;
        }
        labels.push_back(static_cast<std::int32_t>(chosen));
    }
    return labels;
}

}  // namespace

void Asked::note(const std::shared_ptr<const Model>& model, const Block& rows) {
    const auto& columns = model->schema().columns;
    const std::size_t count = row_count(rows);
    const std::scoped_lock lock(noting_);
    rows_ += count;
    if (noted_.rows > 0 && noted_.model != model && !codes_alike(*noted_.model, *model)) noted_ = {};
    noted_.model = model;
    const std::size_t taken = std::min(count, rows_between_folds - std::min(rows_between_folds, noted_.rows));
    for (std::size_t row = 0; row < taken; ++row)
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const double value = value_at(rows, row, k);
            const bool unseen = columns[k].kind == ColumnKind::category && value == unseen_level;
            noted_.values.push_back(unseen ? not_a_number : value);
        }
    noted_.rows += taken;
}

void Asked::note_text(std::size_t rows) {
    const std::scoped_lock lock(noting_);
    rows_ += rows;
}

void Asked::fold() {
    Noted noted;
    {
        const std::scoped_lock lock(noting_);
        std::swap(noted, noted_);
    }
    if (noted.rows > 0) add(noted);
}

void Asked::count(const Model& model, std::span<const double> posteriors, std::span<const double> evidence) {
    const std::size_t classes = model.classes().size();
    for (std::size_t k = 0; k < posteriors.size(); ++k) class_sum_[k % classes] += posteriors[k];
    const std::size_t rows = posteriors.size() / classes;
    weight_ += static_cast<double>(rows);
    looked_at_ += rows;
    if (evidence.empty()) return;
    const auto below = novelty_threshold(model.decision().usual_evidence, novelty_share);
    if (!below) return;
    knows_novelty_ = true;
    novel_ += static_cast<double>(std::ranges::count_if(evidence, [&](double each) { return each < *below; }));
}

void Asked::add(const Noted& noted) {
    const Model& model = *noted.model;
    const Block block = rows(noted.values.data(), noted.rows, model.schema().columns.size());
    auto scores = score_block(model.predictor(), block, !model.decision().usual_evidence.empty());
    if (!scores) return;
    const std::scoped_lock lock(telling_);
    const auto sum = as_sum(model);
    if (!of_ || !codes_alike(*of_, model)) {
        state_.reset();
        drift_.reset();
        class_sum_.assign(model.classes().size(), 0);
        weight_ = novel_ = 0;
        knows_novelty_ = false;
    }
    of_ = noted.model;
    if (weight_ > rows_remembered) {
        for (double& each : class_sum_) each /= 2;
        weight_ /= 2;
        novel_ /= 2;
        if (state_)
            if (auto faded = decay(std::move(*state_), 0.5)) state_ = std::move(*faded);
    }
    count(model, scores->posteriors, scores->log_evidence);
    if (sum && !is_mixture((*sum)->state())) learn((*sum)->state(), block, scores->posteriors);
}

void Asked::learn(const ModelState& learned, const Block& block, std::span<const double> posteriors) {
    if (!state_) {
        state_ = learned;
        state_->statistic = state_->statistic.blank();
    }
    const Schema& schema = learned.statistic.schema;
    const auto labels = drawn_classes(posteriors, schema.classes.size(), looked_at_);
    MemoryStream stream({block, labels}, schema);
    Context alone;
    alone.thread_count = 1;
    auto fed = feed(*state_, stream, alone);
    if (!fed) return;
    state_ = std::move(*fed);
    drift_ = std::make_shared<const Drift>(drift_between(learned.statistic, state_->statistic));
}

AskedShares Asked::shares() const {
    AskedShares told;
    {
        const std::scoped_lock lock(noting_);
        told.rows = rows_;
    }
    const std::scoped_lock lock(telling_);
    told.looked_at = looked_at_;
    for (const double each : class_sum_) told.classes.push_back(weight_ > 0 ? each / weight_ : 0);
    if (knows_novelty_ && weight_ > 0) told.novel_share = novel_ / weight_;
    return told;
}

std::shared_ptr<const Drift> Asked::drift() const {
    const std::scoped_lock lock(telling_);
    return drift_;
}

}  // namespace suffice::server
