// The statistic of one family behind the run-time interface: what Erased families make and read.
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>

#include "suffice/data/recode.hpp"
#include "suffice/family/observe.hpp"
#include "suffice/family/statistic.hpp"

namespace suffice {

template <Family F>
class ErasedStatistic final : public AnyStatistic {
    using Statistic = typename F::Statistic;

public:
    explicit ErasedStatistic(F family) : family_(std::move(family)), statistic_(family_.empty()) {}

    const F& of() const { return family_; }
    const Statistic& statistic() const { return statistic_; }

    std::unique_ptr<AnyStatistic> copy() const override { return std::make_unique<ErasedStatistic>(*this); }
    std::string_view family() const override { return F::name; }
    Record shape() const override { return to_record(family_); }
    Record sums() const override { return to_record(statistic_); }
    double weight() const override { return statistic_.weight(); }
    bool valid() const override { return family_.valid(statistic_); }
    bool equals(const AnyStatistic& other) const override {
        const auto* same = dynamic_cast<const ErasedStatistic*>(&other);
        return same != nullptr && same->family_ == family_ && same->statistic_ == statistic_;
    }

    Result<void> observe(Numbers values, Numbers weights) override {
        auto seen = observe_all(family_, values, weights);
        if (!seen) return seen.error();
        if (statistic_ == family_.empty())
            statistic_ = std::move(*seen);  // so that rows observed at once give the very bits of a fit to them
        else
            statistic_.merge(*seen);
        return {};
    }
    Result<void> merge(const AnyStatistic& from) override {
        auto more = alike(from);
        if (!more) return more.error();
        statistic_.merge(more->statistic_);
        return {};
    }
    Result<void> remove(const AnyStatistic& rows) override {
        if constexpr (!RemovableStatistic<Statistic>)
            return Error{ErrorKind::usage, std::string(F::name) + " cannot take rows out again"};
        else {
            ErasedStatistic rest = *this;
            const auto gone = rest.alike(rows);
            if (!gone) return gone.error();
            rest.statistic_.remove(gone->statistic_);
            if (!rest.valid()) return Error{std::string(F::name) + ": those rows are not all in this statistic"};
            *this = std::move(rest);
            return {};
        }
    }
    Result<void> scale(double factor) override {
        if constexpr (!DecayableStatistic<Statistic>)
            return Error{ErrorKind::usage, std::string(F::name) + " cannot be scaled"};
        else {
            if (!(factor >= 0) || std::isinf(factor))
                return Error{ErrorKind::usage, std::string(F::name) + ": a factor is a finite number from 0"};
            statistic_.scale(factor);
            return {};
        }
    }
    Result<void> recode(const CodeMap& levels) override {
        if constexpr (!requires { family_.level_count; })
            return Error{ErrorKind::usage, std::string(F::name) + " has no levels"};
        else {
            if (levels.to.size() < family_.level_count)
                return Error{ErrorKind::usage, std::string(F::name) + ": every level needs a new code"};
            recode_levels(statistic_, levels);
            recode_levels(family_, levels);
            return {};
        }
    }
    void write(FieldSink& sink) const override { write_value(sink, "sums", statistic_); }
    void read(FieldSource& source) override { read_value(source, statistic_); }

private:
    // The other one, once both have the same shape.
    Result<ErasedStatistic> alike(const AnyStatistic& other) {
        const auto* same = dynamic_cast<const ErasedStatistic*>(&other);
        if (same == nullptr)
            return Error{ErrorKind::usage, "statistics of " + std::string(F::name) + " and of " +
                                               std::string(other.family()) + " do not go together"};
        ErasedStatistic copied = *same;
        if (copied.family_ == family_) return copied;
        if constexpr (requires { family_.level_count; } && std::same_as<typename F::Value, double>) {
            const auto count = std::max(family_.level_count, copied.family_.level_count);
            widen(count);
            copied.widen(count);
            if (copied.family_ == family_) return copied;
        }
        return Error{ErrorKind::usage, std::string(F::name) + ": the shapes (" + record_text(shape()) + ") and (" +
                                           record_text(other.shape()) + ") do not go together"};
    }
    void widen(std::uint32_t count)
        requires requires(F f) { f.level_count; }
    {
        CodeMap kept{{}, count};
        for (std::uint32_t level = 0; level < family_.level_count; ++level) kept.to.push_back(level);
        recode_levels(statistic_, kept);
        recode_levels(family_, kept);
    }

    F family_;
    Statistic statistic_;
};

}  // namespace suffice
