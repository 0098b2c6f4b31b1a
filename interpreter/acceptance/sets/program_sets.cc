#include "interpreter/acceptance/sets/program_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/array_calls.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/lawful_results.h"
#include "interpreter/acceptance/sets/open_folds.h"
#include "interpreter/acceptance/sets/operand_facts.h"
#include "interpreter/acceptance/sets/part_updates.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/acceptance/sets/set_width.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/evaluator/single_steps.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

bool HasNoNegative(const Literal& numbers) {
  return std::ranges::all_of(numbers.values<double>(), [](double x) { return !(x < 0); });
}

class SetWalk : public SetEvaluation {
 public:
  SetWalk(const HloModule& module, const Profile& profile, const EvaluationOptions& options, CallObserver on_call,
          StepObserver on_step)
      : steps_(module, options), profile_(profile), on_step_(std::move(on_step)), on_call_(std::move(on_call)) {}

  ValueSet Call(const HloComputation& computation, std::vector<ValueSet> arguments) override {
    const ComputationPlan& plan = steps_.plans().Of(computation);
    std::vector<ValueSet> slots(plan.slot_count());
    for (const PlanStep& step : plan.steps()) {
      if (step.instruction->op->role == OpRole::kGetTupleElement) {
        const auto [slot, is_last_use] = step.operands[0];
        ValueSet& element = slots[slot].elements[step.tuple_index];
        slots[step.slot] = is_last_use ? std::move(element) : element;
        if (is_last_use) slots[slot] = ValueSet();  // the other elements are no longer shared
        continue;
      }
      std::vector<ValueSet> operands;
      operands.reserve(step.operands.size());
      for (const PlanStep::Operand& operand : step.operands) operands.push_back(operand.TakeFrom(slots));
      slots[step.slot] = Execute(step, std::move(operands), arguments);
    }
    return std::move(slots[plan.root_slot()]);
  }

  std::optional<ValueSet> CallOnArrays(const HloComputation& computation, std::vector<ValueSet> arguments) override {
    const auto module = OnArrays(computation, arguments[0].value.element_count());
    if (module == nullptr) return std::nullopt;
    return SetWalk(*module, profile_, {}, {}, {}).Call(*module->entry, std::move(arguments));
  }

  Literal Evaluate(const HloInstruction& instruction, std::vector<Literal> operands) override {
    return steps_.Evaluate(instruction, std::move(operands));
  }

  std::optional<Literal> EvaluateInF64(const HloInstruction& instruction, std::vector<Literal> operands) override {
    // Real operands are f64 already, complex ones c128.
    const bool is_narrow = AddsProducts(instruction) && BitWidth(instruction.shape.element_type()) <= 32;
    if (is_narrow && std::ranges::all_of(operands, HasNoNegative)) {
      if (std::optional<Literal> sums = QuickSumsOfProducts(instruction, operands)) return sums;
    }
    for (Literal& operand : operands) {
      if (operand.shape().IsArray() && IsInexactType(operand.element_type())) operand = NumbersOf(operand);
    }
    return EvaluateAlone(instruction, std::move(operands), {},
                         [](PrimitiveType type) { return IsInexactType(type) ? NumberType(type) : type; });
  }

  const Op* FoldedOp(const HloInstruction& instruction) override {
    // The scatter computation of select-and-scatter is last.
    const std::vector<HloComputation*> called = instruction.CalledComputations();
    return called.empty() ? nullptr : FoldedOpOf(*called.back());
  }

  bool IgnoresZeroSign(const HloInstruction& instruction) override {
    return ArithmeticOf(SourcesOf(instruction, profile_)).ignores_zero_sign;
  }

