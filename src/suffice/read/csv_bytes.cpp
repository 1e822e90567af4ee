// Reads ahead for a look and hands out the same bytes again.
#include "suffice/read/csv_bytes.hpp"

#include <algorithm>
#include <cstring>

namespace suffice {

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
