#include "interpreter/acceptance/statistics/samples/open_results.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/implementation_defined.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/open_folds.h"
#include "interpreter/acceptance/sets/operand_facts.h"
#include "interpreter/acceptance/sets/other_orders.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/acceptance/statistics/disturbance.h"
#include "interpreter/acceptance/statistics/samples/decided_values.h"
#include "interpreter/hlo/op.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/split_mix.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

bool HasImplementationDefined(const JudgedInstruction& judged, const Literal& result) {
  const std::size_t leaves = result.shape().IsTuple() ? result.elements().size() : 1;
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    const Literal& array = result.shape().IsTuple() ? result.elements()[leaf] : result;
    const ElementTest is_open = ImplementationDefined(judged, judged.operands, leaf, array);
    for (std::int64_t i = 0; is_open && i < array.element_count(); ++i) {
      if (is_open(i)) return true;
    }
  }
  return false;
}

bool HasOtherReading(const JudgedInstruction& judged, const Literal& result) {
  const OpAcceptance& acceptance = AcceptanceOf(judged.instruction);
  const auto readings = OtherReadingsOf(judged.instruction);
  std::vector<EvaluateFunction> bodies(readings.begin(), readings.end());
  // The order of a sum or product only moves its roundings.
  const Acceptance rule = judged.rule.acceptance;
  const bool has_order = rule != Acceptance::kSum && rule != Acceptance::kProduct;
  if (acceptance.gap.in_opposite_order != nullptr && has_order) bodies.push_back(acceptance.gap.in_opposite_order);
  return std::ranges::any_of(bodies, [&](EvaluateFunction body) {
    const std::optional<Literal> other = EvaluateBy(body, judged.instruction, judged.operands);
    return !other || !other->BitwiseEqual(result);
  });
}

// True if a fold by a computation of several instructions may have another result in another order.
bool HasOtherOrder(const JudgedInstruction& judged, const Literal& result) {
  const OpAcceptance& acceptance = AcceptanceOf(judged.instruction);
  if (!acceptance.Has(Trait::kFolds) || !judged.arithmetic.takes_any_order) return false;
  if (HasOpenOrder(judged.instruction)) return true;
  const bool differs =
      FoldsInSteps(judged) && AnyOtherOrder(judged.instruction, judged.operands, [&](std::vector<Literal> operands) {
        const std::optional<Literal> other = EvaluateAlone(judged.instruction, std::move(operands));
        return !other || !other->BitwiseEqual(result);
      });
  if (differs) return true;
  if (judged.rule.acceptance != Acceptance::kCalled) return false;
  if (acceptance.Fact<FoldFacts>().IsInOneOrder(judged.instruction)) return false;
  std::vector<Literal> reversed;
  for (const Literal& operand : judged.operands) reversed.push_back(FullyReversed(operand));
  const std::optional<Literal> other = EvaluateAlone(judged.instruction, std::move(reversed));
  return !other || !FullyReversed(*other).BitwiseEqual(result);
}

bool HasNarrowLeaf(const Literal& result) {
  if (result.shape().IsTuple()) return std::ranges::any_of(result.elements(), HasNarrowLeaf);
  return result.shape().IsArray() && BitWidth(result.element_type()) < 16;
}

// True for real numbers whose squares, or those of their reciprocals, may overflow.
bool HasExtremes(const Literal& value) {
  if (value.shape().IsTuple()) return std::ranges::any_of(value.elements(), HasExtremes);
  const double largest = LargestMagnitude(value);
  if (largest == 0) return false;
  const PrimitiveType type = ComplexComponentType(value.element_type());
  return largest > std::sqrt(LargestFinite(type)) || largest < std::sqrt(LeastNormal(type));
}

bool HasEqualElements(const Literal& array) {
  std::set<std::string_view> seen;
  const std::int64_t bytes = StorageBytes(array.element_type());
  for (std::int64_t i = 0; i < array.element_count(); ++i) {
    const auto* const element = reinterpret_cast<const char*>(array.data()) + i * bytes;
    if (!seen.emplace(element, bytes).second) return true;
  }
  return false;
}

