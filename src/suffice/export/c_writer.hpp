// Writes the source of a model in C, piece by piece.
#pragma once
#include <cmath>
#include <cstdio>

#include "suffice/export/exported_model.hpp"

namespace suffice {

class CWriter {
public:
    CWriter(const ExportedModel& model, std::string prefix, CNumber number)
        : model_(model), prefix_(std::move(prefix)), number_(number), width_(model.score.width()) {}

    CSource write(const std::string& header_name);

private:
    std::string number(double value) const {
        if (std::isnan(value)) return "NAN";
        if (std::isinf(value)) return value > 0 ? "HUGE_VAL" : "-HUGE_VAL";
        char text[64];
        if (number_ == CNumber::real_float)
            std::snprintf(text, sizeof text, "%.9gf", value);
        else
            std::snprintf(text, sizeof text, "%a", value);
        std::string made = text;
        if (number_ == CNumber::real_float && made.find_first_of(".e") == std::string::npos)
            made.insert(made.size() - 1, ".0");
        return made;
    }
    std::string numbers(const std::vector<double>& values) const {
        std::string all = "{";
        for (std::size_t k = 0; k < values.size(); ++k) all += (k == 0 ? "" : ", ") + number(values[k]);
        return all + "}";
    }
    std::string table(const std::vector<std::vector<double>>& rows) const {
        std::string all = "{\n";
        for (const auto& row : rows) all += "        " + numbers(row) + ",\n";
        return all + "    }";
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
    std::string function(const ColumnFunction& function) const;
    void bells(bool of_logarithm, bool student);
    void level_table(const TableTerm& term);
    void pieces(const PieceTerm& term);
    void gaussian(const GaussianTerm& term);
    void shared_gaussian(const GaussianTerm& term);
    void holes(const GaussianTerm& term);
    void components();
    void softmax();
    void calibration();
    void levels();
    void decision();

    const ExportedModel& model_;
    std::string prefix_;
    CNumber number_;
    std::size_t width_;  // classes, or components
    std::string helpers_, body_, after_;
};

}  // namespace suffice
