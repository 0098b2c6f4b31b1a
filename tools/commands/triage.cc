#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "backends/json/json_text.h"
#include "conformance/cases/recorded_case.h"
#include "conformance/diagnosis/subject.h"
#include "conformance/judging/compare.h"
#include "conformance/reports/report_json.h"
#include "interpreter/evaluator/device_counts.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/report_text.h"
#include "tools/serving/given_outputs.h"

namespace assay {
namespace {

struct TriageOptions {
  std::string folder, profile, backend, format = "text";
  double budget = 60, case_timeout = 600;
  CommonOptions common;
};

enum class Decision { kLawful, kWrong, kSuspect, kUndecided };
constexpr std::string_view kDecisionNames[] = {"lawful", "wrong", "suspect", "undecided"};
constexpr std::string_view DecisionName(Decision one) { return kDecisionNames[static_cast<int>(one)]; }

Decision DecisionOf(Verdict verdict) {
  if (verdict <= Verdict::kLegal) return Decision::kLawful;
  if (verdict == Verdict::kSuspect) return Decision::kSuspect;
  return IsFailure(verdict) ? Decision::kWrong : Decision::kUndecided;
}

// The judgement of the outputs of a module, or of one output alone.
struct Judged {
  Decision decision() const { return DecisionOf(report.verdict); }

  ModuleReport report;
  std::string instruction;  // the one to blame, or else the one that computes the worst element; empty: all is exact
  std::optional<std::int64_t> output;  // the element of the root's tuple that was judged alone; none: the whole
};

// One backend's outputs for one case.
struct TriageRow {
  std::string name, backend;
  Result<Judged> judged;  // an error: a file or the module cannot be read or evaluated

  Decision decision() const { return judged ? judged->decision() : Decision::kUndecided; }
  std::string reason() const { return judged ? judged->report.reason : judged.error().message; }
};

// Returns the instruction that computes an element of the module's result, through the tuples at its root.
const HloInstruction& MakerOf(const HloModule& module, const ElementReport& element) {
  const HloInstruction* maker = module.entry->root;
  // The results of several devices are a tuple of their own.
  const std::size_t first = module.device_count() > 1 ? 1 : 0;
  for (std::size_t i = first; i < element.tuple_index.size() && maker->op->role == OpRole::kTuple; ++i) {
    maker = maker->operands[static_cast<std::size_t>(element.tuple_index[i])];
  }
  return *maker;
}

// Returns the part of a module that computes one value of its entry, with its arguments. Returns nothing if the part is
// illegal.
std::optional<Subject> PartOf(const Subject& subject, const HloInstruction& value) {
  if (value.op->role == OpRole::kParameter || !value.shape.IsArray()) {
    Candidate candidate = Candidate::Of(subject);
    HloComputation& entry = *candidate.module->entry;
    entry.root = entry.instructions[PlaceOf(value)].get();
    return Finish(std::move(candidate));
  }
  // A region without the side effects that the value does not need.
  std::set<const HloInstruction*> needed;
  for (std::vector<const HloInstruction*> open = {&value}; !open.empty();) {
    const HloInstruction* const one = open.back();
    open.pop_back();
    if (one->op->role == OpRole::kParameter || !needed.insert(one).second) continue;
    open.insert(open.end(), one->operands.begin(), one->operands.end());
  }
  Region region = ExtractRegion(*subject.module->entry, needed, {&value});
  region.module->replica_count = subject.module->replica_count;
  region.module->num_partitions = subject.module->num_partitions;
  if (!FindIllegal(*region.module, {}).empty()) return std::nullopt;
  DeviceValues arguments;
  for (const std::vector<Literal>& device : subject.arguments) {
    std::vector<Literal> list;
    for (const Leaf& leaf : region.parameters) {
      list.push_back(leaf.Of(device[static_cast<std::size_t>(leaf.instruction->parameter_number)]));
    }
    arguments.push_back(std::move(list));
  }
  return Subject{std::move(region.module), std::move(arguments)};
}

Result<std::unique_ptr<HloModule>> ReadModule(const RecordedCase& one) {
  ASSAY_TRY(const ModuleFile file, ReadModuleFile(one.module, "", one.Inputs()));
  ASSAY_TRY(std::unique_ptr<HloModule> module, ParseHloModule(file.text));
  KeepSource(file, *module);
  if (const std::vector<Error> errors = FindIllegal(*module, {}); !errors.empty()) return errors[0];
  if (file.recorded_devices != module->device_count()) RunOnNamedDevices(*module);
  return module;
}

Result<Inputs> ReadRecordedInputs(const RecordedCase& one, const HloModule& module) {
  InputOptions options = one.Inputs();
  if (options.inputs_file.empty() && options.inputs.empty() && !module.entry->Parameters().empty()) {
    return Error{ErrorCode::kInput,
                 fmt::format("{0}inputs.json: no inputs: expected this file, or {0}input-0.npy; `assay run MODULE "
                             "--seed N --write-inputs {0}inputs.json` writes those of a seed",
                             one.prefix)};
  }
  return ReadInputs(module, options);
}

class Triage {
 public:
  explicit Triage(const TriageOptions& options) : options_(options) {}