 private:
  ValueSet Execute(const PlanStep& step, std::vector<ValueSet> operands, std::vector<ValueSet>& arguments) {
    const HloInstruction& instruction = *step.instruction;
    if (on_step_) on_step_(instruction);
    switch (instruction.op->role) {
      case OpRole::kParameter:
        return std::move(arguments[instruction.parameter_number]);
      case OpRole::kConstant:
        return ValueSet::Of(*instruction.literal);
      case OpRole::kTuple:
        return ValueSet::Tuple(std::move(operands));
      case OpRole::kCall:
        return Observed(instruction, operands, [&] { return Call(*step.called, std::move(operands)); });
      default:
        break;
    }
    if (AcceptanceOf(instruction).walk != nullptr) {
      return Observed(instruction, operands, [&] { return Walk(instruction, operands); });
    }
    const auto is_one_value = [](const ValueSet& set) { return set.IsDecided() && set.bits_of == nullptr; };
    if (FactsOf(instruction).keeps_decided && std::ranges::all_of(operands, is_one_value)) {
      return ValueSet::Of(steps_.Evaluate(step, TakeValues(operands)));
    }
    if (IsUpdateOfPart(instruction, operands, profile_)) return Update(instruction, std::move(operands));
    ValueSet result = Compute(step, operands);
    FindWidth(instruction, operands, result);
    return result;
  }

  // Moves the values out of sets that are not read again, so that no other owner shares their buffers.
  static std::vector<Literal> TakeValues(std::vector<ValueSet>& sets) {
    std::vector<Literal> values;
    values.reserve(sets.size());
    for (ValueSet& set : sets) values.push_back(set.is_tuple ? ValueOf(set) : std::move(set.value));
    return values;
  }

  ValueSet Update(const HloInstruction& instruction, std::vector<ValueSet> operands) {
    std::vector<ValueSet> widths(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      widths[i].width = operands[i].width;
      widths[i].widest = operands[i].widest;
    }
    operands = WithWidenedOperands(operands, profile_, instruction);
    ValueSet result = UpdatePart(instruction, std::move(operands), *this);
    if (result.open && NothingIsKnown(result.value, *result.open)) result = UnknownLike(result, instruction);
    FindWidth(instruction, widths, result);
    return result;
  }

  static ValueSet UnknownLike(const ValueSet& set, const HloInstruction& because) {
    ValueSet unknown = Anything(set.value, &because);
    unknown.freedoms = set.freedoms;
    return unknown;
  }

  ValueSet Walk(const HloInstruction& instruction, std::span<const ValueSet> operands) {
    CheckLimits();
    const bool was_inside = std::exchange(is_inside_, true);
    ValueSet result = AcceptanceOf(instruction).walk(instruction, operands, *this);
    is_inside_ = was_inside;
    FindWidthOfChoices(instruction, operands, result);
    OpenBesideInfinities(instruction, operands, result);
    return result;
  }

  // `read` are the operands as the instruction may read them. A step that compares may flush what a step moves.
  std::optional<ValueSet> WalkSteps(const JudgedInstruction& judged, std::span<const ValueSet> operands,
                                    std::span<const ValueSet> read, const Literal& value) {
    const HloInstruction& instruction = judged.instruction;
    const auto steps = AcceptanceOf(instruction).steps;
    const bool is_called = AcceptanceOf(instruction).rule == Acceptance::kCalled;
    const bool is_by_steps = judged.rule.acceptance == Acceptance::kCalled ||
                             !std::ranges::all_of(is_called ? read : operands, &ValueSet::IsDecided);
    if (steps == nullptr || !is_by_steps) return std::nullopt;
    const bool was_inside = std::exchange(is_inside_, true);
    std::optional<ValueSet> result = steps(instruction, operands, value, *this);
    is_inside_ = was_inside;
    if (result) OpenBesideInfinities(instruction, operands, *result);
    return result;
  }

  void OpenBesideInfinities(const HloInstruction& instruction, std::span<const ValueSet> operands, ValueSet& result) {
    const std::uint32_t finite_only = OpenBitsWith(&FreedomWidening::finite_only, profile_, instruction.op->name);
    const bool is_unknown = finite_only != 0 && (!AllFinite(result) || !std::ranges::all_of(operands, AllFinite));
    if (is_unknown) OpenReals(instruction, finite_only, result);
  }

