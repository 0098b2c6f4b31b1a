#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "conformance/cases/find_case.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/instruction_values.h"
#include "conformance/judging/judge_case.h"
#include "diagnosis/subject.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/limits.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/judging_line.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct ExplainOptions {
  std::string target;  // the name of a golden case, or a module's file
  std::string corpus;
  std::string profile;        // a name or a file; empty: the backend's
  std::string backend;        // empty: print only the accepted values
  std::int64_t element = -1;  // row-major number through all leaves; -1: the first ones
  DeviceOptions devices;
  InputOptions inputs;
  double case_timeout = 120;
  CommonOptions common;
};

namespace fs = std::filesystem;

constexpr std::size_t kShown = 8;

// An element of the explained value, with its number among all elements of the module's result.
struct NumberedPlace {
  Place place;  // in the instruction's result
  std::int64_t number;
};

// An instruction whose result, or elements of it, are the module's result.
struct Part {
  const HloInstruction* instruction;
  std::vector<NumberedPlace> places;
};

struct Explained {
  std::string title;
  std::unique_ptr<HloModule> module;
  DeviceValues arguments;
  std::vector<Part> parts;
  std::vector<std::string> notes;  // on parts of the result that are not explained
  std::map<const HloInstruction*, InstructionValues> exact;
  std::int64_t elements = 0;  // of the result
  // True for a golden case: it tests one instruction, whatever prepares the operands, so the backend runs the whole
  // module. Instructions of any other module run alone, on their operands in the reference.
  bool runs_whole = false;
};

// Numbers the elements of all leaves of a shape from `next` on.
void AddPlaces(const Shape& shape, const Place& place, std::int64_t& next, std::vector<NumberedPlace>& places) {
  for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
    Place element = place;
    element.tuple_index.push_back(static_cast<std::int64_t>(i));
    AddPlaces(shape.tuple_shapes(i), element, next, places);
  }
  if (!shape.IsArray()) return;
  for (std::int64_t i = 0; i < ShapeUtil::ElementsIn(shape); ++i) places.push_back({{place.tuple_index, i}, next++});
}

// Finds the instructions that produce the value of an instruction, or the element of it at `index`.
// Adds the places of the part of the result at `index`, on each device if the result combines those of all devices.
std::vector<NumberedPlace> PlacesOf(const HloInstruction& instruction, const std::vector<std::int64_t>& index,
                                    Explained& subject) {
  const Shape* shape = &instruction.shape;
  for (const std::int64_t i : index) shape = &shape->tuple_shapes(i);
  std::vector<NumberedPlace> places;
  const std::int64_t devices = subject.module->device_count();
  if (!instruction.op->evaluation.depends_on_device || devices == 1) {
    AddPlaces(*shape, {index, 0}, subject.elements, places);
    return places;
  }
  for (std::int64_t device = 0; device < devices; ++device) {
    std::vector<std::int64_t> of_device = {device};
    of_device.insert(of_device.end(), index.begin(), index.end());
    AddPlaces(*shape, {std::move(of_device), 0}, subject.elements, places);
  }
  return places;
}

void AddParts(const HloInstruction& instruction, std::vector<std::int64_t> index, Explained& subject) {
  if (instruction.op->role == OpRole::kTuple && !index.empty()) {
    const HloInstruction& element = instruction.operand(index[0]);
    index.erase(index.begin());
    return AddParts(element, std::move(index), subject);
  }
  if (instruction.op->role == OpRole::kTuple) {
    for (const HloInstruction* element : instruction.operands) AddParts(*element, {}, subject);
    return;
  }
  if (instruction.op->role == OpRole::kGetTupleElement) {
    index.insert(index.begin(), instruction.tuple_index());
    return AddParts(instruction.operand(0), std::move(index), subject);
  }
  const std::int64_t first = subject.elements;
  std::vector<NumberedPlace> places = PlacesOf(instruction, index, subject);
  if (instruction.op->role != OpRole::kOrdinary && instruction.op->role != OpRole::kCall) {
    subject.notes.push_back(fmt::format("elements {} to {} are those of line {}, which has no rule of its own: {}",
                                        first, subject.elements - 1, instruction.location.line,
                                        Shortened(PrintInstruction(instruction))));
    return;
  }
  const auto known = std::ranges::find(subject.parts, &instruction, &Part::instruction);
  if (known == subject.parts.end()) {
    subject.parts.push_back({&instruction, std::move(places)});
  } else {
    known->places.insert(known->places.end(), places.begin(), places.end());
  }
}

