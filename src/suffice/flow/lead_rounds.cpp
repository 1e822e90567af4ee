// Runs learners over logs of rounds.
#include "suffice/flow/lead_rounds.hpp"

#include <algorithm>
#include <deque>
#include <numeric>

#include "suffice/data/rounds.hpp"
#include "suffice/flow/cluster_finders.hpp"
#include "suffice/flow/fit.hpp"
#include "suffice/flow/row_source.hpp"
#include "suffice/persist/bytes.hpp"

namespace suffice {
namespace {

std::span<const std::byte> as_bytes(const std::string& text) {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

// An entry is what kind of pass it answers, then the statistic.
class LoggedRounds final : public Rounds {
public:
    LoggedRounds(const RoundsLog& log, const std::vector<std::string>* parts) : log_(log), parts_(parts) {}

    Turn next(std::string_view what) override {
        what_ = what;
        if (over_) return Turn::over;
        if (at_ < log_.size()) return open(log_[at_++], what) ? Turn::answered : Turn::over;
        if (parts_ == nullptr) {
            begin(what);
            return Turn::own;
        }
        if (merged_ || parts_->empty()) {
            over_ = true;
            return Turn::over;
        }
        merged_ = true;
        return Turn::merge;
    }
    FieldSource& answer() override { return sources_.back(); }
    std::size_t part_count() const override { return parts_->size(); }
    FieldSource& part(std::size_t which) override {
        open((*parts_)[which], what_);
        if (sink_.bytes.empty()) begin(what_);
        return sources_.back();
    }
    FieldSink& sink() override { return sink_; }
    void made() override {
        const auto* first = reinterpret_cast<const char*>(sink_.bytes.data());
        added_.emplace_back(first, sink_.bytes.size());
        sink_ = {};
        over_ = over_ || parts_ == nullptr;
    }
    bool knows(std::string_view what) override {
        if (!over_ && at_ < log_.size()) return open(log_[at_++], what);
        begin(what);
        return false;
    }

    RoundsLog& added() { return added_; }
    bool over() const { return over_; }
    bool strayed() const { return strayed_; }

private:
    bool open(const std::string& entry, std::string_view what) {
        sources_.clear();
        BinarySource& source = sources_.emplace_back(as_bytes(entry));
        strayed_ = strayed_ || source.text() != what;
        over_ = over_ || strayed_;
        if (strayed_) source.fail();
        return !strayed_;
    }
    void begin(std::string_view what) {
        sink_ = {};
        sink_.text({}, what);
    }

    const RoundsLog& log_;
    const std::vector<std::string>* parts_;  // null: of a part
    std::size_t at_ = 0;
    bool merged_ = false, over_ = false, strayed_ = false;
    std::string what_;
    std::deque<BinarySource> sources_;
    BinarySink sink_;
    RoundsLog added_;
};

// The rows of whoever leads: none.
class NoRows final : public Stream {
public:
    explicit NoRows(Schema names) : names_(std::move(names)) {}
    std::unique_ptr<Drawn> drawn() const override { return std::make_unique<Drawn>(); }
    std::unique_ptr<Lane> lane() const override {
        auto made = std::make_unique<Lane>();
        made->names = names_;
        return made;
    }
    Result<bool> draw(Drawn&) override { return false; }
    Result<LabeledBlock> decode(Drawn&, Lane&) const override { return LabeledBlock{}; }
    Result<void> rewind() override { return {}; }
    std::uint64_t unit_count() const override { return 0; }
    std::uint64_t byte_count() const override { return 0; }
    Progress progress() const override { return {}; }

private:
    Schema names_;
};

// One part of the rows, under the numbers that they have among all.
class PartStream final : public Stream {
public:
    PartStream(std::unique_ptr<Stream> rows, Rounds& rounds, std::uint64_t first_row)
        : rows_(std::move(rows)), rounds_(rounds), first_row_(first_row) {}
    std::unique_ptr<Drawn> drawn() const override { return rows_->drawn(); }
    std::unique_ptr<Lane> lane() const override { return rows_->lane(); }
    Result<bool> draw(Drawn& unit) override { return rows_->draw(unit); }
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override {
        auto block = rows_->decode(unit, lane);
        if (block) block->first_row += first_row_;
        return block;
    }
    Error located(Error error, const Lane& lane) const override {
        if (error.row && *error.row > first_row_) *error.row -= first_row_;
        return rows_->located(std::move(error), lane);
    }
    Result<void> rewind() override { return rows_->rewind(); }
    std::uint64_t unit_count() const override { return rows_->unit_count(); }
    std::uint64_t byte_count() const override { return 0; }  // of all rows: nobody knows
    Progress progress() const override { return rows_->progress(); }
    Rounds* rounds() const override { return &rounds_; }
    RowBlocks blocks() const override { return {first_row_, rows_->blocks().rows}; }

private:
    std::unique_ptr<Stream> rows_;
    Rounds& rounds_;
    std::uint64_t first_row_;
};

class PartSource final : public RowSource {
public:
    // opened: null where there are no rows.
    PartSource(const Schema& names, TableStream* opened, Rounds& rounds, std::uint64_t first_row)
        : schema_(names), opened_(opened), rounds_(rounds), first_row_(first_row) {
        first_ = over(opened_ == nullptr ? nullptr : std::make_unique<TableStream>(*opened_), schema_);
    }
    const Schema& schema() const override { return schema_; }
    Stream& rows() override { return *first_; }
    Result<std::unique_ptr<Stream>> under(const Schema& names, const Context&) override {
        return over(opened_ == nullptr ? nullptr : std::make_unique<TableStream>(opened_->with_names(names)), names);
    }
    std::unique_ptr<Stream> without_labels(const Schema& names) const {
        return over(opened_ == nullptr ? nullptr : std::make_unique<TableStream>(opened_->without_labels(names)),
                    names);
    }
    // Rows are told as the part counts them, and are not read again to find them.
    Error at_row(Error error) override { return error; }
    Error at_refused_row(Error error, const ModelState&) override { return error; }

private:
    std::unique_ptr<Stream> over(std::unique_ptr<Stream> rows, const Schema& names) const {
        if (rows == nullptr) rows = std::make_unique<NoRows>(names);
        return std::make_unique<PartStream>(std::move(rows), rounds_, first_row_);
    }

    Schema schema_;
    TableStream* opened_;
    Rounds& rounds_;
    std::uint64_t first_row_;
    std::unique_ptr<Stream> first_;
};

Result<RoundDone> grouped(const RoundsJob& job, PartSource& source, const Context& context) {
    ClusterOptions options = *job.groups;
    options.fit = job.options;
    if (options.distance || options.online || options.model == "variational_mixture")
        return Error(ErrorKind::usage, "rows in parts are grouped by gaussian_mixture, mixture and k_means");
    const auto names = feed(make_state({.model = "naive_bayes"}, source.schema()).value(), source.rows(), context);
    if (!names) return names.error();
    Schema schema = names->statistic.schema;
    const double total = names->statistic.weight();
    const auto rows = source.without_labels(schema);
    schema.classes.clear();
    auto found = find_groups(options, schema, *rows, context);
    if (!found) return found.error();
    RoundDone done;
    done.clustered = std::move(found->told);
    if (found->state) {
        auto model = mixture_model(std::move(*found->state), total, {});
        if (!model) return model.error();
        done.model = std::move(*model);
        return done;
    }
    return done;
}

Result<RoundDone> run(const RoundsJob& job, PartSource& source, const Context& context) {
    if (job.groups) return grouped(job, source, context);
    RoundDone done;
    if (job.compare) {
        auto told = compare(source, job.compared, job.options, *job.compare, context);
        if (!told) return told.error();
        done.compared = std::move(*told);
        return done;
    }
    auto model =
        job.options.model == "auto" ? fit_best(source, job.options, context) : fit(source, job.options, {}, context);
    if (!model) return model.error();
    done.model = std::move(*model);
    return done;
}

const Schema& names_of(const RoundsJob& job) { return std::get<ModelState>(job.blank.state).statistic.schema; }

Error strayed_error() {
    return {ErrorKind::internal,
            "the leader of the fit and its parts went different ways; do they run one version on "
            "processors of one kind?"};
}

}  // namespace

Result<std::string> take_round(const RoundsJob& job, const RoundsLog& log, std::unique_ptr<TableReader> rows,
                               std::uint64_t first_row, const Context& context) {
    auto opened = open_part(job.blank, std::move(rows), job.options);
    if (!opened) return opened.error();
    LoggedRounds rounds(log, nullptr);
    PartSource source(names_of(job), opened->data.stream.get(), rounds, first_row);
    const auto ended = run(job, source, context);
    if (rounds.strayed()) return strayed_error();
    if (!rounds.added().empty()) return std::move(rounds.added().back());
    if (ended) return Error(ErrorKind::usage, "the fit has ended; there is no further round");
    Error error = ended.error();
    if (error.file.empty() && opened->data.reader->files().size() == 1) error.file = opened->data.reader->files()[0];
    return error;
}

Result<RoundDone> lead_round(const RoundsJob& job, const RoundsLog& log, const std::vector<std::string>& parts,
                             const Context& context) {
    LoggedRounds rounds(log, &parts);
    PartSource source(names_of(job), nullptr, rounds, 0);
    auto ended = run(job, source, context);
    if (rounds.strayed()) return strayed_error();
    if (rounds.over()) {
        RoundDone further;
        further.added = std::move(rounds.added());
        return further;
    }
    if (!ended) return ended.error();
    ended->added = std::move(rounds.added());
    return ended;
}

}  // namespace suffice
