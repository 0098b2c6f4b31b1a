// The judge, on any legal module. The exact result of an instruction, or of the whole module, is EXACT. A result with
// other bits is judged, whatever the bits are, and is not EXACT.
#include <algorithm>
#include <set>

#include "conformance/judging/compare.h"
#include "conformance/judging/instruction_values.h"
#include "conformance/judging/judged_alone.h"
#include "fuzz/self/disturbed.h"
#include "fuzz/self/target.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
using namespace generate;
namespace {

constexpr std::size_t kMostJudged = 24;  // instructions
constexpr std::int64_t kMostElements = 1 << 14;

std::int64_t ElementCount(const Literal& value) {
  std::int64_t count = value.element_count();
  for (const Literal& element : value.elements()) count += ElementCount(element);
  return count;
}

void JudgeAlone(const HloInstruction& instruction, const InstructionValues& values, const Profile& profile,
                Random& random) {
  if (ElementCount(values.want) > kMostElements) return;
  const auto judge = [&](const Literal& got) {
    return JudgeInstruction(instruction, values.operands, values.want, got, profile);
  };
  Require(judge(values.want).verdict == Verdict::kExact, "the exact result is EXACT: " + instruction.name);
  Literal got = values.want;
  Disturb(got, random);
  const bool is_same = CompareExactly(values.want, got).verdict == Verdict::kExact;
  Require((judge(got).verdict == Verdict::kExact) == is_same, "EXACT means the same bits: " + instruction.name);
}

// Judges some instructions of the entry alone.
Status JudgeInstructions(const HloModule& module, const DeviceValues& arguments, const Profile& profile,
                         Random& random) {
  std::set<const HloInstruction*> judged;
  for (const auto& instruction : module.entry->instructions) {
    if (IsJudgedAlone(*instruction) && judged.size() < kMostJudged) judged.insert(instruction.get());
  }
  ASSAY_TRY(const auto values, EvaluateInstructions(module, arguments, SmallEvaluation(), judged));
  for (const auto& [instruction, of_instruction] : values) {
    // An unused instruction is not executed and has no elements. At sizes below the bounds, no instruction is judged
    // alone.
    const auto& [operands, want] = of_instruction;
    const bool is_at_bounds = std::ranges::none_of(operands, HasRunTimeSizes) && !HasRunTimeSizes({&want, 1});
    if (is_at_bounds && ElementCount(of_instruction.want) > 0) {
      JudgeAlone(*instruction, of_instruction, profile, random);
    }
  }
  return {};
}

Status Judge(const HloModule& module, const DeviceValues& arguments, std::uint64_t seed) {
  Random random(seed);
  const std::vector<std::string_view> names = BuiltInProfileNames();
  const Profile& profile = BuiltInProfile(random.OneOf(names));
  ASSAY_CHECK_OK(JudgeInstructions(module, arguments, profile, random));

  EvaluationOptions options;
  options.limits = SmallEvaluation();
  ASSAY_TRY(const Literal want, EvaluateTogether(module, arguments, options));
  if (ElementCount(want) > kMostElements) return {};
  if (arguments.size() == 1) {
    ASSAY_TRY(const ValueSet set, EvaluateSets(module, arguments[0], profile, options));
    const Verdict verdict = JudgeBySet(set, want).verdict;
    Require(verdict != Verdict::kFail, "the exact result lies in its set");
    Literal got = want;
    Disturb(got, random);
    JudgeBySet(set, got);
  }
  for (const bool is_exact : {true, false}) {
    DisturbedBackend backend(random.Bits(), is_exact);
    CompareOptions compare{.profile = profile, .limits = SmallEvaluation()};
    ASSAY_TRY(const ModuleReport report, CompareModule(backend, module, arguments, compare));
    const bool is_late = report.verdict == Verdict::kTimeout;
    Require(!is_exact || is_late || report.verdict == Verdict::kExact, "an exact module is EXACT: " + report.reason);
  }
  return {};
}

}  // namespace
}  // namespace assay

ASSAY_FUZZ_TARGET(judge) {
  const SmallLimits limits;
  const std::unique_ptr<HloModule> module = ReadLegalModule(text);
  if (module == nullptr) return;
  const Result<DeviceValues> arguments = DrawInputs(*module, SeedOf(text));
  if (!arguments) return;
  // Limits and unsupported ops are legal errors; the target `evaluate` checks the error codes.
  const Status status = WithoutThrowing([&] { return Judge(*module, *arguments, SeedOf(text)); });
  static_cast<void>(status);
}