Result<Explained> ExplainedCase(const ExplainOptions& options) {
  ASSAY_TRY(const NamedCase named, FindCase(options.corpus, options.target));
  Explained subject;
  subject.title = named.Title();
  subject.runs_whole = true;
  ASSAY_TRY(subject.module, ReadGoldenModule(named.file, named.golden.entry));
  const HloInstruction* root = subject.module->entry->root;
  ASSAY_TRY(subject.exact[root], EvaluateGolden(named.file, named.golden, *subject.module, options.common.limits()));
  subject.arguments = ByDevice(subject.module->device_count(), named.golden.arguments);
  subject.parts.push_back({root, {}});
  AddPlaces(subject.exact[root].want.shape(), {}, subject.elements, subject.parts[0].places);
  return subject;
}

// Converts an offset in an array with the sizes of its bounds to the offset in the dense array of the run-time sizes.
// Returns nothing for an element outside of these.
std::optional<std::int64_t> DenseOffset(const Literal& array, std::int64_t rest) {
  if (!array.has_dynamic_sizes()) return rest;
  std::int64_t offset = 0, stride = 1;
  for (std::int64_t d = array.shape().rank() - 1; d >= 0; --d) {
    const std::int64_t index = rest % array.shape().dimensions(d), size = array.dynamic_size(d);
    if (index >= size) return std::nullopt;
    rest /= array.shape().dimensions(d);
    offset += index * stride;
    stride *= size;
  }
  return offset;
}

void FitToRunTimeSizes(Part& part, Literal& want) {
  std::vector<NumberedPlace> places;
  for (NumberedPlace& numbered : part.places) {
    const std::optional<std::int64_t> offset = DenseOffset(numbered.place.LeafOf(want), numbered.place.offset);
    if (!offset) continue;
    numbered.place.offset = *offset;
    places.push_back(std::move(numbered));
  }
  part.places = std::move(places);
  want = ToHost(std::move(want));
}

// Returns a call whose value is the result or has elements of it; null if there is none.
HloInstruction* FindCall(HloInstruction& value, std::set<const HloInstruction*>& seen) {
  if (!seen.insert(&value).second) return nullptr;
  if (value.op->role == OpRole::kCall) return &value;
  if (value.op->role != OpRole::kTuple && value.op->role != OpRole::kGetTupleElement) return nullptr;
  for (HloInstruction* operand : value.operands) {
    if (HloInstruction* call = FindCall(*operand, seen)) return call;
  }
  return nullptr;
}

// Inlines the calls that produce the result: an instruction that computes an element has a rule, a call has none. The
// root of a JAX function is such a call. Leaves a module without such calls unchanged.
void InlineCallsOfResult(std::unique_ptr<HloModule>& module, DeviceValues& arguments) {
  Candidate candidate = {CloneModule(*module), arguments};
  HloComputation& entry = *candidate.module->entry;
  bool has_calls = false;
  for (std::set<const HloInstruction*> seen; HloInstruction* call = FindCall(*entry.root, seen); seen.clear()) {
    ReplaceUses(*call, InlineAt(entry, PlaceOf(*call), *call->CalledComputations().front(), call->operands));
    has_calls = true;
  }
  if (!has_calls) return;
  std::optional<Subject> inlined = Finish(std::move(candidate));
  if (!inlined) return;
  module = CloneModule(*inlined->module);
  arguments = std::move(inlined->arguments);
}

Result<Explained> ExplainedModule(const ExplainOptions& options, LoadedModule loaded) {
  Explained subject;
  subject.title = options.target;
  ASSAY_TRY(const Inputs inputs, LoadInputs(loaded, options.inputs));
  subject.module = std::move(loaded.module);
  subject.arguments = inputs.per_device;
  InlineCallsOfResult(subject.module, subject.arguments);
  AddParts(*subject.module->entry->root, {}, subject);
  std::set<const HloInstruction*> instructions;
  for (const Part& part : subject.parts) instructions.insert(part.instruction);
  ASSAY_TRY(subject.exact,
            EvaluateInstructions(*subject.module, subject.arguments, options.common.limits(), instructions));
  for (Part& part : subject.parts) FitToRunTimeSizes(part, subject.exact[part.instruction].want);
  return subject;
}

