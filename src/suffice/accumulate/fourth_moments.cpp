// Gathers fourth moments and moves them from centre to centre.
#include "suffice/accumulate/fourth_moments.hpp"

#include <algorithm>
#include <numeric>

#include "suffice/family/sums.hpp"
#include "suffice/kernel/scatter.hpp"

namespace suffice {
namespace {

struct FourthScratch {
    kernel::ClassScatter kernel;
    std::vector<double> rows, product;
};

// The row (|z|^2, z), z = x less the mean of a class: with one feature the product of such rows holds square and cross.
void write_norm(const double* x, std::span<const double> mean, double* into) {
    double norm = 0;
    for (std::size_t i = 0; i < mean.size(); ++i) {
        const double z = x[i] - mean[i];
        into[1 + i] = z;
        norm += z * z;
    }
    into[0] = norm;
}

// From the lower triangle of a product of rows whose features take `places`, and columns those behind.
void copy_blocks(const double* product, std::size_t places, std::size_t c, std::size_t d, FourthMoments& into) {
    const std::size_t m = into.feature_count, width = places + d;
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j)
            into.square[(c * m + i) * m + j] = product[std::max(i, j) * width + std::min(i, j)];
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < d; ++j) into.cross[(c * m + i) * d + j] = product[(places + j) * width + i];
}

// Adds the products of all rows in classes first .. first + count, whose codes and weights these are.
void add_products(kernel::Rows rows, const std::int32_t* code, const double* weight, std::size_t first,
                  std::size_t count, const ClassScatterStatistic& of, std::size_t features, FourthScratch& s) {
    const std::size_t d = rows.column_count, width = d + 1;
    const double* mean = of.mean_of(first).data();
    if (features > 1) return s.kernel.add_squares(rows, code, weight, count, mean, s.product.data());
    s.rows.assign(rows.row_count * width, 0.0);
    for (std::size_t row = 0; row < rows.row_count; ++row)
        if (code == nullptr || code[row] >= 0)
            write_norm(rows.row(row), of.mean_of(first + (code == nullptr ? 0 : static_cast<std::size_t>(code[row]))),
                       s.rows.data() + row * width);
    std::vector<double> centre(width), sum(count * width), total(count);
    s.kernel.add({s.rows.data(), rows.row_count, width, static_cast<std::ptrdiff_t>(width)}, code, weight, count,
                 centre.data(), total.data(), sum.data(), s.product.data());
}

}  // namespace

FourthMoments FourthMoments::of_rows(kernel::Rows rows, const Membership& m, const ClassScatterStatistic& of,
                                     std::size_t features, Workspace& workspace) {
    const std::size_t d = rows.column_count, k = m.class_count;
    FourthMoments moments(k, d, features);
    if (features == 0 || rows.row_count == 0) return moments;
    auto& s = workspace.of<FourthScratch>();
    const std::size_t places = features > 1 ? kernel::ClassScatter::width_of_squares(d) : 1;
    const std::size_t cells = (places + d) * (places + d), at_once = m.share == nullptr ? k : 1;
    for (std::size_t first = 0; first < k; first += at_once) {
        s.product.assign(at_once * cells, 0.0);
        if (m.share == nullptr)
            add_products(rows, m.code.data(), m.weight.empty() ? nullptr : m.weight.data(), 0, k, of, features, s);
        else
            add_products(rows, nullptr, m.share + first * m.share_stride, first, 1, of, features, s);
        for (std::size_t c = 0; c < at_once; ++c)
            copy_blocks(s.product.data() + c * cells, places, first + c, d, moments);
    }
    return moments;
}

// With a = way, S the scatter and n the weight around the old centre, where the rows sum to zero:
//   square_ij += -2 a_j cross_ij - 2 a_i cross_ji + a_j^2 S_ii + a_i^2 S_jj + 4 a_i a_j S_ij + n a_i^2 a_j^2
//   cross_ij  += -a_j S_ii - 2 a_i S_ij - n a_i^2 a_j
// and for one feature the sums of these over the columns.
void FourthMoments::move_centre(std::size_t c, const ClassScatterStatistic& of, std::span<const double> way) {
    const std::size_t d = way.size(), m = feature_count;
    const double n = of.class_weight[c];
    const auto scatter = of.scatter_of(c);
    double* q = square.data() + c * m * m;
    double* r = cross.data() + c * m * d;
    if (m == 1) {
        double trace = 0, length = 0, across = 0, along = 0;
        std::vector<double> pulled(d);
        for (std::size_t i = 0; i < d; ++i) {
            for (std::size_t j = 0; j < d; ++j) pulled[i] += scatter[i * d + j] * way[j];
            trace += scatter[i * (d + 1)];
            length += way[i] * way[i];
            across += way[i] * pulled[i];
            along += way[i] * r[i];
        }
        q[0] += -4 * along + 2 * length * trace + 4 * across + n * length * length;
        for (std::size_t j = 0; j < d; ++j) r[j] -= way[j] * trace + 2 * pulled[j] + n * length * way[j];
        return;
    }
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) {
            const double a = way[i], b = way[j];
            q[i * d + j] += -2 * b * r[i * d + j] - 2 * a * r[j * d + i] + b * b * scatter[i * (d + 1)] +
                            a * a * scatter[j * (d + 1)] + 4 * a * b * scatter[i * d + j] + n * a * a * b * b;
        }
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j)
            r[i * d + j] -=
                way[j] * scatter[i * (d + 1)] + 2 * way[i] * scatter[i * d + j] + n * way[i] * way[i] * way[j];
}

