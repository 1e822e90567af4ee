// suffice density: how dense rows lie, by a model without classes.
#include "suffice/flow/density.hpp"

#include <algorithm>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/row_output.hpp"

#include "suffice/base/split_list.hpp"
#include "suffice/family/handle.hpp"
#include "suffice/report/density_report.hpp"

namespace suffice::cli {
namespace {

constexpr std::array density_options{
    OptionSpec{"--model", "M",
               "kernel_density (default), histogram, nearest, a model of fit such as qda, or a family; of several "
               "families, or of model files such as \"a.suf,b.suf\", the evidence is compared"},
    OptionSpec{"--at", "FILE", "the rows whose density is wanted (default: those of DATA)"},
    OptionSpec{"--prior", "P",
               "of a family: the conjugate prior of every column, such as \"gamma(2,1)\"; several with semicolons"},
    OptionSpec{"--credible", "MASS", "of a family: what its credible intervals hold (default 0.95)"},
    OptionSpec{"--levels", "LIST", "of categorical: the levels that there are, such as 1,2,3, also those of no row"},
    OptionSpec{"--batches", "", "of a family: each file is a batch; tells what is known after each of them"},
    OptionSpec{"--family", "LIST", "of naive_bayes: families of columns, such as \"visits=poisson\""},
    OptionSpec{"--exclude", "COLUMNS", "columns to leave out"},
    OptionSpec{"--weight", "COLUMN", "how much each row counts"},
    weight_kind_option,
    OptionSpec{"--json", "", "for programs: a record for each row, or what was estimated of a family"},
    OptionSpec{"--output", "FILE", "where it goes (default: standard output)", 'o'},
};

bool is_family(const std::string& name) {
    const auto known = family_names();
    return std::ranges::find(known, name) != known.end();
}

// "poisson", "poisson,geometric".
std::vector<std::string> families_named(const std::string& text) {
    auto all = split_list(text);
    return std::ranges::all_of(all, is_family) ? all : std::vector<std::string>{};
}

// A prior for each family, one for all of them, or several for one family.
Result<std::vector<std::string>> read_priors(const std::string& text, std::size_t families) {
    auto priors = split_list(text, ';');
    if (priors.empty()) priors.emplace_back();
    if (families > 1 && priors.size() > 1 && priors.size() != families)
        return Error(ErrorKind::usage, "there are " + std::to_string(families) + " families and " +
                                           std::to_string(priors.size()) + " priors; give one for each");
    return priors;
}

Result<FamilyQuestion> read_question(const Arguments& arguments, const std::string& family, std::string prior) {
    FamilyQuestion question{family};
    question.prior = std::move(prior);
    question.batches = arguments.has("--batches");
    if (arguments.has("--levels")) question.levels = split_list(arguments.text("--levels"));
    const auto mass = arguments.number("--credible", question.mass);
    if (!mass) return mass.error();
    if (!(*mass > 0 && *mass < 1)) return Error(ErrorKind::usage, "--credible takes a number between 0 and 1");
    question.mass = *mass;
    return question;
}

Result<std::vector<FamilyQuestion>> read_questions(const Arguments& arguments,
                                                   const std::vector<std::string>& families) {
    const auto priors = read_priors(arguments.text("--prior"), families.size());
    if (!priors) return priors.error();
    std::vector<FamilyQuestion> questions;
    for (std::size_t k = 0; k < std::max(families.size(), priors->size()); ++k) {
        auto question =
            read_question(arguments, families[families.size() == 1 ? 0 : k], (*priors)[priors->size() == 1 ? 0 : k]);
        if (!question) return question.error();
        questions.push_back(std::move(*question));
    }
    return questions;
}

Result<void> write_family(const Arguments& arguments, const FitOptions& options,
                          const std::vector<FamilyQuestion>& questions, const Context& context) {
    const auto fits = compare_families(arguments.files(), questions, options, context);
    end_progress();
    if (!fits) return fits.error();
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto text = arguments.has("--json") ? family_json(*fits) : family_text(*fits);
    if (auto written = output->write(text); !written) return written;
    return output->finish();
}

// "a.suf,b.suf"; none: these are not files of models.
std::vector<std::string> models_named(const std::string& text) {
    auto all = split_list(text);
    return std::ranges::all_of(all, [](const auto& name) { return name.ends_with(".suf"); })
               ? all
               : std::vector<std::string>{};
}

Result<void> write_evidence(const Arguments& arguments, const std::vector<std::string>& models,
                            const Context& context) {
    for (const char* option : {"--at", "--prior", "--credible", "--levels", "--batches", "--family", "--exclude"})
        if (arguments.has(option))
            return Error(ErrorKind::usage, std::string(option) + " says nothing about models that stand already");
    const auto apply = apply_options(arguments);
    if (!apply) return apply.error();
    const auto compared = compare_models(models, arguments.files(), *apply, context);
    end_progress();
    if (!compared) return compared.error();
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto text = arguments.has("--json") ? evidence_json(compared->models, compared->rows)
                                              : evidence_text(compared->models, compared->rows);
    if (auto written = output->write(text); !written) return written;
    return output->finish();
}

// A histogram is of the rows alone, as in Python, unless a pseudo-count is asked for.
void unsmoothed_histogram(const Arguments& arguments, FitOptions& options) {
    if (options.model != "histogram_nb" || arguments.has("--smoothing")) return;
    options.settings.smoothing = 0;
    options.settings.estimate = Estimate::likelihood;
}

Result<void> refuse_family_options(const Arguments& arguments, const std::string& model) {
    for (const char* option : {"--prior", "--credible", "--batches"})
        if (arguments.has(option))
            return Error(ErrorKind::usage,
                         std::string(option) + " is for a family as --model, such as poisson, and not for " + model);
    return {};
}

Result<void> run_density(const Arguments& arguments, const Context& context) {
    if (arguments.files().empty()) return Error(ErrorKind::usage, "name the data (- is standard input)");
    FitOptions options;
    const auto read = read_options(arguments);
    if (!read) return read.error();
    options.read = *read;
    options.weight = arguments.text("--weight");
    const auto kind = weight_kind(arguments);
    if (!kind) return kind.error();
    options.weight_kind = *kind;
    if (const auto exclude = arguments.given("--exclude")) options.exclude = {*exclude};
    if (auto families = read_families(arguments, options); !families) return families;
    if (auto settings = read_settings(arguments, density_verb, options); !settings) return settings;
    const std::string name = arguments.text("--model", "kernel_density");
    if (const auto models = models_named(name); !models.empty()) return write_evidence(arguments, models, context);
    const std::vector<std::string> families = families_named(name);
    FamilyQuestion question;
    if (!families.empty()) {
        if (arguments.has("--smoothing"))
            return Error(ErrorKind::usage, "a family is smoothed by its prior: give --prior, such as \"dirichlet(2)\"");
        const auto asked = read_questions(arguments, families);
        if (!asked) return asked.error();
        if (!arguments.has("--at")) return write_family(arguments, options, *asked, context);
        if (asked->size() > 1) return Error(ErrorKind::usage, "--at takes the density of one family under one prior");
        question = asked->front();
    } else {
        const auto model = canonical_model(name == "histogram" ? "histogram_nb" : name);
        if (!model) return model.error();
        options.model = *model;
        if (auto fits = refuse_family_options(arguments, name); !fits) return fits;
        unsmoothed_histogram(arguments, options);
    }
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    std::vector<std::string> at;
    if (const auto file = arguments.given("--at")) at.push_back(*file);
    RowOutput rows(*output, arguments.has("--json"));
    const TextSink sink = [&](std::string_view lines) { return rows.write(lines); };
    const auto notes = !families.empty()
                           ? write_family_densities(arguments.files(), question, options, at, sink, context)
                           : write_densities(arguments.files(), options, at, sink, context);
    end_progress();
    if (!notes) return notes.error();
    if (auto written = rows.finish(); !written) return written;
    say_notes(*notes);
    return {};
}

}  // namespace

const Verb density_verb{
    "density",
    "DATA... [--at FILE] [--model M] [-o FILE]",
    "Estimates a density from rows without classes. CSV comes out, one line per row, with the "
    "header log_density.\nWith a family as --model and no --at: its parameters for each column, by "
    "likelihood and under a conjugate prior;\na family of vectors, such as gaussian_vector, takes "
    "all columns together, and one over levels, such as categorical, takes words.\nWith --at: log "
    "densities under the likelihood's parameter, or under the posterior predictive where a prior is "
    "given.\nWith files of models, stated (fit --given) or fitted: the evidence of the rows for each, and what is "
    "probable of them.",
    "  suffice density faithful.csv --bandwidth cv -o log_density.csv\n"
    "  suffice density normal.csv --at today.csv --model nearest --neighbors 20\n"
    "  suffice density visits.csv --model poisson --prior \"gamma(2,1)\"\n"
    "  suffice density iris.csv --exclude species --model gaussian_vector --json\n"
    "  suffice density monday.csv tuesday.csv --model categorical --batches\n"
    "  suffice density visits.csv --model poisson,geometric\n"
    "  suffice density coin.csv --model bernoulli --prior \"beta(1,1);beta(50,50)\"\n"
    "  suffice density new.csv --model stated.suf,fitted.suf\n",
    {density_options, {}, reading_options, running_options},
    run_density,
    [](const Setting& setting) { return setting.is_estimate() && setting.name != "priors"; }};

}  // namespace suffice::cli
