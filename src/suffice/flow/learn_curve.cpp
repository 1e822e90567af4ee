// Draws rows, fits, judges; again and again.
#include "suffice/flow/learn_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/flow/fit.hpp"
#include "suffice/flow/open_data.hpp"
#include "suffice/flow/settings_table.hpp"
#include "suffice/flow/where.hpp"

namespace suffice {
namespace {

struct LabeledRowsInMemory {
    std::size_t width = 0;
    std::vector<double> values;     // row by row
    std::vector<std::size_t> code;  // of the classes of the schema
    std::size_t size() const { return code.size(); }

    void add(std::span<const double> row, std::size_t c) {
        values.insert(values.end(), row.begin(), row.end());
        code.push_back(c);
    }
    std::span<const double> row(std::size_t k) const { return std::span(values).subspan(k * width, width); }
    Block block() const { return rows(values.data(), size(), width); }
};

LabeledRowsInMemory drawn_from(const Predictor& truth, std::size_t count, Rng& rng) {
    LabeledRowsInMemory made{truth.schema().columns.size(), {}, {}};
    for (std::size_t k = 0; k < count; ++k) {
        double left = rng.uniform();
        std::size_t c = 0;
        while (c + 1 < truth.class_count() && (left -= std::exp(truth.log_prior()[c])) >= 0) ++c;
        made.add(truth.sample(c, rng).values, c);
    }
    return made;
}

// What each class is worth on each row: of a stated model its posterior, of known labels one and zeros.
struct Judge {
    Block block;
    std::size_t rows = 0;
    std::vector<double> share;  // rows x classes
};

struct Scored {
    double error = 0, log_loss = 0;
    std::vector<double> posterior;  // rows x classes
};

// A class that the rows learned from lacked has the smallest probability there is.
Result<Scored> judged(const Model& model, const Judge& judge, const std::vector<std::string>& classes) {
    const auto found = model.posteriors(judge.block);
    if (!found) return found.error();
    std::vector<std::size_t> place;
    for (const auto& name : model.classes())
        place.push_back(static_cast<std::size_t>(std::ranges::find(classes, name) - classes.begin()));
    Scored sum;
    sum.posterior.resize(judge.rows * classes.size());
    for (std::size_t row = 0; row < judge.rows; ++row) {
        const std::span posterior = std::span(sum.posterior).subspan(row * classes.size(), classes.size());
        for (std::size_t k = 0; k < place.size(); ++k) posterior[place[k]] = (*found)(row, k);
        const auto best = static_cast<std::size_t>(std::ranges::max_element(posterior) - posterior.begin());
        const double* const share = judge.share.data() + row * classes.size();
        sum.error += 1 - share[best];
        for (std::size_t c = 0; c < classes.size(); ++c)
            if (share[c] > 0)
                sum.log_loss -= share[c] * std::log(std::max(posterior[c], std::numeric_limits<double>::min()));
    }
    const double n = static_cast<double>(judge.rows);
    sum.error /= n;
    sum.log_loss /= n;
    return sum;
}

struct Mean {
    double count = 0, mean = 0, squares = 0;
    void add(double x) {
        ++count;
        const double way = x - mean;
        mean += way / count;
        squares += way * (x - mean);
    }
    double error() const { return count > 1 ? std::sqrt(squares / (count - 1) / count) : 0; }
};

// Posteriors of the same rows by models that learned from one draw after another: how far their mean is from the truth,
// and how far each is from their mean. Squares, summed over classes, on average over rows: together what the Brier
// score is above the least.
struct Spread {
    std::vector<double> mean, squares;
    double draws = 0;

    void add(std::span<const double> posterior) {
        mean.resize(posterior.size());
        squares.resize(posterior.size());
        ++draws;
        for (std::size_t k = 0; k < posterior.size(); ++k) {
            const double way = posterior[k] - mean[k];
            mean[k] += way / draws;
            squares[k] += way * (posterior[k] - mean[k]);
        }
    }
    SquaredParts parts(const Judge& judge) const {
        const double n = static_cast<double>(judge.rows);
        SquaredParts sum;
        for (std::size_t k = 0; k < mean.size(); ++k) {
            const double off = mean[k] - judge.share[k];
            sum.bias += off * off / n;
            sum.variance += squares[k] / std::max(draws - 1, 1.0) / n;
        }
        // The mean of some draws has a variance itself, which is no bias.
        sum.bias = std::max(sum.bias - sum.variance / draws, 0.0);
        return sum;
    }
};

// What the draws of one size came to, for one model.
struct Draws {
    Mean error, log_loss, parameters;
    Spread spread;

