// The sums that instructions only move into an output: a truncation of all their last roundings shows there as well.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/statistics/samples/sample_runs.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// The instructions through which sums are followed, each as often as a way leads there.
constexpr int kMostMoves = 512;
// A sum of a narrow type that is rounded twice on the way may be outside of its bound: where f32 makes a tie of it,
// about once in 2^16 times. Lawful arrays do not have as many of these.
constexpr std::int64_t kManyFailures = 16;

bool IsFloatingArray(const Shape& shape) { return shape.IsFixedArray() && IsFloatingPointType(shape.element_type()); }

// True for an instruction that moves the numbers of its operands; it may change their signs.
bool Moves(const HloInstruction& instruction) {
  return !instruction.operands.empty() && KeepsTerms(instruction) && IsFloatingArray(instruction.shape);
}

// The entry of a module on arguments, as far as nothing computes there.
class MovedValues {
 public:
  explicit MovedValues(const std::vector<Literal>& arguments) : arguments_(arguments) {}

  // Returns the sums that instructions move into a value.
  std::vector<const HloInstruction*> SumsIn(const HloInstruction& output, const Profile& profile) {
    std::vector<const HloInstruction*> sums, rest = {&output};
    for (int i = 0; i < kMostMoves && !rest.empty(); ++i) {
      const HloInstruction& value = SourceOf(*rest.back());
      rest.pop_back();
      if (Moves(value)) {
        rest.insert(rest.end(), value.operands.begin(), value.operands.end());
      } else if (IsFloatingArray(value.shape) && value.op->role == OpRole::kOrdinary &&
                 RuleOf(value, profile).acceptance == Acceptance::kSum && std::ranges::count(sums, &value) == 0) {
        sums.push_back(&value);
      }
    }
    return sums;
  }

  // Returns the value of a parameter, of a constant, or of what is moved of them; nullopt for other values.
  std::optional<Literal> Given(const HloInstruction& one) {
    if (++moves_ > kMostMoves) return std::nullopt;
    const HloInstruction& value = SourceOf(one);
    if (value.op->role == OpRole::kConstant) return *value.literal;
    if (value.op->role == OpRole::kParameter) return arguments_[value.parameter_number];
    if (!Moves(value)) return std::nullopt;
    std::optional<std::vector<Literal>> operands = GivenOperands(value);
    return operands ? EvaluateAlone(value, *std::move(operands)) : std::nullopt;
  }

  std::optional<std::vector<Literal>> GivenOperands(const HloInstruction& instruction) {
    std::vector<Literal> operands;
    for (const HloInstruction* operand : instruction.operands) {
      std::optional<Literal> value = Given(*operand);
      if (!value) return std::nullopt;
      operands.push_back(*std::move(value));
    }
    return operands;
  }

  // Returns the place of each number of a value among those of the sum, from 1 on, and 0 for a number that is none of
  // them; nullopt if it is not known. Integers and predicates say where numbers are, so that they have their values.
  std::optional<Literal> PlacesIn(const HloInstruction& sum, const HloInstruction& one) {
    if (++moves_ > kMostMoves) return std::nullopt;
    const HloInstruction& value = SourceOf(one);
    if (!IsFloatingArray(value.shape)) return Given(value);
    const bool is_sum = &value == &sum;
    if (is_sum || !Moves(value)) {
      Literal places(ShapeUtil::ChangeElementType(value.shape, S64));
      if (is_sum)
        std::iota(places.mutable_values<std::int64_t>().begin(), places.mutable_values<std::int64_t>().end(), 1);
      return places;
    }
    // An imaginary part has no form on places.
    const Shape& first = value.operand(0).shape;
    if (IsFloatingArray(first) && !value.op->legality.types.contains(S64)) return std::nullopt;
    std::vector<Literal> operands;
    for (const HloInstruction* operand : value.operands) {
      std::optional<Literal> places = PlacesIn(sum, *operand);
      if (!places) return std::nullopt;
      operands.push_back(*std::move(places));
    }
    return EvaluateAlone(value, std::move(operands), {},
                         [](PrimitiveType type) { return IsFloatingPointType(type) ? S64 : type; });
  }

 private:
  // Returns the instruction that computes or moves a value: through tuples, and into calls. A computation that a second
  // call applies to other values stays a call.
  const HloInstruction& SourceOf(const HloInstruction& value) {
    if (const auto bound = operands_of_calls_.find(&value); bound != operands_of_calls_.end()) {
      return SourceOf(*bound->second);
    }
    if (value.op->role == OpRole::kGetTupleElement) {
      const HloInstruction& whole = SourceOf(*value.operands[0]);
      return whole.op->role == OpRole::kTuple ? SourceOf(*whole.operands[value.tuple_index()]) : value;
    }
    if (value.op->role != OpRole::kCall) return value;
    const HloComputation& called = *value.CalledComputations().front();
    for (const HloInstruction* parameter : called.Parameters()) {
      const HloInstruction* const operand = value.operands[parameter->parameter_number];
      if (operands_of_calls_.try_emplace(parameter, operand).first->second != operand) return value;
    }
    return SourceOf(*called.root);
  }

  const std::vector<Literal>& arguments_;
  std::unordered_map<const HloInstruction*, const HloInstruction*> operands_of_calls_;  // by the parameter
  int moves_ = 0;
};

// Puts the numbers of `moved` at their places in `sums`. Returns false if a place does not hold that of `want` before.
bool PutBack(const Literal& places, const Literal& want, const Literal& moved, Literal& sums) {
  if (want.element_count() != places.element_count()) return false;
  const Literal before = sums;
  const int bytes = StorageBytes(sums.element_type());
  for (std::int64_t i = 0; i < places.element_count(); ++i) {
    const std::int64_t place = places.values<std::int64_t>()[i] - 1;
    if (place == -1) continue;
    if (place < 0 || std::memcmp(before.data() + place * bytes, want.data() + i * bytes, bytes) != 0) return false;
    std::memcpy(sums.mutable_data() + place * bytes, moved.data() + i * bytes, bytes);
  }
  return true;
}

}  // namespace

std::string SampleRuns::FaultOfMovedSums(const HloInstruction& output, const Literal& want, const Literal& got) const {
  const bool is_in_entry =
      std::ranges::any_of(module_.entry->instructions, [&](const auto& one) { return one.get() == &output; });
  if (arguments_.size() != 1 || !is_in_entry) return {};
  MovedValues moved(arguments_[0]);
  for (const HloInstruction* sum : moved.SumsIn(output, profile_)) {
    if (sum == module_.entry->root) break;  // a module of one instruction, which its rule has judged
    const std::optional<std::vector<Literal>> operands = moved.GivenOperands(*sum);
    if (!operands) continue;
    const std::optional<Literal> exact = EvaluateAlone(*sum, *operands), places = moved.PlacesIn(*sum, output);
    if (!exact || !places) continue;
    Literal of_backend = *exact;
    if (!PutBack(*places, want, got, of_backend)) continue;
    const Judgement judgement = JudgeInstruction(*sum, *operands, *exact, of_backend, profile_);
    std::int64_t failures = 0;
    for (const Tally& tally : judgement.tallies) failures += tally.verdict == Verdict::kFail ? tally.elements : 0;
    if (judgement.verdict != Verdict::kSuspect && failures < kManyFailures) continue;
    return fmt::format("{} (line {}): {}", sum->op->name, sum->location.line, judgement.reason);
  }
  return {};
}

}  // namespace assay
