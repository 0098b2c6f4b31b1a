#include "conformance/reports/repro.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/claims.h"
#include "backends/json/array_json.h"
#include "backends/json/json_text.h"
#include "backends/json/printable.h"
#include "backends/program.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/module_file.h"
#include "conformance/exporting/accepted_values.h"
#include "conformance/exporting/number_line.h"
#include "conformance/exporting/result_judge.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/judge_case.h"
#include "conformance/judging/self_contained.h"
#include "conformance/reports/repro_texts.h"
#include "conformance/reports/shell_word.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/version.h"
#include "interpreter/types/without_throwing.h"

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

struct Mark {
  std::string_view name;
  std::string value;
};

// Replaces the marks in a text by their values. The values are not searched for marks.
std::string Filled(std::string_view text, const std::vector<Mark>& marks) {
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    const auto mark =
        std::ranges::find_if(marks, [&](const Mark& one) { return text.substr(at).starts_with(one.name); });
    if (mark == marks.end()) {
      filled += text[at++];
    } else {
      filled += mark->value;
      at += mark->name.size();
    }
  }
  return filled;
}

// Returns repro.py, which runs module.hlo (with inputs.json, if it has parameters) on the program behind the backend:
// jaxlib's XLA:CPU, or a program that speaks the process protocol. It compares every element of several runs with
// expected.json, and exits with 1 if a run is wrong. Returns nothing for XLA:CPU and a module with parameters.
std::optional<std::string> ReproScript(const BackendProgram& program, const BackendDescription& backend,
                                       const ReproSubject& subject, const ReproFinding& finding, bool has_parameters) {
  if (program.is_xla_cpu && has_parameters) return std::nullopt;
  // A failure without a result has nothing to compare.
  const std::string check =
      finding.got ? fmt::format("{}\nsys.exit(repeat(run, runs))", kReproCompare)
                  : fmt::format("\n\nprint(run())  # the result was: {}", VerdictName(finding.judgement.verdict));
  // Names and commands are inserted as JSON texts, which are also Python string literals without line breaks.
  return Filled(program.is_xla_cpu ? kReproByJaxlib : kReproByPeer,
                {{"@BACKEND@", JsonText(fmt::format("{} {}", backend.name, backend.version))},
                 {"@COMMAND@", JsonText(program.command)},
                 {"@FOLDER@", JsonText(program.folder)},
                 {"@REPLICAS@", fmt::to_string(subject.module->replica_count)},
                 {"@PARTITIONS@", fmt::to_string(subject.module->num_partitions)},
                 {"@CHECK@", check}});
}

using nlohmann::json;

// The seconds for finding the ranges. Without ranges the script compares less.
constexpr double kSearchSeconds = 20;

// Returns [mask, low, high]: the masked bits of each NaN of a format are in this range; null if it has none.
json NanRange(const FloatFormat& format) {
  const std::uint64_t magnitude = format.magnitude_mask();
  switch (format.nan) {
    case NanEncoding::kIeee:
      return {magnitude, magnitude - format.mantissa_mask() + 1, magnitude};
    case NanEncoding::kAllOnes:
      return {magnitude, magnitude, magnitude};
    case NanEncoding::kNegativeZero:
      return {magnitude | format.sign_mask(), format.sign_mask(), format.sign_mask()};
    case NanEncoding::kNone:
      break;
  }
  return nullptr;
}

json PositionToJson(NumberLine::Position position) {
  return position < 0 ? json(static_cast<std::int64_t>(position)) : json(static_cast<std::uint64_t>(position));
}

// Describes how to read the numbers of an array.
json ArrayToCompare(const Literal& want) {
  const PrimitiveType type = ComplexComponentType(want.element_type());
  json array = ArrayToJson(want);
  array["part_bytes"] = StorageBytes(type);
  array["parts"] = ComponentCount(want.element_type());
  array["is_signed"] = IsSignedIntegralType(type);
  array["sign_bit"] = array["magnitude"] = array["nan"] = nullptr;
  if (IsFloatingPointType(type)) {
    const FloatFormat& format = FloatFormatOf(type);
    array["sign_bit"] = format.sign_mask();
    array["magnitude"] = format.magnitude_mask();
    array["nan"] = NanRange(format);
  }
  array["accept"] = json::object();
  array["compared"] = nullptr;  // every element
  return array;
}

// Adds the accepted ranges of an array: for a number of the array its pairs of positions, or "nan".
void AddRanges(const Literal& want, const std::vector<AcceptedRange>& ranges, json& array) {
  const NumberLine line(ComplexComponentType(want.element_type()));
  const int parts = ComponentCount(want.element_type());
  for (const AcceptedRange& range : ranges) {
    json& accepted = array["accept"][std::to_string(range.element * parts + range.part)];
    if (range.is_nan) {
      accepted.push_back("nan");
    } else {
      accepted.push_back({PositionToJson(line.Of(range.low)), PositionToJson(line.Of(range.high))});
    }
  }
}

using Ranges = std::vector<std::vector<AcceptedRange>>;  // by array

// Returns no ranges if they cannot express the verdicts, or do not exclude the result of the backend.
Ranges FindRanges(const ReproSubject& subject, const ReproFinding& finding, const Profile& profile) {
  const TimeLimit time(kSearchSeconds, "the ranges of repro.py");
  const Result<Ranges> ranges = WithoutThrowing([&]() -> Result<Ranges> {
    ASSAY_TRY(const AcceptedValues accepted,
              FindAcceptedValues(*subject.module, subject.arguments, subject.exact, profile, {}));
    ResultJudge judge(*subject.module, subject.arguments, subject.exact, profile, {});
    const std::vector<Verdict> verdicts = judge.Judge(*finding.got);
    return std::ranges::count(verdicts, Verdict::kFail) > 0 ? accepted.arrays : Ranges();
  });
  return ranges ? *ranges : Ranges();
}

// Returns the numbers of the elements of an array that failed.
json FailedIn(const Literal& array, const ReproSubject& subject, const ReproFinding& finding) {
  json numbers = json::array();
  for (const Place& place : finding.failed) {
    if (&place.LeafOf(subject.exact.want) == &array) numbers.push_back(place.offset);
  }
  return numbers;
}

// Returns expected.json (docs/reproducing.md#the-script): for each device the arrays of the result, each with its
// expected bytes and the ranges of other numbers that the profile accepts. If ranges cannot express the judge's
// verdicts, only the elements that failed are compared, and each must have its expected bits.
std::string ExpectedText(const ReproSubject& subject, const ReproFinding& finding, const Profile& profile) {
  const Ranges ranges = FindRanges(subject, finding, profile);
  const Literal& want = subject.exact.want;
  const std::int64_t devices = subject.module->device_count();
  json outputs = json::array();
  std::size_t number = 0;
  for (std::int64_t device = 0; device < devices; ++device) {
    json arrays = json::array();
    for (const Literal* leaf : ArraysIn(devices > 1 ? want.elements()[static_cast<std::size_t>(device)] : want)) {
      json array = ArrayToCompare(*leaf);
      if (number < ranges.size()) AddRanges(*leaf, ranges[number], array);
      if (ranges.empty()) array["compared"] = FailedIn(*leaf, subject, finding);
      arrays.push_back(std::move(array));
      ++number;
    }
    outputs.push_back(std::move(arrays));
  }
  return JsonText({{"outputs_per_device", std::move(outputs)}}) + "\n";
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
