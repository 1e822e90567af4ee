// The sections of a report, each made from the numbers it tells.
#pragma once
#include "suffice/report/document.hpp"
#include "suffice/report/report_content.hpp"

namespace suffice {

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

// In the order of reading; sections about text and compared models only where there is something to tell.
Document report_document(const ReportContent& content);

}  // namespace suffice
