// Fits models: one way, over whatever rows come from.
#include "suffice/flow/fit.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "suffice/accumulate/fold.hpp"
#include "suffice/base/guarded.hpp"
#include "suffice/encode/labels.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/encode/table_reader.hpp"
#include "suffice/flow/column_treatment.hpp"
#include "suffice/flow/compare.hpp"
#include "suffice/flow/fit_by_passes.hpp"
#include "suffice/flow/fold_column.hpp"
#include "suffice/flow/reading.hpp"
#include "suffice/flow/row_source.hpp"
#include "suffice/flow/settings_table.hpp"
#include "suffice/model/labeled_rows.hpp"
#include "suffice/part/evidence_part.hpp"
#include "suffice/read/paths.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

Result<void> need_two_classes(const ModelStatistic& statistic, const std::string& target) {
    const std::string what = target.empty() ? "the labels" : "the column " + target;
    if (statistic.schema.classes.empty()) return Error("no row has a class: " + what + " is empty everywhere");
    if (statistic.schema.classes.size() == 1)
        return Error("there is only one class, " + statistic.schema.classes[0] + ": " + what +
                     " must hold at least two");
    return {};
}

// Letters of one case, without blanks at the ends.
std::string plain_spelling(std::string_view name) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!name.empty() && is_blank(name.front())) name.remove_prefix(1);
    while (!name.empty() && is_blank(name.back())) name.remove_suffix(1);
    std::string plain(name);
    for (char& c : plain)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return plain;
}