// The result of a backend for a part, and its judgement.
struct Answer {
  std::optional<Literal> got;
  Judgement judgement;
  // The verdict and reason of each element that is not exact.
  std::map<std::pair<std::vector<std::int64_t>, std::int64_t>, std::string> remarks;

  std::string RemarkOn(const Place& place) const {
    const auto found = remarks.find({place.tuple_index, place.offset});
    return found == remarks.end() ? "" : found->second;
  }
};

Answer Ask(Backend& backend, const Explained& subject, const Part& part, const Profile& profile,
           const EvaluationLimits& limits, double judging_seconds) {
  if (!subject.runs_whole && !IsJudgedAlone(*part.instruction)) {
    Answer unasked;
    unasked.judgement.verdict = Verdict::kUnsupported;
    unasked.judgement.reason = "not run: what it calls is judged instruction by instruction, by assay diff";
    return unasked;
  }
  const InstructionValues& exact = subject.exact.at(part.instruction);
  std::unique_ptr<HloModule> piece;
  if (!subject.runs_whole) piece = ExtractInstructions({&part.instruction, 1});
  const HloModule& module = piece ? *piece : *subject.module;
  Result<PerDevice<Literal>> outputs = backend.Run(module, piece ? exact.operands : subject.arguments);
  if (!outputs) return {std::nullopt, JudgementOf(outputs.error()), {}};
  Answer answer;
  answer.got = OfAllDevices(*std::move(outputs));
  Verdict worst = Verdict::kExact;
  const TimeLimit time(judging_seconds, "--timeout");
  const ElementObserver remark = [&](const Place& place, Verdict verdict, std::string_view reason) {
    worst = std::max(worst, verdict);
    answer.remarks[{place.tuple_index, place.offset}] = fmt::format("{}: {}", VerdictName(verdict), reason);
  };
  answer.judgement = piece
                         ? JudgeInstruction(*part.instruction, exact.operands, exact.want, *answer.got, profile, remark)
                         : JudgeCase(backend, module, subject.arguments, exact, *answer.got, profile, limits, remark);
  // If the result as a whole decides the verdict, a single element is only different.
  if (worst != answer.judgement.verdict) {
    for (auto& [place, remark] : answer.remarks) remark = "not exact";
  }
  return answer;
}