  // Evaluates the set of an instruction that calls computations, and reports it to the observer.
  template <class Function>
  ValueSet Observed(const HloInstruction& instruction, std::span<const ValueSet> operands, const Function& evaluate) {
    if (!on_call_ || is_inside_ || !std::ranges::all_of(operands, IsAsGiven)) return evaluate();
    std::vector<Literal> values;
    for (const ValueSet& operand : operands) values.push_back(ValueOf(operand));
    ValueSet result = evaluate();
    on_call_(instruction, values, result);
    return result;
  }

  // True for a set that an argument of a module could have.
  static bool IsAsGiven(const ValueSet& set) {
    return set.open == nullptr && set.as_term == nullptr && set.bits_of == nullptr && set.terms == nullptr &&
           set.products == nullptr && set.start_errors == nullptr && set.widest == nullptr && set.freedoms == 0 &&
           set.term_count == 1 && set.term_quantum == 0 && set.factor_count == 1 && set.width == 0 &&
           std::ranges::all_of(set.elements, IsAsGiven);
  }

  static bool AllFinite(const ValueSet& set) {
    return set.is_tuple ? std::ranges::all_of(set.elements, AllFinite) : IsFinite(ReachOf(set));
  }

  // Opens all real numbers of a set by the given freedoms: nothing is known of numbers beside infinities.
  static void OpenReals(const HloInstruction& instruction, std::uint32_t freedoms, ValueSet& set) {
    for (ValueSet& element : set.elements) OpenReals(instruction, freedoms, element);
    if (set.is_tuple || !set.value.shape().IsArray() || !IsInexactType(set.value.element_type())) return;
    set = Anything(set.value, &instruction);
    set.freedoms = freedoms;
  }

  ValueSet Compute(const PlanStep& step, std::span<const ValueSet> given) {
    const HloInstruction& instruction = *step.instruction;
    std::vector<Literal> values;
    values.reserve(given.size());
    for (const ValueSet& operand : given) values.push_back(ValueOf(operand));
    const bool has_run_time_sizes = HasRunTimeSizes(values);
    Literal value = steps_.Evaluate(step, std::move(values));
    const JudgedInstruction& judged = FactsOf(instruction).judged;
    // The bound of a sum includes operands that are flushed. A part of an array is flushed in place of the array.
    const bool takes_part = TakesPart(instruction);
    std::vector<ValueSet> operands = judged.rule.acceptance == Acceptance::kSum || takes_part
                                         ? std::vector<ValueSet>(given.begin(), given.end())
                                         : WithWidenedOperands(given, profile_, instruction);
    std::optional<ValueSet> by_steps;
    if (!has_run_time_sizes) by_steps = WalkSteps(judged, given, operands, value);
    OpenComparedOperand(instruction, operands);
    // Predicates and bits may depend on the sign and the payload of a NaN.
    if (TellsNans(instruction, operands, value) && profile_.AllowsAnything()) operands = WithOpenNans(operands);
    const bool is_open =
        Overwrites(instruction) || std::ranges::any_of(operands, [](const ValueSet& set) { return !set.IsDecided(); });
    ValueSet set =
        by_steps ? *std::move(by_steps) : WithOpenOperands(judged, operands, value, is_open, has_run_time_sizes);
    if (takes_part) set = WithWidenedOperands({&set, 1}, profile_, instruction).front();
    const auto read = [&](EvaluateFunction body, std::vector<Literal> read_on) {
      return steps_.EvaluateBy(ReadBy(body, *instruction.op), instruction, std::move(read_on));
    };
    if (takes_any_order_) OpenFold(judged, operands, read, *this, set);
    if (!has_run_time_sizes) OpenReadings(judged, operands, read, *this, set);
    return set;
  }

