#include "interpreter/acceptance/statistics/samples/numbers_of_decisions.h"

#include <algorithm>
#include <utility>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/ops/common/quantization.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/statistics/samples/deciding_instructions.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// True for a function of real numbers that rounds nothing, such as a maximum: its results err as its operands do. A
// kernel that computes with integers adds an error at the clamp of a quantization.
bool KeepsErrors(const HloInstruction& instruction, const Profile& profile) {
  const auto is_real = [](const Shape& shape) { return shape.IsArray() && IsFloatingPointType(shape.element_type()); };
  const auto is_real_operand = [&](const HloInstruction* operand) { return is_real(operand->shape); };
  if (!is_real(instruction.shape) || !std::ranges::all_of(instruction.operands, is_real_operand)) return false;
  if (instruction.op->evaluation.depends_on_device || instruction.operands.empty()) return false;
  if (profile.ArithmeticOf(instruction.op->name).computes_with_integers && FixedPointErrorOf(instruction)) return false;
  const OpAcceptance& own = AcceptanceOf(instruction);
  const std::vector<HloComputation*> called = instruction.CalledComputations();
  const Op* const folded = own.Has(Trait::kFolds) && called.size() == 1 ? FoldedOpOf(*called[0]) : nullptr;
  const OpAcceptance& acceptance = folded != nullptr ? AcceptanceOf(*folded) : own;
  const bool rounds = acceptance.rule != Acceptance::kExact || acceptance.folded != Acceptance::kExact ||
                      acceptance.Has(Trait::kRounds);
  const bool is_elementwise = instruction.op->evaluation.kernel != nullptr || own.Has(Trait::kKeepsTerms);
  return (folded != nullptr || is_elementwise) && !rounds && !acceptance.Has(Trait::kJumps);
}

// True for an instruction of one real number that decides.
bool DecidesByOne(const HloInstruction& instruction) {
  return instruction.operands.size() == 1 && ShapeUtil::HasInexactLeaf(instruction.operand(0).shape) &&
         (HasSteps(instruction) || !ShapeUtil::HasInexactLeaf(instruction.shape));
}

// Returns such functions that the decisions of a computation read. Those behind moves count for comparisons alone: a
// number of a large array would decide with all others.
std::unordered_set<const HloInstruction*> ExactFunctionsRead(const HloComputation& computation,
                                                             const Profile& profile) {
  std::unordered_set<const HloInstruction*> functions;
  const auto see = [&](const auto& is_reader, bool moves) {
    std::vector<const HloInstruction*> readers;
    for (const auto& instruction : computation.instructions) {
      if (is_reader(*instruction)) readers.push_back(instruction.get());
    }
    while (!readers.empty()) {
      const HloInstruction* const reader = readers.back();
      readers.pop_back();
      for (const HloInstruction* operand : reader->operands) {
        const bool is_read = KeepsErrors(*operand, profile) && (moves || operand->op->evaluation.kernel != nullptr);
        if (is_read && functions.insert(operand).second) readers.push_back(operand);
      }
    }
  };
  see(ComparesReals, true);
  see(DecidesByOne, false);
  return functions;
}

}  // namespace

std::optional<std::vector<Literal>> DecidedBy::ArgumentsOn(std::vector<Literal> numbers) const {
  if (functions.empty()) return numbers;
  std::unordered_map<const HloInstruction*, Literal> values;
  for (std::size_t i = 0; i < sources.size(); ++i) values.emplace(sources[i], std::move(numbers[i]));
  const auto operands_of = [&](const HloInstruction& reader) {
    std::vector<Literal> of_reader;
    for (const HloInstruction* operand : reader.operands) of_reader.push_back(values.at(operand));
    return of_reader;
  };
  for (const HloInstruction* function : functions) {
    std::optional<Literal> result = EvaluateAlone(*function, operands_of(*function));
    if (!result) return std::nullopt;
    values.emplace(function, *std::move(result));
  }
  return operands_of(*instruction);
}

void NumbersOfDecisions::See(const HloInstruction& instruction, std::span<const Literal> operands,
                             const Literal& result, const Profile& profile) {
  const auto [read, is_new] = read_.try_emplace(instruction.parent);
  if (is_new) read->second = ExactFunctionsRead(*instruction.parent, profile);
  if (read->second.contains(&instruction)) {
    executed_[&instruction] = {{operands.begin(), operands.end()}, result};
  }
}

// Adds an operand to the sources that are found, or the sources of the functions that made it. Returns false if one of
// them was found before.
bool NumbersOfDecisions::FindSources(const HloInstruction* operand, const Literal& value, DecidedBy& found) const {
  if (std::ranges::count(found.functions, operand) != 0) return false;
  if (std::ranges::count(found.sources, operand) != 0) return false;
  const auto known = executed_.find(operand);
  // Another device may have executed the function since.
  if (known == executed_.end() || !known->second.result.BitwiseEqual(value)) {
    found.sources.push_back(operand);
    found.operands.push_back(value);
    return true;
  }
  bool is_new = true;
  for (std::size_t i = 0; i < operand->operands.size(); ++i) {
    is_new &= FindSources(operand->operands[i], known->second.operands[i], found);
  }
  found.functions.push_back(operand);
  return is_new;
}

// Errors of a number that is clamped may not show in any run. A narrow number may be compared before it is rounded, and
// a subnormal one before it is flushed: it then differs from a function that returns it.
DecidedBy NumbersOfDecisions::Of(const HloInstruction& instruction, std::span<const Literal> operands) const {
  const DecidedBy alone{
      &instruction, {}, {instruction.operands.begin(), instruction.operands.end()}, {operands.begin(), operands.end()}};
  if (executed_.empty()) return alone;
  const bool compares = ComparesReals(instruction);
  if (!compares && !DecidesByOne(instruction)) return alone;
  if (compares && BitWidth(operands[0].element_type()) <= 16) return alone;
  if (std::ranges::any_of(operands, HasSubnormals)) return alone;
  DecidedBy found{&instruction};
  bool are_apart = compares;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    are_apart &= FindSources(instruction.operands[i], operands[i], found);
  }
  return are_apart ? alone : found;
}

}  // namespace assay
