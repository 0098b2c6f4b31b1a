#include "conformance/reports/repro.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "backends/json/printable.h"
#include "backends/program.h"
#include "conformance/cases/inputs.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/judge_case.h"
#include "conformance/judging/self_contained.h"
#include "conformance/reports/repro_py.h"
#include "conformance/reports/shell_word.h"
#include "interpreter/acceptance/elements.h"
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
  if (places.size() > kShown) table += fmt::format("\nand {} more.\n", places.size() - kShown);
  return table;
}

std::string ComparisonText(const ReproSubject& subject, const ReproFinding& finding, const Profile& profile) {
  const Judgement& judgement = finding.judgement;
  if (!finding.got) {
    return "Expected: a result. What came of it:\n\n" + Fenced(Printable(judgement.reason, Lines::kMany, 4000));
  }
  const HloInstruction& root = *subject.module->entry->root;
  std::vector<Place> failed;
  JudgeInstruction(root, subject.exact.operands, subject.exact.want, *finding.got, profile,
                   [&](const Place& place, Verdict verdict, std::string_view) {
                     if (verdict == Verdict::kFail) failed.push_back(place);
                   });
  if (failed.empty()) failed.push_back(WorstPlace(judgement));
  std::string text = fmt::format("{} of {} elements are not exact: {}.\n\n{}", judgement.not_exact, judgement.elements,
                                 judgement.reason, ElementsTable(subject, finding, std::move(failed)));
  const ElementReport& worst = judgement.worst;
  if (!worst.inputs.empty())
    text += fmt::format("\nThe operands of {}: {}.\n", worst.name, JoinText(worst.inputs, ", "));
  if (!worst.exact.empty()) text += fmt::format("Its exact value: {}.\n", worst.exact);
  if (worst.ulps) text += fmt::format("The distance: {} units in the last place.\n", *worst.ulps);
  text += fmt::format("\n## Why no freedom of a compiler explains it\n\nWhat the profile `{}` ({}) accepts for {}:\n\n",
                      profile.name(), profile.meaning(), worst.name);
  for (const std::string& step :
       ExplainElement(root, subject.exact.operands, subject.exact.want, WorstPlace(judgement), profile)) {
    text += fmt::format("- {}\n", step);
  }
  return text;
}

struct Program {
  std::unique_ptr<HloModule> self_contained;  // null: the failure needs parameters
  std::string remark;
};

// Returns the module with its arguments as constants, if the backend then fails in the same way.
Program ProgramOf(Backend& backend, const ReproSubject& subject, const ReproFinding& finding, const Profile& profile) {
  Result<std::unique_ptr<HloModule>> whole = SelfContained(*subject.module, subject.arguments);
  if (!whole) {
    return {nullptr, fmt::format("It has parameters, whose values are in `inputs.json`: {}.", whole.error().message)};
  }
  Result<PerDevice<Literal>> outputs = backend.Run(**whole, DeviceValues(subject.arguments.size()));
  const Judgement judgement = outputs ? JudgeCase(backend, *subject.module, subject.arguments, subject.exact,
                                                  OfAllDevices(*std::move(outputs)), profile)
                                      : JudgementOf(outputs.error());
  const Verdict verdict = judgement.verdict;
  if (verdict >= Verdict::kFail && (verdict == Verdict::kFail) == (finding.judgement.verdict == Verdict::kFail)) {
    return {*std::move(whole), "It has no parameters: floats are the bits of integers, so that each of them survives."};
  }
  return {nullptr,
          fmt::format("It has parameters, whose values are in `inputs.json`. With constants in their place the backend "
                      "comes to {}{}.",
                      VerdictName(verdict), judgement.reason.empty() ? "" : ": " + judgement.reason)};
}

}  // namespace

ReproFinding RunSubject(Backend& backend, const ReproSubject& subject, const Profile& profile) {
  Result<PerDevice<Literal>> outputs = backend.Run(*subject.module, subject.arguments);
  if (!outputs) return {std::nullopt, JudgementOf(outputs.error())};
  ReproFinding finding = {OfAllDevices(*std::move(outputs)), {}};
  finding.judgement = JudgeCase(backend, *subject.module, subject.arguments, subject.exact, *finding.got, profile);
  return finding;
}

ReproFiles MakeRepro(Backend& backend, const std::string& backend_name, const ReproSubject& subject,
                     const ReproFinding& finding, const Profile& profile) {
  const Program program = ProgramOf(backend, subject, finding, profile);
  const bool is_whole = program.self_contained != nullptr;
  const HloModule& module = is_whole ? *program.self_contained : *subject.module;
  ReproFiles files = {{"module.hlo", PrintHloModule(module, PrintOptions::Exact())}};
  const BackendDescription& description = backend.description();
  if (!is_whole) files["inputs.json"] = InputsText(subject.arguments);
  const Result<BackendProgram> behind = ProgramOf(backend_name);
  if (behind) {
    auto script = ReproScript(*behind, description, subject, finding, !is_whole);
    if (script) files["repro.py"] = *std::move(script);
  }
  constexpr std::size_t kShown = 8000;
  const std::string& text = files["module.hlo"];
  std::string issue =
      fmt::format("# {}: {} in {}\n\n", description.name, VerdictName(finding.judgement.verdict), subject.title);
  issue += fmt::format("## The program\n\n`module.hlo`. {} It is legal HLO, and every value in it is defined. {}\n\n",
                       program.remark, text.size() > kShown ? "Its last instruction:" : "");
  issue += text.size() > kShown ? Fenced(PrintInstruction(*subject.module->entry->root)) : Fenced(text);
  issue += fmt::format("\n## Expected and actual\n\n{}", ComparisonText(subject, finding, profile));
  issue += fmt::format("\n## Versions\n\n- {} {}\n- assay {}\n", description.name, description.version, kVersion);
  issue += "\n## To run it\n\n";
  if (files.contains("repro.py")) {
    issue += fmt::format("- `python repro.py`: {}\n", behind->is_xla_cpu
                                                          ? "XLA:CPU through jaxlib, without assay"
                                                          : "the backend through the process protocol of assay");
  }
  if (behind && behind->is_xla_cpu && is_whole) {
    issue += "- `run_hlo_module --platform=CPU --reference_platform=Interpreter module.hlo`: XLA's own tool\n";
  }
  issue += fmt::format("- `assay diff module.hlo --backend {}{}`\n", ShellWord(backend_name),
                       is_whole ? "" : " --inputs inputs.json");
  files["issue.md"] = std::move(issue);
  return files;
}

}  // namespace assay