bool HasZerosOfBothSigns(const Literal& array) {
  bool has_sign[2] = {false, false};
  if (!IsRealArray(array)) return false;
  for (std::int64_t i = 0; i < array.element_count() * ComponentCount(array.element_type()); ++i) {
    const RealElement x = ComponentAt(array, i);
    if (IsZero(x)) has_sign[HasSign(x) ? 1 : 0] = true;
  }
  return has_sign[0] && has_sign[1];
}

// True if a computation that the instruction calls has an instruction with real results for which `test` is true.
bool CallsReal(const HloInstruction& instruction, const auto& test) {
  return std::ranges::any_of(instruction.CalledComputations(), [&](const HloComputation* called) {
    return std::ranges::any_of(called->instructions,
                               [&](const auto& one) { return ShapeUtil::HasInexactLeaf(one->shape) && test(*one); });
  });
}

bool ComputesReals(const HloInstruction& instruction) {
  return CallsReal(instruction, [](const HloInstruction&) { return true; });
}

// True if a computation that the instruction calls rounds: a compiler may omit a rounding, or fuse two operations, in
// one of its operands.
bool CallsRounding(const HloInstruction& instruction) {
  return CallsReal(instruction, [](const HloInstruction& one) {
    const OpAcceptance& acceptance = AcceptanceOf(one);
    return one.op->role == OpRole::kOrdinary &&
           (acceptance.rule != Acceptance::kExact || acceptance.folded == Acceptance::kProduct ||
            acceptance.Has(Trait::kAddsTerms) || acceptance.Has(Trait::kConverts) || acceptance.Has(Trait::kRounds));
  });
}

// True for a sort whose comparator rounds, or of zeros whose signs are not significant, and for one that is not stable
// if rows are equal to its comparator, or it orders them in no strict weak order.
bool HasOtherSorting(const JudgedInstruction& judged, const Literal& result) {
  const auto row_order = AcceptanceOf(judged.instruction).Fact<RowOrderFunction>();
  if (judged.rule.acceptance != Acceptance::kUnordered || row_order == nullptr) return false;
  if (judged.profile.AllowsAnything() && CallsRounding(judged.instruction)) return true;
  if (judged.arithmetic.ignores_zero_sign && std::ranges::any_of(judged.operands, HasZerosOfBothSigns)) return true;
  const RowOrder order = row_order(judged.instruction);
  if (order.is_stable) return false;
  if (std::ranges::all_of(judged.operands, HasEqualElements)) return true;
  std::vector<Literal> reversed;
  for (const Literal& operand : judged.operands) reversed.push_back(Reversed(operand, order.dimension));
  const std::optional<Literal> other = EvaluateAlone(judged.instruction, std::move(reversed));
  return !other || !other->BitwiseEqual(result);
}

bool IsNotFinite(const Literal& value) {
  if (value.shape().IsTuple()) return std::ranges::any_of(value.elements(), IsNotFinite);
  return !IsFinite(value);
}

// True for an addition, a multiplication or a conversion: a compiler that does not round a result that overflows, or
// that adds in another order, may keep it finite.
bool MayKeepFinite(const HloInstruction& instruction, const Profile& profile) {
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  const Acceptance rule = RuleOf(instruction, profile).acceptance;
  const bool is_computed = rule == Acceptance::kSum || rule == Acceptance::kProduct ||
                           acceptance.Has(Trait::kAddsTerms) || acceptance.folded == Acceptance::kProduct ||
                           acceptance.Has(Trait::kConverts);
  return is_computed && profile.AllowsAnything();
}

std::vector<const Literal*> WithInfinities(std::span<const Literal> operands) {
  std::vector<const Literal*> found;
  for (const Literal& operand : operands) {
    if (!operand.shape().IsArray() || !IsInexactType(operand.element_type()) || IsFinite(operand)) continue;
    if (std::ranges::any_of(NumbersIn(operand), [](double x) { return std::isinf(x); })) found.push_back(&operand);
  }
  return found;
}