  Result<std::vector<TriageRow>> Run() {
    ASSAY_TRY(const std::vector<RecordedCase> cases, FindRecordedCases(options_.folder));
    if (!options_.backend.empty()) {
      ASSAY_TRY(backend_, OpenBackend(options_.backend, options_.case_timeout));
    }
    ASSAY_TRY(compare_.profile, FindProfile(options_.profile, options_.backend));
    compare_.limits = options_.common.limits();
    compare_.judging = {options_.budget, "--budget"};
    std::vector<TriageRow> rows;
    for (const RecordedCase& one : cases) Judge(one, rows);
    return rows;
  }

 private:
  void Judge(const RecordedCase& one, std::vector<TriageRow>& rows) const {
    Result<std::unique_ptr<HloModule>> module = ReadModule(one);
    const Result<Inputs> inputs = module ? ReadRecordedInputs(one, **module) : module.error();
    for (const std::string& backend : one.backends) {
      rows.push_back({one.name, backend,
                      inputs ? JudgeOutputs(one, backend, {CloneModule(**module), inputs->per_device})
                             : Result<Judged>(inputs.error())});
    }
  }

  Result<Judged> JudgeOutputs(const RecordedCase& one, const std::string& backend, const Subject& subject) const {
    ASSAY_TRY(const PerDevice<Literal> outputs, one.ReadOutputs(backend, *subject.module));
    ASSAY_TRY(Judged whole, JudgeAlone(subject, outputs));
    if (whole.decision() != Decision::kUndecided || subject.module->entry->root->op->role != OpRole::kTuple)
      return whole;
    return JudgeElements(subject, outputs, std::move(whole));
  }

  Result<Judged> JudgeAlone(const Subject& subject, const PerDevice<Literal>& outputs) const {
    const HloModule& module = *subject.module;
    const BackendOpener open = [this]() -> Result<Backend*> { return backend_.get(); };
    GivenOutputs given(backend_ ? open : nullptr, module, subject.arguments, outputs);
    ASSAY_TRY(ModuleReport report, CompareModule(given, module, subject.arguments, compare_));
    Judged judged = {std::move(report), {}, {}};
    const Judgement& compared = judged.report.outputs;
    if (const PieceReport* const blamed = judged.report.blamed()) {
      judged.instruction = blamed->instruction;
    } else if (compared.not_exact > 0) {
      judged.instruction = PrintInstruction(MakerOf(module, compared.worst));
    }
    return judged;
  }

  // Judges each element of the root's tuple as a separate module, because an instruction that leaves one element open
  // need not affect another element. Returns the first element with the worst verdict, or the whole if an element
  // cannot be judged alone.
  Result<Judged> JudgeElements(const Subject& subject, const PerDevice<Literal>& outputs, Judged whole) const {
    std::optional<Judged> worst;
    for (std::size_t i = 0; i < subject.module->entry->root->operands.size(); ++i) {
      const std::optional<Subject> part = PartOf(subject, *subject.module->entry->root->operands[i]);
      if (!part) return whole;
      PerDevice<Literal> element;
      for (const Literal& output : outputs) element.push_back(output.elements()[i]);
      Result<Judged> judged = JudgeAlone(*part, element);
      if (!judged) return whole;
      judged->output = static_cast<std::int64_t>(i);
      if (judged->decision() == Decision::kWrong) return judged;
      if (!worst || judged->report.verdict > worst->report.verdict) worst = *std::move(judged);
    }
    return worst ? *std::move(worst) : std::move(whole);
  }

