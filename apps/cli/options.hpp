// Options that several verbs share, and what they mean to the library.
#pragma once
#include <array>

#include "cli/verb.hpp"

#include "suffice/flow/open_data.hpp"
#include "suffice/flow/predict.hpp"

namespace suffice::cli {

inline constexpr std::array reading_options{
    OptionSpec{"--delimiter", "C", "what stands between cells (found by itself): , ; | tab space"},
    OptionSpec{"--no-header", "", "the first line is data; columns are c1, c2, ... or 1, 2, ..."},
    OptionSpec{"--header", "", "the first line names the columns, whatever it looks like"},
    OptionSpec{"--quoting", "HOW", "double quotes: rfc4180, or none: letters like others (found by itself)"},
    OptionSpec{"--missing", "LIST", "words that mean missing (default: empty,?,NA,N/A,n/a,NaN,NULL and the like)"},
    OptionSpec{"--decimal", "C", "the sign before fractions (found by itself): . or ,"},
    OptionSpec{"--encoding", "E", "utf-8 (default) or latin-1"},
    OptionSpec{"--comment", "C", "skip lines that start with C"},
    OptionSpec{"--query", "SQL", "of SQLite and DuckDB files: what is read (default: their one table)"},
    OptionSpec{"--ragged", "HOW", "rows of another length: error (default) or skip"},
    OptionSpec{"--allow-missing-columns", "",
               "columns that the data, or one of several files, lack are missing values"},
};
inline constexpr OptionSpec weight_kind_option{
    "--weight-kind", "KIND", "weights are frequency (default: as often was the row seen) or importance"};
inline constexpr OptionSpec spreadsheet_option{
    "--spreadsheet", "", "put ' in front of words that a spreadsheet would run as formulas (= + - @)"};
inline constexpr std::array model_option{
    OptionSpec{"--model", "M", "the model (default naive_bayes); see the list below"},
};
inline constexpr std::array running_options{
    OptionSpec{"--threads", "N", "threads (default: SUFFICE_THREADS or the cores)"},
    OptionSpec{"--help", "", "this text", 'h'},
};

Result<ReadOptions> read_options(const Arguments& arguments);
Result<WeightKind> weight_kind(const Arguments& arguments);
Result<ApplyOptions> apply_options(const Arguments& arguments);
// --model, and whatever settings the verb has options for.
Result<FitOptions> fit_options(const Arguments& arguments, const Verb& verb);
Result<void> read_settings(const Arguments& arguments, const Verb& verb, FitOptions& options);
Result<void> read_families(const Arguments& arguments, FitOptions& options);
// A file, or costs as they stand: "fraud:ok=50,ok:fraud=1".
Result<CostMatrix> cost_matrix(const std::string& given, const std::vector<std::string>& classes);
// "name=value" pieces; a name may hold '=', a value may not.
Result<std::vector<std::pair<std::string, std::string>>> name_values(const std::string& option,
                                                                     const std::string& text);
Result<ClassPriors> prior_choice(const std::string& text);
Result<Context> with_threads(const Arguments& arguments, Context context);

struct ModelAndData {
    Model model;
    std::vector<std::string> data;
};
// The first name is the model, the others are data; `most_data` bounds how many there may be.
Result<ModelAndData> model_and_data(const Arguments& arguments, bool needs_data);
Result<Model> load_model(const std::string& path);
Result<std::size_t> class_named(const Model& model, const std::string& name);

}  // namespace suffice::cli
