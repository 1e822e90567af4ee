// Feeds all candidates, and chooses among them.
#include "suffice/part/auto_part.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iterator>
#include <sstream>

#include "suffice/family/poisson.hpp"
#include "suffice/part/family_part.hpp"
#include "suffice/part/make.hpp"

namespace suffice {
namespace {

// Which families may explain column k. Whole numbers from zero belong to those that give probabilities; of the others
// the Gaussian alone, and only where it varies by a unit or more in every class.
class Contest {
public:
    Contest(const Several<Part>& candidates, std::size_t k) {
        for (const Part& part : candidates) {
            if (const auto* counts = part.as<FamilyPart<Poisson>>()) whole_ = counts->refused[k] == 0;
            if (const auto* numbers = part.as<FamilyPart<Gaussian>>())
                for (const auto& row : numbers->by_class)
                    narrow_ = narrow_ || (row[k].weight() > 0 && row[k].scatter < row[k].weight());
        }
    }
    bool admits(std::string_view family) const {
        const bool discrete = family == "bernoulli" || family == "poisson" || family == "geometric";
        return !whole_ || discrete || (family == "gaussian" && !narrow_);
    }

private:
    bool whole_ = false, narrow_ = false;
};

std::string rounded(double value) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << value;
    return text.str();
}

}  // namespace

AutoPart::AutoPart(const Schema& schema, std::vector<std::uint32_t> which) : columns(std::move(which)) {
    for (const auto& family : shapeless_family_names())
        candidates.push_back(*make_family_part(family, schema, columns));
}

AutoPart AutoPart::blank() const {
    AutoPart fresh;
    fresh.columns = columns;
    for (const Part& part : candidates) fresh.candidates.push_back(part.blank());
    return fresh;
}

void AutoPart::observe(const Block& block, const Membership& membership, Workspace& workspace) {
    for (Part& part : candidates) part.observe(block, membership, workspace);
}

void AutoPart::recode(const Recoding& recoding) {
    for (Part& part : candidates) part.recode(recoding);
}

bool AutoPart::valid(const Schema& schema) const {
    const auto names = shapeless_family_names();
    return schema.holds(columns) &&
           std::ranges::equal(candidates, names,
                              [](const Part& part, const auto& each) { return part.name() == each; }) &&
           std::ranges::all_of(candidates,
                               [&](const Part& part) { return part.columns() == columns && part.valid(schema); });
}

std::size_t AutoPart::footprint(const Schema& schema) const {
    std::size_t sum = 0;
    for (const Part& part : candidates) sum += part.footprint(schema);
    return sum;
}

Result<void> AutoPart::refuses(const Schema& schema) const {
    for (std::size_t k = 0; k < columns.size(); ++k)
        if (std::ranges::none_of(candidates,
                                 [&](const Part& part) { return bool(select_columns(part, {k}).refuses(schema)); }))
            return Error("there are values that no family allows").in_column(schema.columns[columns[k]].name);
    return {};
}

Result<std::vector<AutoPart::Choice>> AutoPart::choose(const Settings& settings, const Schema& schema) const {
    Settings plain = settings;
    plain.estimate = Estimate::likelihood;
    plain.covariance = Covariance::diagonal;
    plain.column_priors.clear();
    std::vector<Choice> chosen;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const Contest contest(candidates, k);
        double least = INFINITY, second = INFINITY;
        std::size_t best = candidates.size(), runner_up = candidates.size();
        for (std::size_t at = 0; at < candidates.size(); ++at) {
            if (!contest.admits(candidates[at].name())) continue;
            const Part alone = select_columns(candidates[at], {k});
            const auto estimated = alone.estimate(plain, schema);  // an Error: values it does not allow
            if (!estimated || !std::isfinite(estimated->log_likelihood)) continue;
            const double parameters = static_cast<double>(estimated->parameter_count);
            const double rows = std::max(alone.weight(), 1.0);  // none: every family tells nothing
            const double bic = -2 * estimated->log_likelihood + parameters * std::log(rows);
            if (bic < least) {
                second = least;
                runner_up = best;
                least = bic;
                best = at;
            } else if (bic < second) {
                second = bic;
                runner_up = at;
            }
        }
        const std::string& column = schema.columns[columns[k]].name;
        if (best == candidates.size()) return Error("there are values that no family allows").in_column(column);
        std::string note =
            "column " + column + " is " + std::string(candidates[best].name()) + ": BIC " + rounded(least);
        if (runner_up < candidates.size())
            note += ", next " + std::string(candidates[runner_up].name()) + " with " + rounded(second);
        chosen.push_back({best, std::move(note)});
    }
    return chosen;
}

Result<Estimated> AutoPart::estimate(const Settings& settings, const Schema& schema) const {
    const auto chosen = choose(settings, schema);
    if (!chosen) return chosen.error();
    Estimated done;
    for (std::size_t at = 0; at < candidates.size(); ++at) {
        std::vector<std::size_t> won;
        for (std::size_t k = 0; k < columns.size(); ++k)
            if ((*chosen)[k].candidate == at) won.push_back(k);
        if (won.empty()) continue;
        auto estimated = select_columns(candidates[at], won).estimate(settings, schema);
        if (!estimated) return estimated.error();
        std::ranges::move(estimated->scorers, std::back_inserter(done.scorers));
        done.log_likelihood += estimated->log_likelihood;
        done.parameter_count += estimated->parameter_count;
        std::ranges::move(estimated->notes, std::back_inserter(done.notes));
    }
    for (const auto& each : *chosen) done.notes.push_back(each.note);
    return done;
}

}  // namespace suffice
