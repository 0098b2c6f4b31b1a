#include "tools/pair_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/reports/report_json.h"
#include "interpreter/hlo/printer.h"
#include "tools/diagnosis_text.h"
#include "tools/report_text.h"

namespace assay {
std::string PairSentence(const PairNames& names, const ModuleReport& report) {
  switch (report.verdict) {
    case Verdict::kExact:
      return fmt::format("{} and {} return the same bits", names.before, names.after);
    case Verdict::kLegal:
    case Verdict::kSpecGap:
      return fmt::format("{} returns other bits than {}, and the profile allows them", names.after, names.before);
    case Verdict::kFail:
      return fmt::format("{} returns what no lawful evaluation of {} returns", names.after, names.before);
    default:
      return fmt::format("{} against {}", names.after, names.before);
  }
}

void PrintDivergence(const PairReport& pair) {
  if (!pair.divergence) return;
  const auto& [before, after, judgement] = *pair.divergence;
  fmt::print("  first diverging pair:\n    before, {}\n    after,  {}\n", WithOrigin(*before), WithOrigin(*after));
  fmt::print("    {}: {}", VerdictName(judgement.verdict), ForTerminal(judgement.reason));
  PrintDifference(judgement);
}

void PrintPair(const PairNames& names, const PairReport& pair) {
  const ModuleReport& report = pair.report;
  fmt::print("{}: {}\n", VerdictName(report.verdict), PairSentence(names, report));
  if (!report.reason.empty()) fmt::print("  {}\n", ForTerminal(report.reason));
  if (!pair.note.empty()) fmt::print("  {}\n", pair.note);
  PrintOutputs(report.outputs);
  if (report.on_own_values) {
    fmt::print("  instructions before: {}, each lawful on values after; exact: {}\n", report.pieces,
               report.pieces_exact);
  } else if (pair.instructions > 0) {
    fmt::print("  instructions before: {}, with a lawful value after: {}\n", pair.instructions, pair.matched);
  }
  PrintDivergence(pair);
  fmt::print("  time: before {:.3f} s, after {:.3f} s\n", report.reference_seconds, report.backend_seconds);
}

nlohmann::json PairToJson(const PairNames& names, const PairReport& pair) {
  nlohmann::json json = ReportToJson(names.before, pair.report);
  json["after"] = names.after;
  json["instructions"] = pair.instructions;
  json["matched"] = pair.matched;
  if (!pair.note.empty()) json["note"] = pair.note;
  if (!pair.divergence) return json;
  const auto& [before, after, judgement] = *pair.divergence;
  json["divergence"] = {{"before", InstructionToJson(*before)}, {"after", InstructionToJson(*after)}};
  nlohmann::json offender = JudgementToJson(judgement);
  offender.update(InstructionToJson(*before));
  offender["reason"] = fmt::format("{} (after, {})", judgement.reason, WithOrigin(*after));
  json["offenders"] = {std::move(offender)};
  return json;
}

}  // namespace assay
