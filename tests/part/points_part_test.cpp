// Which lists of points may come out of a file.
#include "suffice/part/points_part.hpp"

#include <gtest/gtest.h>

namespace suffice {
namespace {

PointsPart two_points(double second_weight) {
    Schema schema;
    schema.classes = {"a"};
    PointsPart part(schema, {0});
    part.by_class[0].values = {1, 9};
    part.by_class[0].row_weight = {1, second_weight};
    return part;
}

TEST(PointsPart, PointsWithoutWeightAreNotValid) {  // found by the fuzzer: such a point lay outside all bins
    Schema schema;
    schema.columns.push_back({"x", ColumnKind::number});
    schema.classes = {"a"};
    EXPECT_TRUE(two_points(2).valid(schema));
    EXPECT_FALSE(two_points(0).valid(schema));
    EXPECT_FALSE(two_points(-1).valid(schema));
}

}  // namespace
}  // namespace suffice
