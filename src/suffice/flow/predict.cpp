// Scores files and writes predictions.
#include "suffice/flow/predict.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/base/guarded.hpp"
#include "suffice/decide/priors.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

struct Scratch {
    std::vector<double> posteriors, log_evidence;
    std::vector<std::int32_t> best, top;
};

// The answers for a block, and of the rest what the options ask for.
Result<void> score_rows(const Predictor& model, const PredictOptions& options, const LabeledBlock& block,
                        Scratch& scratch) {
    const std::size_t rows = block.size(), classes = model.class_count();
    const auto& rule = options.rule;
    const bool decides = rule.cost || rule.reject_below > 0 || rule.novelty_below || !rule.thresholds.empty();
    ScoreSink sink;
    scratch.best.resize(rows);
    sink.best = scratch.best.data();
    if (options.posteriors || options.top > 0 || decides) {
        scratch.posteriors.resize(rows * classes);
        sink.scores = scratch.posteriors.data();
        sink.stride = static_cast<std::ptrdiff_t>(classes);
    }
    if (options.log_evidence || rule.novelty_below) {
        scratch.log_evidence.resize(rows);
        sink.log_evidence = scratch.log_evidence.data();
    }
    Context alone;
    alone.thread_count = 1;
    if (auto scored = model.score(block.rows, sink, alone, block.first_row); !scored) return scored;
    if (decides) {
        auto decided = decide(scratch.posteriors, classes, rule, scratch.log_evidence);
        if (!decided) return decided.error();
        scratch.best = std::move(*decided);
    }
    if (options.top > 0) {
        auto found = top_classes(scratch.posteriors, classes, options.top);
        if (!found) return found.error();
        scratch.top = std::move(*found);
    }
    return {};
}

class PredictionWriter {
public:
    PredictionWriter(const Predictor& model, const PredictOptions& options, const AppliedData& data)
        : model_(model), options_(options), kept_(data.kept), columns_(data.data.reader->columns()) {}

    std::string header() const {
        std::string line;
        for (auto column : kept_) {
            append_cell(line, columns_[column].name);
            line += ',';
        }
        line += "prediction";
        for (std::size_t k = 1; k <= options_.top; ++k)
            line += ",choice_" + std::to_string(k) + ",p_" + std::to_string(k);
        if (options_.posteriors)
            for (const auto& name : model_.schema().classes) {
                line += ',';
                append_cell(line, "p(" + name + ")");
            }
        if (options_.log_evidence) line += ",log_evidence";
        return line + '\n';
    }

    std::string lines(const Scratch& scratch, const TableUnit& unit) const {
        const std::size_t rows = scratch.best.size();
        std::string text;
        std::size_t skipped = 0;
        for (std::size_t row = 0; row <= rows; ++row) {
            for (; skipped < unit.skipped_before.size() && unit.skipped_before[skipped] == row; ++skipped)
                text += empty_line();
            if (row < rows) append_line(text, unit, row, scratch, scratch.top);
        }
        return text;
    }

private:
    std::string empty_line() const {
        std::size_t commas = kept_.size() + 2 * options_.top + (options_.log_evidence ? 1 : 0);
        if (options_.posteriors) commas += model_.class_count();
        return commas == 0 ? "\"\"\n" : std::string(commas, ',') + '\n';  // a line with nothing on it is no row
    }

    void append_line(std::string& text, const TableUnit& unit, std::size_t row, const Scratch& scratch,
                     const std::vector<std::int32_t>& top) const {
        for (auto column : kept_) {
            append_kept(text, unit.columns[column], row);
            text += ',';
        }
        const auto& names = model_.schema().classes;
        const std::size_t start = text.size();
        if (scratch.best[row] >= 0) append_cell(text, names[static_cast<std::size_t>(scratch.best[row])]);
        for (std::size_t k = 0; k < options_.top; ++k) {
            const auto code = static_cast<std::size_t>(top[row * options_.top + k]);
            text += ',';
            append_cell(text, names[code]);
            text += ',';
            append_number(text, scratch.posteriors[row * names.size() + code]);
        }
        if (options_.posteriors)
            for (std::size_t c = 0; c < names.size(); ++c) {
                text += ',';
                append_number(text, scratch.posteriors[row * names.size() + c]);
            }
        if (options_.log_evidence) {
            text += ',';
            append_number(text, scratch.log_evidence[row]);
        }
        if (kept_.empty() && text.size() == start) text += "\"\"";
        text += '\n';
    }

