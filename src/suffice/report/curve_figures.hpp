// Curves and tables of an evaluation as pictures: ROC, precision and recall, reliability, rejects, costs, confusion.
#pragma once
#include <string>
#include <vector>

#include "suffice/evaluate/evaluation.hpp"
#include "suffice/report/figure.hpp"

namespace suffice {

// Two classes have one curve seen from two sides; the second class stands for "yes".
std::vector<std::size_t> shown_classes(const std::vector<std::string>& classes);
Figure roc_figure(const Evaluation& evaluation, const Scores& scores, const std::vector<std::string>& classes);
Figure precision_recall_figure(const Evaluation& evaluation, const Scores& scores,
                               const std::vector<std::string>& classes);
// Stated against observed probability, with the rows of each bin below.
Figure reliability_figure(const Scores& scores);
Figure reject_figure(const Evaluation& evaluation);
Figure cost_figure(const Evaluation& evaluation, const std::vector<std::string>& classes);
Figure confusion_figure(const Scores& scores, const std::vector<std::string>& classes);

}  // namespace suffice