// Yes and yes are two classes, which is seldom meant.
void note_classes_alike(const Schema& names, const std::string& target, std::vector<Note>& notes) {
    if (names.integer_classes || names.classes.size() > 10'000) return;
    std::unordered_map<std::string, std::string_view> seen;
    std::string told;
    std::size_t pairs = 0;
    for (const auto& name : names.classes) {
        const auto [at, is_new] = seen.emplace(plain_spelling(name), name);
        if (!is_new && ++pairs <= 3) told += (told.empty() ? "" : ", ") + std::string(at->second) + " and " + name;
    }
    if (pairs > 0)
        notes.push_back("the target " + target + " holds classes that differ by capital letters or blanks alone: " +
                        told + (pairs > 3 ? ", ..." : "") + "; each is a class of its own");
}

// Of a sum over rows: enough classes, and what is to be said of them.
Result<void> settle_classes(ModelState& state, const std::string& target, std::vector<Note>& notes) {
    if (auto enough = need_two_classes(state.statistic, target); !enough) return enough;
    Schema& names = state.statistic.schema;
    names.integer_classes = all_whole_numbers(names.classes);
    const double rows = state.statistic.weight();
    const std::size_t few = names.integer_classes ? 30 : 10;  // codes of classes seldom have fractions
    if (names.classes.size() > few && static_cast<double>(names.classes.size()) > 0.1 * rows &&
        all_numbers(names.classes))
        notes.push_back("the target " + target + " holds " + std::to_string(names.classes.size()) +
                        " different numbers in " + std::to_string(static_cast<std::uint64_t>(rows)) +
                        " rows; is it a class, or a quantity?");
    note_classes_alike(names, target, notes);
    return {};
}

Note note_of_unlabeled(double weight, bool used) {
    return std::to_string(static_cast<std::uint64_t>(weight)) + " rows without a class " +
           (used ? "took part by EM" : "were skipped");
}

// Words that only documents without a class have belong to the vocabulary where EM learns from those: one pass more.
Result<void> declare_all_words(RowSource& source, Schema& schema, const Context& context) {
    const auto is_text = [](const Column& column) { return column.kind == ColumnKind::text; };
    if (std::ranges::none_of(schema.columns, is_text)) return {};
    if (auto again = source.rows().rewind(); !again) return again;
    auto all = fold(LabeledRows{ModelStatistic(source.schema(), {})}, source.rows(), context);
    if (!all) return all.error();
    for (std::size_t k = 0; k < schema.columns.size(); ++k) {
        Column& column = schema.columns[k];
        if (!is_text(column)) continue;
        column.levels = std::move(all->schema.columns[k].levels);
        sort_names(column.levels);
        column.declared_levels = static_cast<std::uint32_t>(column.levels.size());
    }
    return {};
}

// Further passes over the rows, under the names that the first one found.
Result<PredictorState> learn(RowSource& source, Schema& names, bool all_words, const FitOptions& options,
                             const Context& context) {
    if (all_words)
        if (auto declared = declare_all_words(source, names, context); !declared)
            return source.at_row(declared.error());
    const auto known = source.under(names, context);
    if (!known) return source.at_row(known.error());
    auto learned = fit_by_passes(options, names, **known, context);
    if (!learned) return source.at_row(learned.error());
    return learned;
}

std::string evidence_text(const NumberChoice& chosen) {
    if (chosen.family == "bernoulli") return "only 0 and 1";
    const std::string start = chosen.family == "categorical"     ? "few different numbers: "
                              : chosen.family == "zero_inflated" ? "often 0: "
                                                                 : "numbers: ";
    if (chosen.next.empty()) return start.substr(0, start.size() - 2);
    if (chosen.gain < 0) return start + chosen.next + " is not clearly better";
    return start + "log evidence " + short_number(chosen.gain, 3) + " above " + chosen.next;
}

// The families that were really used, which rows behind the first look and the evidence decide.
std::vector<ColumnChoice> settled(std::vector<ColumnChoice> choices, const Model& model) {
    const Schema& schema = model.schema();
    std::unordered_map<std::string_view, ColumnChoice*> by_name;
    for (ColumnChoice& each : choices) by_name.try_emplace(each.column, &each);
    const auto choice_of = [&](const std::string& name) {
        const auto found = by_name.find(name);
        return found == by_name.end() ? nullptr : found->second;
    };
    for (const auto& described : model.predictor().describe().columns) {
        const Column& column = schema.columns[described.column];
        ColumnChoice* choice = choice_of(column.name);
        if (choice == nullptr || choice->family.empty()) continue;
        if (choice->why == ColumnReason::flags && column.kind == ColumnKind::number)
            choice->why = ColumnReason::numbers;
        choice->family = described.family;
    }
    const auto* classifier = model.as<Classifier>();
    if (classifier == nullptr) return choices;
    for (const Part& part : classifier->state().statistic.parts) {
        const auto* numbers = part.as<EvidencePart>();
        if (numbers == nullptr) continue;
        const auto chosen = numbers->choose(classifier->state().settings);
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            const std::string& name = schema.columns[numbers->columns[k]].name;
            if (ColumnChoice* choice = choice_of(name)) choice->detail = evidence_text(chosen[k]);
        }
    }
    return choices;
}

// The columns of a block: as declared, or numbers with a number for a name.
Result<std::vector<Column>> columns_of(const Block& x, const FitOptions& options) {
    const std::size_t width = column_count(x);
    std::vector<Column> columns;
    for (const DeclaredColumn& each : options.columns) columns.push_back({each.name, each.kind, each.levels});
    if (!columns.empty() && columns.size() != width)
        return Error(std::to_string(columns.size()) + " columns were declared for rows of " + std::to_string(width));
    while (columns.size() < width) columns.push_back({"x" + std::to_string(columns.size())});
    return columns;
}

// A column of folds is none to learn from.
Result<void> take_folds(FitOptions& options,
                        const std::function<Result<std::vector<std::uint32_t>>(const std::string&)>& read) {
    const std::string& column = options.regression.folds_column;
    if (column.empty() || !options.regression.fold_of_row.empty()) return {};
    auto folds = read(column);
    if (!folds) return folds.error();
    options.regression.fold_of_row = std::move(*folds);
    options.exclude.push_back(column);
    return {};
}

