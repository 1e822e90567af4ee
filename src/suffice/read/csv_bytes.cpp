// Reads ahead for a look and hands out the same bytes again.
#include "suffice/read/csv_bytes.hpp"

#include <algorithm>
#include <cstring>

#include "suffice/read/rewritten.hpp"

namespace suffice {
namespace {

// Bytes that were looked at, then those behind them.
class StartAgain final : public ByteSource {
public:
    StartAgain(std::string start, std::unique_ptr<ByteSource> rest)
        : start_(std::move(start)), rest_(std::move(rest)) {}
    Result<std::size_t> read(char* into, std::size_t size) override {
        const std::size_t early = std::min(size, start_.size() - next_);
        std::memcpy(into, start_.data() + next_, early);
        next_ += early;
        if (early == size) return early;
        const auto got = rest_->read(into + early, size - early);
        if (!got) return got;
        return early + *got;
    }
    std::uint64_t consumed() const override { return rest_->consumed(); }

private:
    std::string start_;
    std::size_t next_ = 0;
    std::unique_ptr<ByteSource> rest_;
};

Error no_database(const std::string& name) {
    return Error(ErrorKind::usage, "only SQLite and DuckDB files answer a query").in_file(name);
}

}  // namespace

Result<void> CsvBytes::open(std::size_t number, const std::string& path, const std::string& name) {
    number_ = number;
    if (kept_.contains(number)) {
        raw_ = std::move(kept_[number]);
        if (auto back = raw_->rewind(); !back) return back;
    } else {
        auto raw = RawFile::open(path, keep_);
        if (!raw) return raw.error();
        raw_ = std::move(*raw);
    }
    auto source = open_bytes(*raw_, name, latin1_);
    if (!source) return source.error();
    source_ = std::move(*source);
    start_.clear();
    next_ = 0;
    ended_ = rewritten_ = false;
    line_shift_ = 0;
    if (auto looked = look(format_look_bytes); !looked) return looked;
    return rewrite(path, name);
}

// Where the bytes are no delimited text, those of the same rows as CSV take their place.
Result<void> CsvBytes::rewrite(const std::string& path, const std::string& name) {
    const RowFormat format = row_format(start_);
    if (format == RowFormat::delimited) return query_.empty() ? Result<void>() : no_database(name);
    const bool needs_file = format == RowFormat::workbook || format == RowFormat::database;
    if (needs_file && !regular_size(path))
        return Error(
                   "Excel and database files are read here and there, which a pipe cannot do; save it to a file first")
            .in_file(name);
    if (format != RowFormat::database && !query_.empty()) return no_database(name);
    const bool duckdb = is_duckdb(start_);
    auto all = std::make_unique<StartAgain>(std::move(start_), std::move(source_));
    auto made = format == RowFormat::json       ? rewrite_json(std::move(all), name)
                : format == RowFormat::arff     ? rewrite_arff(std::move(all), name)
                : format == RowFormat::workbook ? rewrite_workbook(path)
                                                : rewrite_database(path, query_, duckdb);
    if (!made) return made.error();
    source_ = std::move(made->csv);
    line_shift_ = made->line_shift;
    rewritten_ = true;
    start_.clear();
    ended_ = false;
    return {};
}

void CsvBytes::close() {
    source_.reset();
    if (raw_ != nullptr && !raw_->can_be_opened_again()) kept_[number_] = std::move(raw_);
    raw_.reset();
}

void CsvBytes::stop_keeping() {
    keep_ = false;
    if (raw_ != nullptr) raw_->stop_keeping();
}

Result<void> CsvBytes::look(std::size_t wanted) {
    while (start_.size() < wanted && !ended_) {  // by steps: most files are small
        const std::size_t had = start_.size(),
                          step = std::min<std::size_t>(wanted - had, std::max<std::size_t>(had, 1 << 12));
        start_.resize(had + step);
        auto got = source_->read(start_.data() + had, step);
        if (!got) return got.error();
        start_.resize(had + *got);
        ended_ = *got < step;
    }
    return {};
}

void CsvBytes::skip(std::size_t count) { next_ = std::min(next_ + count, start_.size()); }

Result<std::size_t> CsvBytes::read(char* into, std::size_t size) {
    const std::size_t early = std::min(size, start_.size() - next_);
    std::memcpy(into, start_.data() + next_, early);
    next_ += early;
    if (next_ == start_.size() && next_ > 0) {
        start_ = std::string();
        next_ = 0;
    }
    if (early == size || ended_) return early;
    auto got = source_->read(into + early, size - early);
    if (!got) return got;
    ended_ = *got < size - early;
    return early + *got;
}

}  // namespace suffice
