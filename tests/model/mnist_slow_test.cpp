// Test errors on MNIST as scikit-learn has them: linear and quadratic discriminants, Bernoulli naive Bayes.
#include "model/real_data.hpp"
#include <gtest/gtest.h>

#include "suffice/kernel/linear_algebra.hpp"
#include "suffice/math/eigen.hpp"
#include "suffice/part/covariance_part.hpp"
#include "suffice/read/bytes.hpp"

namespace suffice {
namespace {

std::vector<unsigned char> unpacked(const std::filesystem::path& path, std::size_t header, std::size_t count) {
    const auto raw = RawFile::open(path.string(), false).value();
    const auto bytes = open_bytes(*raw, path.string(), false).value();
    std::vector<unsigned char> all(header + count);
    EXPECT_EQ(bytes->read(reinterpret_cast<char*>(all.data()), all.size()).value(), all.size());
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(header));
    return all;
}

RealTable digits(const std::string& part, std::size_t count) {
    const auto folder = data_folder() / "mnist";
    const auto pixels = unpacked(folder / (part + "-images-idx3-ubyte.gz"), 16, count * 784);
    const auto labels = unpacked(folder / (part + "-labels-idx1-ubyte.gz"), 8, count);
    RealTable table;
    table.values.assign(pixels.begin(), pixels.end());
    table.labels.assign(labels.begin(), labels.end());
    for (int k = 0; k < 784; ++k) table.schema.columns.push_back({"p" + std::to_string(k)});
    for (int c = 0; c < 10; ++c) table.schema.classes.push_back(std::to_string(c));
    return table;
}

// The rows in the coordinates of the first `rank` principal components of `scatter`.
RealTable projected(const RealTable& table, std::span<const double> vectors, std::size_t rank) {
    RealTable small{std::vector<double>(table.size() * rank), table.labels, {}, table.schema};
    small.schema.columns.resize(rank);
    kernel::multiply(kernel::Form::plain, kernel::Form::transposed, table.size(), rank, table.width(), 1, table.values,
                     vectors, 0, small.values);
    return small;
}

class Mnist : public testing::Test {
protected:
    void SetUp() override {
        SUFFICE_NEEDS_DATA("mnist/train-images-idx3-ubyte.gz");
        train = digits("train", 60000);
        test = digits("t10k", 10000);
    }
    RealTable train, test;
};

TEST_F(Mnist, LinearDiscriminant) { EXPECT_EQ(test.errors(train.fit({"lda"})), 1270u); }

// As numpy has it with exact components; the 367 of scikit-learn come from its randomised ones.
TEST_F(Mnist, QuadraticDiscriminantOnFiftyPrincipalComponents) {
    const std::size_t width = 784, rank = 50;
    RealTable one = train;  // all rows as one class: their scatter is that of the components
    one.schema.classes = {"all"};
    std::ranges::fill(one.labels, 0);
    MemoryStream stream(one.block(), one.schema);
    const auto state = feed(make_state({"qda"}, one.schema).value(), stream, {}).value();
    std::vector<double> vectors = state.statistic.parts[0].as<CovariancePart>()->complete.scatter, values(width);
    ASSERT_TRUE(symmetric_eigen(vectors, width, values));
    const auto leading = std::span(vectors).last(rank * width);
    const RealTable small = projected(train, leading, rank);
    EXPECT_EQ(projected(test, leading, rank).errors(small.fit({"qda"})), 364u);
}

TEST_F(Mnist, MultinomialNaiveBayes) { EXPECT_EQ(test.errors(train.fit({"multinomial_nb"})), 1635u); }

TEST_F(Mnist, BernoulliNaiveBayes) {
    for (RealTable* table : {&train, &test}) {
        for (double& pixel : table->values) pixel = pixel > 127.5;
        for (Column& column : table->schema.columns) column.kind = ColumnKind::flag;
    }
    EXPECT_EQ(test.errors(train.fit({"bernoulli_nb"})), 1573u);
}

}  // namespace
}  // namespace suffice
