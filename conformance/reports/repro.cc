#include "conformance/reports/repro.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "backends/claims.h"
#include "backends/json/printable.h"
#include "backends/program.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/module_file.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/judge_case.h"
#include "conformance/judging/self_contained.h"
#include "conformance/reports/repro_expected.h"
#include "conformance/reports/repro_py.h"
#include "conformance/reports/shell_word.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/version.h"

namespace assay {
namespace {

Place WorstPlace(const Judgement& judgement) { return {judgement.worst.tuple_index, judgement.worst.offset}; }

// Puts the text between fences that do not occur in it.
std::string Fenced(std::string_view text) {
  std::string fence = "````";
  while (text.find(fence) != std::string_view::npos) fence += '`';
  return fmt::format("{0}\n{1}{2}{0}\n", fence, text, text.ends_with('\n') ? "" : "\n");
}

// Returns the lines of the entry's computed instructions, cut after some characters.
std::string InstructionsText(const HloModule& module, std::size_t longest) {
  std::string text;
  for (const auto& instruction : module.entry->instructions) {
    if (instruction->op->role == OpRole::kParameter || instruction->op->role == OpRole::kConstant) continue;
    if (text.size() > longest) return text + "...\n";
    text += PrintInstruction(*instruction) + "\n";
  }
  return text;
}

// Returns a table of the actual and expected values of some wrong elements, the worst first.
std::string ElementsTable(const ReproSubject& subject, const ReproFinding& finding, std::vector<Place> places) {
  constexpr std::size_t kShown = 8;
  const Place worst = WorstPlace(finding.judgement);
  const auto is_worst = [&](const Place& place) {
    return place.tuple_index == worst.tuple_index && place.offset == worst.offset;
  };
  std::stable_partition(places.begin(), places.end(), is_worst);
  std::string table = "| element | expected | got |\n|---|---|---|\n";
  for (std::size_t i = 0; i < std::min(kShown, places.size()); ++i) {
    const Literal& want = places[i].LeafOf(subject.exact.want);
    table +=
        fmt::format("| {} | `{}` | `{}` |\n", ElementName(places[i], want), DescribeElement(want, places[i].offset),
                    DescribeElement(places[i].LeafOf(*finding.got), places[i].offset));
  }
  return table;
}

// Counts the elements that fail, of which `failed` may have some only.
std::int64_t CountFailed(const Judgement& judgement) {
  std::int64_t failed = 0;
  for (const Tally& tally : judgement.tallies) failed += tally.verdict == Verdict::kFail ? tally.elements : 0;
  return failed;
}

// Returns the reason why no lawful evaluation gives the worst element: the derivation of its set, or the set itself if
// several instructions fail together.
std::string ProofText(const ReproSubject& subject, const ReproFinding& finding, const Profile& profile) {
  const Judgement& judgement = finding.judgement;
  if (!subject.is_of_root) {
    return fmt::format("The profile `{}` ({}) was applied to the program as a whole: {}.\n", profile.name(),
                       profile.meaning(), judgement.reason);
  }
  std::string text = fmt::format("What the profile `{}` ({}) accepts for {}:\n\n", profile.name(), profile.meaning(),
                                 judgement.worst.name);
  for (const std::string& step : ExplainElement(*subject.module->entry->root, subject.exact.operands,
                                                subject.exact.want, WorstPlace(judgement), profile)) {
    text += fmt::format("- {}\n", step);
  }
  return text;
}

std::string ComparisonText(const ReproSubject& subject, const ReproFinding& finding, const Profile& profile) {
  const Judgement& judgement = finding.judgement;
  if (!finding.got) {
    return "Expected: a result. What came of it:\n\n" + Fenced(Printable(judgement.reason, Lines::kMany, 4000));
  }
  if (judgement.not_exact == 0) return fmt::format("The result has {}.\n", judgement.reason);
  const std::int64_t count = CountFailed(judgement);
  // Without an element that fails alone, the elements together are unlike every lawful run.
  std::string text =
      count > 0
          ? fmt::format("{} of {} elements are wrong: {}.\n\n", count, judgement.elements, judgement.reason)
          : fmt::format("{} of {} elements differ: {}.\n\n", judgement.not_exact, judgement.elements, judgement.reason);
  std::vector<Place> shown = finding.failed;
  if (shown.empty()) shown.push_back(WorstPlace(judgement));
  text += ElementsTable(subject, finding, std::move(shown));
  if (constexpr std::int64_t kShown = 8; count > kShown) text += fmt::format("\nand {} more.\n", count - kShown);
  text += "\n";
  const ElementReport& worst = judgement.worst;
  if (!worst.inputs.empty()) text += fmt::format("The operands of {}: {}.\n", worst.name, JoinText(worst.inputs, ", "));
  if (!worst.exact.empty()) text += fmt::format("Its exact value: {}.\n", worst.exact);
  if (worst.ulps) text += fmt::format("The distance: {} units in the last place.\n", *worst.ulps);
  const bool is_proved = judgement.verdict == Verdict::kFail;
  text += is_proved ? "\n## Why no freedom of a compiler explains it\n\n"
                    : "\n## Evidence, no proof: freedoms of a compiler hardly ever give such results\n\n";
  return text + ProofText(subject, finding, profile);
}

struct Program {
  std::unique_ptr<HloModule> self_contained;  // null: the failure needs parameters
  std::string remark;
};

// Runs the subject with constants as arguments, and judges it like the subject.
Judgement JudgeWithConstants(Backend& backend, const ReproSubject& subject, const HloModule& whole,
                             const Profile& profile) {
  const DeviceValues nothing(subject.arguments.size());
  if (!subject.is_of_root) {
    const Result<ModuleReport> report = CompareModule(backend, whole, nothing, {.profile = profile, .limits = {}});
    if (!report) return JudgementOf(report.error());
    Judgement judgement = report->outputs;
    judgement.verdict = report->verdict;
    judgement.reason = report->reason;
    return judgement;
  }
  Result<PerDevice<Literal>> outputs = backend.Run(whole, nothing);
  if (!outputs) return JudgementOf(outputs.error());
  return JudgeCase(backend, *subject.module, subject.arguments, subject.exact, OfAllDevices(*std::move(outputs)),
                   profile);
}

// Returns the module with its arguments as constants, if the backend then fails in the same way.
Program FailingProgramOf(Backend& backend, const ReproSubject& subject, const ReproFinding& finding,
                         const Profile& profile) {
  Result<std::unique_ptr<HloModule>> whole = SelfContained(*subject.module, subject.arguments);
  if (!whole) {
    return {nullptr, fmt::format("It has parameters, whose values are in `inputs.json`: {}.", whole.error().message)};
  }
  const Judgement judgement = JudgeWithConstants(backend, subject, **whole, profile);
  const Verdict verdict = judgement.verdict;
  if (IsFailure(verdict) && (verdict == Verdict::kFail) == (finding.judgement.verdict == Verdict::kFail)) {
    return {*std::move(whole), "It has no parameters: floats are the bits of integers, so that each of them survives."};
  }
  return {nullptr,
          fmt::format("It has parameters, whose values are in `inputs.json`. With constants in their place the backend "
                      "comes to {}{}.",
                      VerdictName(verdict), judgement.reason.empty() ? "" : ": " + judgement.reason)};
}

// Returns the commands that run the files.
std::string RunText(const ReproFiles& files, const std::string& backend_name, bool is_xla_cpu) {
  std::string text = "\n## To run it\n\n";
  if (files.contains("repro.py")) {
    text += fmt::format("- `python repro.py`: {}\n", is_xla_cpu ? "XLA:CPU through jaxlib, without assay"
                                                                : "the backend through the process protocol of assay");
  }
  const bool has_inputs = files.contains("inputs.json");
  if (is_xla_cpu && !has_inputs) {
    text += "- `run_hlo_module --platform=CPU --reference_platform=Interpreter module.hlo`: XLA's own tool\n";
  }
  const std::string_view program = files.contains(std::string(kStableHloFile)) ? kStableHloFile : "module.hlo";
  return text + fmt::format("- `assay diff {} --backend {}{}`\n", program, ShellWord(backend_name),
                            has_inputs ? " --inputs inputs.json" : "");
}

ReproFinding RunOnce(Backend& backend, const ReproSubject& subject, const Profile& profile) {
  Result<PerDevice<Literal>> outputs = backend.Run(*subject.module, subject.arguments);
  if (!outputs) return {std::nullopt, JudgementOf(outputs.error())};
  ReproFinding finding = {OfAllDevices(*std::move(outputs)), {}};
  finding.judgement = JudgeCase(backend, *subject.module, subject.arguments, subject.exact, *finding.got, profile, {},
                                CollectFailed(finding.failed));
  return finding;
}

}  // namespace

ReproFinding RunCase(Backend& backend, const ReproSubject& subject, const Profile& profile, int most_runs) {
  ReproFinding finding = RunOnce(backend, subject, profile);
  for (int run = 1; run < most_runs && !IsFailure(finding.judgement.verdict); ++run) {
    finding = RunOnce(backend, subject, profile);
  }
  return finding;
}

ReproFiles MakeRepro(Backend& backend, const std::string& backend_name, const ReproSubject& subject,
                     const ReproFinding& finding, const Profile& profile) {
  const Program program = FailingProgramOf(backend, subject, finding, profile);
  const bool is_whole = program.self_contained != nullptr;
  const HloModule& module = is_whole ? *program.self_contained : *subject.module;
  ReproFiles files = {{"module.hlo", PrintHloModule(module, PrintOptions::Exact())}};
  const BackendDescription& description = backend.description();
  if (!is_whole) files["inputs.json"] = InputsText(subject.arguments);
  const std::string* const stablehlo = StableHloFor(description.takes_stablehlo, module, files["module.hlo"]);
  if (stablehlo != nullptr) files[std::string(kStableHloFile)] = *stablehlo;
  const Result<BackendProgram> behind = ProgramOf(backend_name);
  if (behind) {
    auto script = ReproScript(*behind, description, subject, finding, !is_whole);
    if (script) {
      files["repro.py"] = *std::move(script);
      if (finding.got) files["expected.json"] = ExpectedText(subject, finding, profile);
    }
  }
  constexpr std::size_t kShown = 8000;
  const std::string& text = files["module.hlo"];
  std::string issue =
      fmt::format("# {}: {} in {}\n\n", description.name, VerdictName(finding.judgement.verdict), subject.title);
  issue += fmt::format("## The program\n\n`module.hlo`. {} It is legal HLO, and every value in it is defined. {}\n\n",
                       program.remark, text.size() > kShown ? "Its instructions:" : "");
  if (stablehlo != nullptr) issue += "The backend got it as StableHLO, too: `module.stablehlo`, as it came.\n\n";
  issue += Fenced(text.size() > kShown ? InstructionsText(*subject.module, kShown) : text);
  issue += fmt::format("\n## Expected and actual\n\n{}", ComparisonText(subject, finding, profile));
  issue += fmt::format("\n## Versions\n\n- {} {}\n- assay {}\n", description.name, description.version, kVersion);
  issue += RunText(files, backend_name, behind && behind->is_xla_cpu);
  files["issue.md"] = std::move(issue);
  return files;
}

}  // namespace assay
