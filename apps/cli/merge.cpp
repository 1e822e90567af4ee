// suffice merge: several models into the one that all their rows would have given.
#include "cli/output.hpp"
#include "cli/summary.hpp"

namespace suffice::cli {
namespace {

constexpr std::array own_options{
    OptionSpec{"--output", "FILE", "where the model goes (default: standard output, if that is no terminal)", 'o'},
    json_summary,
};

Result<void> run(const Arguments& arguments, const Context&) {
    const std::string path = arguments.text("--output");
    if (auto checked = check_model_output(arguments, path); !checked) return checked;
    const Made made;
    const auto& files = arguments.files();
    if (files.size() < 2) return Error(ErrorKind::usage, "name two models or more to merge");
    const auto load_sum = [](const std::string& file) -> Result<Model> {
        auto model = load_model(file);
        if (!model) return model;
        if (const auto sum = as_sum(*model); !sum) return Error(sum.error()).in_file(file);
        return model;
    };
    auto all = load_sum(files[0]);
    if (!all) return all.error();
    for (std::size_t k = 1; k < files.size(); ++k) {
        const auto next = load_sum(files[k]);
        if (!next) return next.error();
        all = merge(*all, *next);
        if (!all) return Error(all.error()).in_file(files[k]);
    }
    if (auto written = write_model(*all, path); !written) return written;
    return arguments.has("--json") ? print_summary(*all, made, made.seconds()) : Result<void>();
}

}  // namespace

const Verb merge_verb{"merge",
                      "MODEL MODEL... [-o FILE]",
                      "Merges models that were fitted alike to different rows. The result is the model that one fit "
                      "to all the rows would have given.",
                      "  suffice merge january.suf february.suf -o both.suf\n",
                      {own_options, running_options, {}, {}},
                      run};

}  // namespace suffice::cli
