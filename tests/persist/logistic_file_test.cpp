// A logistic regression that went through the bytes of a model file scores with the same bits.
#include <gtest/gtest.h>

#include "suffice/math/sampling.hpp"
#include "suffice/persist/model_file.hpp"

namespace suffice {
namespace {

struct Rows {
    std::vector<double> values;
    std::vector<std::int32_t> labels;
    Schema schema;

    explicit Rows(std::size_t class_count) {
        Rng rng(11, "logistic file");
        for (const char* name : {"a", "b", "c"}) schema.columns.push_back({name});
        for (std::size_t c = 0; c < class_count; ++c) schema.classes.push_back("class " + std::to_string(c));
        for (std::size_t row = 0; row < 200; ++row) {
            const auto label = static_cast<std::int32_t>(row % class_count);
            for (std::size_t j = 0; j < 3; ++j) values.push_back(sample_normal(rng) + 0.4 * label);
            labels.push_back(label);
        }
    }
    LabeledBlock block() const {
        return {DenseBlock{values.data(), Element::f64, labels.size(), 3, 3, 1}, labels, {}, 0};
    }
};

TEST(LogisticFile, ARegressionReadBackHasTheSameBitsInEveryForm) {
    LogisticSettings softmax, probit, firth;
    softmax.penalty = 0.3;
    probit.link = Link::probit;
    firth.firth = true;
    for (const LogisticSettings& settings : {softmax, probit, firth}) {
        const Rows rows(settings.penalty > 0 ? 3 : 2);
        MemoryStream stream(rows.block(), rows.schema);
        const auto model = fit_logistic_regression(rows.schema, stream, settings).value();
        auto file = from_file_bytes(to_file_bytes({model.state(), {model.weight(), {}}})).value();
        const auto again = LogisticRegression::from(std::get<LogisticState>(file.state)).value();
        EXPECT_EQ(again, model);
        EXPECT_EQ(again.posteriors(rows.block().rows).value().values,
                  model.posteriors(rows.block().rows).value().values);
        EXPECT_EQ(again.moderated().value().posteriors(rows.block().rows).value().values,
                  model.moderated().value().posteriors(rows.block().rows).value().values);
    }
}

}  // namespace
}  // namespace suffice
