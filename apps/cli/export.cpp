// suffice export: a model as ONNX, C or SQL.
#include "cli/decision_options.hpp"
#include "cli/output.hpp"

#include "suffice/export/exported_model.hpp"

namespace suffice::cli {
namespace {

constexpr std::array export_options{
    OptionSpec{"--onnx", "", "an ONNX graph of standard operators, in doubles"},
    OptionSpec{"--c", "", "C99 without dependencies: -o F.c writes F.c and F.h"},
    OptionSpec{"--sql", "DIALECT", "one SELECT for duckdb, sqlite or postgresql"},
    OptionSpec{"--table", "NAME", "of --sql: the table that is read (default data)"},
    OptionSpec{"--prefix", "NAME", "of --c: what its names begin with (default suffice)"},
    OptionSpec{"--type", "NUMBER", "of --c: double (default) or float, which is smaller"},
    OptionSpec{"--output", "FILE", "where it goes (--sql: default standard output)", 'o'},
};

template <NamedEnum T>
Result<T> named(const Arguments& arguments, const std::string& option, const std::string& usual) {
    const std::string text = arguments.text(option, usual);
    if (const auto found = value_named<T>(text)) return *found;
    return Error(ErrorKind::usage, option + " takes " + one_of(enum_names<T>) + ", not \"" + text + "\"");
}

Result<void> write_to(const std::string& path, std::string_view bytes) {
    auto output = Output::open(path);
    if (!output) return output.error();
    if (auto written = output->write(bytes); !written) return written;
    return output->finish();
}

Result<void> write_c(const Arguments& arguments, const ExportedModel& model) {
    const std::string path = arguments.text("--output");
    if (!path.ends_with(".c"))
        return Error(ErrorKind::usage, "--c writes a source and its header: name the source by -o, such as model.c");
    const auto type = named<CNumber>(arguments, "--type", "double");
    if (!type) return type.error();
    const std::string header = path.substr(0, path.size() - 1) + "h";
    const auto made =
        c_source(model, arguments.text("--prefix", "suffice"), header.substr(header.find_last_of('/') + 1), *type);
    if (!made) return made.error();
    if (auto written = write_to(header, made->header); !written) return written;
    return write_to(path, made->source);
}

Result<void> write_onnx(const Arguments& arguments, const ExportedModel& model) {
    const std::string path = arguments.text("--output");
    if (auto good = check_model_output(path); !good) return good;
    const auto made = onnx_model(model);
    if (!made) return made.error();
    return write_to(path, *made);
}

Result<void> write_sql(const Arguments& arguments, const ExportedModel& model) {
    const auto dialect = named<SqlDialect>(arguments, "--sql", "");
    if (!dialect) return dialect.error();
    const auto made = sql_query(model, *dialect, arguments.text("--table", "data"));
    if (!made) return made.error();
    return write_to(arguments.text("--output"), *made);
}

Result<void> run_export(const Arguments& arguments, const Context& context) {
    const auto given = model_and_data(arguments, false);
    if (!given) return given.error();
    if (arguments.has("--onnx") + arguments.has("--c") + arguments.has("--sql") != 1)
        return Error(ErrorKind::usage, "say what the model becomes: --onnx, --c or --sql duckdb|sqlite|postgresql");
    ExportOptions options;
    auto rule = decision_rule(arguments, given->model, {}, context);
    if (!rule) return rule.error();
    options.rule = std::move(*rule);
    if (const auto prior = arguments.given("--prior")) {
        auto choice = prior_choice(*prior);
        if (!choice) return choice.error();
        options.priors = std::move(*choice);
    }
    const auto model = exported(given->model, options);
    if (!model) return model.error();
    if (arguments.has("--onnx")) return write_onnx(arguments, *model);
    return arguments.has("--c") ? write_c(arguments, *model) : write_sql(arguments, *model);
}

}  // namespace

const Verb export_verb{
    "export",
    "MODEL --onnx -o F | --c -o F.c | --sql DIALECT",
    "Writes a model for other programs: the same posteriors without suffice. Missing values and levels never seen are "
    "answered as suffice does. Text models go to ONNX, from texts of words with blanks between, and to C, from counts "
    "of words.",
    "  suffice export iris.suf --onnx -o iris.onnx\n"
    "  suffice export iris.suf --c -o iris.c --prefix iris\n"
    "  suffice export churn.suf --sql duckdb --table customers >churn.sql\n",
    {export_options, decision_options, running_options, {}},
    run_export};

}  // namespace suffice::cli
