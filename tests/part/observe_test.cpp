// Every way in which rows reach the Parts gives the same statistics: layouts, types, weights, holes, splits, threads.
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "suffice/accumulate/fold.hpp"
#include "suffice/family/poisson.hpp"
#include "suffice/part/counts_part.hpp"
#include "suffice/part/covariance_part.hpp"
#include "suffice/part/evidence_part.hpp"
#include "suffice/part/family_part.hpp"
#include "suffice/part/joint_part.hpp"

namespace suffice {
namespace {

constexpr double hole = std::numeric_limits<double>::quiet_NaN();

// Whole numbers below 3, so that every element type and every Part can hold them.
struct SmallTable {
    Schema schema;
    std::vector<double> values;
    std::vector<std::int32_t> labels;
    std::vector<double> weights;

    std::size_t row_count() const { return labels.size(); }
    std::size_t width() const { return schema.columns.size(); }
    Block rows() const {
        return DenseBlock{values.data(), Element::f64, row_count(), width(), static_cast<std::ptrdiff_t>(width()), 1};
    }
    Membership membership() const { return {schema.classes.size(), labels, weights}; }
};

SmallTable small_table(std::size_t rows, std::uint64_t seed, double holes = 0) {
    SmallTable table;
    for (int k = 0; k < 4; ++k)
        table.schema.columns.push_back({"x" + std::to_string(k), ColumnKind::category, {"a", "b", "c"}});
    table.schema.classes = {"u", "v", "w"};
    Rng rng(seed);
    for (std::size_t row = 0; row < rows; ++row) {
        table.labels.push_back(static_cast<std::int32_t>(rng.uniform() * 3.3) - (rng.uniform() < 0.1 ? 1 : 0));
        if (table.labels.back() > 2) table.labels.back() = -1;
        for (int k = 0; k < 4; ++k)
            table.values.push_back(rng.uniform() < holes ? hole : std::floor(rng.uniform() * 3));
        table.weights.push_back(std::floor(rng.uniform() * 4) / 2);
    }
    return table;
}

std::vector<Part> parts_for(const Schema& schema) {
    return {Part(CovariancePart(schema, {0, 1, 2, 3}, false)),
            Part(CovariancePart(schema, {3, 1}, true)),
            Part(CovariancePart(schema, {0, 1, 2}, false, ShrinkageRule::automatic)),
            Part(FamilyPart<Gaussian>(schema, {0, 2, 3})),
            Part(FamilyPart<Categorical>(schema, {0, 1, 2, 3})),
            Part(FamilyPart<Bernoulli>(schema, {0, 1, 2, 3})),
            Part(FamilyPart<Poisson>(schema, {1, 2})),
            Part(CountsPart(schema, {0, 1, 2, 3})),
            Part(EvidencePart(schema, {0, 3})),
            Part(JointPart(schema, {1, 3}))};
}

Part observed(Part part, const Block& rows, const Membership& membership) {
    Workspace workspace;
    part.observe(rows, membership, workspace);
    return part;
}

// Every number of a Part's state, in the order of its fields.
class Numbers final : public FieldSink {
public:
    std::vector<double> all;
    void number(std::string_view, double value) override { all.push_back(value); }
    void whole(std::string_view, std::uint64_t value) override { all.push_back(static_cast<double>(value)); }
    void text(std::string_view, std::string_view) override {}
    void numbers(std::string_view, std::span<const double> values) override {
        all.insert(all.end(), values.begin(), values.end());
    }
    void open_list(std::string_view, std::size_t count) override { all.push_back(static_cast<double>(count)); }
    void open_record(std::string_view) override {}
    void close() override {}
};

void expect_alike(const Part& a, const Part& b, const std::string& what) {
    Numbers left, right;
    a.write(left, {});
    b.write(right, {});
    ASSERT_EQ(left.all.size(), right.all.size()) << a.name() << ", " << what;
    double size = 1;
    for (double v : right.all) size = std::max(size, std::abs(v));
    for (std::size_t at = 0; at < left.all.size(); ++at)
        ASSERT_NEAR(left.all[at], right.all[at], 1e-12 * size) << a.name() << ", " << what << ", number " << at;
}

TEST(Observe, WeightTwoIsTwoRowsAndWeightZeroIsNone) {
    for (const double holes : {0.0, 0.2}) {
        const auto table = small_table(150, 1, holes);
        SmallTable rows{table.schema, {}, {}, {}};
        for (std::size_t row = 0; row < table.row_count(); ++row)
            for (double left = table.weights[row] * 2; left > 0; --left) {
                rows.labels.push_back(table.labels[row]);
                rows.values.insert(rows.values.end(), table.values.begin() + static_cast<std::ptrdiff_t>(row * 4),
                                   table.values.begin() + static_cast<std::ptrdiff_t>(row * 4 + 4));
            }
        for (const Part& blank : parts_for(table.schema)) {
            Part weighted = observed(blank, table.rows(), table.membership());
            weighted.scale(2);
            expect_alike(weighted, observed(blank, rows.rows(), rows.membership()), "weights");
        }
    }
}

template <class T>
void expect_same_from(const SmallTable& table, Element element, bool by_column) {
    const std::size_t n = table.row_count(), d = table.width();
    std::vector<T> values(n * d);
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t k = 0; k < d; ++k)
            values[by_column ? k * n + row : row * d + k] = static_cast<T>(table.values[row * d + k]);
    const DenseBlock rows{values.data(),
                          element,
                          n,
                          d,
                          by_column ? 1 : static_cast<std::ptrdiff_t>(d),
                          by_column ? static_cast<std::ptrdiff_t>(n) : 1};
    for (const Part& blank : parts_for(table.schema))
        EXPECT_EQ(observed(blank, rows, table.membership()), observed(blank, table.rows(), table.membership()))
            << blank.name() << ", element " << static_cast<int>(element);
}

TEST(Observe, EveryElementTypeAndBothOrdersGiveTheSameBits) {
    auto table = small_table(97, 2);
    for (const bool by_column : {false, true, false, true}) {
        expect_same_from<double>(table, Element::f64, by_column);
        expect_same_from<float>(table, Element::f32, by_column);
        expect_same_from<std::int64_t>(table, Element::i64, by_column);
        expect_same_from<std::int32_t>(table, Element::i32, by_column);
        expect_same_from<std::int16_t>(table, Element::i16, by_column);
        expect_same_from<std::int8_t>(table, Element::i8, by_column);
        expect_same_from<std::uint64_t>(table, Element::u64, by_column);
        expect_same_from<std::uint8_t>(table, Element::u8, by_column);
        if (by_column) table.weights.clear();
    }
}

TEST(Observe, FlagsInBytesAreCountedAsTheNumbersTheyAre) {
    auto table = small_table(1000, 5);
    for (double& x : table.values) x = x > 1 ? 1 : 0;
    table.weights.clear();
    const std::vector<std::uint8_t> bytes(table.values.begin(), table.values.end());
    const DenseBlock rows{bytes.data(), Element::u8, table.row_count(), 4, 4, 1};
    for (const std::vector<std::uint32_t>& columns : {std::vector<std::uint32_t>{0, 1, 2, 3}, {1, 2}, {3, 0}}) {
        const Part blank(FamilyPart<Bernoulli>(table.schema, columns));
        const Part found = observed(blank, rows, table.membership());
        EXPECT_EQ(found, observed(blank, table.rows(), table.membership()));
        EXPECT_GT(found.weight(), 0);
    }
}

TEST(Observe, ArrowColumnsWithBitmapsAndCodeMapsGiveTheSameBits) {
    const auto table = small_table(101, 3, 0.15);
    const std::size_t n = table.row_count(), offset = 5;
    const std::vector<std::int32_t> map{2, 0, 1};  // dictionary code -> level
    std::vector<std::vector<std::int8_t>> codes(4);
    std::vector<std::vector<std::uint8_t>> valid(4);
    std::vector<ColumnView> views;
    for (std::size_t k = 0; k < 4; ++k) {
        codes[k].assign(n + offset, 0);
        valid[k].assign((n + offset + 7) / 8, 0);
        for (std::size_t row = 0; row < n; ++row) {
            const double x = table.values[row * 4 + k];
            if (std::isnan(x)) continue;
            const std::size_t at = row + offset;
            valid[k][at / 8] = static_cast<std::uint8_t>(valid[k][at / 8] | (1u << (at % 8)));
            codes[k][at] = static_cast<std::int8_t>(std::ranges::find(map, static_cast<int>(x)) - map.begin());
        }
        views.push_back({codes[k].data(), Element::i8, valid[k].data(), offset, map});
    }
    const Block columns = ColumnBlock{views, n, 0};
    for (const Part& blank : parts_for(table.schema))
        EXPECT_EQ(observed(blank, columns, table.membership()), observed(blank, table.rows(), table.membership()))
            << blank.name();
}

TEST(Observe, SparseRowsAreRowsWithZeros) {
    const auto table = small_table(88, 4);
    std::vector<std::int64_t> start{0};
    std::vector<std::uint32_t> column;
    std::vector<double> value;
    for (std::size_t row = 0; row < table.row_count(); ++row) {
        for (std::uint32_t k = 0; k < 4; ++k)
            if (const double x = table.values[row * 4 + k]; x != 0) {
                column.push_back(k);
                value.push_back(x);
            }
        start.push_back(static_cast<std::int64_t>(column.size()));
    }
    const Block sparse = SparseBlock{start, column, value, 4};
    for (const Part& blank : parts_for(table.schema))
        EXPECT_EQ(observed(blank, sparse, table.membership()), observed(blank, table.rows(), table.membership()))
            << blank.name();
}

// Random structures, weights, holes and cuts.
TEST(Observe, MergingAnySplitGivesTheWholeAndRemovingAPieceTheRest) {
    for (std::uint64_t seed = 10; seed < 40; ++seed) {
        Rng rng(seed);
        const auto table = small_table(40 + seed * 3, seed, seed % 3 == 0 ? 0.1 : 0);
        for (const Part& blank : parts_for(table.schema)) {
            const Part whole = observed(blank, table.rows(), table.membership());
            Part merged = blank, rest = whole;
            std::vector<Part> pieces;
            for (std::size_t first = 0; first < table.row_count();) {
                const std::size_t count =
                    std::min<std::size_t>(static_cast<std::size_t>(rng.uniform() * 30), table.row_count() - first);
                const auto labels = std::span(table.labels).subspan(first, count);
                const auto weights = std::span(table.weights).subspan(first, count);
                pieces.push_back(observed(blank, slice(table.rows(), first, count), {3, labels, weights}));
                first += count;
            }
            for (const Part& piece : pieces) merged.merge(piece);
            expect_alike(merged, whole, "merged, seed " + std::to_string(seed));
            EXPECT_TRUE(merged.valid(table.schema)) << blank.name();
            for (const Part& piece : pieces) rest.remove(piece);
            EXPECT_NEAR(rest.weight(), 0, 1e-9) << blank.name();
        }
    }
}

// Means 1e9 apart and far from the first row: variances of one keep nine digits.
TEST(Observe, ClassesFarApartKeepTheirDigits) {
    Schema schema{{{"x"}, {"y"}}, {"near", "far", "farther"}};
    std::vector<double> values;
    std::vector<std::int32_t> labels;
    Rng rng(5);
    std::vector<double> exact(3);
    std::vector<std::vector<double>> of_class(3);
    for (std::size_t row = 0; row < 3000; ++row) {
        const auto c = static_cast<std::int32_t>(row % 3);
        const double z = std::floor(rng.uniform() * 4096) / 1024;  // exact at every shift
        labels.push_back(c);
        of_class[row % 3].push_back(z);
        values.insert(values.end(), {z + 1e9 * c, z - 1e9 * c});
    }
    for (std::size_t c = 0; c < 3; ++c) {
        double mean = 0;
        for (double z : of_class[c]) mean += z / 1000;
        for (double z : of_class[c]) exact[c] += (z - mean) * (z - mean);
    }
    const Block rows = DenseBlock{values.data(), Element::f64, 3000, 2, 2, 1};
    const Part full = observed(Part(CovariancePart(schema, {0, 1}, false)), rows, {3, labels, {}});
    const Part columns = observed(Part(FamilyPart<Gaussian>(schema, {0, 1})), rows, {3, labels, {}});
    for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(full.as<CovariancePart>()->complete.scatter_of(c)[0], exact[c], 1e-6 * exact[c]);
        EXPECT_NEAR(full.as<CovariancePart>()->complete.scatter_of(c)[1], exact[c], 1e-6 * exact[c]);
        EXPECT_NEAR(columns.as<FamilyPart<Gaussian>>()->by_class[c][1].scatter, exact[c], 1e-6 * exact[c]);
    }
}

