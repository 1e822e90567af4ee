// A piece of a file whose columns can each be read in order only, by several threads.
#pragma once
#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>

#include "suffice/read/arrow/arrow_file.hpp"

namespace suffice {

class OrderedColumn {
public:
    virtual ~OrderedColumn() = default;
    // The next rows. Throws what Parquet throws at damaged files.
    virtual Result<void> read(std::int64_t row_count, const ArrowPiece::Wish& wish) = 0;
};

// The next batch of a column can be read once the one before it was. Pages of all columns tend to end at the same row,
// so the batch there has nearly all the work: threads with later batches help with it, column by column, before their
// own. Batches are drawn in order, so the earliest never waits.
class OrderedPiece final : public ArrowPiece {
public:
    OrderedPiece(std::string file, std::vector<std::string> names, std::int64_t row_count,
                 std::vector<std::unique_ptr<OrderedColumn>> columns, std::shared_ptr<const void> source)
        : file_(std::move(file)),
          names_(std::move(names)),
          row_count_(row_count),
          source_(std::move(source)),
          columns_(std::move(columns)),
          next_batch_(columns_.size()),
          busy_(columns_.size()) {}

    std::int64_t row_count() const override { return row_count_; }
    Result<void> fill(const Batch& batch, std::span<const Wish> wishes) override;

private:
    struct Job {
        Batch batch;
        std::span<const Wish> wishes;
        std::size_t left = 0, running = 0;  // columns not read yet; those that a thread is reading
        std::optional<Error> failure = {};
    };
    std::pair<Job*, std::size_t> find_work(std::uint64_t up_to) const;
    std::optional<Error> read(const Job& job, std::size_t column) const;

    std::string file_;
    std::vector<std::string> names_;  // of the columns
    std::int64_t row_count_;
    std::shared_ptr<const void> source_;  // which the columns read from
    std::vector<std::unique_ptr<OrderedColumn>> columns_;
    std::mutex guard_;  // of what follows
    std::condition_variable changed_;
    std::map<std::uint64_t, Job*> jobs_;        // by the number of the batch
    std::vector<std::uint64_t> next_batch_;     // of each column
    std::vector<char> busy_;                    // columns that a thread is reading
    std::uint64_t broken_ = ~std::uint64_t{0};  // the batch that failed: neither it nor a later one can be read
};

}  // namespace suffice
