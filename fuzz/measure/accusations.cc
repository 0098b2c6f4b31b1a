#include "fuzz/measure/accusations.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/lawful/lawful.h"
#include "fuzz/drawn_programs.h"
#include "fuzz/generate/families.h"
#include "fuzz/generate/modules.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/shape.h"

namespace assay {
using namespace generate;
namespace {

// The size of the result of one element-wise instruction.
constexpr std::int64_t kElements = 4096;
// Element-wise functions compute most elements of a program.
constexpr double kShareOfFunctions = 0.5;

// Returns operands in the order of the instruction, which may differ from that of the parameters.
std::vector<Literal> OperandsOf(const DrawnInstruction& drawn) {
  std::vector<Literal> operands;
  for (const HloInstruction* operand : drawn.instruction().operands) {
    operands.push_back(drawn.operands[0][operand->parameter_number]);
  }
  return operands;
}

void CountInstruction(const DrawnInstruction& drawn, const Profile& profile, std::uint64_t seed,
                      AccusationCount& count) {
  const Result<Literal> want = Evaluate(*drawn.module, drawn.operands[0]);
  if (!want) return;
  LawfulBackend backend(profile, seed);
  const Result<PerDevice<Literal>> got = backend.Run(*drawn.module, drawn.operands);
  if (!got) return;
  const std::vector<Literal> operands = OperandsOf(drawn);
  const Judgement judgement = JudgeInstruction(drawn.instruction(), operands, *want, (*got)[0], profile);
  ++count.instructions;
  count.elements += judgement.elements;
  count.inexact += judgement.not_exact;
  count.weak += judgement.verdict == Verdict::kWeak ? 1 : 0;
  if (judgement.verdict == Verdict::kLegal) count.largest_share = std::max(count.largest_share, judgement.worst.share);
  if (!IsFailure(judgement.verdict)) return;
  if (count.accusations++ > 0) return;
  std::string types;
  for (const Literal& operand : operands) types += " " + operand.shape().ToStringWithoutLayout();
  count.first_accusation =
      fmt::format("{} of{}: element {}: got {}, want {}: {} (seed {})", PrintInstruction(drawn.instruction()), types,
                  judgement.worst.offset, judgement.worst.got, judgement.worst.want, judgement.reason, seed);
}

}  // namespace

std::map<std::string, AccusationCount> CountAccusations(const Profile& profile, std::int64_t elements,
                                                        std::uint64_t seed) {
  Random random(seed);
  const auto families = FamilyNames();
  std::map<std::string, AccusationCount> counts;
  for (const std::string_view family : families) {
    AccusationCount& count = counts[std::string(family)];
    const bool is_functions = family == families.front();
    const double share =
        is_functions ? kShareOfFunctions : (1 - kShareOfFunctions) / static_cast<double>(families.size() - 1);
    const auto wanted = static_cast<std::int64_t>(share * static_cast<double>(elements));
    for (std::int64_t i = 0; count.elements < wanted; ++i) {
      CountInstruction(DrawOfFamily(random, family, std::min(kElements, wanted)), profile, seed * 1'000'003 + i, count);
    }
  }
  return counts;
}

namespace {

void CountProgram(const DrawnModule& drawn, const Profile& profile, std::uint64_t seed, std::int64_t number,
                  ProgramCount& count) {
  LawfulBackend backend(profile, seed * 1'000'003 + number);
  const Result<PerDevice<Literal>> got = backend.Run(*drawn.module, drawn.arguments);
  if (!got) return;
  const Result<ValueSet> set = EvaluateSets(*drawn.module, drawn.arguments[0], profile);
  if (!set) return;
  const Judgement judgement = JudgeBySet(*set, (*got)[0]);
  ++count.programs;
  count.elements += judgement.elements;
  count.inexact += judgement.not_exact > 0 ? 1 : 0;
  count.legal += judgement.verdict == Verdict::kLegal ? 1 : 0;
  count.weak += judgement.verdict == Verdict::kWeak ? 1 : 0;
  if (!IsFailure(judgement.verdict)) return;
  ++count.accusations;
  if (count.told.size() == kMostTold) return;
  count.told.push_back(fmt::format("program {}: {}: got {}, want {}: {}\n{}", number, judgement.worst.name,
                                   judgement.worst.got, judgement.worst.want, judgement.reason,
                                   PrintHloModule(*drawn.module)));
}

}  // namespace

ProgramCount CountProgramAccusations(const Profile& profile, std::int64_t programs, std::uint64_t seed,
                                     ProgramKind kind, std::int64_t skipped) {
  Random random(seed);
  ModuleWishes constraints;
  constraints.may_have_devices = false;
  constraints.most_draws = 8;  // longer programs are likelier to contain transfers or collectives, which have no set
  ProgramCount count;
  for (std::int64_t i = 0; i < skipped + programs; ++i) {
    const DrawnModule drawn = kind == ProgramKind::kFloats ? DrawFloatProgram(random) : DrawModule(random, constraints);
    if (i >= skipped) CountProgram(drawn, profile, seed, i, count);
  }
  return count;
}

}  // namespace assay