Result<Model> fit_opened(Result<OpenedData> opened, const Context& context) {
    if (!opened) return opened.error();
    const auto model = fit(*rows_of_files(*opened), opened->options, opened->notes, context);
    if (!model) return model.error();
    return model->with_choices(settled(std::move(opened->choices), *model));
}

Result<void> check_memory(const FitOptions& options) {
    if (options.weight.empty() && options.exclude.empty()) return {};
    return Error(ErrorKind::usage,
                 "weight and exclude name columns of files; rows in memory take their weights as an argument "
                 "and every column");
}

// A name that no column of the table has.
std::string name_beside(const std::vector<Column>& columns, std::string name) {
    while (std::ranges::find(columns, name, &Column::name) != columns.end()) name += '_';
    return name;
}

// Squares of values near the largest number are none; a file of such sums would be refused when it is loaded.
Result<void> check_sums(const Model& model) {
    const auto* classifier = model.as<Classifier>();
    if (classifier == nullptr) return {};
    const ModelStatistic& seen = classifier->state().statistic;
    for (const Part& part : seen.parts) {
        if (part.valid(seen.schema)) continue;
        constexpr std::size_t most_named = 5;
        const auto& columns = part.columns();
        std::string names;
        for (std::size_t k = 0; k < std::min(columns.size(), most_named); ++k)
            names += (k == 0 ? "" : ", ") + seen.schema.columns[columns[k]].name;
        if (columns.size() > most_named) names += " and " + std::to_string(columns.size() - most_named) + " more";
        return Error("there are values too large for sums of their squares; it is one of these columns: " + names);
    }
    return {};
}

Result<Model> fit_memory(Result<std::unique_ptr<RowSource>> source, const FitOptions& options, const Context& context) {
    if (auto good = check_memory(options); !good) return good.error();
    if (!source) return source.error();
    return options.model == "auto" ? fit_best(**source, options, context) : fit(**source, options, {}, context);
}

}  // namespace

Result<Model> fit(RowSource& source, const FitOptions& options, std::vector<Note> notes, const Context& context) {
    return guarded([&]() -> Result<Model> {
        if (auto checked = check_settings(options); !checked) return checked.error();
        const auto recipe = make_state(first_recipe(options), source.schema());
        if (!recipe) return recipe.error();
        auto state = feed(*recipe, source.rows(), context);
        if (!state) return source.at_row(state.error());
        Schema& names = state->statistic.schema;
        const std::vector<std::string> files = source.files();
        if (auto enough = settle_classes(*state, options.target, notes); !enough)
            return files.empty() ? enough.error() : Error(enough.error()).in_file(files.front());
        ModelFile made;
        made.seen.rows = state->statistic.weight();
        const double left = state->statistic.unlabeled_weight;
        if (takes_passes(options)) {
            auto learned = learn(source, names, options.passes.uses_unlabeled() && left > 0, options, context);
            if (!learned) return learned.error();
            made.state = std::move(*learned);
            if (options.passes.uses_unlabeled()) made.seen.rows += left;
        } else {
            made.state = std::move(*state);
        }
        for (const auto& file : files) made.seen.files.push_back(recorded_name(file));
        if (!files.empty()) made.seen.reading = reading_record(options.read);
        if (left > 0) notes.push_back(note_of_unlabeled(left, options.passes.uses_unlabeled()));
        for (Note& each : source.notes()) notes.push_back(std::move(each));
        auto model = Model::from(std::move(made), std::move(notes));
        if (!model) return source.at_refused_row(model.error(), *recipe);
        if (auto finite = check_sums(*model); !finite)
            return files.empty() ? finite.error() : Error(finite.error()).in_file(files.front());
        return model;
    });
}

