#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>

#include "conformance/cases/golden.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/judging/judge_case.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/limits.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/diagnosis_text.h"
#include "tools/explained_result.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/report_text.h"

namespace assay {
namespace {

// `module` is the name of a golden case, or a module's file.
struct ExplainOptions : ProgramOptions {
  std::string corpus;
  std::string profile;        // a name or a file; empty: the backend's
  std::string backend;        // empty: print only the accepted values
  std::int64_t element = -1;  // row-major number through all leaves; -1: the first ones
  double budget = 60;         // seconds for judging, and as many for the search of the part that fails
  double case_timeout = 120;
};

namespace fs = std::filesystem;

constexpr std::size_t kShown = 8;

// The result of a backend, element by element; null if there is none.
struct Answer {
  const Literal* got = nullptr;
  // Returns the verdict of an element that is not exact; otherwise an empty text.
  std::function<std::string(const NumberedPlace&)> remark_on = {};
  bool is_of_outputs = false;  // `got` is the result of the whole module, not of the instruction

  const Place& PlaceIn(const NumberedPlace& numbered) const {
    return is_of_outputs ? numbered.in_outputs : numbered.place;
  }
  std::string RemarkOn(const NumberedPlace& numbered) const { return got == nullptr ? "" : remark_on(numbered); }
};

Answer AnswerOf(const JudgedRun& run, bool is_of_outputs) {
  Answer answer = {run.got ? &*run.got : nullptr, {}, is_of_outputs};
  answer.remark_on = [answer, &run](const NumberedPlace& numbered) { return run.RemarkOn(answer.PlaceIn(numbered)); };
  return answer;
}

void PrintElement(const ExplainedResult& subject, const ExplainedPart& part, const NumberedPlace& numbered,
                  const Answer& answer, const Profile& profile) {
  const InstructionValues& exact = subject.exact.at(part.instruction);
  const Literal& want = numbered.place.LeafOf(exact.want);
  const Place& place = numbered.place;
  const bool is_named_by_number =
      place.tuple_index.empty() && want.shape().rank() == 1 && numbered.number == place.offset;
  const std::string number =
      is_named_by_number || subject.elements == 1 ? "" : fmt::format(" (--element {})", numbered.number);
  fmt::print("\n{}{}: want {}\n", ElementName(place, want), number, DescribeElement(want, place.offset));
  for (const std::string& step : ExplainElement(*part.instruction, exact.operands, exact.want, place, profile)) {
    fmt::print("  {}\n", step);
  }
  if (answer.got == nullptr) return;
  const Place& given = answer.PlaceIn(numbered);
  const std::string remark = answer.RemarkOn(numbered);
  fmt::print("  got {}{}{}\n", DescribeElement(given.LeafOf(*answer.got), given.offset), remark.empty() ? "" : "  <- ",
             remark);
}

void PrintPart(const ExplainedResult& subject, const ExplainedPart& part, const Answer& answer,
               const Profile& profile) {
  std::vector<NumberedPlace> shown = part.places;
  // Elements with a remark come first, failures before all others.
  const auto rank = [&](const NumberedPlace& numbered) {
    const std::string remark = answer.RemarkOn(numbered);
    return remark.empty() ? 2 : remark.starts_with(VerdictName(Verdict::kFail)) ? 0 : 1;
  };
  std::ranges::stable_sort(shown, {}, rank);
  if (shown.size() > kShown) shown.resize(kShown);
  for (const NumberedPlace& numbered : shown) PrintElement(subject, part, numbered, answer, profile);
  if (part.places.size() > kShown) {
    fmt::print("\nand {} more elements: --element N shows one\n", part.places.size() - kShown);
  }
}

void PrintInstructionLine(const HloInstruction& instruction) {
  fmt::print("\nline {}: {}\n", instruction.location.line, PrintInstruction(instruction));
}

void PrintParts(const ExplainedResult& subject, const Answer& answer, const Profile& profile) {
  for (const ExplainedPart& part : subject.parts) {
    PrintInstructionLine(*part.instruction);
    PrintPart(subject, part, answer, profile);
  }
  for (const std::string& note : subject.notes) fmt::print("\nnote: {}\n", note);
}

void PrintTitle(const std::string& title, const Profile& profile) {
  fmt::print("{}\nprofile {}\n", ForTerminal(title),
             ForTerminal(fmt::format("{}: {}", profile.name(), profile.meaning())));
}

// Prints the instruction to blame on its operands in the reference, if it is the part that fails. Returns its line.
Result<int> PrintBlamed(const Diagnosis& diagnosis, const EvaluationLimits& limits, const Profile& profile) {
  const HloInstruction* const blamed = diagnosis.part ? diagnosis.part->OnlyInstruction() : nullptr;
  if (blamed == nullptr || !IsFailure(diagnosis.verdict())) return 0;
  const Subject& part = diagnosis.part->subject();
  ASSAY_TRY(const ExplainedResult alone, ExplainRoot(CloneModule(*part.module), part.arguments, limits));
  fmt::print("\nto blame, on its operands in the reference:\n{}\n", OnlyInstructionText(diagnosis));
  PrintPart(alone, alone.parts.front(), AnswerOf(diagnosis.part->run, /*is_of_outputs=*/false), profile);
  return blamed->location.line;
}

// Explains the result of a module. The verdict is that of `diff`.
Result<Verdict> ExplainModuleFile(const ExplainOptions& options, const LoadedModule& loaded, const Profile& profile) {
  ASSAY_TRY(const Inputs inputs, LoadInputs(loaded, options.inputs));
  const EvaluationLimits limits = options.common.limits();
  ASSAY_TRY(ExplainedResult result, ExplainModule(*loaded.module, inputs.per_device, limits));
  if (options.element >= 0) ASSAY_CHECK_OK(KeepElement(result, options.element));
  if (options.backend.empty()) {
    PrintTitle(options.module.file, profile);
    PrintParts(result, {}, profile);
    return Verdict::kExact;
  }
  ASSAY_TRY(const std::unique_ptr<Backend> backend, OpenBackend(options.backend, options.case_timeout));
  std::optional<JudgingLine> line(std::in_place);
  const CompareOptions compare = {
      .profile = profile, .limits = limits, .judging = {options.budget, "--budget"}, .on_judging = line->Observer()};
  ASSAY_TRY(const Diagnosis diagnosis, Diagnose(*backend, *loaded.module, inputs.per_device, compare, options.budget));
  line.reset();
  NoteSearchError(diagnosis);
  PrintTitle(options.module.file, profile);
  PrintDiagnosis(DisplayName(options.module.file), backend->description(), diagnosis);
  int shown = 0;
  if (options.element < 0) {
    ASSAY_TRY(shown, PrintBlamed(diagnosis, limits, profile));
  }
  std::erase_if(result.parts, [&](const ExplainedPart& part) { return part.instruction->location.line == shown; });
  if (!result.parts.empty()) {
    fmt::print(
        "\nderived from the operands in the reference; the verdict of an element is that of the whole module:\n");
  }
  PrintParts(result, AnswerOf(diagnosis.run, /*is_of_outputs=*/true), profile);
  return diagnosis.verdict();
}

// The result of a backend for a golden case, with its judgement.
struct JudgedCase {
  std::optional<Literal> got;
  Judgement judgement;
  // The verdict and reason of each element that is not exact.
  std::map<std::pair<std::vector<std::int64_t>, std::int64_t>, std::string> remarks = {};

