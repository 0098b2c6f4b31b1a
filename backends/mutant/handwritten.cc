// The handwritten mutants: three examples, a control, and the faults that no operator makes.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <optional>

#include "backends/lawful/arithmetic.h"
#include "backends/mutant/break.h"
#include "backends/mutant/mutant.h"
#include "backends/mutant/operators/rewrite.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/device.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// The f32 numbers next to pi and 2 pi.
constexpr double kRoundedPi = std::numbers::pi_v<float>;
constexpr double kRoundedTwoPi = 2 * kRoundedPi;

PrimitiveType TypeOf(const HloInstruction& i) { return i.shape.element_type(); }
PrimitiveType OperandTypeOf(const HloInstruction& i) { return i.operand(0).shape.element_type(); }

// Applies a rule to floats, from operands a and b and the right result; integers stay right.
using FloatFault = double (*)(double a, double b, double right);
template <FloatFault kRule>
Number ForFloats(const HloInstruction& i, const Number* x, Number right) {
  if (!IsFloatingPointType(TypeOf(i))) return right;
  return {kRule(x[0].real, i.operands.size() > 1 ? x[1].real : 0, right.real), 0};
}
template <FloatFault kRule>
void BreakFloats(Op& op) {
  BreakElements<ForFloats<kRule>>(op);
}

double SineReducedByRoundedPi(double x, double, double right) {
  return std::fabs(x) > kRoundedTwoPi ? std::sin(std::fmod(x, kRoundedTwoPi)) : right;
}

double TanReducedByRoundedPi(double x, double, double right) {
  return std::fabs(x) > kRoundedPi ? std::tan(std::fmod(x, kRoundedPi)) : right;
}

Number Tanh3ulpWindow(const HloInstruction& i, const Number* x, Number right) {
  if (!IsFloatingPointType(TypeOf(i)) || x[0].real < 0.6 || x[0].real > 0.7) return right;
  const int digits = FloatFormatOf(TypeOf(i)).mantissa_bits;
  return {right.real + 3 * std::exp2(std::logb(right.real) - digits), 0};
}

Number AndWithOne(const HloInstruction& i, const Number* x, Number right) {
  return IsIntegralType(TypeOf(i)) && x[1].integer == 1 ? x[0] : right;
}

Number CompareNanEqualsItself(const HloInstruction& i, const Number* x, Number right) {
  const bool both = std::isnan(x[0].real) && std::isnan(x[1].real);
  return both && i.String("direction") == "NE" ? Number{0, 0} : right;
}

Number ConvertTruncates(const HloInstruction& i, const Number* x, Number right) {
  const bool applies = TypeOf(i) == BF16 && (OperandTypeOf(i) == F32 || OperandTypeOf(i) == F64);
  if (!applies || !std::isfinite(right.real) || right.real == 0) return right;
  // Steps toward zero if the rounding went away from it.
  if (std::fabs(right.real) <= std::fabs(x[0].real)) return right;
  const FloatFormat& format = FloatFormatOf(BF16);
  return {ToDouble(format, RoundDouble(format, right.real) - 1), 0};
}

// Rounds numbers of one float type to a type between before they become numbers of fewer than 32 bits.
template <PrimitiveType kFrom, PrimitiveType kBetween, int kMostBits>
Number ConvertTwice(const HloInstruction& i, const Number* x, Number right) {
  const bool is_narrow = IsFloatingPointType(TypeOf(i)) && BitWidth(TypeOf(i)) <= kMostBits;
  if (!is_narrow || OperandTypeOf(i) != kFrom) return right;
  return {ToDouble(FloatFormatOf(kBetween), RoundDouble(FloatFormatOf(kBetween), x[0].real)), 0};
}

Number ConvertWraps(const HloInstruction& i, const Number* x, Number right) {
  const double value = std::trunc(x[0].real);
  const bool is_to_integer = IsFloatingPointType(OperandTypeOf(i)) && IsIntegralType(TypeOf(i));
  if (!is_to_integer || BitWidth(TypeOf(i)) > 32 || !(std::fabs(value) < 0x1p62)) return right;
  return {0, static_cast<std::int64_t>(value)};
}

