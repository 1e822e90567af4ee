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
    OptionSpec{"--missing", "LIST", "words that mean missing (default: empty,NA,N/A,NaN,nan,null,?)"},
    OptionSpec{"--encoding", "E", "utf-8 (default) or latin-1"},
    OptionSpec{"--comment", "C", "skip lines that start with C"},
    OptionSpec{"--ragged", "HOW", "rows of another length: error (default) or skip"},
    OptionSpec{"--allow-missing-columns", "",
               "columns that the data, or one of several files, lack are missing values"},
};
// An option that other models than this one have no use for.
constexpr OptionSpec only_for(std::string_view model, OptionSpec option) { return option.model = model, option; }

inline constexpr std::array model_options{
    OptionSpec{"--model", "M", "the model (default naive_bayes); see the list below"},
    OptionSpec{"--prior", "P", "class priors: empirical (default), uniform or CLASS=p,..."},
    OptionSpec{"--estimate", "E", "likelihood, unbiased, map or predictive"},
    OptionSpec{"--smoothing", "A", "pseudo-count of categories, flags and counts (default 1)"},
    OptionSpec{"--column-prior", "LIST", "conjugate priors, such as \"x=beta(2,5)\""},
    only_for("grouped_discriminant", {"--groups", "G", "classes that share a covariance, such as \"a,b;c\""}),
    OptionSpec{"--shrinkage", "S", "of covariances: none, auto, oas, ledoit_wolf or a number from 0 to 1"},
    only_for("regularized_discriminant", {"--alpha", "A", "weight of a class's own covariance (default 1)"}),
    only_for("regularized_discriminant", {"--gamma", "G", "pull toward a sphere (default 0)"}),
    only_for("mixture_discriminant", {"--components", "K", "components of each class (default: by BIC)"}),
    only_for("mixture_discriminant",
             {"--covariance", "C", "of its components: full (default), tied, diagonal or spherical"}),
    OptionSpec{"--bandwidth", "H", "kernel_density: scott (default), silverman, cv, sheather_jones or a number"},
    OptionSpec{"--kernel", "K",
               "kernel_density: gaussian (default), tophat, epanechnikov, exponential, linear, cosine"},
    only_for("nearest", {"--neighbors", "N", "how many (default: the square root of the rows)"}),
    OptionSpec{"--bins", "N", "histogram_nb: bins of each column, or blocks (default: by Freedman and Diaconis)"},
    OptionSpec{"--strict", "", "a singular covariance is an error"},
    OptionSpec{"--ngrams", "N", "text: runs of up to N words (default 1), or from M to N written M-N"},
    OptionSpec{"--analyzer", "A", "text: word (default), char or char_wb"},
    OptionSpec{"--stop-words", "W", "text: a language, such as english, or words with commas between them"},
    OptionSpec{"--stem", "LANGUAGE", "text: cut words to their stems by Snowball, such as english"},
    OptionSpec{"--min-df", "N", "text: words in fewer documents tell nothing; below 1 a share"},
    OptionSpec{"--max-df", "N", "text: words in more documents tell nothing; up to 1 a share"},
    OptionSpec{"--max-features", "N", "text: only the N most frequent words"},
    OptionSpec{"--binary", "", "text: a word counts once a document"},
    OptionSpec{"--hash", "BITS", "text: words fall into 2^BITS buckets, so that the vocabulary stops growing"},
    OptionSpec{"--idf", "", "text: counts weighted by inverse document frequency (multinomial_nb, complement_nb)"},
    OptionSpec{"--document-norm", "N",
               "text: l2 scales documents to length one, after --idf: two passes over them, no merging"},
    OptionSpec{"--document-length", "F",
               "text: the number of words tells too: none (default), poisson or "
               "negative_binomial"},
    OptionSpec{"--order", "N", "ngram: words that a model looks at together, 1 to 5 (default 3)"},
    OptionSpec{"--ngram-smoothing", "S", "ngram: kneser_ney (default) or witten_bell"},
    only_for("complement_nb", {"--normalize", "", "weights of each class divided by their sum"}),
};
inline constexpr std::array regression_options{
    only_for("logistic_regression", {"--basis", "LIST", "functions of columns, such as \"age=spline(5), a*b\""}),
    only_for("logistic_regression",
             {"--penalty", "P",
              "P/2 times the squared coefficients (default 0); auto or 0.1,1,10: the best on folds; evidence; firth"}),
    only_for(
        "logistic_regression",
        {"--lasso", "L", "L times the magnitudes of the coefficients (default 0); auto or a list: the best on folds"}),
    only_for("logistic_regression",
             {"--path", "N", "strengths that auto tries, each from where the last ended (default 25)"}),
    only_for("logistic_regression",
             {"--choose", "RULE", "of these the best (default), or the simplest within a standard error of it"}),
    only_for("logistic_regression", {"--link", "L", "logit (default), or probit of two classes"}),
    only_for(
        "logistic_regression",
        {"--offset", "COLUMNS", "a column whose coefficient is one; of more than two classes one for each: a,b,c"}),
    only_for("logistic_regression", {"--class-weight", "W", "balanced, or factors such as \"ill=5,well=1\""}),
};
inline constexpr std::array running_options{
    OptionSpec{"--threads", "N", "threads (default: SUFFICE_THREADS or the cores)"},
    OptionSpec{"--help", "", "this text", 'h'},
};

Result<ReadOptions> read_options(const Arguments& arguments);
Result<ApplyOptions> apply_options(const Arguments& arguments);
// What fit and derive share; fit adds columns and reading.
Result<FitOptions> fit_options(const Arguments& arguments);
// Refuses what only another model understands.
Result<void> check_options_of(const Arguments& arguments, std::string_view model);
Result<void> read_families(const Arguments& arguments, FitOptions& options);
Result<void> read_column_priors(const Arguments& arguments, FitOptions& options);
Result<void> read_points(const Arguments& arguments, FitOptions& options);      // kernels, neighbours, bins
Result<void> read_regression(const Arguments& arguments, FitOptions& options);  // of logistic_regression
// A file, or costs as they stand: "fraud:ok=50,ok:fraud=1".
Result<CostMatrix> cost_matrix(const std::string& given, const std::vector<std::string>& classes);
// "name=value" pieces; a name may hold '=', a value may not.
Result<std::vector<std::pair<std::string, std::string>>> name_values(const std::string& option,
                                                                     const std::string& text);
Result<PriorChoice> prior_choice(const std::string& text);
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
