// Has each column of the earliest batch read by whichever thread is free.
#include "suffice/read/arrow/ordered_piece.hpp"

#include <algorithm>
#include <exception>

#include <arrow/status.h>

namespace suffice {

Result<void> OrderedPiece::fill(const Batch& batch, std::span<const Wish> wishes) {
    Job mine{batch, wishes, wishes.size()};
    std::unique_lock lock(guard_);
    const auto place = jobs_.emplace(batch.number, &mine).first;
    while (mine.left > 0 && (batch.number < broken_ || mine.running > 0)) {
        const auto [job, column] = find_work(batch.number);
        if (job == nullptr) {
            changed_.wait(lock);
            continue;
        }
        busy_[column] = true;
        ++job->running;
        lock.unlock();
        auto failure = read(*job, column);
        lock.lock();
        busy_[column] = false;
        --job->running;
        if (failure) {
            broken_ = std::min(broken_, job->batch.number);
            job->failure = std::move(failure);
        } else {
            ++next_batch_[column];
            --job->left;
        }
        changed_.notify_all();
    }
    jobs_.erase(place);
    if (mine.failure) return std::move(*mine.failure);
    if (mine.left > 0) return Error("an earlier part of the file could not be read").in_file(file_);
    return {};
}

// A column that can be read now, of the earliest batch that has one and is not behind `up_to`.
std::pair<OrderedPiece::Job*, std::size_t> OrderedPiece::find_work(std::uint64_t up_to) const {
    for (const auto& [number, job] : jobs_) {
        if (number > up_to || number >= broken_) break;
        for (std::size_t column = 0; column < columns_.size(); ++column)
            if (!busy_[column] && next_batch_[column] == number) return {job, column};
    }
    return {nullptr, 0};
}

std::optional<Error> OrderedPiece::read(const Job& job, std::size_t column) const {
    try {
        auto done = columns_[column]->read(job.batch.row_count, job.wishes[column]);
        if (!done) return done.error();
        return {};
    } catch (const std::exception& fault) {
        return arrow_error(arrow::Status::IOError(fault.what()), file_).in_column(names_[column]);
    }
}

}  // namespace suffice