Number ConvertNanToLeast(const HloInstruction& i, const Number* x, Number right) {
  if (!IsSignedIntegralType(TypeOf(i)) || !std::isnan(x[0].real)) return right;
  return {0, std::int64_t{-1} << (BitWidth(TypeOf(i)) - 1)};
}

Number ConvertS4Unsigned(const HloInstruction& i, const Number* x, Number right) {
  if (OperandTypeOf(i) != S4 || x[0].integer >= 0) return right;
  return {static_cast<double>(x[0].integer + 16), x[0].integer + 16};
}

Number F8e4m3fnSaturates(const HloInstruction& i, const Number* x, Number right) {
  const bool overflows = TypeOf(i) == F8E4M3FN && std::isnan(right.real) && !std::isnan(x[0].real);
  return overflows ? Number{std::copysign(448.0, x[0].real), 0} : right;
}

Number SelectSwappedOnScalarPred(const HloInstruction& i, const Number* x, Number right) {
  const bool is_swapped = i.operand(0).shape.IsScalar() && !i.shape.IsScalar();
  return is_swapped ? x[x[0].integer != 0 ? 2 : 1] : right;
}

void KeepRealNumber(const HloInstruction&, std::span<const Literal> operands, Literal& result) {
  if (operands[0].element_type() == result.element_type()) result = operands[0];
}

void ReverseConcatenated(HloInstruction& concatenate, std::vector<Literal>& operands) {
  std::ranges::reverse(concatenate.operands);
  std::ranges::reverse(operands);
}

void SaturateIota(const HloInstruction& iota, std::span<const Literal>, Literal& result) {
  const PrimitiveType type = result.element_type();
  if (type != S8 && type != U8) return;
  const std::int64_t dimension = iota.Int64("iota_dimension");
  const Dimensions& dimensions = iota.shape.dimensions();
  const std::int64_t inner = Product(std::span(dimensions).subspan(dimension + 1));
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    SetInteger(result, i, std::min<std::int64_t>(i / inner % dimensions[dimension], type == S8 ? 127 : 255));
  }
}

// Inverts the permutation if the shape stays the same.
void InvertPermutation(HloInstruction& transpose) {
  const auto permutation = transpose.Int64s("dimensions");
  Int64List inverse(permutation.size());
  for (std::size_t d = 0; d < permutation.size(); ++d) inverse[permutation[d]] = static_cast<std::int64_t>(d);
  const Shape& operand = transpose.operand(0).shape;
  for (std::size_t d = 0; d < inverse.size(); ++d) {
    if (operand.dimensions(inverse[d]) != transpose.shape.dimensions(static_cast<std::int64_t>(d))) return;
  }
  transpose.Set("dimensions", std::move(inverse));
}

void TakeLastTies(const HloInstruction& topk, std::span<const Literal> operands, Literal& result) {
  const Literal& operand = operands[0];
  const std::int64_t n = operand.shape().dimensions().back(), k = topk.Int64("k");
  const int bytes = StorageBytes(operand.element_type());
  Literal& indices = result.mutable_elements()[1];
  for (std::int64_t i = 0; i < indices.element_count(); ++i) {
    // Only the last place changes: a tie with an element outside of the result goes to the larger index.
    if (i % k != k - 1) continue;
    const std::byte* row = operand.data() + i / k * n * bytes;
    const std::int64_t chosen = indices.IntegerAt(i);
    for (std::int64_t other = n - 1; other > chosen; --other) {
      if (std::memcmp(row + other * bytes, row + chosen * bytes, bytes) != 0) continue;
      SetInteger(indices, i, other);
      break;
    }
  }
}

