// The sections of a report, each made from the numbers it tells.
#pragma once
#include "suffice/report/document.hpp"
#include "suffice/report/report_content.hpp"

namespace suffice {

Section summary_section(const ReportContent& content);
Section threshold_section(const ReportContent& content);
Section model_section(const ReportContent& content);
Section class_section(const ReportContent& content);
Section quality_section(const ReportContent& content);
Section confusion_section(const ReportContent& content);
Section curve_section(const ReportContent& content);
Section calibration_section(const ReportContent& content);
Section column_section(const ReportContent& content);
Section telling_section(const ReportContent& content);
Section plane_section(const ReportContent& content);
Section mistake_section(const ReportContent& content);
Section novelty_section(const ReportContent& content);
Section cost_section(const ReportContent& content);
Section misfit_section(const ReportContent& content);
Section word_section(const ReportContent& content);
Section comparison_section(const ReportContent& content);

// What is read first comes first, what the model was made of last; a section that has nothing to tell is left out.
Document report_document(const ReportContent& content);

}  // namespace suffice
