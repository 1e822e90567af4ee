// A group of columns modelled jointly given the class: the one run-time interface.
//
// A Part is one value: which columns it models and what it has seen of them. A blank one is a
// description, a fed one a state; so nothing can pair a state with the wrong description, a Part
// is a Statistic that fold can use, and its bytes explain themselves. Kinds are plain structs with
// `fields`, as families are; this wrapper erases the kind, so copying, comparing, undoing and
// writing exist once, no pointer shows, and a new kind is one file and one line in part/all.hpp.
#pragma once
#include <cassert>

#include "suffice/base/archive.hpp"
#include "suffice/base/workspace.hpp"
#include "suffice/data/schema.hpp"
#include "suffice/estimate/settings.hpp"
#include "suffice/family/concepts.hpp"
#include "suffice/score/scorer.hpp"

namespace suffice {

template <class P>
concept PartKind =
    Statistic<P> && Fielded<P> &&
    requires(P part, const P& seen, const Block& block, const Membership& membership, const Recoding& recoding,
             const Settings& settings, const Schema& schema, Workspace& workspace, std::uint32_t column) {
        { P::name } -> std::convertible_to<std::string_view>;
        { seen.columns } -> std::convertible_to<std::vector<std::uint32_t>>;
        { seen.blank() } -> std::same_as<P>;  // the same columns, nothing seen: the identity of merge
        { seen.valid(schema) } -> std::same_as<bool>;
        { seen.footprint(schema) } -> std::same_as<std::size_t>;  // bytes it grows to; from shapes alone
        { part.observe(block, membership, workspace) } -> std::same_as<void>;
        { part.recode(recoding) } -> std::same_as<void>;
        {
            seen.refuses(schema)
        } -> std::same_as<Result<void>>;  // a value outside the support: an Error naming the column
        {
            seen.level_weight(column, std::size_t{})
        } -> std::same_as<std::vector<double>>;  // of a column's levels, over classes
        { seen.estimate(settings, schema) } -> std::same_as<Result<Estimated>>;
    };

// Of a Part's fields in files. A kind whose fields change their meaning says so by a `version` above 1, and reads what
// older files hold.
template <class P>
inline constexpr std::uint64_t part_version = [] {
    if constexpr (requires { P::version; }) return static_cast<std::uint64_t>(P::version);
    return std::uint64_t{1};
}();

class Part {
public:
    Part() = default;
    template <class P>
        requires(!std::same_as<P, Part> && PartKind<P>)
    Part(P kind) : held_(std::make_unique<Holding<P>>(std::move(kind))) {}
    Part(const Part& other) : held_(other.held_ ? other.held_->copy() : nullptr) {}
    Part(Part&&) noexcept = default;
    Part& operator=(Part other) noexcept {
        held_.swap(other.held_);
        return *this;
    }
    ~Part() = default;
    bool operator==(const Part& other) const { return alike(other) && (!held_ || held_->equals(*other.held_)); }

    std::string_view name() const { return held_->name(); }
    const std::vector<std::uint32_t>& columns() const { return held_->columns(); }
    Part blank() const { return Part(held_->blank()); }
    double weight() const { return held_->weight(); }
    void observe(const Block& block, const Membership& membership, Workspace& workspace) {
        held_->observe(block, membership, workspace);
    }
    void merge(const Part& from) {
        assert(alike(from));
        held_->merge(*from.held_);
    }
    // As if `from` had been recoded before, which a kind may do without a copy.
    void merge(const Part& from, const Recoding& recoding) {
        assert(alike(from));
        held_->merge(*from.held_, recoding);
    }
    bool removes() const { return held_->removes(); }
    bool decays() const { return held_->decays(); }
    void remove(const Part& rows) {
        assert(alike(rows) && removes());
        held_->remove(*rows.held_);
    }
    void scale(double factor) {
        assert(decays());
        held_->scale(factor);
    }
    void recode(const Recoding& recoding) { held_->recode(recoding); }
    bool valid(const Schema& schema) const { return held_ && held_->valid(schema); }
    std::size_t footprint(const Schema& schema) const { return held_->footprint(schema); }
    Result<void> refuses(const Schema& schema) const { return held_->refuses(schema); }
    std::vector<double> level_weight(std::uint32_t column, std::size_t level_count) const {
        return held_->level_weight(column, level_count);
    }
    Result<Estimated> estimate(const Settings& settings, const Schema& schema) const {
        return held_->estimate(settings, schema);
    }