Result<Model> fit(const Data& data, const FitOptions& options, const Context& context) {
    return guarded([&]() -> Result<Model> {
        if (options.model == "auto") return fit_best(data, options, context);
        if (auto checked = check_settings(options); !checked) return checked.error();  // before any file is opened
        FitOptions own = options;
        const auto read = [&](const std::string& column) { return read_folds(data, options.read, column, context); };
        if (auto told = take_folds(own, read); !told) return told.error();
        return fit_opened(open_for_fit(data, own), context);
    });
}

Result<Model> fit(const Block& x, const std::vector<std::string>& labels, const FitOptions& options,
                  const Context& context) {
    return fit(x, labels, {}, options, context);
}

Result<Model> fit(const Block& x, const std::vector<std::string>& labels, std::span<const double> weights,
                  const FitOptions& options, const Context& context) {
    return guarded([&]() -> Result<Model> {
        auto columns = columns_of(x, options);
        if (!columns) return columns.error();
        return fit_memory(rows_of_memory(x, std::move(*columns), {labels, weights, options.target}), options, context);
    });
}

Result<Model> fit(const Table& table, const std::vector<std::string>& labels, const FitOptions& options,
                  const Context& context) {
    return fit(table, labels, {}, options, context);
}

Result<Model> fit(const Table& table, const std::vector<std::string>& labels, std::span<const double> weights,
                  const FitOptions& options, const Context& context) {
    return guarded([&]() -> Result<Model> {
        if (auto good = check_memory(options); !good) return good.error();
        const auto columns = table.columns();
        if (!columns) return columns.error();
        FitOptions own = options;
        own.target = name_beside(*columns, options.target.empty() ? "label" : options.target);
        if (!weights.empty()) own.weight = name_beside(*columns, own.target + "_weight");
        const auto labelled = [&](Table with) {
            with.words(own.target, labels);
            if (!weights.empty()) with.numbers(own.weight, {weights.begin(), weights.end()});
            return with;
        };
        if (own.model == "auto") return fit_best(Data(labelled(table)), own, context);
        if (auto checked = check_settings(options); !checked) return checked.error();
        Table beside = labelled({});
        auto reader = read_table(table, std::move(beside));
        if (!reader) return reader.error();
        const auto read = [&](const std::string& column) -> Result<std::vector<std::uint32_t>> {
            auto folds = read_folds(**reader, column, context);
            if (auto again = (*reader)->rewind(); !again) return again.error();
            return folds;
        };
        if (auto told = take_folds(own, read); !told) return told.error();
        return fit_opened(open_for_fit(std::move(*reader), own, *columns), context);
    });
}

Result<Model> fit(std::unique_ptr<TableReader> rows, const FitOptions& options, const Context& context) {
    return guarded([&]() -> Result<Model> {
        if (options.model == "auto")
            return Error(ErrorKind::usage, "rows that arrive by a stream are fitted by one model; name it")
                .advise({"model", "naive_bayes"});
        if (auto checked = check_settings(options); !checked) return checked.error();
        FitOptions own = options;
        const auto read = [&](const std::string& column) -> Result<std::vector<std::uint32_t>> {
            auto folds = read_folds(*rows, column, context);
            if (auto again = rows->rewind(); !again) return again.error();
            return folds;
        };
        if (auto told = take_folds(own, read); !told) return told.error();
        return fit_opened(open_for_fit(std::move(rows), own, {}), context);
    });
}

Result<Model> finish_sum(ModelFile sum, std::vector<Note> notes) {
    return guarded([&]() -> Result<Model> {
        auto* state = std::get_if<ModelState>(&sum.state);
        if (state == nullptr) return Model::from(std::move(sum), std::move(notes));  // it is no sum, and finished
        if (auto enough = settle_classes(*state, state->statistic.schema.target, notes); !enough) return enough.error();
        if (const double left = state->statistic.unlabeled_weight; left > 0)
            notes.push_back(note_of_unlabeled(left, false));
        return Model::from(std::move(sum), std::move(notes));
    });
}

}  // namespace suffice