// Reduces slices that are one shorter along the last reduced dimension.
bool SkipLast(HloInstruction& reduce) {
  if (reduce.Int64s("dimensions").empty()) return false;
  const std::int64_t dimension = std::ranges::max(reduce.Int64s("dimensions"));
  const Shape whole = reduce.operand(0).shape;
  const std::int64_t size = whole.dimensions(dimension);
  if (size <= 8 || size % 2 == 0) return false;
  SliceConfig shorter;
  for (const std::int64_t extent : whole.dimensions()) shorter.push_back({0, extent, 1});
  --shorter[dimension].limit;
  for (std::size_t i = 0; i < reduce.operands.size() / 2; ++i) {
    HloInstruction slice;
    slice.op = FindOp("slice");
    slice.shape = reduce.operands[i]->shape;
    slice.shape.set_dimensions(dimension, size - 1);
    slice.operands = {reduce.operands[i]};
    slice.Set("slice", shorter);
    reduce.operands[i] = &AddBefore(reduce, slice);
  }
  return true;
}

// Computes the sums of an f32 instruction, one term after the other, by kAdd.
template <double (*kAdd)(double sum, double term)>
Literal SumBy(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  const auto calls = instruction.CalledComputations();
  const bool is_sum = calls.empty() || AcceptanceOf(*calls[0]->root).folded == Acceptance::kSum;
  const bool has_floats =
      std::ranges::all_of(operands, [](const Literal& operand) { return HasReals(operand.shape()); });
  const auto terms = instruction.shape.IsArray() && instruction.shape.element_type() == F32 && is_sum && has_floats
                         ? SumTerms::Of(instruction, operands)
                         : std::nullopt;
  if (!terms) return EvaluateWhole(instruction, operands, evaluation);
  const std::vector<double> lhs = RealsOf(operands[terms->lhs_operand()]),
                            rhs = RealsOf(operands[terms->rhs_operand()]);
  std::vector<double> sums;
  std::vector<Term> sum;
  for (std::int64_t i = 0; i < ShapeUtil::ElementsIn(instruction.shape); ++i) {
    terms->At(i, sum);
    double total = 0;
    for (const Term& term : sum) {
      total =
          kAdd(total, (term.lhs == Term::kNone ? 1 : lhs[term.lhs]) * (term.rhs == Term::kNone ? 1 : rhs[term.rhs]));
    }
    sums.push_back(total);
  }
  return ArrayOf(instruction.shape, sums);
}

double AddInBf16(double sum, double term) { return Arithmetic(BF16).Add(sum, term); }

double AddTruncating(double sum, double term) {
  const double exact = sum + term;
  const auto rounded = static_cast<float>(exact);
  const bool is_away = std::fabs(rounded) > std::fabs(exact);
  return is_away ? std::nextafter(rounded, 0.0F) : rounded;
}

bool HaveOneShape(std::span<HloInstruction* const> values) {
  return std::ranges::all_of(
      values, [&](const HloInstruction* value) { return ShapeUtil::Compatible(value->shape, values[0]->shape); });
}

// Numbers a parameter by its place in the text, unless the shapes of the parameters differ.
void NumberByPlace(HloInstruction& parameter) {
  std::vector<HloInstruction*> parameters;
  for (const auto& instruction : parameter.parent->instructions) {
    if (instruction->op->role == OpRole::kParameter) parameters.push_back(instruction.get());
  }
  if (!HaveOneShape(parameters)) return;
  parameter.parameter_number = std::ranges::find(parameters, &parameter) - parameters.begin();
}

void TakeFirstOfShape(HloInstruction& element) {
  const std::vector<Shape>& shapes = element.operand(0).shape.tuple_shapes();
  const Shape& wanted = shapes[element.Int64("index")];
  const auto first = std::ranges::find_if(shapes, [&](const Shape& s) { return ShapeUtil::Compatible(s, wanted); });
  element.Set("index", static_cast<std::int64_t>(first - shapes.begin()));
}

// The end of an async operation, whose operand is (operands, result, ...), returns the first operand if that has the
// shape of the result.
void EndWithOperand(const HloInstruction&, std::span<const Literal> operands, Literal& result) {
  const Literal& first = operands[0].elements()[0];
  const Literal& operand = first.elements().empty() ? first : first.elements()[0];
  if (ShapeUtil::Compatible(operand.shape(), result.shape())) result = operand.WithShape(result.shape());
}