    static void append_kept(std::string& text, const Cells& cells, std::size_t row) {
        if (!cells.codes.empty()) {
            if (cells.codes[row] >= 0) append_cell(text, cells.dictionary[static_cast<std::size_t>(cells.codes[row])]);
        } else if (!cells.words.empty()) {
            append_cell(text, cells.words[row]);
        } else {
            append_number(text, cells.numbers[row]);
        }
    }

    const Predictor& model_;
    const PredictOptions& options_;
    const std::vector<std::uint32_t>& kept_;
    const std::vector<FoundColumn>& columns_;
};

}  // namespace

Result<std::unique_ptr<Predictor>> with_priors(const Predictor& model, const ClassPriors& priors) {
    const auto* classifier = dynamic_cast<const Classifier*>(&model);
    Settings settings = classifier != nullptr ? classifier->state().settings : Settings{};
    settings.priors = priors;
    if (auto checked = settings.check(); !checked) return checked.error();
    auto logs = log_class_priors(settings, model.schema().classes, model.class_weight());
    if (!logs) return logs.error();
    return model.under_priors(std::move(*logs));
}

namespace {

// Posteriors of all rows while they are few, then of every second, fourth, ... row: enough for shares of classes.
struct ThinnedPosteriors {
    static constexpr std::size_t most = std::size_t{1} << 22;
    std::size_t class_count = 0;
    std::vector<double> values = {};
    std::uint64_t seen = 0, step = 1;

    void add(const std::vector<double>& rows) {
        for (std::size_t at = 0; at < rows.size(); at += class_count, ++seen)
            if (seen % step == 0)
                values.insert(values.end(), rows.begin() + static_cast<std::ptrdiff_t>(at),
                              rows.begin() + static_cast<std::ptrdiff_t>(at + class_count));
        while (values.size() > most && values.size() > 2 * class_count) {
            std::size_t kept = 0;
            for (std::size_t row = 0; row * class_count < values.size(); row += 2, ++kept)
                std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * class_count), class_count,
                            values.begin() + static_cast<std::ptrdiff_t>(kept * class_count));
            values.resize(kept * class_count);
            step *= 2;
        }
    }
};

// One pass for the posteriors, then EM on these alone (Saerens et al. 2002).
Result<std::unique_ptr<Predictor>> adapted(const Predictor& model, OpenedData& opened, const Context& context) {
    ThinnedPosteriors found{model.class_count()};
    auto done = map_in_order(
        *opened.stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&,
            Workspace&) -> Result<std::vector<double>> {
            std::vector<double> posteriors(block.size() * model.class_count());
            ScoreSink sink;
            sink.scores = posteriors.data();
            sink.stride = static_cast<std::ptrdiff_t>(model.class_count());
            Context alone;
            alone.thread_count = 1;
            if (auto scored = model.score(block.rows, sink, alone, block.first_row); !scored) return scored.error();
            return posteriors;
        },
        [&](const std::vector<double>& rows) -> Result<void> {
            found.add(rows);
            return {};
        });
    if (!done) return done.error();
    if (auto again = opened.stream->rewind(); !again) return again.error();
    std::vector<double> trained;
    for (const double log_prior : model.log_prior()) trained.push_back(std::exp(log_prior));
    if (found.values.empty()) return model.under_priors(model.log_prior());
    auto priors = adapt_priors(found.values, model.class_count(), trained);
    if (!priors) return priors.error();
    std::string said = "class priors adapted to the data:";
    for (std::size_t c = 0; c < priors->size(); ++c)
        said += (c == 0 ? " " : ", ") + model.schema().classes[c] + " " +
                short_number((*priors)[c] < 5e-7 ? 0 : (*priors)[c], 4);
    opened.notes.push_back(said);
    for (double& prior : *priors) prior = std::log(std::max(prior, std::numeric_limits<double>::min()));
    return model.under_priors(std::move(*priors));
}

Result<std::shared_ptr<const Predictor>> moderated(const Model& model) {
    const auto* regression = dynamic_cast<const LogisticRegression*>(&model.predictor());
    if (regression == nullptr)
        return Error(ErrorKind::usage,
                     "moderated posteriors are those of logistic_regression, and this is " +
                         std::string(model.predictor().name()) +
                         (model.as<LogisticRegression>() == nullptr ? "" : " with a calibration of its plain ones"));
    auto other = regression->moderated();
    if (!other) return other.error();
    return std::shared_ptr<const Predictor>(std::make_shared<const LogisticRegression>(std::move(*other)));
}

// Texts of which the model knows no word.
std::uint64_t silent_texts(const LabeledBlock& block, const Schema& schema) {
    std::uint64_t count = 0;
    for (std::size_t k = 0; k < schema.columns.size(); ++k) {
        if (schema.columns[k].kind != ColumnKind::text) continue;
        const SparseBlock words = tokens_of(block.rows, k);
        for (std::size_t row = 0; row < block.size() && !words.row_start.empty(); ++row)
            count += words.row_start[row] == words.row_start[row + 1] && !is_missing(block.rows, row, k);
    }
    return count;
}