    CurvePoint point(const std::string& model, std::size_t size, const Judge* same_rows) const {
        CurvePoint told{model, size, error.mean, error.error(), log_loss.mean, log_loss.error(), parameters.mean, {}};
        if (same_rows != nullptr) told.squared = spread.parts(*same_rows);
        return told;
    }
};

// Every class at least twice: fewer rows are no sample of the classes.
bool has_all(const LabeledRowsInMemory& rows, std::size_t class_count) {
    std::vector<std::size_t> seen(class_count);
    for (const std::size_t c : rows.code) ++seen[c];
    return std::ranges::min(seen) >= 2;
}

FitOptions candidate_of(const FitOptions& options, const std::string& model, const Schema& schema) {
    FitOptions one = options;
    one.model = model;
    one.target = {};
    one.exclude = {};
    one.weight = {};
    one.columns.clear();
    for (const Column& column : schema.columns) one.columns.emplace_back(column.name, column.kind, column.levels);
    return one;
}

// draw(size, rng) -> rows and their judge, again until every class is there.
template <class Draw>
Result<std::pair<LabeledRowsInMemory, Judge>> drawn_whole(const Schema& schema, std::size_t size, const Rng& streams,
                                                          std::uint64_t& draws, Draw& draw) {
    constexpr int most_tries = 1000;
    for (int again = 0; again < most_tries; ++again) {
        Rng rng = streams.fork(draws++);
        auto made = draw(size, rng);
        if (has_all(made.first, schema.classes.size())) return made;
    }
    return Error(ErrorKind::usage, std::to_string(size) + " rows hardly ever have two of each class; start with more");
}

// `same_rows`: what every draw is judged on, where the truth of them is known; else null.
template <class Draw>
Result<LearnCurve> curve_of(const Schema& schema, const FitOptions& options, const LearnCurveOptions& how,
                            const Context& context, const Judge* same_rows, Draw&& draw) {
    LearnCurve curve{how.models, how.sizes, {}, how.repeats, {}, {}};
    const Rng streams(context.seed, "learning curve");
    std::uint64_t draws = 0;
    for (const std::size_t size : how.sizes) {
        std::vector<Draws> of(how.models.size());
        for (std::size_t repeat = 0; repeat < how.repeats; ++repeat) {
            if (context.stopped()) return Error(ErrorKind::cancelled, "stopped");
            const auto made = drawn_whole(schema, size, streams, draws, draw);
            if (!made) return made.error();
            const auto& [learned, judge] = *made;
            std::vector<std::string> labels;
            for (const std::size_t c : learned.code) labels.push_back(schema.classes[c]);
            for (std::size_t m = 0; m < how.models.size(); ++m) {
                const auto model = fit(learned.block(), labels, candidate_of(options, how.models[m], schema), context);
                if (!model) return model.error();
                const auto scored = judged(*model, judge, schema.classes);
                if (!scored) return scored.error();
                of[m].error.add(scored->error);
                of[m].log_loss.add(scored->log_loss);
                of[m].parameters.add(static_cast<double>(model->predictor().parameter_count()));
                if (same_rows != nullptr) of[m].spread.add(scored->posterior);
            }
        }
        for (std::size_t m = 0; m < how.models.size(); ++m)
            curve.points.push_back(of[m].point(how.models[m], size, same_rows));
    }
    return curve;
}

Result<LearnCurveOptions> checked(LearnCurveOptions how, const Schema& schema, std::size_t most) {
    for (const Column& column : schema.columns)
        if (column.kind == ColumnKind::text)
            return Error(ErrorKind::usage, "learning curves are of columns of numbers and categories")
                .in_column(column.name);
    for (std::string& model : how.models) {
        const auto name = canonical_model(model);
        if (!name) return name.error();
        model = *name;
    }
    if (how.models.empty() || how.repeats == 0)
        return Error(ErrorKind::usage, "name a model, and repeat at least once");
    const std::size_t least = 4 * std::max<std::size_t>(schema.classes.size(), 2);
    if (how.sizes.empty())
        for (std::size_t size = std::max<std::size_t>(least, 10); size <= std::min<std::size_t>(most, 5120); size *= 2)
            how.sizes.push_back(size);
    std::ranges::sort(how.sizes);
    if (how.sizes.empty() || how.sizes.back() > most)
        return Error(ErrorKind::usage, "there are too few rows to learn from " +
                                           std::to_string(how.sizes.empty() ? least : how.sizes.back()) +
                                           " of them and judge on the rest");
    return how;
}

// Each draw learns from some of the rows and is judged on all others.
Result<LearnCurve> curve_of_rows(const LabeledRowsInMemory& all, const Schema& schema, const FitOptions& options,
                                 const LearnCurveOptions& how, const Context& context) {
    const auto asked = checked(how, schema, all.size() * 4 / 5);
    if (!asked) return asked.error();
    std::vector<std::size_t> order(all.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    LabeledRowsInMemory others;
    return curve_of(schema, options, *asked, context, nullptr, [&](std::size_t size, Rng& rng) {
        LabeledRowsInMemory learned{all.width, {}, {}};
        others = {all.width, {}, {}};
        for (std::size_t k = 0; k < order.size(); ++k) {
            std::swap(order[k], order[k + rng.below(order.size() - k)]);
            (k < size ? learned : others).add(all.row(order[k]), all.code[order[k]]);
        }
        Judge judge{others.block(), others.size(), std::vector<double>(others.size() * schema.classes.size())};
        for (std::size_t k = 0; k < others.size(); ++k) judge.share[k * schema.classes.size() + others.code[k]] = 1;
        return std::pair(std::move(learned), std::move(judge));
    });
}

}  // namespace

Result<LearnCurve> learn_curve(const Model& truth, const FitOptions& options, const LearnCurveOptions& how,
                               const Context& context) {
    const Predictor& stated = truth.predictor();
    if (auto dense = stated.check_density(); !dense) return dense.error();
    const auto asked = checked(how, stated.schema(), std::numeric_limits<std::size_t>::max());
    if (!asked) return asked.error();
    Rng rng(context.seed, "learning curve test");
    const LabeledRowsInMemory test = drawn_from(stated, std::max<std::size_t>(how.test_rows, 2), rng);
    const auto posterior = stated.posteriors(test.block(), context);
    if (!posterior) return posterior.error();
    const Judge judge{test.block(), test.size(), posterior->values};
    auto curve = curve_of(stated.schema(), options, *asked, context, &judge,
                          [&](std::size_t size, Rng& own) { return std::pair(drawn_from(stated, size, own), judge); });
    if (!curve) return curve;
    const auto least = judged(truth, judge, stated.schema().classes);
    if (!least) return least.error();
    curve->bayes_error = least->error;
    curve->bayes_log_loss = least->log_loss;
    return curve;
}

Result<LearnCurve> learn_curve(const std::vector<std::string>& files, const FitOptions& options,
                               const LearnCurveOptions& how, const Context& context) {
    FitOptions first = options;
    first.model = "naive_bayes";  // a first pass, for the names of columns, levels and classes
    const auto model = fit(files, first, context);
    if (!model) return model.error();
    const Schema& schema = model->schema();
    ApplyOptions apply;
    apply.read = options.read;
    apply.need_target = true;
    auto opened = open_for_model(*model, files, apply);
    if (!opened) return opened.error();
    LabeledRowsInMemory all{schema.columns.size(), {}, {}};
    const auto gathered = map_in_order(
        *opened->data.stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&,
            Workspace&) -> Result<LabeledRowsInMemory> {
            LabeledRowsInMemory piece{all.width, {}, {}};
            std::vector<double> row(all.width);
            for (std::size_t r = 0; r < block.size(); ++r) {
                if (block.label_of(r) < 0) continue;
                for (std::size_t k = 0; k < all.width; ++k) row[k] = value_at(block.rows, r, k);
                piece.add(row, static_cast<std::size_t>(block.label_of(r)));
            }
            return piece;
        },
        [&](const LabeledRowsInMemory& piece) -> Result<void> {
            for (std::size_t r = 0; r < piece.size(); ++r) all.add(piece.row(r), piece.code[r]);
            return {};
        });
    if (!gathered) return in_data(gathered.error(), *opened->data.reader);
    return curve_of_rows(all, schema, options, how, context);
}

Result<LearnCurve> learn_curve(const Block& x, const std::vector<std::string>& labels, const FitOptions& options,
                               const LearnCurveOptions& how, const Context& context) {
    if (labels.size() != row_count(x)) return Error("rows and labels differ in number");
    Schema schema;
    for (std::size_t k = 0; k < column_count(x); ++k) schema.columns.push_back({"x" + std::to_string(k)});
    schema.classes = labels;
    sort_names(schema.classes);
    const auto repeated = std::ranges::unique(schema.classes);
    schema.classes.erase(repeated.begin(), repeated.end());
    LabeledRowsInMemory all{schema.columns.size(), {}, {}};
    std::vector<double> row(all.width);
    for (std::size_t r = 0; r < labels.size(); ++r) {
        for (std::size_t k = 0; k < all.width; ++k) row[k] = value_at(x, r, k);
        all.add(row, static_cast<std::size_t>(std::ranges::find(schema.classes, labels[r]) - schema.classes.begin()));
    }
    return curve_of_rows(all, schema, options, how, context);
}

}  // namespace suffice