void PrintElement(const Explained& subject, const Part& part, const NumberedPlace& numbered, const Answer& answer,
                  const Profile& profile) {
  const InstructionValues& exact = subject.exact.at(part.instruction);
  const Literal& want = numbered.place.LeafOf(exact.want);
  const Place& place = numbered.place;
  const bool is_named_by_number =
      place.tuple_index.empty() && want.shape().rank() == 1 && numbered.number == place.offset;
  const std::string number =
      is_named_by_number || subject.elements == 1 ? "" : fmt::format(" (--element {})", numbered.number);
  fmt::print("\n{}{}: want {}\n", ElementName(numbered.place, want), number,
             DescribeElement(want, numbered.place.offset));
  for (const std::string& step :
       ExplainElement(*part.instruction, exact.operands, exact.want, numbered.place, profile)) {
    fmt::print("  {}\n", step);
  }
  if (!answer.got) return;
  const std::string remark = answer.RemarkOn(numbered.place);
  fmt::print("  got {}{}{}\n", DescribeElement(numbered.place.LeafOf(*answer.got), numbered.place.offset),
             remark.empty() ? "" : "  <- ", remark);
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

void PrintPart(const Explained& subject, const Part& part, const Answer& answer, const Profile& profile) {
  fmt::print("\n{}{}\n", subject.runs_whole ? "" : fmt::format("line {}: ", part.instruction->location.line),
             PrintInstruction(*part.instruction));
  std::vector<NumberedPlace> shown = part.places;
  // Elements with a remark come first, failures before all others.
  const auto rank = [&](const NumberedPlace& numbered) {
    const std::string remark = answer.RemarkOn(numbered.place);
    return remark.empty() ? 2 : remark.starts_with(VerdictName(Verdict::kFail)) ? 0 : 1;
  };
  std::ranges::stable_sort(shown, {}, rank);
  if (shown.size() > kShown) shown.resize(kShown);
  for (const NumberedPlace& numbered : shown) PrintElement(subject, part, numbered, answer, profile);
  if (part.places.size() > kShown) {
    fmt::print("\nand {} more elements: --element N shows one\n", part.places.size() - kShown);
  }
}

// Removes all other elements from the parts.
Status KeepElement(Explained& subject, std::int64_t element) {
  if (element >= subject.elements) {
    return Error{ErrorCode::kUsage,
                 fmt::format("the result has {} elements, so there is no element {}", subject.elements, element)};
  }
  for (Part& part : subject.parts) {
    std::erase_if(part.places, [&](const NumberedPlace& numbered) { return numbered.number != element; });
  }
  std::erase_if(subject.parts, [](const Part& part) { return part.places.empty(); });
  if (subject.parts.empty() && subject.notes.empty()) {
    return Error{ErrorCode::kUsage, fmt::format("element {} is beyond the sizes at run time", element)};
  }
  return {};
}

// Prints the parts and returns the worst verdict.
Result<Verdict> PrintParts(const ExplainOptions& options, Explained& subject, const Profile& profile) {
  if (options.element >= 0) ASSAY_CHECK_OK(KeepElement(subject, options.element));
  std::unique_ptr<Backend> backend;
  if (!options.backend.empty()) {
    ASSAY_TRY(backend, OpenBackend(options.backend, options.case_timeout));
  }
  fmt::print("{}\nprofile {}\n", ForTerminal(subject.title),
             ForTerminal(fmt::format("{}: {}", profile.name(), profile.meaning())));
  JudgingLine line;
  const JudgingObserver tell = line.Observer();
  Verdict worst = Verdict::kExact;
  for (const Part& part : subject.parts) {
    tell("judging", *part.instruction);
    const Answer answer =
        backend ? Ask(*backend, subject, part, profile, options.common.limits(), options.case_timeout) : Answer();
    PrintPart(subject, part, answer, profile);
    if (backend) PrintJudgement(answer.judgement);
    worst = std::max(worst, answer.judgement.verdict);
  }
  for (const std::string& note : subject.notes) fmt::print("\nnote: {}\n", note);
  return worst;
}

int Explain(const ExplainOptions& options) {
  if (const Status prepared = options.common.Prepare(); !prepared) return Fail(prepared.error());
  const Result<Profile> profile = FindProfile(options.profile, options.backend);
  if (!profile) return Fail(profile.error());
  std::error_code error;
  Result<Explained> subject = Error{ErrorCode::kUsage, ""};
  if (options.target == "-" || fs::exists(options.target, error)) {
    Result<LoadedModule> loaded = LoadModule(options.target, options.devices, options.inputs.seed);
    if (!loaded) return ExitCode(loaded.error());
    subject = ExplainedModule(options, *std::move(loaded));
  } else {
    subject = ExplainedCase(options);
  }
  if (!subject) return Fail(subject.error());
  const Result<Verdict> worst = PrintParts(options, *subject, *profile);
  if (!worst) return Fail(worst.error());
  return FlushVerdict(*worst);
}

std::function<int()> BindExplain(CLI::App& command) {
  const auto options = std::make_shared<ExplainOptions>();
  AddRequiredText(command, "case", options->target, "name of a golden case, or a module; - for standard input");
  AddCorpus(command, options->corpus);
  AddProfile(command, options->profile);
  AddText(command, "--backend", options->backend, "a backend, whose result is shown and judged as well");
  AddNumber(command, "--element", options->element, "only this element, row-major, through all leaves", 0);
  AddTimeout(command, options->case_timeout, "one request");
  AddDevices(command, options->devices);
  AddInputs(command, options->inputs);
  AddLimits(command, options->common);
  return [options] {
    options->corpus = CorpusFolder(options->corpus);
    return Explain(*options);
  };
}

}  // namespace

const Command command_explain = {
    .name = "explain",
    .help = "show how the values that a profile accepts are derived, for the root of a case or module",
    .example = "assay explain tanh/f32/specials --backend xla-cpu; assay check --list names the cases",
    .bind = BindExplain,
};

}  // namespace assay
