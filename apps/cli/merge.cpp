// suffice merge: several models into the one that all their rows would have given.
#include "cli/online_options.hpp"
#include "cli/output.hpp"
#include "cli/summary.hpp"

#include "suffice/flow/shards.hpp"

namespace suffice::cli {
namespace {

constexpr std::array merge_options{
    OptionSpec{"--output", "FILE", "where the model goes (default: standard output, if that is no terminal)", 'o'},
    OptionSpec{"--decay", "F", "what the rows before count for when the next model comes; 1, the default, as much"},
    json_summary,
};

// Of shards of a fit (fit --shards).
Result<Model> whole_of(const std::vector<std::string>& files) {
    std::vector<ModelFile> shards;
    for (const std::string& file : files) {
        auto shard = load_model_file(file);
        if (!shard) return shard.error();
        shards.push_back(std::move(*shard));
    }
    return merge_shards(std::move(shards), files);
}

Result<void> run_merge(const Arguments& arguments, const Context&) {
    const std::string path = arguments.text("--output");
    if (auto checked = check_model_output(arguments, path); !checked) return checked;
    const Made made;
    const auto& files = arguments.files();
    if (files.empty()) return Error(ErrorKind::usage, "name two models or more to merge");
    if (const auto first = load_model_file(files[0]); first && !first->shards.empty()) {
        if (arguments.has("--decay")) return Error(ErrorKind::usage, "shards are parts of one fit; none of them fades");
        auto whole = whole_of(files);
        if (!whole) return whole.error();
        say_notes(whole->notes());
        if (auto written = write_model(*whole, path); !written) return written;
        return arguments.has("--json") ? print_summary(*whole, made, made.seconds()) : Result<void>();
    }
    const auto load_sum = [](const std::string& file) -> Result<Model> {
        auto model = load_model(file);
        if (!model) return model;
        if (const auto sum = as_sum(*model); !sum) return Error(sum.error()).in_file(file);
        return model;
    };
    if (files.size() < 2) return Error(ErrorKind::usage, "name two models or more to merge");
    const auto steps = online_steps(arguments);
    if (!steps) return steps.error();
    auto all = load_sum(files[0]);
    if (!all) return all.error();
    for (std::size_t k = 1; k < files.size(); ++k) {
        const auto next = load_sum(files[k]);
        if (!next) return next.error();
        if (steps->keep) all = decay(*all, *steps->keep);
        if (!all) return all.error();
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
                      "  suffice merge january.suf february.suf -o both.suf\n"
                      "  suffice merge shard-*.suf -o whole.suf\n"
                      "  suffice merge so_far.suf today.suf --decay 0.9 -o so_far.suf\n",
                      {merge_options, running_options, {}, {}},
                      run_merge};

}  // namespace suffice::cli
