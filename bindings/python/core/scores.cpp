// Class scores from given coefficients, straight through the kernels: what the drop-in classes predict with.
#include "suffice/kernel/scores.hpp"

#include <functional>
#include <numeric>
#include <string>

#include "core/bind.hpp"
#include "core/score_tiles.hpp"
#include <nanobind/stl/string.h>

#include "suffice/base/result.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/kernel/count.hpp"
#include "suffice/kernel/count_rows.hpp"
#include "suffice/kernel/linear_algebra.hpp"
#include "suffice/kernel/row_dots.hpp"
#include "suffice/kernel/softmax.hpp"

namespace suffice::python {
namespace {

// Adds scores to a tile that starts as zeros; false: a value that no score is known for.
using AddBlock = std::function<bool(const Block& rows, kernel::Tile joint, TileScratch& scratch)>;

nb::tuple scored(const RowsArgument& rows, std::size_t class_count, const std::string& form, int threads,
                 const AddBlock& add, bool difference = false) {
    const Block& all = rows.block();
    const std::size_t count = row_count(all), width = std::max<std::size_t>(column_count(all), 1);
    return score_tiles({count, class_count, count * width * sizeof(double), difference}, form, threads,
                       [&](std::size_t first, kernel::Tile joint, TileScratch& scratch) {
                           return add(slice(all, first, joint.row_count), joint, scratch);
                       });
}

std::vector<std::uint32_t> all_columns(std::size_t count) {
    std::vector<std::uint32_t> columns(count);
    std::iota(columns.begin(), columns.end(), 0u);
    return columns;
}

void check_size(bool good) {
    if (!good) throw Exception(Error("the rows do not have the columns that the coefficients are for"));
}

// add(rows) on floats where they lie, or on doubles.
template <class Add>
void with_numbers(const Block& tile, std::span<const std::uint32_t> columns, TileScratch& scratch, const Add& add) {
    if (const auto floats = rows_in_place<float>(tile, columns)) return add(*floats);
    add(rows_of(tile, columns, scratch.gathered));
}

// bias + weight . (x - centre); with a threshold, x is first 1 where it is above it and else 0. Sparse rows have no
// centre. by_column: the weights of sparse rows are columns x classes, and read where they lie.
nb::tuple affine_scores(nb::handle rows, nb::handle centre, nb::handle weight, nb::handle bias, const std::string& form,
                        nb::handle threshold, bool by_column, int threads) {
    const Buffer centre_buffer(centre), weight_buffer(weight), bias_buffer(bias);
    const auto c = centre_buffer.doubles("centre"), w = weight_buffer.doubles("weight"),
               b = bias_buffer.doubles("bias");
    const std::size_t k = b.size(), d = c.size();
    check_size(w.size() == k * d && k > 0);
    if (nb::isinstance<nb::tuple>(rows)) {
        const auto sparse = nb::borrow<nb::tuple>(rows);
        check_size(sparse.size() == 4 && nb::cast<std::size_t>(sparse[3]) == d);
        return sparse_affine_scores(sparse, w, b, form, by_column, threads);
    }
    const RowsArgument x(rows);
    check_size(column_count(x.block()) == d);
    const auto columns = all_columns(d);
    const bool binary = !threshold.is_none();
    const double above = binary ? nb::cast<double>(threshold) : 0;
    return scored(x, k, form, threads, [&](const Block& tile, kernel::Tile joint, TileScratch& scratch) {
        const auto add = [&](const auto& values) {
            kernel::affine_scores(values, c.data(), w.data(), b.data(), joint);
        };
        if (!binary) {
            with_numbers(tile, columns, scratch, add);
            return true;
        }
        const kernel::Rows values = rows_of(tile, columns, scratch.gathered);
        if (values.values != scratch.gathered.data()) scratch.gathered.resize(values.row_count * d);
        const bool finite = kernel::to_flags(values, above, scratch.gathered.data());
        add(kernel::Rows{scratch.gathered.data(), values.row_count, d, static_cast<std::ptrdiff_t>(d)});
        return finite;
    });
}

// Of two classes, of which the second has the log odds bias + weight . x.
nb::tuple logit_scores(nb::handle rows, nb::handle weight, double bias, const std::string& form, int threads) {
    const Buffer weight_buffer(weight);
    const auto w = weight_buffer.doubles("weight");
    if (nb::isinstance<nb::tuple>(rows)) {
        const auto sparse = nb::borrow<nb::tuple>(rows);
        check_size(sparse.size() == 4 && nb::cast<std::size_t>(sparse[3]) == w.size());
        return sparse_logit_scores(sparse, w, bias, form, threads);
    }
    const RowsArgument x(rows);
    check_size(column_count(x.block()) == w.size());
    const auto columns = all_columns(w.size());
    const auto add = [&](const Block& tile, kernel::Tile joint, TileScratch& scratch) {
        with_numbers(tile, columns, scratch,
                     [&](const auto& values) { kernel::row_dots(values, w.data(), bias, joint.values); });
        return true;
    };
    return scored(x, 2, form, threads, add, true);
}

// classes x columns as columns x classes, which is what affine_scores reads quickest by_column: large ones lie in large
// pages.
Array<double> turned(nb::handle weight) {
    const Buffer buffer(weight);
    const auto w = buffer.doubles("weight");
    check_size(buffer.dimension_count() == 2);
    const std::size_t k = buffer.size(0), d = buffer.size(1);
    auto made = new_array<double>({d, k});
    kernel::transpose_out({const_cast<double*>(w.data()), d, k, d}, made.data(), static_cast<std::ptrdiff_t>(k));
    return made;
}

}  // namespace

void bind_scores(nb::module_& module) {
    module.def("affine_scores", &affine_scores, nb::arg("rows"), nb::arg("centre"), nb::arg("weight"), nb::arg("bias"),
               nb::arg("form"), nb::arg("threshold") = nb::none(), nb::arg("by_column") = false,
               nb::arg("threads") = 0);
    module.def("logit_scores", &logit_scores, nb::arg("rows"), nb::arg("weight"), nb::arg("bias"), nb::arg("form"),
               nb::arg("threads") = 0);
    module.def("turned", &turned, nb::arg("weight"));
}

}  // namespace suffice::python