    // May these two be merged once they are recoded alike?
    bool matches(const Part& other) const {
        return alike(other) && (!held_ || (held_->columns() == other.held_->columns() && held_->matches(*other.held_)));
    }
    template <class P>
    const P* as() const {
        const auto* holding = dynamic_cast<const Holding<P>*>(held_.get());
        return holding ? &holding->kind : nullptr;
    }
    template <class P>
    P* as() {
        auto* holding = dynamic_cast<Holding<P>*>(held_.get());
        return holding ? &holding->kind : nullptr;
    }
    void write(FieldSink& sink, std::string_view name) const {
        sink.open_record(name);
        sink.text("part", held_->name());
        sink.whole("version", held_->version());
        held_->write(sink);
        sink.close();
    }
    void read(FieldSource& source);  // in part/all.cpp, which knows the kinds

private:
    struct Held {
        virtual ~Held() = default;
        virtual std::unique_ptr<Held> copy() const = 0;
        virtual std::unique_ptr<Held> blank() const = 0;
        virtual bool equals(const Held&) const = 0;
        virtual bool matches(const Held&) const = 0;
        virtual std::string_view name() const = 0;
        virtual std::uint64_t version() const = 0;
        virtual const std::vector<std::uint32_t>& columns() const = 0;
        virtual double weight() const = 0;
        virtual void observe(const Block&, const Membership&, Workspace&) = 0;
        virtual void merge(const Held&) = 0;
        virtual void merge(const Held&, const Recoding&) = 0;
        virtual bool removes() const = 0;
        virtual bool decays() const = 0;
        virtual void remove(const Held&) = 0;
        virtual void scale(double) = 0;
        virtual void recode(const Recoding&) = 0;
        virtual bool valid(const Schema&) const = 0;
        virtual std::size_t footprint(const Schema&) const = 0;
        virtual Result<void> refuses(const Schema&) const = 0;
        virtual std::vector<double> level_weight(std::uint32_t, std::size_t) const = 0;
        virtual Result<Estimated> estimate(const Settings&, const Schema&) const = 0;
        virtual void write(FieldSink&) const = 0;
    };
    template <class P>
    struct Holding final : Held {
        P kind;
        explicit Holding(P it) : kind(std::move(it)) {}
        static const P& of(const Held& other) { return static_cast<const Holding&>(other).kind; }

        std::unique_ptr<Held> copy() const override { return std::make_unique<Holding>(kind); }
        std::unique_ptr<Held> blank() const override { return std::make_unique<Holding>(kind.blank()); }
        bool equals(const Held& other) const override { return kind == of(other); }
        bool matches([[maybe_unused]] const Held& other) const override {
            if constexpr (requires { kind.matches(of(other)); }) return kind.matches(of(other));
            return true;
        }
        std::string_view name() const override { return P::name; }
        std::uint64_t version() const override { return part_version<P>; }
        const std::vector<std::uint32_t>& columns() const override { return kind.columns; }
        double weight() const override { return kind.weight(); }
        void observe(const Block& block, const Membership& membership, Workspace& workspace) override {
            kind.observe(block, membership, workspace);
        }
        void merge(const Held& from) override { kind.merge(of(from)); }
        void merge(const Held& from, const Recoding& recoding) override {
            if constexpr (requires { kind.merge(of(from), recoding); }) {
                kind.merge(of(from), recoding);
            } else {
                P recoded = of(from);
                recoded.recode(recoding);
                kind.merge(recoded);
            }
        }
        bool removes() const override { return RemovableStatistic<P>; }
        bool decays() const override { return DecayableStatistic<P>; }
        void remove([[maybe_unused]] const Held& rows) override {
            if constexpr (RemovableStatistic<P>) kind.remove(of(rows));
        }
        void scale([[maybe_unused]] double factor) override {
            if constexpr (DecayableStatistic<P>) kind.scale(factor);
        }
        void recode(const Recoding& recoding) override { kind.recode(recoding); }
        bool valid(const Schema& schema) const override { return kind.valid(schema); }
        std::size_t footprint(const Schema& schema) const override { return kind.footprint(schema); }
        Result<void> refuses(const Schema& schema) const override { return kind.refuses(schema); }
        std::vector<double> level_weight(std::uint32_t column, std::size_t level_count) const override {
            return kind.level_weight(column, level_count);
        }
        Result<Estimated> estimate(const Settings& settings, const Schema& schema) const override {
            return kind.estimate(settings, schema);
        }
        void write(FieldSink& sink) const override { write_value(sink, "state", kind); }
    };
    explicit Part(std::unique_ptr<Held> held) : held_(std::move(held)) {}
    bool alike(const Part& other) const {
        if (!held_ || !other.held_) return !held_ && !other.held_;
        return held_->name() == other.held_->name();  // files too tell kinds apart by it
    }

    std::unique_ptr<Held> held_;
};

static_assert(RemovableStatistic<Part> && DecayableStatistic<Part>);

}  // namespace suffice
