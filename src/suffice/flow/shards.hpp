// A fit cut into shards that know nothing of each other: each learns its share of the input and leaves a file, and the
// files merged are the whole. Plain storage is all that carries them.
#pragma once
#include "suffice/flow/parts.hpp"

namespace suffice {

struct Shard {
    std::size_t number = 1, count = 1;                    // the number-th of count
    static Result<Shard> parse(const std::string& text);  // "2/5"
    std::string text() const { return std::to_string(number) + "/" + std::to_string(count); }
};

// What a shard will be made of, known before any row is learned from.
struct ShardPlan {
    Shard shard;
    std::vector<std::string> files;  // all of the input
    PartsPlan parts;
    std::string mark;  // "2/5 HASH": the shard, its recipe and its input; what matches it need not be made again
};
// Many files are dealt out whole, in runs; fewer than shards are read by all, who take turns at their units, or share
// the rows of each unit where there are few.
Result<ShardPlan> plan_shard(const std::vector<std::string>& files, const FitOptions& options, const Shard& shard);
Result<ModelFile> fit_shard(const ShardPlan& plan, const Context& context = {});

// Whether the file at `path` is this shard of this input, and not older than it.
bool is_made(const ShardPlan& plan, const std::string& path);

// Every shard once, in any order. `names` are those of the files, for messages.
Result<Model> merge_shards(std::vector<ModelFile> shards, const std::vector<std::string>& names);

}  // namespace suffice
