// The list of Part kinds. Every column family is one without another line.
#pragma once
#include "suffice/family/all.hpp"
#include "suffice/part/counts_part.hpp"
#include "suffice/part/covariance_part.hpp"
#include "suffice/part/evidence_part.hpp"
#include "suffice/part/family_part.hpp"
#include "suffice/part/joint_part.hpp"
#include "suffice/part/ngram_part.hpp"
#include "suffice/part/points_part.hpp"
#include "suffice/part/token_part.hpp"

namespace suffice {

template <class Visit>
void for_each_part_kind(Visit&& visit) {
    for_each_family([&]<class F>() {
        if constexpr (ColumnFamily<F>) visit.template operator()<FamilyPart<F>>();
    });
    visit.template operator()<CovariancePart>();
    visit.template operator()<JointPart>();
    visit.template operator()<TokenPart>();
    visit.template operator()<NgramPart>();
    visit.template operator()<CountsPart>();
    visit.template operator()<PointsPart>();
    visit.template operator()<EvidencePart>();
}

}  // namespace suffice
