// Writes the source of a model in C, piece by piece.
#pragma once
#include <cmath>
#include <limits>

#include "suffice/export/exported_model.hpp"

namespace suffice {

// A constant as C spells it, the same under any locale. As a float it is a number that a float holds in full: what is
// not zero (a divisor, the logarithm of almost one) keeps its sign.
std::string c_number(double value, CNumber type = CNumber::real_double);

class CWriter {
public:
    CWriter(const ExportedModel& model, std::string prefix, CNumber number)
        : model_(model), prefix_(std::move(prefix)), number_(number), width_(model.score.width()) {}

    Result<CSource> write(const std::string& header_name);

private:
    std::string number(double value) {
        const bool finite = std::isfinite(value), held = std::abs(value) <= std::numeric_limits<float>::max();
        if (number_ == CNumber::real_float && finite && !held) beyond_float_ = true;
        return c_number(value, number_);
    }
    // Of what a column is multiplied by even a number that a float takes for zero matters: its values are as large.
    void factor(double value) {
        if (number_ == CNumber::real_float && value != 0 && std::abs(value) < std::numeric_limits<float>::min())
            beyond_float_ = true;
    }
    std::string factors(const std::vector<std::vector<double>>& rows) {
        for (const auto& row : rows)
            for (const double value : row) factor(value);
        return table(rows);
    }
    std::string numbers(const std::vector<double>& values) {
        std::string all = "{";
        for (std::size_t k = 0; k < values.size(); ++k) all += (k == 0 ? "" : ", ") + number(values[k]);
        return all + "}";
    }
    std::string table(const std::vector<std::vector<double>>& rows) {
        std::string all = "{\n";
        for (const auto& row : rows) all += "        " + numbers(row) + ",\n";
        return all + "    }";
    }
    static std::string doubles(const std::vector<double>& values) {
        std::string all = "{";
        for (std::size_t k = 0; k < values.size(); ++k) all += (k == 0 ? "" : ", ") + c_number(values[k]);
        return all + "}";
    }
    static std::string whole(const std::vector<std::uint32_t>& values) {
        std::string all = "{";
        for (std::size_t k = 0; k < values.size(); ++k) all += (k == 0 ? "" : ", ") + std::to_string(values[k]);
        return all + "}";
    }
    std::string of(const char* name, std::size_t rows) const {
        return std::string("static const real ") + name + "[" + std::to_string(rows) + "][" + std::to_string(width_) +
               "] = ";
    }
    void line(const std::string& text) { body_ += "    " + text + "\n"; }

    void terms();
    void lines();
    void curve(const CurveTerm& term);
    std::string function(const ColumnFunction& function);
    void bells(bool of_logarithm, bool student);
    void rises(const RiseTable& terms, const std::string& value, bool of_logarithm);
    void all_rises();
    std::string doubles_by_class(const char* name, const std::vector<std::vector<double>>& rows) const {
        std::string all = std::string("static const double ") + name + "[" + std::to_string(rows.size()) + "][" +
                          std::to_string(width_) + "] = {\n";
        for (const auto& row : rows) all += "        " + doubles(row) + ",\n";
        return all + "    };";
    }
    void rise_helper();
    void level_table(const TableTerm& term);
    void pieces(const PieceTerm& term);
    void words(const WordTerm& term);
    void length_of_text(const WordTerm& term);
    // Words of what has this number, and what each is told as.
    struct Words {
        std::uint32_t key = 0;
        std::vector<std::string_view> words = {};
        std::vector<std::uint32_t> codes = {};
    };
    void lookup(const std::string& name, const char* of, const std::vector<Words>& all);
    std::string header() const;
    void gaussian(const GaussianTerm& term);
    void shared_gaussian(const GaussianTerm& term);
    void holes(const GaussianTerm& term);
    void components();
    void softmax();
    void calibration();
    void levels();
    void decision();

    const ExportedModel& model_;  // its texts are counts of words
    std::string prefix_;
    CNumber number_;
    std::size_t width_;  // classes, or components
    bool beyond_float_ = false;
    std::string helpers_, body_, after_;
};

}  // namespace suffice
