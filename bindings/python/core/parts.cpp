// The numbers inside statistics, read off as arrays.
#include <cmath>

#include "core/arrays.hpp"
#include "core/state.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/part/all.hpp"

namespace suffice::python {
namespace {

// Each number of the columns' statistics as classes x columns; lists of them (levels) as classes x levels per column.
template <class F>
void read_family(const FamilyPart<F>& part, nb::dict& into) {
    const std::size_t k = part.by_class.size(), d = part.columns.size();
    const typename F::Statistic empty{};
    for_each_field(empty, [&](const auto& each, const auto& member) {
        using Member = std::remove_cvref_t<decltype(member)>;
        const nb::str name(std::string(each.name).c_str());
        if constexpr (std::is_same_v<Member, double>) {
            auto values = new_array<double>({k, d});
            for (std::size_t c = 0; c < k; ++c)
                for (std::size_t j = 0; j < d; ++j) values.data()[c * d + j] = part.by_class[c][j].*each.member;
            into[name] = values;
        } else if constexpr (std::is_same_v<Member, std::vector<double>>) {
            nb::list tables;
            for (std::size_t j = 0; j < d; ++j) {
                const std::size_t levels = k == 0 ? 0 : (part.by_class[0][j].*each.member).size();
                auto values = new_array<double>({k, levels});
                for (std::size_t c = 0; c < k; ++c)
                    std::ranges::copy(part.by_class[c][j].*each.member, values.data() + c * levels);
                tables.append(values);
            }
            into[name] = tables;
        }
    });
    bool complete = true;  // up to the rounding of sums of weights
    for (std::size_t c = 0; c < k; ++c)
        for (std::size_t j = 1; j < d; ++j) {
            const double first = part.by_class[c][0].weight();
            complete = complete && std::abs(part.by_class[c][j].weight() - first) <= 1e-9 * first;
        }
    into["complete"] = complete;
}

void read_covariance(const CovariancePart& part, nb::dict& into) {
    const auto& seen = part.complete;
    const std::size_t k = seen.class_count(), d = seen.dimension;
    into["weight"] = to_array(seen.class_weight);
    into["mean"] = to_array<double>(seen.mean, {k, d});
    into["pooled"] = seen.pooled;
    into["scatter"] = seen.pooled ? to_array<double>(seen.scatter, {d, d}) : to_array<double>(seen.scatter, {k, d, d});
    into["complete"] = !part.has_holes();
}

void read_counts(const CountsPart& part, nb::dict& into) {
    into["weight"] = to_array(part.class_weight);
    into["sum"] = to_array<double>(part.sum, {part.class_weight.size(), part.columns.size()});
    into["complete"] = true;
}

}  // namespace

nb::list read_parts(const State& state) {
    nb::list all;
    for (const Part& part : state.get().statistic.parts) {
        nb::dict read;
        read["part"] = std::string(part.name());
        read["columns"] = nb::cast(part.columns());
        read["refused"] = !part.refuses(state.get().statistic.schema);
        for_each_part_kind([&]<class P>() {
            const P* kind = part.as<P>();
            if (kind == nullptr) return;
            if constexpr (std::is_same_v<P, CovariancePart>)
                read_covariance(*kind, read);
            else if constexpr (std::is_same_v<P, CountsPart>)
                read_counts(*kind, read);
            else if constexpr (requires { kind->family; })
                read_family(*kind, read);
        });
        all.append(read);
    }
    return all;
}

}  // namespace suffice::python