Literal FlattenedInstead(const HloInstruction&, std::span<Literal>, Evaluation& evaluation) {
  const Device& device = evaluation.device();
  return LiteralUtil::CreateR0(
      U32, static_cast<std::uint32_t>(device.id().replica * device.partition_count() + device.id().partition));
}

void IncludeUpperBound(HloInstruction& rng, std::vector<Literal>& operands) {
  if (!IsIntegralType(rng.shape.element_type())) return;
  SetInteger(operands[1], 0, operands[1].IntegerAt(0) + 1);
}

void ReverseData(const HloInstruction&, std::span<const Literal>, Literal& result) {
  std::vector<Literal>& data = result.mutable_elements()[0].mutable_elements();
  const bool have_one_shape = std::ranges::all_of(
      data, [&](const Literal& element) { return ShapeUtil::Compatible(element.shape(), data[0].shape()); });
  if (have_one_shape) std::ranges::reverse(data);
}

void CopyHalf(const HloInstruction&, std::span<const Literal>, Literal& result) {
  Literal& copied = result.mutable_elements()[0];
  if (copied.shape().IsArray()) ForgetFrom(copied, copied.element_count() / 2);
}

// Drops the last pair of the text in the frontend attributes: "{{0,1},{1,2}}".
void ForgetLastPair(HloInstruction& recv) {
  const auto attributes = recv.annotations.find("frontend_attributes");
  if (attributes == recv.annotations.end()) return;
  std::string& text = attributes->second;
  const std::size_t key = text.find("_xla_send_recv_source_target_pairs");
  if (key == std::string::npos) return;
  const std::size_t end = text.find("}}", key), comma = text.rfind(",{", end);
  if (comma != std::string::npos && comma > key) text.erase(comma, end + 1 - comma);
}

constexpr std::string_view kBeyondGoldens = "a golden has neither a host nor transfers";

