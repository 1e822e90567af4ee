// What a request for predictions asks to be told: the members beside its rows, or the query of its address.
#pragma once
#include "server/rows.hpp"

#include "suffice/decide/decision.hpp"

namespace suffice::server {

struct Wanted {
    bool probabilities = false, log_evidence = false, decision = false, novelty = false;
    std::size_t top = 0;
    DecisionRule label = {}, rule = {};  // of `label`, and of `decision`
};

// "outputs=top,decision&top=2&reject=0.9" as members of a record, so that bodies without any (CSV, Arrow, lines) choose
// too.
Result<Json> wishes_of_query(std::string_view query);

// As the verb predict: thresholds saved with the model decide the label; what the request says decides `decision`.
Result<Wanted> read_wanted(const Json& asked, const Model& model);

}  // namespace suffice::server
