#include "tools/diagnosis_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/reports/report_json.h"
#include "interpreter/hlo/printer.h"
#include "tools/report_text.h"

namespace assay {
namespace {

std::string InstructionAt(int line, const std::string& text) {
  return fmt::format("line {}: {}", line, Shortened(text));
}

// Prints the metrics of each array that differs, and the gates that decide otherwise than the judge.
void PrintMetrics(const ModuleReport& report) {
  constexpr std::size_t kShown = 4;
  for (std::size_t i = 0; i < report.metrics.size() && i < kShown; ++i) {
    fmt::print("  metrics{}\n", DescribeMetrics(report.metrics[i]));
  }
  if (report.metrics.size() > kShown)
    fmt::print("  metrics of {} more arrays: in JSON\n", report.metrics.size() - kShown);
  for (const GateError& error : GateErrors(report.verdict, report.metrics)) {
    fmt::print("  warning: {}\n", GateErrorText(error, report.verdict));
  }
}

void PrintResult(const ModuleReport& report) {
  if (report.verdict == Verdict::kFail || report.verdict == Verdict::kSuspect) {
    const PieceReport* const blamed = report.blamed();
    fmt::print("  to blame: {}\n",
               blamed == nullptr ? "no instruction fails alone" : InstructionAt(blamed->line, blamed->instruction));
  }
  PrintOutputs(report.outputs);
  PrintMetrics(report);
  if (!report.distinct_values.empty()) {
    fmt::print("  distinct values in each array of the outputs: at least {}\n",
               std::ranges::min(report.distinct_values));
  }
}

void PrintReport(const std::string& file, const BackendDescription& backend, const ModuleReport& report) {
  fmt::print("{}: {} on {} {}\n", VerdictName(report.verdict), file, backend.name, backend.version);
  if (!report.reason.empty()) fmt::print("  {}\n", ForTerminal(report.reason));
  PrintResult(report);
  fmt::print("  time: reference {:.3f} s, backend {:.3f} s (start and compilation included)\n",
             report.reference_seconds, report.backend_seconds);
  if (!report.was_cut) return;
  fmt::print("  cut into {} executed instructions, each on the operands that {} gave it: {} exact\n", report.pieces,
             report.on_own_values ? "the backend itself" : "the reference", report.pieces_exact);
  if (report.pieces_of_devices > 0) {
    fmt::print("  not judged alone: {} starts and ends of asynchronous operations\n", report.pieces_of_devices);
  }
  if (!report.offenders.empty()) fmt::print("  first to diverge:\n");
  constexpr std::size_t kShown = 10;
  for (std::size_t i = 0; i < report.offenders.size() && i < kShown; ++i) {
    const PieceReport& offender = report.offenders[i];
    const Judgement& judgement = offender.judgement;
    fmt::print("    {:<8} {}\n             {}", VerdictName(judgement.verdict),
               InstructionAt(offender.line, offender.instruction), judgement.reason);
    PrintDifference(judgement);
  }
  if (report.offenders.size() > kShown) fmt::print("    and {} more\n", report.offenders.size() - kShown);
}

void PrintFailingPart(const FailingPart& part) {
  const Reduction& reduction = part.reduction;
  fmt::print("  smallest part that fails alone ({} tries{}): {} of {} instructions\n", reduction.tries,
             reduction.is_cut_short ? ", the time of --budget was up" : "", reduction.after.instructions,
             reduction.before.instructions);
  const auto instructions = part.Instructions();
  constexpr std::size_t kShown = 12;
  for (std::size_t i = 0; i < instructions.size() && i < kShown; ++i) {
    fmt::print("    {}\n", WithOrigin(*instructions[i]));
  }
  if (instructions.size() > kShown) fmt::print("    and {} more\n", instructions.size() - kShown);
  fmt::print("    {}: {}\n", VerdictName(part.run.report.verdict), Shortened(part.run.report.reason));
}

}  // namespace

void PrintOutputs(const Judgement& outputs) {
  if (outputs.elements == 0) return;
  fmt::print("  outputs: {} elements, {} not equal to the last bit", outputs.elements, outputs.not_exact);
  if (outputs.not_exact > 0) fmt::print("; the worst: {}", DescribeWorst(outputs.worst));
  fmt::print("\n");
}

void PrintDifference(const Judgement& judgement) {
  if (judgement.not_exact > 0) {
    fmt::print("; {} of {} elements differ, {}", judgement.not_exact, judgement.elements,
               DescribeWorst(judgement.worst));
  }
  fmt::print("\n");
}

nlohmann::json InstructionToJson(const HloInstruction& instruction) {
  return {{"line", instruction.location.line}, {"instruction", PrintInstruction(instruction)}};
}

std::string WithOrigin(const HloInstruction& instruction) {
  HloInstruction bare = instruction;
  bare.annotations.erase("metadata");
  const auto metadata = instruction.annotations.find("metadata");
  return InstructionAt(instruction.location.line, PrintInstruction(bare)) +
         (metadata == instruction.annotations.end() ? "" : "  " + ForTerminal(metadata->second));
}

void PrintDiagnosis(const std::string& file, const BackendDescription& backend, const Diagnosis& diagnosis) {
  PrintReport(file, backend, diagnosis.run.report);
  if (diagnosis.part) PrintFailingPart(*diagnosis.part);
}

std::string OnlyInstructionText(const Diagnosis& diagnosis) {
  const HloInstruction& only = *diagnosis.part->Instructions().front();
  const PieceReport* const blamed = diagnosis.run.report.blamed();
  const bool is_blamed = blamed != nullptr && blamed->line == only.location.line;
  return InstructionAt(only.location.line, is_blamed ? blamed->instruction : PrintInstruction(only));
}

void PrintJudgement(const Judgement& judgement) {
  fmt::print("\n{}{}{}", VerdictName(judgement.verdict), judgement.reason.empty() ? "" : ": ", judgement.reason);
  if (judgement.elements > 0) fmt::print(": {} elements, {} not exact", judgement.elements, judgement.not_exact);
  fmt::print("\n");
  for (const Tally& tally : judgement.tallies) {
    fmt::print("  {} {}: {}\n", tally.elements, VerdictName(tally.verdict), tally.reason);
  }
  if (judgement.not_exact == 0) return;
  fmt::print("  the worst: {}\n", DescribeWorst(judgement.worst));
}

nlohmann::json PartToJson(const FailingPart& part) {
  nlohmann::json lines = nlohmann::json::array();
  for (const HloInstruction* instruction : part.Instructions()) lines.push_back(InstructionToJson(*instruction));
  return {{"verdict", VerdictName(part.run.report.verdict)},
          {"reason", part.run.report.reason},
          {"instructions", std::move(lines)},
          {"tries", part.reduction.tries},
          {"module", PrintHloModule(*part.subject().module, PrintOptions::Exact())}};
}

void NoteSearchError(const Diagnosis& diagnosis) {
  if (diagnosis.search_error.empty()) return;
  fmt::print(stderr, "note: the search for the smallest part that fails has ended: {}\n",
             ForTerminal(diagnosis.search_error));
}

namespace {

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

}  // namespace

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
  json["offenders"] = nlohmann::json::array({std::move(offender)});
  return json;
}

}  // namespace assay