void FourthMoments::reduce(std::size_t features, std::size_t columns) {
    if (features == feature_count) return;
    FourthMoments less(square.size() / (feature_count * feature_count), columns, features);
    const std::size_t cells = feature_count * feature_count, d = columns;
    if (features == 1)
        for (std::size_t c = 0; c < less.square.size(); ++c) {
            const auto of_class = square_of(c);
            less.square[c] = std::accumulate(of_class.begin(), of_class.end(), 0.0);
            for (std::size_t at = 0; at < cells; ++at) less.cross[c * d + at % d] += cross[c * cells + at];
        }
    *this = std::move(less);
}

void FourthMoments::merge(const ClassScatterStatistic& mine, FourthMoments from, const ClassScatterStatistic& theirs) {
    const std::size_t d = mine.dimension, least = std::min(feature_count, from.feature_count);
    if (gathered()) reduce(least, d);
    if (from.gathered()) from.reduce(least, d);
    if (least == 0) return;
    std::vector<double> way(d);
    for (std::size_t c = 0; c < mine.class_count(); ++c) {
        const double own = mine.class_weight[c], other = theirs.class_weight[c];
        if (own == 0 || other == 0) continue;
        const double share = other / (own + other);
        for (std::size_t i = 0; i < d; ++i) way[i] = (theirs.mean_of(c)[i] - mine.mean_of(c)[i]) * share;
        move_centre(c, mine, way);
        for (std::size_t i = 0; i < d; ++i)
            way[i] = (mine.mean_of(c)[i] - theirs.mean_of(c)[i]) * (own / (own + other));
        from.move_centre(c, theirs, way);
    }
    add_sums(square, from.square);
    add_sums(cross, from.cross);
}

void FourthMoments::remove(const ClassScatterStatistic& mine, FourthMoments rows, const ClassScatterStatistic& theirs) {
    const std::size_t d = mine.dimension, least = std::min(feature_count, rows.feature_count);
    if (gathered()) reduce(least, d);
    if (rows.gathered()) rows.reduce(least, d);
    if (least == 0) return;
    std::vector<double> way(d), back(d);
    for (std::size_t c = 0; c < mine.class_count(); ++c) {
        const double gone = theirs.class_weight[c], rest = difference(mine.class_weight[c], gone);
        if (gone == 0 || rest == 0) continue;
        for (std::size_t i = 0; i < d; ++i) {  // to the mean of the rest
            way[i] = (mine.mean_of(c)[i] - theirs.mean_of(c)[i]) * (gone / rest);
            back[i] = mine.mean_of(c)[i] + way[i] - theirs.mean_of(c)[i];
        }
        move_centre(c, mine, way);
        rows.move_centre(c, theirs, back);
    }
    for (std::size_t at = 0; at < square.size(); ++at) square[at] = difference(square[at], rows.square[at]);
    for (std::size_t at = 0; at < cross.size(); ++at) cross[at] = difference(cross[at], rows.cross[at]);
    for (std::size_t c = 0; c < mine.class_count(); ++c)
        if (difference(mine.class_weight[c], theirs.class_weight[c]) == 0) {
            std::fill_n(square.begin() + static_cast<std::ptrdiff_t>(c * least * least), least * least, 0.0);
            std::fill_n(cross.begin() + static_cast<std::ptrdiff_t>(c * least * d), least * d, 0.0);
        }
}

void FourthMoments::scale(double factor) {
    for (double& each : square) each *= factor;
    for (double& each : cross) each *= factor;
}

void FourthMoments::recode(const CodeMap& classes, std::size_t columns) {
    if (!gathered() || classes.is_identity()) return;
    const std::size_t m = feature_count;
    FourthMoments fresh(classes.count, columns, m);
    for (std::size_t c = 0; c < classes.to.size(); ++c) {
        const std::size_t to = classes.to[c];
        if (to == CodeMap::dropped) continue;
        std::copy_n(square.data() + c * m * m, m * m, fresh.square.data() + to * m * m);
        std::copy_n(cross.data() + c * m * columns, m * columns, fresh.cross.data() + to * m * columns);
    }
    *this = std::move(fresh);
}

bool FourthMoments::valid(std::size_t class_count, std::size_t columns) const {
    const std::size_t m = feature_count;
    return (m <= 1 || m == columns) && square.size() == class_count * m * m &&
           cross.size() == class_count * m * columns;
}

}  // namespace suffice
