// Basis functions of columns: placed by one look at the rows, then written for any rows.
#include <algorithm>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/running.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/encode/basis_terms.hpp"
#include "suffice/persist/bytes.hpp"

namespace suffice::python {
namespace {

struct FittedBasis {
    Schema schema;
    Features features;
    static constexpr auto fields =
        FieldTuple{field("schema", &FittedBasis::schema), field("features", &FittedBasis::features)};
    bool valid() const {
        return std::ranges::all_of(features.columns,
                                   [&](const ColumnBasis& each) { return each.valid(schema.columns.size()); });
    }
};

FittedBasis fit_basis(const std::vector<std::string>& texts, const std::vector<std::string>& columns, nb::handle rows) {
    const RowsArgument x(rows);
    if (columns.size() != column_count(x.block())) throw Exception(Error("there must be one name for each column"));
    FittedBasis made;
    for (const std::string& name : columns) made.schema.columns.push_back({name});
    std::vector<BasisTerm> terms;
    for (const std::string& text : texts) terms.push_back(BasisTerm::parse(text).value());
    made.features = fit_features(made.schema, terms, [&](std::uint32_t column) {
                        std::vector<double> values;
                        for (std::size_t row = 0; row < row_count(x.block()); ++row)
                            values.push_back(value_at(x.block(), row, column));
                        return values;
                    }).value();
    return made;
}

Array<double> transform(const FittedBasis& basis, nb::handle rows) {
    const RowsArgument x(rows);
    if (column_count(x.block()) != basis.schema.columns.size())
        throw Exception(Error("the rows do not have the columns that the basis was fitted to"));
    std::vector<double> scratch;
    const kernel::Rows all = basis.features.rows_of(x.block(), scratch);
    auto out = new_array<double>({all.row_count, all.column_count});
    for (std::size_t row = 0; row < all.row_count; ++row)
        std::copy_n(all.row(row), all.column_count, out.data() + row * all.column_count);
    return out;
}

}  // namespace

void bind_basis(nb::module_& module) {
    nb::class_<FittedBasis>(module, "Basis")
        .def_static("fit", &fit_basis)
        .def("transform", &transform)
        .def_static(
            "from_bytes",
            [](const nb::bytes& bytes) {
                return from_bytes<FittedBasis>({reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size()})
                    .value();
            })
        .def("to_bytes",
             [](const FittedBasis& basis) {
                 const auto bytes = to_bytes(basis);
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def_prop_ro("names", [](const FittedBasis& basis) { return basis.features.names(basis.schema); });
}

}  // namespace suffice::python