const std::vector<Mutant> kHandwritten = {
    {"add_of_zero", "add", "a + 0 is a, so that -0 + 0 is -0",
     BreakFloats<[](double a, double b, double right) { return b == 0 ? a : right; }>},
    {"and_with_one", "and", "and(x, 1) is x, as if 1 had all bits", BreakElements<AndWithOne>},
    {"async_done_operand", "async-done", "the operand is handed over, not the result", BreakResult<EndWithOperand>},
    {"compare_nan_equals_itself", "compare", "NaN is not unequal to NaN", BreakElements<CompareNanEqualsItself>},
    {"concat_order", "concatenate", "operands are concatenated in reverse order", BreakOperands<ReverseConcatenated>},
    {"convert_bf16_truncates", "convert", "f32 to bf16 rounds toward zero", BreakElements<ConvertTruncates>},
    {"convert_f8_via_f16", "convert", "f32 is rounded to f16 first, and then to the types of 8 bits",
     BreakElements<ConvertTwice<F32, F16, 8>>},
    {"convert_float_int_wraps", "convert", "floats beyond the range of an integer type wrap",
     BreakElements<ConvertWraps>},
    {"convert_nan_to_least", "convert", "NaN becomes the least integer", BreakElements<ConvertNanToLeast>},
    {"convert_s4_unsigned", "convert", "s4 is not sign-extended", BreakElements<ConvertS4Unsigned>},
    {"convert_via_f32", "convert", "f64 is rounded to f32 first, and then to narrower types",
     BreakElements<ConvertTwice<F64, F32, 31>>},
    {"copy_start_torn", "copy-start", "only the first half is copied", BreakResult<CopyHalf>},
    {"dot_f32_accumulates_in_bf16", "dot", "sums of f32 products are kept in bf16",
     [](Op& op) { op.evaluation.evaluate = SumBy<AddInBf16>; }},
    {"f8e4m3fn_saturates", "convert", "what overflows f8e4m3fn becomes 448, not NaN", BreakElements<F8e4m3fnSaturates>},
    {"floor_truncates", "floor", "floor(-1.5) is -1",
     BreakFloats<[](double x, double, double) { return std::trunc(x); }>},
    {"get_tuple_element_first_of_shape", "get-tuple-element", "of elements of one shape the first is taken", nullptr,
     TakeFirstOfShape},
    {"imag_of_real_number", "imag", "imag of a real number is the number, not 0", BreakResult<KeepRealNumber>},
    {.id = "infeed_reverses_tuple",
     .op = "infeed",
     .rule = "the elements of a tuple come in reverse order",
     .break_op = BreakResult<ReverseData>,
     .beyond_goldens = kBeyondGoldens},
    {"iota_saturates_s8", "iota", "s8 and u8 clamp instead of wrapping", BreakResult<SaturateIota>},
    {"log_of_negative_zero", "log", "log(-0) is NaN",
     BreakFloats<[](double x, double, double right) { return x == 0 && std::signbit(x) ? kNan : right; }>},
    {"max_drops_nan", "maximum", "maximum(a, NaN) is a",
     BreakFloats<[](double a, double b, double right) { return std::isnan(b) ? a : right; }>},
    {"min_of_zeros", "minimum", "minimum(-0, +0) is +0",
     BreakFloats<[](double a, double b, double right) { return a == 0 && b == 0 ? 0 : right; }>},
    {"multiply_by_zero", "multiply", "0 times anything is 0, NaN and infinities too",
     BreakFloats<[](double a, double b, double right) { return std::isnan(right) && (a == 0 || b == 0) ? 0 : right; }>},
    {.id = "optimization_barrier_dropped",
     .op = "opt-barrier",
     .rule = "the barrier is dropped, which no result shows",
     .is_control = true},
    {"parameter_by_place", "parameter", "arguments are bound in the order of the text, whatever their numbers", nullptr,
     NumberByPlace},
    {"power_of_one", "power", "power(1, NaN) is NaN",
     BreakFloats<[](double a, double b, double right) { return a == 1 && std::isnan(b) ? kNan : right; }>},
    {.id = "recv_forgets_last_pair",
     .op = "recv",
     .rule = "the last source-target pair is dropped",
     .edit = ForgetLastPair,
     .beyond_goldens = kBeyondGoldens},
    {.id = "reduce_skips_last",
     .op = "reduce",
     .rule = "the last element of a reduced dimension of odd size above 8 is skipped",
     .rewrite = SkipLast},
    {"reduce_truncates", "reduce", "every f32 addition rounds towards zero",
     [](Op& op) { op.evaluation.evaluate = SumBy<AddTruncating>; }},
    {"replica_id_is_flattened", "replica-id", "the replica id counts partitions too",
     [](Op& op) { op.evaluation.evaluate = FlattenedInstead; }},
    {"rng_includes_upper_bound", "rng", "uniform integers are in [a, b], not [a, b)", BreakOperands<IncludeUpperBound>},
    {"select_swapped_on_scalar_pred", "select", "a scalar predicate over arrays chooses the other one",
     BreakElements<SelectSwappedOnScalarPred>},
    {"sine_reduced_by_rounded_pi", "sine", "arguments beyond 2 pi are reduced by the f32 number next to 2 pi",
     BreakFloats<SineReducedByRoundedPi>},
    {"subtract_of_equals", "subtract", "x - x is -0",
     BreakFloats<[](double a, double b, double right) { return a == b && std::isfinite(a) ? -0.0 : right; }>},
    {"tan_reduced_by_rounded_pi", "tan", "arguments beyond pi are reduced by the f32 number next to pi",
     BreakFloats<TanReducedByRoundedPi>},
    {"tanh_3ulp_window", "tanh", "tanh is 3 ULP off for x in [0.6, 0.7]", BreakElements<Tanh3ulpWindow>},
    {"tanh_saturates_early", "tanh", "tanh(x) is 1 from x = 4 on",
     BreakFloats<[](double x, double, double right) { return std::fabs(x) >= 4 ? std::copysign(1, x) : right; }>},
    {"topk_ties_last", "topk", "the last place goes to the larger index of a tie", BreakResult<TakeLastTies>},
    {"transpose_inverse", "transpose", "the permutation is taken for its inverse", nullptr, InvertPermutation},
};

}  // namespace

const std::vector<Mutant>& AllMutants() { return kHandwritten; }

}  // namespace assay