// True if one of these operands is infinite at a place of an element-wise result, or anywhere for other instructions.
bool FollowsFromInfinity(std::span<const Literal* const> infinite, const Literal& result, std::int64_t component) {
  return std::ranges::any_of(infinite, [&](const Literal* operand) {
    return operand->shape().dimensions() != result.shape().dimensions() ||
           std::isinf(RealValue(ComponentAt(*operand, component)));
  });
}

// Returns a number that overflows, or in half of the cases a large one. Those differ, as the ones that a compiler keeps
// in a wider type do.
double PerhapsKeptFinite(double overflow, PrimitiveType type, std::uint64_t random) {
  if (random % 2 == 0) return overflow;
  const double share = 0.5 + static_cast<double>(random >> 32) * 0x1p-33;
  return std::copysign(share * LargestFinite(type), overflow);
}

// True if a sum may overflow in one order and not in another: the magnitudes of its finite terms add up to more than
// the largest number. Beside an infinite term, an overflow may be one of the other sign, and the sum NaN.
bool MayOverflowOnTheWay(const JudgedInstruction& judged, const Literal& result) {
  if (judged.rule.acceptance != Acceptance::kSum || !IsRealArray(result)) return false;
  const double largest = LargestFinite(ComplexComponentType(result.element_type()));
  double most = 0;
  for (const Literal& operand : judged.operands) most = std::max(most, LargestMagnitude(operand));
  const auto count = CountOfTerms(judged.instruction, judged.operands);
  if (count && most < std::sqrt(largest / *count)) return false;
  const auto sizes =
      EvaluateInF64(judged.instruction, judged.operands, [](double x) { return std::isfinite(x) ? std::fabs(x) : 0; });
  if (!sizes) return most * static_cast<double>(judged.operands.size()) >= largest;  // a sum over devices
  return LargestMagnitude(*sizes) >= largest || IsNotFinite(*sizes);
}

// True for x - x in a narrow type. A compiler may compute x twice, with other errors than a run has, which computes it
// once.
bool SubtractsItself(const JudgedInstruction& judged) {
  const HloInstruction& instruction = judged.instruction;
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  return acceptance.Has(Trait::kAddsTerms) && !acceptance.Has(Trait::kIsIncreasing) &&
         instruction.operands.size() == 2 && instruction.operands[0] == instruction.operands[1] &&
         judged.profile.AllowsAnything() && IsRealArray(judged.operands[0]) &&
         BitWidth(ComplexComponentType(judged.operands[0].element_type())) < 32;
}

// True for a function with poles in a format without NaN, where what is at a pole and beyond it are numbers.
bool HasNumbersBeyondPoles(const JudgedInstruction& judged, const Literal& result) {
  return AcceptanceOf(judged.instruction).Has(Trait::kJumps) && judged.rule.acceptance == Acceptance::kUlp &&
         result.shape().IsArray() && IsFloatingPointType(result.element_type()) &&
         FloatFormatOf(result.element_type()).nan == NanEncoding::kNone;
}

}  // namespace

void VaryOpenNumbers(const HloInstruction& instruction, std::span<const Literal> operands, const Profile& profile,
                     std::uint64_t seed, Literal& result) {
  for (std::size_t i = 0; i < result.elements().size(); ++i) {
    VaryOpenNumbers(instruction, operands, profile, seed == 0 ? 0 : seed + i, result.mutable_elements()[i]);
  }
  if (instruction.op->role != OpRole::kOrdinary || !result.shape().IsArray() || IsFinite(result)) return;
  const PrimitiveType type = ComplexComponentType(result.element_type());
  const bool is_complex = IsComplexType(result.element_type());
  if (!is_complex && (seed == 0 || !MayKeepFinite(instruction, profile))) return;
  const std::vector<const Literal*> infinite = WithInfinities(operands);
  std::vector<double> numbers = NumbersIn(result);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isfinite(numbers[i])) continue;
    if (is_complex) {
      numbers[i] = numbers[i ^ 1] = NAN;
    } else if (std::isinf(numbers[i]) && !FollowsFromInfinity(infinite, result, static_cast<std::int64_t>(i))) {
      numbers[i] = PerhapsKeptFinite(numbers[i], type, SplitMix(seed + i * kSplitMixStep));
    }
  }
  StoreReals(type, numbers.data(), result.mutable_data(), std::ssize(numbers));
}