  std::string RemarkOn(const Place& place) const {
    const auto found = remarks.find({place.tuple_index, place.offset});
    return found == remarks.end() ? "" : found->second;
  }
};

JudgedCase JudgeOn(Backend& backend, const ExplainedResult& subject, const Profile& profile,
                   const ExplainOptions& options) {
  Result<PerDevice<Literal>> outputs = backend.Run(*subject.module, subject.arguments);
  if (!outputs) return {std::nullopt, JudgementOf(outputs.error())};
  JudgedCase judged = {OfAllDevices(*std::move(outputs)), {}};
  Verdict worst = Verdict::kExact;
  const TimeLimit time(options.budget, "--budget");
  const ElementObserver remark = [&](const Place& place, Verdict verdict, std::string_view reason) {
    worst = std::max(worst, verdict);
    judged.remarks[{place.tuple_index, place.offset}] = fmt::format("{}: {}", VerdictName(verdict), reason);
  };
  const InstructionValues& exact = subject.exact.at(subject.parts.front().instruction);
  judged.judgement = JudgeCase(backend, *subject.module, subject.arguments, exact, *judged.got, profile,
                               options.common.limits(), remark);
  // If the result as a whole decides the verdict, a single element is only different.
  if (worst != judged.judgement.verdict) {
    for (auto& [place, text] : judged.remarks) text = "not exact";
  }
  return judged;
}

// Explains the root of a golden case. The verdict is that of `check`.
Result<Verdict> ExplainGolden(const ExplainOptions& options, const Profile& profile) {
  ASSAY_TRY(const NamedCase named, FindCase(options.corpus, options.module.file));
  ASSAY_TRY(ExplainedResult result, ExplainCase(named, options.common.limits()));
  if (options.element >= 0) ASSAY_CHECK_OK(KeepElement(result, options.element));
  JudgedCase judged;
  if (!options.backend.empty()) {
    ASSAY_TRY(const std::unique_ptr<Backend> backend, OpenBackend(options.backend, options.case_timeout));
    judged = JudgeOn(*backend, result, profile, options);
  }
  PrintTitle(result.title, profile);
  const ExplainedPart& part = result.parts.front();
  fmt::print("\n{}\n", PrintInstruction(*part.instruction));
  const auto remark_on = [&](const NumberedPlace& numbered) { return judged.RemarkOn(numbered.place); };
  PrintPart(result, part, {judged.got ? &*judged.got : nullptr, remark_on}, profile);
  if (!options.backend.empty()) PrintJudgement(judged.judgement);
  return judged.judgement.verdict;
}

Result<int> Explain(const ExplainOptions& options) {
  ASSAY_CHECK_OK(options.common.Prepare());
  ASSAY_TRY(const Profile profile, FindProfile(options.profile, options.backend));
  std::error_code error;
  Verdict worst = Verdict::kExact;
  if (options.module.file == "-" || options.module.is_read() || fs::exists(options.module.file, error)) {
    const Result<LoadedModule> loaded = LoadModule(options.module, options.devices, options.inputs);
    if (!loaded) return ExitCode(loaded.error());
    ASSAY_TRY(worst, ExplainModuleFile(options, *loaded, profile));
  } else {
    ASSAY_TRY(worst, ExplainGolden(options, profile));
  }
  return CodeOf(worst);
}

void AddExplainOptions(CLI::App& command, ExplainOptions& options) {
  AddRequiredText(command, "case", options.module.file, "name of a golden case, or a module; - for standard input");
  AddModuleReading(command, options.module);
  AddCorpus(command, options.corpus);
  AddProfile(command, options.profile);
  AddText(command, "--backend", options.backend, "a backend, whose result is shown and judged as well");
  AddNumber(command, "--element", options.element, "only this element, row-major, through all leaves", 0);
  AddTimeout(command, options.case_timeout, "one request");
  AddSeconds(command, "--budget", options.budget,
             "seconds for judging, and for the search of the part that fails (60)");
  AddProgram(command, options);
}

}  // namespace

const Command command_explain = {
    .name = "explain",
    .help = "show how the values that a profile accepts are derived, for the root of a case or module",
    .example = "assay explain tanh/f32/specials --backend xla-cpu; assay check --list names the cases",
    .bind = BindCommand<ExplainOptions, AddExplainOptions, Explain>,
};

}  // namespace assay
