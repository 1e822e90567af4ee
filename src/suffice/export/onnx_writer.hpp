// Writes a model as an ONNX graph of standard operators, in doubles. The scores are a tensor of rows x classes to which
// each term adds; opset 17, which older runtimes have too, but for texts that are divided into words: opset 20.
#pragma once
#include "suffice/export/exported_model.hpp"
#include "suffice/export/onnx_graph.hpp"

namespace suffice {

// The first opset that divides texts at their blanks.
inline constexpr std::int64_t texts_divided = 20;

class OnnxWriter {
public:
    explicit OnnxWriter(const ExportedModel& model);
    std::string write();

private:
    void read_columns();
    void add_lines();
    void add_curves();
    std::string nothing_of(const CurveTerm& term);
    std::string function(const ColumnFunction& function, const std::string& x);
    void add_bells(bool of_logarithm, bool student);
    void add_rises();
    std::string rise(const std::string& count, const RiseTable& terms, bool of_logarithm);
    void put_rises(const std::string& count, const RiseTable& terms, bool of_logarithm);
    std::string log_of_one_and(const std::string& t);
    std::string series(const std::string& w);
    void add_table(const TableTerm& term);
    std::string level_of(std::uint32_t column, std::uint32_t levels);
    void add_pieces(const PieceTerm& term);
    void add_gaussian(const GaussianTerm& term);
    std::string complete(OnnxGraph& in, const GaussianTerm& term, const std::string& z) const;
    std::string with_holes(OnnxGraph& in, const GaussianTerm& term, const std::string& z,
                           const std::string& hole) const;
    std::string bent(OnnxGraph& in, const GaussianTerm& term, const std::string& squared, const std::string& top,
                     const std::string& half_power) const;
    void add_words(const WordTerm& term);
    std::string place_of_words(const WordTerm& term);
    std::string lines_of_words(const WordTerm& term, const std::string& place, const std::string& before);
    std::string without_length(const WordTerm& term, const std::string& value, const std::string& place,
                               const std::string& before, const std::string& counts);
    void add_length(const WordTerm& term, const std::string& count);
    std::string for_every_row(const std::string& line);
    void tell_provenance();
    std::string scores();
    std::string calibrated(std::string posterior);
    std::string along_curve(const std::string& posterior, std::size_t c);
    std::string decision(const std::string& posterior);
    std::string by_thresholds(const std::string& posterior);

    // The inputs of some columns side by side.
    std::string columns(const std::vector<std::uint32_t>& which) {
        std::vector<std::string> all;
        for (const auto column : which) all.push_back(values_[column]);
        return all.size() == 1 ? all[0] : graph_.node("Concat", all, {OnnxGraph::whole("axis", 1)});
    }
    static std::string sum(OnnxGraph& in, const std::string& x, std::int64_t axis, bool keep = false) {
        return in.node("ReduceSum", {x, in.integers({axis})}, {OnnxGraph::whole("keepdims", keep ? 1 : 0)});
    }
    // Of one axis alone. Since opset 18 the axis is an input.
    std::string reduced(std::string_view operation, const std::string& x, std::int64_t axis, bool keep) {
        const auto kept = OnnxGraph::whole("keepdims", keep ? 1 : 0);
        return opset_ < 18 ? graph_.node(operation, {x}, {OnnxGraph::wholes("axes", {axis}), kept})
                           : graph_.node(operation, {x, graph_.integers({axis})}, {kept});
    }
    static std::string unsqueeze(OnnxGraph& in, const std::string& x, std::int64_t axis) {
        return in.node("Unsqueeze", {x, in.integers({axis})});
    }
    static std::string as_number(OnnxGraph& in, const std::string& x) {
        return in.node("Cast", {x}, {OnnxGraph::whole("to", static_cast<std::int64_t>(OnnxType::real))});
    }
    static std::string as_whole(OnnxGraph& in, const std::string& x) {
        return in.node("Cast", {x}, {OnnxGraph::whole("to", static_cast<std::int64_t>(OnnxType::int64))});
    }
    std::string sum_of(const std::string& left, const std::string& right) { return graph_.node("Add", {left, right}); }
    std::string difference(const std::string& left, const std::string& right) {
        return graph_.node("Sub", {left, right});
    }
    std::string product(const std::string& left, const std::string& right) { return graph_.node("Mul", {left, right}); }
    std::string ratio(const std::string& left, const std::string& right) { return graph_.node("Div", {left, right}); }
    std::string or_nothing(const std::string& missing, const std::string& x) {
        return graph_.node("Where", {missing, zero(), x});
    }
    // Made when first asked for: what nothing reads would be told of by the runtime.
    const std::string& zero() {
        if (zero_.empty()) zero_ = graph_.constant(0.0);
        return zero_;
    }
    const std::string& missing(std::uint32_t column) {
        if (missing_[column].empty()) missing_[column] = graph_.node("IsNaN", {values_[column]});
        return missing_[column];
    }
    void add(const std::string& term) { joint_ = joint_.empty() ? term : graph_.node("Add", {joint_, term}); }

    const ExportedModel& model_;
    std::int64_t width_, opset_ = 17;
    OnnxGraph graph_{"suffice"};
    std::vector<std::string> values_, missing_;  // by column; missing where it is a number
    std::string zero_, joint_;
    std::vector<std::pair<std::string, std::string>> metadata_;
};

}  // namespace suffice