// Rows to scores, in order: begin(predictor, data) first, work(scratch, unit) on any thread, and take() of
// what that gives on this one. Returns what must be said about the data.
template <class Begin, class Work, class Take>
Result<std::vector<Note>> predict_rows(const Model& model, const Data& data, const PredictOptions& options,
                                       const Begin& begin, const Work& work, const Take& take, const Context& context) {
    std::unique_ptr<Predictor> shifted;
    const auto source = options.moderated ? moderated(model) : Result(model.share());
    if (!source) return source.error();
    if (options.priors) {
        auto moved = with_priors(**source, *options.priors);
        if (!moved) return moved.error();
        shifted = std::move(*moved);
    }
    if (options.log_evidence || options.rule.novelty_below)
        if (auto dense = model.predictor().check_density(); !dense) return dense.error();
    if (options.top > model.classes().size())
        return Error(ErrorKind::usage, "top asks for " + std::to_string(options.top) + " classes, but there are " +
                                           std::to_string(model.classes().size()));
    ApplyOptions apply = options.apply;
    apply.many_passes = apply.many_passes || options.adapt_priors;
    auto applied = open_for_model(model, data, apply);
    if (!applied) return applied.error();
    OpenedData& opened = applied->data;
    if (options.adapt_priors) {
        auto moved = adapted(**source, opened, context);
        if (!moved) return in_data(moved.error(), *opened.reader);
        shifted = std::move(*moved);
    }
    const Predictor& classifier = shifted ? *shifted : **source;
    if (auto begun = begin(classifier, *applied); !begun) return begun.error();
    std::atomic<std::uint64_t> silent{0};
    auto done = map_in_order(
        *opened.stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane& lane,
            Workspace& workspace) -> Result<decltype(work(std::declval<Scratch&>(), std::declval<TableUnit>()))> {
            silent += silent_texts(block, classifier.schema());
            auto& scratch = workspace.of<Scratch>();
            if (auto scored = score_rows(classifier, options, block, scratch); !scored) return scored.error();
            return work(scratch, TableStream::unit_of(lane));
        },
        take);
    if (!done) return in_data(done.error(), *opened.reader);
    if (silent > 0) {
        const auto* sum = model.as<Classifier>();
        const bool presence = sum != nullptr && sum->state().settings.presence;
        opened.notes.push_back(std::to_string(silent) + " texts hold no word that the model knows; " +
                               (presence ? "that all its words are absent decides, with the prior"
                                         : "without other columns the prior decides"));
    }
    for (Note& each : notes_of_reading(*opened.reader)) opened.notes.push_back(std::move(each));
    if (opened.reader->skipped_rows() > 0) opened.notes.back().sentence += "; their prediction is empty";
    return std::move(opened.notes);
}

}  // namespace

Result<std::vector<Note>> predict(const Model& model, const Data& data, const PredictOptions& options,
                                  const TextSink& sink, const Context& context) {
    return guarded([&] {
        std::optional<PredictionWriter> writer;
        return predict_rows(
            model, data, options,
            [&](const Predictor& predictor, const AppliedData& applied) {
                writer.emplace(predictor, options, applied);
                return sink(writer->header());
            },
            [&](const Scratch& scratch, const TableUnit& unit) { return writer->lines(scratch, unit); },
            [&](const std::string& text) { return sink(text); }, context);
    });
}

Result<Predicted> predict(const Model& model, const Data& data, const PredictOptions& options, const Context& context) {
    return guarded([&]() -> Result<Predicted> {
        PredictOptions own = options;
        own.posteriors = true;
        Predicted made;
        auto notes = predict_rows(
            model, data, own, [](const Predictor&, const AppliedData&) -> Result<void> { return {}; },
            [](const Scratch& scratch, const TableUnit&) { return scratch; },
            [&](const Scratch& block) -> Result<void> {
                made.answer.insert(made.answer.end(), block.best.begin(), block.best.end());
                auto& all = made.posteriors.values;
                all.insert(all.end(), block.posteriors.begin(), block.posteriors.end());
                made.log_evidence.insert(made.log_evidence.end(), block.log_evidence.begin(), block.log_evidence.end());
                return {};
            },
            context);
        if (!notes) return notes.error();
        made.posteriors.row_count = made.answer.size();
        made.posteriors.column_count = model.classes().size();
        made.notes = std::move(*notes);
        return made;
    });
}

}  // namespace suffice