  // Widens the operand that chooses among the terms of a fold: it may count as zero in the comparison, too. In a total
  // order the sign of a NaN decides.
  void OpenComparedOperand(const HloInstruction& instruction, std::vector<ValueSet>& operands) {
    const int compared = AcceptanceOf(instruction).Fact<FoldFacts>().compared_operand;
    if (compared < 0 || !profile_.AllowsAnything()) return;
    std::vector<ValueSet> open = {operands[compared]};
    if (SignOfNanDecides(*instruction.CalledComputations().front(), open[0])) open = WithOpenNans(open);
    open = WithWidenedOperands(open, profile_, instruction);
    operands[compared] = std::move(open[0]);
  }

  // True if a comparison of two NaN elements depends on their signs.
  bool SignOfNanDecides(const HloComputation& comparison, const ValueSet& elements) {
    const PrimitiveType type = elements.value.element_type();
    if (!IsFloatingPointType(type) || FloatFormatOf(type).nan == NanEncoding::kNone) return false;
    Literal nan(ShapeUtil::MakeScalarShape(type));
    const std::uint64_t bits = FloatFormatOf(type).nan_bits(false);
    std::memcpy(nan.mutable_data(), &bits, StorageBytes(type));
    const std::vector<ValueSet> any_nan = WithOpenNans(std::vector<ValueSet>{ValueSet::Of(std::move(nan))});
    return !Call(comparison, {any_nan[0], any_nan[0]}).IsDecided();
  }

  ValueSet WithOpenOperands(const JudgedInstruction& judged, std::span<const ValueSet> operands, const Literal& value,
                            bool is_open, bool has_run_time_sizes) {
    const HloInstruction& instruction = judged.instruction;
    if (!is_open) return WidenToLawful(judged, operands, value, nullptr, *this);
    const SetImage image = AcceptanceOf(instruction).image;
    const bool has_open_result = has_run_time_sizes || image == nullptr || value.shape().IsTuple();
    if (has_open_result) return Unknown(instruction, operands, value);
    const std::shared_ptr<const OpenElements> exact = image(instruction, operands, value, *this);
    // Every rule leaves a set of which nothing is known unchanged.
    if (exact && NothingIsKnown(value, *exact)) {
      ValueSet set = Anything(value, &instruction);
      for (const ValueSet& operand : operands) set.freedoms |= operand.IsDecided() ? 0 : operand.freedoms;
      return set;
    }
    return WidenToLawful(judged, operands, value, exact, *this);
  }

  ValueSet Unknown(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value) {
    ValueSet set = Anything(value, &instruction);
    set.freedoms = kUndecidedBit;
    for (const ValueSet& operand : operands) set.freedoms |= operand.freedoms;
    return set;
  }

  // Facts about an instruction that all its executions share.
  struct Facts {
    JudgedInstruction judged;  // without operands
    bool keeps_decided;        // decided operands have a decided result
  };

  const Facts& FactsOf(const HloInstruction& instruction) {
    if (const auto known = facts_.find(&instruction); known != facts_.end()) return known->second;
    Facts facts = {{instruction, {}, profile_, RuleOf(instruction, profile_)}, false};
    facts.keeps_decided = KeepsDecided(instruction, facts.judged.rule) && !facts.judged.arithmetic.overflows_in_any_way;
    return facts_.emplace(&instruction, std::move(facts)).first->second;
  }

  // True for functions of integers and predicates. No freedom opens them, unless the order of a fold or the reading of
  // the specification is open.
  static bool KeepsDecided(const HloInstruction& instruction, const RuleChoice& rule) {
    const auto is_integral = [](const Shape& shape) { return shape.IsArray() && !IsInexactType(shape.element_type()); };
    const OpAcceptance& acceptance = AcceptanceOf(instruction);
    const bool is_exact = acceptance.rule == Acceptance::kExact && rule.acceptance == Acceptance::kExact;
    const bool has_one_reading = acceptance.gap.in_opposite_order == nullptr && OtherReadingsOf(instruction).empty() &&
                                 acceptance.gap.implementation_defined == nullptr;
    return is_exact && has_one_reading && is_integral(instruction.shape) &&
           std::ranges::all_of(instruction.operands, [&](const auto* operand) { return is_integral(operand->shape); });
  }