// A scatter is d^2 numbers; where holes fall freely most patterns are seen once and need none.
TEST(Observe, APatternSeenOnceKeepsItsValuesAndGetsAScatterWithTheSecondRow) {
    const Schema schema{{{"x"}, {"y"}, {"z"}}, {"u", "v"}};
    const std::vector<double> values{1, 2, hole, 3, hole, 4, 5, 7, hole, 1, 2, hole};
    const std::vector<std::int32_t> labels{0, 0, 0, 1};
    const Block rows = DenseBlock{values.data(), Element::f64, 4, 3, 3, 1};
    const Part blank(CovariancePart(schema, {0, 1, 2}, false));
    const Part part = observed(blank, rows, {2, labels, {}});
    const auto& incomplete = part.as<CovariancePart>()->incomplete;
    const auto& twice = incomplete[0].by_pattern.at({0, 1});
    EXPECT_EQ(twice.mean, (std::vector<double>{3, 4.5}));
    EXPECT_EQ(twice.scatter, (std::vector<double>{8, 10, 10, 12.5}));
    EXPECT_EQ(incomplete[0].by_pattern.at({0, 2}).mean, (std::vector<double>{3, 4}));
    EXPECT_TRUE(incomplete[0].by_pattern.at({0, 2}).scatter.empty());
    EXPECT_TRUE(incomplete[1].by_pattern.at({0, 1}).scatter.empty());
    EXPECT_TRUE(part.valid(schema));

    Part rest = part;
    rest.remove(observed(blank, slice(rows, 2, 1), {2, std::span(labels).subspan(2, 1), {}}));
    EXPECT_EQ(
        rest.as<CovariancePart>()->incomplete[0],
        observed(blank, slice(rows, 0, 2), {2, std::span(labels).first(2), {}}).as<CovariancePart>()->incomplete[0]);
}