  const TriageOptions& options_;
  std::unique_ptr<Backend> backend_;  // runs single instructions; null without --backend
  CompareOptions compare_;
};

void PrintTriageRow(const TriageRow& row) {
  const std::string verdict = row.judged ? fmt::format(" ({})", VerdictName(row.judged->report.verdict)) : "";
  fmt::print("{:<9} {} by {}{}\n", DecisionName(row.decision()), ForTerminal(row.name), ForTerminal(row.backend),
             verdict);
  if (!row.reason().empty()) fmt::print("          {}\n", Shortened(ForTerminal(row.reason())));
  if (!row.judged || row.judged->instruction.empty()) return;
  const Judgement& outputs = row.judged->report.outputs;
  const std::string of = row.judged->output ? fmt::format(" of output {}", *row.judged->output) : "";
  fmt::print("          {} of {} elements{} differ; {}\n          by {}\n", outputs.not_exact, outputs.elements, of,
             DescribeWorst(outputs.worst), Shortened(row.judged->instruction));
}

nlohmann::json TriageRowToJson(const TriageRow& row) {
  nlohmann::json json = {{"case", row.name},
                         {"backend", row.backend},
                         {"decision", DecisionName(row.decision())},
                         {"reason", row.reason()}};
  if (!row.judged) return json;
  json["verdict"] = VerdictName(row.judged->report.verdict);
  json["report"] = ReportToJson(row.name, row.judged->report);
  if (!row.judged->instruction.empty()) json["instruction"] = row.judged->instruction;
  if (row.judged->output) json["output"] = *row.judged->output;
  return json;
}

// Prints the rows by decision, wrong ones first, suspect ones next, and the counts of each backend.
void PrintTriage(std::vector<TriageRow> rows) {
  constexpr Decision kOrder[] = {Decision::kWrong, Decision::kSuspect, Decision::kUndecided, Decision::kLawful};
  std::ranges::stable_sort(rows, {}, [&](const TriageRow& row) { return std::ranges::find(kOrder, row.decision()); });
  std::map<std::string, std::map<Decision, int>> counts;
  for (const TriageRow& row : rows) {
    PrintTriageRow(row);
    ++counts[row.backend][row.decision()];
  }
  for (auto& [backend, by_decision] : counts) {
    std::string text;
    for (std::size_t i = 0; i < std::size(kDecisionNames); ++i) {
      text += fmt::format("{}{} {}", i == 0 ? "" : ", ", by_decision[Decision(i)], kDecisionNames[i]);
    }
    fmt::print("{}: {}\n", ForTerminal(backend), text);
  }
}

Result<int> RunTriage(const TriageOptions& options) {
  ASSAY_CHECK_OK(options.common.Prepare());
  ASSAY_TRY(const std::vector<TriageRow> rows, Triage(options).Run());
  if (options.format == "json") {
    nlohmann::json list = nlohmann::json::array();
    for (const TriageRow& row : rows) list.push_back(TriageRowToJson(row));
    fmt::print("{}\n", JsonText(list, 2));
  } else {
    PrintTriage(rows);
  }
  const bool has_failure = std::ranges::any_of(rows, [](const TriageRow& row) {
    return row.decision() == Decision::kWrong || row.decision() == Decision::kSuspect;
  });
  return CodeOf(has_failure ? Verdict::kFail : Verdict::kExact);
}

void AddTriageOptions(CLI::App& command, TriageOptions& options) {
  AddRequiredText(command, "folder", options.folder,
                  "a folder of modules with their inputs and the outputs of backends");
  AddText(command, "--backend", options.backend,
          "a backend that runs single instructions, to find those that diverge (default: none)");
  AddProfile(command, options.profile);
  AddFormat(command, options.format);
  AddTimeout(command, options.case_timeout, "one request");
  AddSeconds(command, "--budget", options.budget, "seconds for judging one case (60)");
  AddLimits(command, options.common);
}

}  // namespace

const Command command_triage = {
    .name = "triage",
    .help = "judge recorded outputs of backends: lawful, wrong, suspect, or undecided",
    .example = "assay triage divergences",
    .bind = BindCommand<TriageOptions, AddTriageOptions, RunTriage>,
};

}  // namespace assay
