#include "interpreter/acceptance/ops/common/loop_sets.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/hlo/loop_state.h"
#include "interpreter/numerics/round.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// The number of iterations before sets without information are replaced by unknown ones.
constexpr int kIterationsInFull = 4;

// True if every interval is as wide as the largest number of the array: later iterations only widen it. Stops reading
// the array as early as possible, because a loop may stack large ones.
bool SaysNothing(const ValueSet& set) {
  if (set.open == nullptr || !IsFloatingPointType(set.value.element_type())) return false;
  constexpr std::int64_t kBlock = 256;
  const PrimitiveType type = set.value.element_type();
  const auto low = set.open->low.values<double>(), high = set.open->high.values<double>();
  std::vector<double> numbers;
  double narrowest = INFINITY, largest = 0;
  for (std::int64_t begin = 0; begin < set.value.element_count(); begin += kBlock) {
    numbers.resize(std::min(kBlock, set.value.element_count() - begin));
    LoadReals(type, set.value.data() + begin * StorageBytes(type), numbers.data(), std::ssize(numbers));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double width = high[begin + i] - low[begin + i];
      if (std::isnan(width)) return false;
      narrowest = std::min(narrowest, width);
      if (std::isfinite(numbers[i])) largest = std::max(largest, std::fabs(numbers[i]));
    }
    if (narrowest < largest) return false;
  }
  return true;
}

// Returns an unknown set in place of `set`.
ValueSet Unknown(const HloInstruction& loop, const ValueSet& set, const Literal& value) {
  ValueSet unknown = Anything(value, set.widest == nullptr ? &loop : set.widest);
  unknown.freedoms = set.freedoms;
  return unknown;
}

// Replaces sets without information by unknown ones: the next iteration computes no intervals for them.
void GiveUp(const HloInstruction& loop, ValueSet& state) {
  for (ValueSet& element : state.elements) GiveUp(loop, element);
  if (SaysNothing(state)) state = Unknown(loop, state, state.value);
}

// The elements of a loop's state that stay decided whatever the other elements are: those that the body keeps, and
// integers that depend on such integers only.
class DecidedElements {
 public:
  explicit DecidedElements(const HloInstruction& loop) {
    const HloInstruction& root = *loop.Computation("body").root;
    if (root.op->role != OpRole::kTuple) return;
    is_decided_.assign(root.operands.size(), true);
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      known_.clear();
      for (std::size_t i = 0; i < root.operands.size(); ++i) {
        if (!is_decided_[i] || IsKeptState(*root.operands[i], static_cast<std::int64_t>(i)) ||
            IsDecided(*root.operands[i]))
          continue;
        is_decided_[i] = false;
        has_changed = true;
      }
    }
    known_.clear();
    decides_trips_ = IsDecided(*loop.Computation("condition").root);
  }

  bool Has(std::size_t element) const { return is_decided_[element]; }
  // True if the trip count depends on these elements only.
  bool DecideTrips() const { return decides_trips_; }

 private:
  bool IsDecided(const HloInstruction& instruction) {
    const auto [known, is_new] = known_.try_emplace(&instruction, false);
    if (is_new) {
      const bool is_decided = HasOneValue(instruction);  // may insert others
      known_[&instruction] = is_decided;
      return is_decided;
    }
    return known->second;
  }

  bool HasOneValue(const HloInstruction& instruction) {
    const Shape& shape = instruction.shape;
    if (!shape.IsArray() || IsInexactType(shape.element_type())) {
      return false;
    }
    if (IsOfState(instruction)) return is_decided_[instruction.tuple_index()];
    if (instruction.op->role == OpRole::kConstant) return true;
    const OpAcceptance& acceptance = AcceptanceOf(instruction);
    const bool is_exact = acceptance.rule == Acceptance::kExact && OtherReadingsOf(instruction).empty() &&
                          acceptance.gap.in_opposite_order == nullptr && instruction.CalledComputations().empty();
    return is_exact && instruction.op->role == OpRole::kOrdinary &&
           std::ranges::all_of(instruction.operands, [&](const auto* operand) { return IsDecided(*operand); });
  }

  std::vector<bool> is_decided_;
  std::map<const HloInstruction*, bool> known_;
  bool decides_trips_ = false;
};

// True if IsSteady can be true for a set of decided elements.
bool MayBeSteady(const ValueSet& state) {
  return std::ranges::all_of(state.elements, [](const ValueSet& element) {
    return element.IsDecided() || (!element.is_tuple && SaysNothing(element));
  });
}

// True if all following iterations have sets of the same kind: elements that stay decided, and others of which nothing
// is known.
bool IsSteady(const DecidedElements& decided, const ValueSet& state) {
  if (!decided.DecideTrips()) return false;
  for (std::size_t i = 0; i < state.elements.size(); ++i) {
    const ValueSet& element = state.elements[i];
    if (decided.Has(i) ? !element.IsDecided() : element.is_tuple || !SaysNothing(element)) return false;
  }
  return true;
}

HloInstruction CallOf(const HloInstruction& loop, HloComputation& computation) {
  HloInstruction call;
  call.op = &op_call;
  call.name = loop.name;
  call.location = loop.location;
  call.shape = computation.root->shape;
  call.Set("to_apply", &computation);
  return call;
}

// Runs one iteration. Moves the state: an argument list in braces would copy it, and its buffers could not be
// overwritten.
ValueSet StateAfter(const HloInstruction& loop, ValueSet state, SetEvaluation& evaluation) {
  std::vector<ValueSet> arguments;
  arguments.push_back(std::move(state));
  return evaluation.Call(loop.Computation("body"), std::move(arguments));
}

// Runs the iterations after a steady state, at least one, on values alone. The sets of the last iteration are the
// loop's.
ValueSet RunToLastIteration(const HloInstruction& loop, const DecidedElements& decided, ValueSet state,
                            SetEvaluation& evaluation) {
  const HloInstruction condition = CallOf(loop, loop.Computation("condition"));
  const HloInstruction body = CallOf(loop, loop.Computation("body"));
  Literal before, value = ValueOf(state);
  do {
    before = value;
    value = evaluation.Evaluate(body, {std::move(value)});
  } while (evaluation.Evaluate(condition, {value}).BoolAt(0));
  for (std::size_t i = 0; i < state.elements.size(); ++i) {
    ValueSet& element = state.elements[i];
    const Literal& last = before.elements()[i];
    element = decided.Has(i) ? ValueSet::Of(last) : Unknown(loop, element, last);
  }
  return StateAfter(loop, std::move(state), evaluation);
}

}  // namespace

ValueSet WalkLoop(const HloInstruction& loop, std::span<const ValueSet> operands, SetEvaluation& evaluation) {
  std::optional<DecidedElements> decided;
  ValueSet state = operands[0];
  for (int iteration = 0;; ++iteration) {
    const ValueSet holds = evaluation.Call(loop.Computation("condition"), {state});
    // An undecided condition leaves the trip count open: only the reference's value is known.
    if (holds.open != nullptr) return Anything(evaluation.Evaluate(loop, {ValueOf(state)}), &loop);
    if (!holds.value.BoolAt(0)) return state;
    if (iteration >= kIterationsInFull) {
      GiveUp(loop, state);
      if (MayBeSteady(state)) {
        if (!decided) decided.emplace(loop);
        if (IsSteady(*decided, state)) return RunToLastIteration(loop, *decided, std::move(state), evaluation);
      }
    }
    state = StateAfter(loop, std::move(state), evaluation);
  }
}

}  // namespace assay
