// What a family keeps of rows, as a value at run time: gathered anywhere, put together, taken apart, saved.
#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "suffice/base/archive.hpp"
#include "suffice/base/record.hpp"
#include "suffice/base/result.hpp"
#include "suffice/data/schema.hpp"

namespace suffice {

using Numbers = std::span<const double>;

// The erased form of one Family and its Statistic; held by FamilyStatistic alone.
class AnyStatistic {
public:
    virtual ~AnyStatistic() = default;
    virtual std::unique_ptr<AnyStatistic> copy() const = 0;
    virtual std::string_view family() const = 0;
    virtual Record shape() const = 0;
    virtual Record sums() const = 0;
    virtual double weight() const = 0;
    virtual bool valid() const = 0;
    virtual bool equals(const AnyStatistic& other) const = 0;
    virtual Result<void> observe(Numbers values, Numbers weights) = 0;
    virtual Result<void> merge(const AnyStatistic& from) = 0;
    virtual Result<void> remove(const AnyStatistic& rows) = 0;
    virtual Result<void> scale(double factor) = 0;
    virtual Result<void> recode(const CodeMap& levels) = 0;
    virtual void write(FieldSink& sink) const = 0;
    virtual void read(FieldSource& source) = 0;
};

// Made by AnyFamily::observe or empty_statistic(); one that was made by neither holds nothing and refuses everything.
// A refused operation leaves the statistic as it was.
class FamilyStatistic {
public:
    FamilyStatistic() = default;
    explicit FamilyStatistic(std::unique_ptr<AnyStatistic> held) : held_(std::move(held)) {}
    FamilyStatistic(const FamilyStatistic& other) : held_(other.held_ ? other.held_->copy() : nullptr) {}
    FamilyStatistic(FamilyStatistic&&) noexcept = default;
    FamilyStatistic& operator=(const FamilyStatistic& other) { return *this = FamilyStatistic(other); }
    FamilyStatistic& operator=(FamilyStatistic&&) noexcept = default;
    ~FamilyStatistic() = default;

    std::string_view family() const { return held_ ? held_->family() : std::string_view{}; }
    Record shape() const { return held_ ? held_->shape() : Record{}; }
    Record sums() const { return held_ ? held_->sums() : Record{}; }  // by the names of the family's fields
    double weight() const { return held_ ? held_->weight() : 0; }     // of the rows in it
    bool operator==(const FamilyStatistic& other) const;

    // Values row by row; empty weights are one each.
    Result<void> observe(Numbers values, Numbers weights = {});
    // Of one family and shape; a code beyond the levels of the other side widens them.
    Result<void> merge(const FamilyStatistic& from);
    Result<void> remove(const FamilyStatistic& rows);  // an Error where those rows were never in
    Result<void> scale(double factor);                 // every row counts so much more or less
    Result<void> recode(const CodeMap& levels);        // of families over levels

    // Name, shape and sums: bytes and files are written over these.
    void write(FieldSink& sink, std::string_view name) const;
    void read(FieldSource& source);

    const AnyStatistic* held() const { return held_.get(); }

private:
    std::unique_ptr<AnyStatistic> held_;
};

}  // namespace suffice
