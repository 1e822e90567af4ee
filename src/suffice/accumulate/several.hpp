// Statistics side by side (per class, per column, per Part) are again a statistic.
#pragma once
#include <vector>

#include "suffice/data/schema.hpp"
#include "suffice/family/concepts.hpp"

namespace suffice {

template <class S>
struct Several : std::vector<S> {
    using std::vector<S>::vector;

    double weight() const {
        double sum = 0;
        for (const S& each : *this) sum += each.weight();
        return sum;
    }
    void merge(const Several& from) {
        for (std::size_t k = 0; k < this->size(); ++k) (*this)[k].merge(from[k]);
    }
    void remove(const Several& rows) {
        for (std::size_t k = 0; k < this->size(); ++k) (*this)[k].remove(rows[k]);
    }
    void scale(double factor) {
        for (S& each : *this) each.scale(factor);
    }
    // Codes without an old one get `blank`.
    void recode(const CodeMap& map, const S& blank) {
        Several fresh(map.count, blank);
        for (std::size_t k = 0; k < this->size(); ++k)
            if (map.to[k] != CodeMap::dropped) fresh[map.to[k]] = std::move((*this)[k]);
        *this = std::move(fresh);
    }
};

}  // namespace suffice
