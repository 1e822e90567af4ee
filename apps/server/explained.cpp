// Explanations as JSON, lines, CSV and Arrow.
#include "server/explained.hpp"

#include "server/predict.hpp"
#include "server/table.hpp"

namespace suffice::server {

void Explanations::add(const ExplainedRow& row) {
    ++rows_;
    if (type_ == json_type || type_ == lines_type) {
        JsonText json;
        write_explanation(json, row, schema_);
        std::string text = json.take();
        while (text.ends_with('\n')) text.pop_back();
        if (type_ == lines_type) text += '\n';
        if (type_ == json_type && rows_ > 1) json_ += ',';
        json_ += text;
        return;
    }
    for (std::size_t c = 0; c < schema_.classes.size(); ++c) {
        add_line(c, code_of("(intercept)"), row.explanation.intercept[c]);
        for (const auto& term : row.explanation.terms)
            add_line(c, code_of(explained_name(term, schema_)), term.by_class[c]);
    }
}

void Explanations::add_line(std::size_t of_class, std::int32_t column, double contribution) {
    row_.push_back(static_cast<double>(rows_));
    class_.push_back(static_cast<std::int32_t>(of_class));
    column_.push_back(column);
    contribution_.push_back(contribution);
}

std::int32_t Explanations::code_of(const std::string& column) {
    const auto [found, is_new] = codes_.try_emplace(column, static_cast<std::int32_t>(names_.size()));
    if (is_new) names_.push_back(column);
    return found->second;
}

std::string Explanations::take() {
    if (type_ == json_type) return "{\"explanations\":[" + json_ + "]}";
    if (type_ == lines_type) return std::move(json_);
    const std::vector<ArrowColumn> columns{{"row", ArrowNumbers{row_.data()}},
                                           {"class", ArrowWords{class_, schema_.classes, schema_.integer_classes}},
                                           {"column", ArrowWords{column_, names_}},
                                           {"contribution", ArrowNumbers{contribution_.data()}}};
    return table_text(type_, columns, row_.size());
}

}  // namespace suffice::server
