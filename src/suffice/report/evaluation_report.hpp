// How good a model is on labelled rows: a table for people, JSON for programs.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "suffice/evaluate/evaluation.hpp"
#include "suffice/evaluate/text_fit.hpp"
#include "suffice/report/judgement.hpp"

namespace suffice {

class JsonText;

// `text` with words: language models took part, so that perplexities are shown.
// `further`: what was asked beyond that; null: nothing.
std::string evaluation_text(const Scores& scores, const std::vector<std::string>& classes, const TextFit& text = {},
                            const Judgement* further = nullptr);
std::string evaluation_json(const Scores& scores, const std::vector<std::string>& classes, const TextFit& text = {},
                            const Judgement* further = nullptr);
void write_evaluation(JsonText& json, std::string_view name, const Scores& scores,
                      const std::vector<std::string>& classes, const TextFit& text = {},
                      const Judgement* further = nullptr);

}  // namespace suffice