  // Returns the record of an op with another body.
  const Op& ReadBy(EvaluateFunction body, const Op& op) {
    if (const auto known = readings_.find({&op, body}); known != readings_.end()) return known->second;
    return readings_.emplace(std::pair(&op, body), WithBody(op, body)).first->second;
  }

  SingleSteps steps_;
  const Profile& profile_;
  const bool takes_any_order_ = profile_.ArithmeticOf().takes_any_order;
  const StepObserver on_step_;
  const CallObserver on_call_;
  bool is_inside_ = false;  // of a loop or a choice
  std::unordered_map<const HloInstruction*, Facts> facts_;
  std::map<std::pair<const Op*, EvaluateFunction>, Op> readings_;
};

// Returns an instruction that sets do not cover, or null: asynchronous values, other devices, the host.
const HloInstruction* FindBeyondSets(const HloModule& module) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      const OpRole role = instruction->op->role;
      const bool is_asynchronous =
          role == OpRole::kAsyncStart || role == OpRole::kAsyncUpdate || role == OpRole::kAsyncDone;
      const OpEvaluation& evaluation = instruction->op->evaluation;
      // Nothing is known of random numbers, but outputs that do not follow from them have sets.
      const bool is_random = AcceptanceOf(*instruction).rule == Acceptance::kStatistical;
      const bool is_alone = !evaluation.depends_on_device && !evaluation.has_side_effect;
      if (is_asynchronous || !(is_alone || is_random)) return instruction.get();
    }
  }
  return nullptr;
}

}  // namespace

namespace {

using MakeArguments = std::function<Result<std::vector<ValueSet>>()>;

Result<ValueSet> WalkFrom(const HloModule& module, const MakeArguments& arguments, const Profile& profile,
                          const EvaluationOptions& options, CallObserver on_call, StepObserver on_step) {
  if (module.device_count() != 1) {
    return Error{ErrorCode::kUnsupported, "sets go through programs of one device only"};
  }
  if (const HloInstruction* beyond = FindBeyondSets(module)) {
    return Error{ErrorCode::kUnsupported, fmt::format("sets do not go through {}", beyond->op->name), beyond->location};
  }
  return WithoutThrowing([&]() -> Result<ValueSet> {
    const DefaultFloatEnvironment environment;
    const TimeLimit time(options.limits.seconds);
    const ArrayLimit memory(options.limits.array_bytes);
    SetWalk walk(module, profile, options, std::move(on_call), std::move(on_step));
    ASSAY_TRY(std::vector<ValueSet> sets, arguments());
    return walk.Call(*module.entry, std::move(sets));
  });
}

}  // namespace

Result<ValueSet> EvaluateSets(const HloModule& module, std::vector<Literal> arguments, const Profile& profile,
                              const EvaluationOptions& options, CallObserver on_call, StepObserver on_step) {
  const auto sets = [&]() -> Result<std::vector<ValueSet>> {
    ASSAY_CHECK_OK(FitArguments(module, arguments));
    std::vector<ValueSet> all;
    for (Literal& argument : arguments) all.push_back(ValueSet::Of(std::move(argument)));
    return all;
  };
  return WalkFrom(module, sets, profile, options, std::move(on_call), std::move(on_step));
}

Result<ValueSet> EvaluateSetsOf(const HloModule& module, std::vector<ValueSet> arguments, const Profile& profile,
                                const EvaluationOptions& options) {
  const auto sets = [&]() -> Result<std::vector<ValueSet>> {
    ASSAY_CHECK_OK(CheckArgumentCount(module, arguments.size()));
    return std::move(arguments);
  };
  return WalkFrom(module, sets, profile, options, {}, {});
}

}  // namespace assay