// Gives NaNs other payloads, as far as their format has some.
void VaryPayloads(std::uint64_t seed, Literal& result) {
  const FloatFormat& format = FloatFormatOf(ComplexComponentType(result.element_type()));
  const int bytes = StorageBytes(result.element_type()) / ComponentCount(result.element_type());
  std::byte* const data = result.mutable_data();
  for (std::int64_t i = 0; i < result.byte_size() / bytes; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, data + i * bytes, bytes);
    if (!format.is_nan(bits)) continue;
    bits ^= SplitMix(seed - i * kSplitMixStep) & format.mantissa_mask();
    if (format.is_nan(bits)) std::memcpy(data + i * bytes, &bits, bytes);
  }
}

void VaryOpenSigns(const HloInstruction& instruction, const Profile& profile, std::uint64_t seed, Literal& result) {
  const bool is_moved = AcceptanceOf(instruction).Has(Trait::kKeepsTerms) && KeepsTerms(instruction);
  const bool is_computed = instruction.op->role == OpRole::kOrdinary && !is_moved;
  if (!is_computed || !IsRealArray(result)) return;
  const bool has_open_nans = profile.AllowsAnything() && !IsFinite(result);
  const bool has_open_zeros = profile.ArithmeticOf(instruction.op->name).ignores_zero_sign;
  if (!has_open_nans && !has_open_zeros) return;
  std::vector<double> numbers = NumbersIn(result);
  const auto is_open = [&](double x) { return (has_open_zeros && x == 0) || (has_open_nans && std::isnan(x)); };
  if (std::ranges::none_of(numbers, is_open)) return;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (is_open(numbers[i]) && SplitMix(seed + i * kSplitMixStep) % 2 == 0) numbers[i] = -numbers[i];
  }
  StoreReals(ComplexComponentType(result.element_type()), numbers.data(), result.mutable_data(), std::ssize(numbers));
  if (has_open_nans) VaryPayloads(seed, result);
}

bool AssumesFinite(const JudgedInstruction& judged, const Literal& result) {
  return judged.arithmetic.assumes_finite && (IsNotFinite(result) || std::ranges::any_of(judged.operands, IsNotFinite));
}

bool IsLeftOpen(const JudgedInstruction& judged, const Literal& result) {
  if (judged.instruction.op->role != OpRole::kOrdinary) return false;
  // In a narrow type, rounding errors decide about the existence of a factor.
  const Acceptance rule = judged.rule.acceptance;
  const bool may_not_exist = rule == Acceptance::kProperties && HasNarrowLeaf(result);
  const bool is_extreme = (rule == Acceptance::kProperties || rule == Acceptance::kTransform) &&
                          (HasExtremes(result) || std::ranges::any_of(judged.operands, HasExtremes));
  // Samples do not reach the ends of a wide tolerance.
  const bool is_tolerant =
      judged.rule.tolerance && std::max(judged.rule.tolerance->relative, judged.rule.tolerance->absolute) > 0x1p-7;
  // No random errors are known of a computation that rounds in several steps, nor of the integers that it returns.
  const OpAcceptance& acceptance = AcceptanceOf(judged.instruction);
  const bool returns_integers = !ShapeUtil::HasInexactLeaf(judged.instruction.shape);
  const bool is_called = rule == Acceptance::kCalled && acceptance.steps != nullptr;
  const bool is_fold = acceptance.Has(Trait::kFolds) && (rule == Acceptance::kCalled || returns_integers);
  const bool has_steps = (is_called || is_fold) && ComputesReals(judged.instruction);
  return rule == Acceptance::kUnspecified || has_steps || is_tolerant || may_not_exist || is_extreme ||
         AssumesFinite(judged, result) || MayOverflowOnTheWay(judged, result) || SubtractsItself(judged) ||
         HasNumbersBeyondPoles(judged, result) || HasImplementationDefined(judged, result) ||
         HasOtherReading(judged, result) || HasOtherOrder(judged, result) || HasOtherSorting(judged, result);
}

}  // namespace assay
