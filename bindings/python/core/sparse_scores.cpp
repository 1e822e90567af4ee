// Linear scores of the rows of a CSR matrix where it lies: indices are checked and narrowed tile by tile, by the thread
// that needs them next.
#include <algorithm>
#include <atomic>
#include <optional>

#include "core/score_tiles.hpp"

#include "suffice/base/result.hpp"
#include "suffice/kernel/sparse_dots.hpp"
#include "suffice/score/sparse_affine.hpp"

namespace suffice::python {
namespace {

constexpr std::size_t entries_worth_a_thread = 600'000;  // times classes: a few times as long as its start

// Numbers of 32 or 64 bits.
struct Indices {
    std::span<const std::int32_t> narrow;
    std::span<const std::int64_t> wide;

    Indices(const Buffer& buffer, const char* what) {
        if (buffer.element() == Element::i64)
            wide = buffer.wide_codes(what);
        else
            narrow = buffer.codes(what);
    }
    std::size_t size() const { return narrow.size() + wide.size(); }  // one of them is empty
    std::int64_t at(std::size_t place) const { return narrow.empty() ? wide[place] : narrow[place]; }

    // As columns below column_count, copied where they are wide; none: there is another number among them.
    std::optional<std::span<const std::uint32_t>> columns(std::size_t first, std::size_t count,
                                                          std::size_t column_count,
                                                          std::vector<std::uint32_t>& scratch) const {
        std::int64_t outside = column_count == 0 && count > 0 ? -1 : 0;
        const auto last = static_cast<std::int64_t>(std::min<std::size_t>(column_count, 0xFFFFFFFF)) - 1;
        if (wide.empty()) {
            // The sign of one of both is set where a number is negative or beyond the last column.
            const std::span some(reinterpret_cast<const std::uint32_t*>(narrow.data() + first), count);
            const auto end = static_cast<std::uint32_t>(std::min<std::int64_t>(last, 0x7FFFFFFF));
            std::uint32_t signs = 0;
            for (std::uint32_t each : some) signs |= each | (end - each);
            if (signs >> 31 != 0 || outside < 0) return std::nullopt;
            return some;
        }
        const auto some = wide.subspan(first, count);
        if (scratch.size() < count) scratch.resize(count);
        for (std::size_t k = 0; k < count; ++k) {
            outside |= some[k] | (last - std::max<std::int64_t>(some[k], 0));
            scratch[k] = static_cast<std::uint32_t>(some[k]);
        }
        if (outside < 0) return std::nullopt;
        return std::span<const std::uint32_t>(scratch.data(), count);
    }
};

// to = from - first; false: it does not ascend from a place.
template <class Index>
bool steps(const Index* from, std::int64_t first, std::vector<std::int64_t>& to) {
    std::int64_t before = first;
    bool ascends = first >= 0;
    for (std::size_t k = 0; k < to.size(); ++k) {
        const std::int64_t at = from[k];
        ascends &= at >= before;
        to[k] = ascends ? at - first : 0;
        before = at;
    }
    return ascends;
}

class SparseRows {
public:
    explicit SparseRows(const nb::tuple& parts)
        : buffers_{Buffer(parts[0]), Buffer(parts[1]), Buffer(parts[2])},
          starts_(buffers_[0], "row starts"),
          columns_(buffers_[1], "column numbers"),
          values_(buffers_[2].doubles("values")),
          column_count_(nb::cast<std::size_t>(parts[3])) {
        if (starts_.size() == 0 || columns_.size() != values_.size()) refuse();
    }

    // Tiles as add fills them, which says false where the rows are not those of a matrix.
    nb::tuple scored(std::size_t class_count, bool difference, const std::string& form, int threads,
                     const AddScores& add) const {
        std::atomic<bool> consistent{true};
        const bool few = values_.size() * class_count < entries_worth_a_thread;
        nb::tuple scores = score_tiles({starts_.size() - 1, class_count, values_.size() * sizeof(double), difference},
                                       form, threads == 0 && few ? 1 : threads,
                                       [&](std::size_t first_row, kernel::Tile joint, TileScratch& scratch) {
                                           if (!add(first_row, joint, scratch)) consistent = false;
                                           return true;
                                       });
        if (!consistent) refuse();
        return scores;
    }

    // joint += affine's scores of rows first_row, ...; false: they are not those of a matrix.
    bool add(const SparseAffine& affine, std::size_t first_row, kernel::Tile joint, TileScratch& scratch) const {
        const auto begin = find(first_row, joint.row_count, scratch);
        if (!begin) return false;
        const auto count = static_cast<std::size_t>(scratch.row_start.back());
        const auto columns = columns_.columns(*begin, count, column_count_, scratch.columns);
        if (columns) affine.add({scratch.row_start, *columns, values_.subspan(*begin, count), column_count_}, joint);
        return columns.has_value();
    }
    // out = bias + weight . x of the rows first_row, ...; false: they are not those of a matrix.
    bool dots(std::span<const double> weight, double bias, std::size_t first_row, std::span<double> out) const {
        const auto of = [&](auto starts) {
            const auto some = starts.subspan(first_row, out.size() + 1);
            return columns_.wide.empty() ? kernel::sparse_dots(some, columns_.narrow, values_, weight, bias, out.data())
                                         : kernel::sparse_dots(some, columns_.wide, values_, weight, bias, out.data());
        };
        return starts_.wide.empty() ? of(starts_.narrow) : of(starts_.wide);
    }

private:
    [[noreturn]] static void refuse() { throw Exception(Error("the sparse matrix is not consistent")); }

    // Where the entries of some rows begin; where each row begins from there on goes to the scratch.
    std::optional<std::size_t> find(std::size_t first_row, std::size_t count, TileScratch& scratch) const {
        scratch.row_start.resize(count + 1);
        const std::int64_t first = starts_.at(first_row);
        const bool ordered = starts_.narrow.empty()
                                 ? steps(starts_.wide.data() + first_row, first, scratch.row_start)
                                 : steps(starts_.narrow.data() + first_row, first, scratch.row_start);
        const auto begin = static_cast<std::size_t>(first);
        if (!ordered || begin > values_.size() ||
            static_cast<std::size_t>(scratch.row_start.back()) > values_.size() - begin)
            return std::nullopt;
        return begin;
    }

    Buffer buffers_[3];
    Indices starts_, columns_;
    std::span<const double> values_;
    std::size_t column_count_;
};

}  // namespace

nb::tuple sparse_affine_scores(const nb::tuple& parts, std::span<const double> weight, std::span<const double> bias,
                               const std::string& form, bool by_column, int threads) {
    const SparseRows rows(parts);
    const SparseAffine affine = by_column ? SparseAffine::over(weight, bias) : SparseAffine(weight, bias);
    return rows.scored(bias.size(), false, form, threads,
                       [&](std::size_t first_row, kernel::Tile joint, TileScratch& scratch) {
                           return rows.add(affine, first_row, joint, scratch);
                       });
}

nb::tuple sparse_logit_scores(const nb::tuple& parts, std::span<const double> weight, double bias,
                              const std::string& form, int threads) {
    const SparseRows rows(parts);
    return rows.scored(2, true, form, threads, [&](std::size_t first_row, kernel::Tile joint, TileScratch&) {
        return rows.dots(weight, bias, first_row, {joint.values, joint.row_count});
    });
}

}  // namespace suffice::python
