// Fitting by name, choosing by cross-validation, and the saved form.
#include "suffice/decide/calibration.hpp"

#include <cmath>
#include <utility>

namespace suffice {

namespace {

// Calls visit with a default value of each stage in the list.
template <class Visit>
void for_each_stage(Visit&& visit) {
    [&]<std::size_t... index>(std::index_sequence<index...>) {
        (visit(std::variant_alternative_t<index, CalibrationStage>()), ...);
    }(std::make_index_sequence<std::variant_size_v<CalibrationStage>>());
}

struct FoldSum {
    double loss = 0, weight = 0;
};

template <class Stage>
void score_fold(const Stage& stage, const CalibrationRows& held_out, FoldSum& into) {
    std::vector<double> own(held_out.class_count);
    for (std::size_t row = 0; row < held_out.row_count(); ++row) {
        own.assign(held_out.row(row).begin(), held_out.row(row).end());
        stage.apply(own);
        into.loss += held_out.weights[row] * log_loss_of(own[static_cast<std::size_t>(held_out.truths[row])]);
        into.weight += held_out.weights[row];
    }
}

// Row i of a class is in fold i mod folds.
std::vector<std::size_t> folds_by_class(const CalibrationRows& rows, std::size_t folds) {
    std::vector<std::size_t> fold(rows.row_count()), seen(rows.class_count);
    for (std::size_t row = 0; row < fold.size(); ++row)
        fold[row] = seen[static_cast<std::size_t>(rows.truths[row])]++ % folds;
    return fold;
}

// The rows outside of a fold, and those in it.
std::pair<CalibrationRows, CalibrationRows> parted(const CalibrationRows& rows, const std::vector<std::size_t>& fold,
                                                   std::size_t out) {
    std::pair<CalibrationRows, CalibrationRows> parts;
    parts.first.class_count = parts.second.class_count = rows.class_count;
    for (std::size_t row = 0; row < fold.size(); ++row)
        (fold[row] == out ? parts.second : parts.first).add(rows.row(row), rows.truths[row], rows.weights[row]);
    return parts;
}

}  // namespace

std::string_view Calibration::name() const {
    return std::visit([](const auto& stage) { return std::remove_cvref_t<decltype(stage)>::name; }, stage_);
}

Result<void> Calibration::apply(std::span<double> posteriors, std::size_t class_count) const {
    if (std::holds_alternative<NoCalibration>(stage_)) return {};
    if (class_count != class_count_) {
        return Error("The calibration is for " + std::to_string(class_count_) + " classes, but the posteriors have " +
                     std::to_string(class_count) + ".");
    }
    if (auto good = check_posteriors(posteriors, class_count); !good) return good;
    std::visit(
        [&](const auto& stage) {
            for (std::size_t first = 0; first < posteriors.size(); first += class_count) {
                stage.apply(posteriors.subspan(first, class_count));
            }
        },
        stage_);
    return {};
}

void Calibration::write(FieldSink& sink, std::string_view field_name) const {
    sink.open_record(field_name);
    sink.text("method", name());
    sink.whole("class_count", class_count_);
    std::visit([&](const auto& stage) { write_value(sink, "stage", stage); }, stage_);
    sink.close();
}

void Calibration::read(FieldSource& source) {
    const std::string method = source.text();
    class_count_ = source.whole();
    bool known = false;
    for_each_stage([&](auto stage) {
        if (stage.name != method) return;
        known = true;
        read_value(source, stage);
        if (!source.failed() && !stage.valid(class_count_)) source.fail();
        if (!source.failed()) stage_ = std::move(stage);
    });
    if (!known) source.fail();
}

std::vector<std::string_view> calibration_names() {
    std::vector<std::string_view> names;
    for_each_stage([&](const auto& stage) { names.push_back(stage.name); });
    return names;
}

Result<Calibration> fit_calibration(std::string_view name, const PosteriorRows& rows) {
    const auto known = calibration_rows(rows);
    if (!known) return known.error();
    CalibrationStage fitted;
    bool found = false;
    std::string names;
    for_each_stage([&](const auto& stage) {
        if (!names.empty()) names += ", ";
        names += stage.name;
        if (stage.name != name) return;
        fitted = stage.fit(*known);
        found = true;
    });
    if (found) return Calibration(known->class_count, fitted);
    return Error(ErrorKind::usage,
                 "There is no calibration \"" + std::string(name) + "\"; choose one of " + names + ".");
}

Result<CalibrationChoice> choose_calibration(const PosteriorRows& rows, std::size_t folds) {
    const auto known = calibration_rows(rows);
    if (!known) return known.error();
    if (folds < 2 || folds > known->row_count()) {
        return Error(ErrorKind::usage, "Calibration was to be chosen with " + std::to_string(folds) + " folds of " +
                                           std::to_string(known->row_count()) +
                                           " rows; at least two folds are needed, "
                                           "and no more than there are rows.");
    }
    const auto fold = folds_by_class(*known, folds);
    std::vector<FoldSum> sums(std::variant_size_v<CalibrationStage>);
    for (std::size_t out = 0; out < folds; ++out) {
        const auto [training, held_out] = parted(*known, fold, out);
        if (training.row_count() == 0 || held_out.row_count() == 0) continue;
        std::size_t place = 0;
        for_each_stage([&](const auto& stage) { score_fold(stage.fit(training), held_out, sums[place++]); });
    }
    CalibrationChoice choice;
    std::size_t place = 0, best = 0;
    for_each_stage([&](const auto& stage) {
        choice.scores.push_back({stage.name, sums[place].loss / sums[place].weight});
        if (choice.scores[place].log_loss < choice.scores[best].log_loss) best = place;
        ++place;
    });
    auto fitted = fit_calibration(choice.scores[best].name, rows);
    if (!fitted) return fitted.error();
    choice.calibration = *fitted;
    return choice;
}

namespace {

Result<Calibration> chosen_or_named(std::string_view name, const PosteriorRows& rows, std::size_t folds) {
    if (name != "auto") return fit_calibration(name, rows);
    auto chosen = choose_calibration(rows, folds);
    if (!chosen) return chosen.error();
    return std::move(chosen->calibration);
}

}  // namespace

Result<CalibrationRows> cross_calibrated(std::string_view name, const PosteriorRows& rows, std::size_t folds) {
    const auto known = calibration_rows(rows);
    if (!known) return known.error();
    const auto fold = folds_by_class(*known, folds);
    CalibrationRows done;
    done.class_count = known->class_count;
    for (std::size_t out = 0; out < folds; ++out) {
        auto [training, held_out] = parted(*known, fold, out);
        if (held_out.row_count() == 0) continue;
        const PosteriorRows given{training.posteriors, training.class_count, training.truths, training.weights};
        const auto fitted = chosen_or_named(name, given, folds);
        if (!fitted) return fitted.error();
        if (auto moved = fitted->apply(held_out.posteriors, held_out.class_count); !moved) return moved.error();
        for (std::size_t row = 0; row < held_out.row_count(); ++row)
            done.add(held_out.row(row), held_out.truths[row], held_out.weights[row]);
    }
    return done;
}

}  // namespace suffice