struct SeenByPart {
    std::vector<Part> part;  // one
    bool operator==(const SeenByPart&) const = default;

    double weight() const { return part[0].weight(); }
    void merge(const SeenByPart& from) { part[0].merge(from.part[0]); }
};

struct OnePart {
    using Statistic = SeenByPart;
    Part blank;
    SeenByPart empty() const { return {{blank}}; }
    std::size_t footprint() const { return 1; }
    Result<void> observe(SeenByPart& into, const LabeledBlock& unit, const Schema& names, Workspace& workspace) const {
        into.part[0].observe(unit.rows, {names.classes.size(), unit.label, unit.weight}, workspace);
        return {};
    }
};

TEST(Observe, EveryNumberOfThreadsGivesTheSameBits) {
    const auto table = small_table(150000, 6, 0.001);
    for (const Part& blank : parts_for(table.schema)) {
        std::vector<Part> results;
        for (const unsigned threads : {1u, 2u, 3u, 7u}) {
            MemoryStream stream({table.rows(), table.labels, table.weights, 0}, table.schema);
            Context context;
            context.thread_count = threads;
            results.push_back(fold(OnePart{blank}, stream, context).value().part[0]);
        }
        for (const Part& each : results) EXPECT_EQ(each, results[0]) << blank.name();
    }
}

}  // namespace
}  // namespace suffice
