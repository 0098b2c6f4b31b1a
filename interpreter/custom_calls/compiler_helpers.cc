// Small computations that remain as calls after XLA's passes and JAX's lowerings: arrays of run-time sizes, halves of
// 64-bit integers, random bits, permutations, memory.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/library_results.h"
#include "interpreter/custom_calls/post_ops.h"
#include "interpreter/ops/common/random_bits.h"
#include "interpreter/types/bounded_array.h"

namespace assay {
namespace {

// --- PadToStatic and SliceToDynamic: an array of run-time sizes, and the array of its bounds with the sizes ---

Status CheckPadToStatic(const HloInstruction& call) {
  ASSAY_CHECK_OK(CheckCount(call, 1));
  const Shape& x = call.operand(0).shape;
  if (!x.IsArray()) return BadCall(call, "operand 0 must be an array");
  std::vector<Shape> results(x.rank() + 1, ShapeUtil::MakeScalarShape(S32));
  results[0] = ShapeUtil::MakeShape(x.element_type(), x.dimensions());
  const bool fits = call.shape.IsTuple() &&
                    std::ranges::equal(call.shape.tuple_shapes(), results, ShapeUtil::CompatibleIgnoringElementType);
  if (fits && call.shape.tuple_shapes(0).element_type() == x.element_type()) return {};
  return BadCall(call, "the result must be the array of the bounds and an s32 size for each dimension, found {}",
                 call.shape.ToStringWithoutLayout());
}

Literal EvaluatePadToStatic(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const Literal& x = operands[0];
  const Shape& bound = call.shape.tuple_shapes(0);
  std::vector<Literal> results = {WithBound(LeadingElements(x, RunTimeShape(x)), bound).WithShape(bound)};
  for (std::int64_t d = 0; d < x.shape().rank(); ++d) {
    results.push_back(LiteralUtil::CreateR0(S32, static_cast<std::int32_t>(x.dynamic_size(d))));
  }
  return Literal::MakeTuple(std::move(results));
}

// Compares only the elements within the run-time sizes; padding is undefined.
PropertyReport JudgePadToStatic(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                                const Literal& got) {
  Properties properties;
  const Shape sizes = RunTimeShape(operands[0]);
  JudgeEqual("the elements within the run-time sizes are the operand's", LeadingElements(want.elements()[0], sizes),
             LeadingElements(got.elements()[0], sizes), properties);
  for (std::size_t i = 1; i < call.shape.tuple_shapes().size(); ++i) {
    JudgeEqual("the sizes are the operand's", want.elements()[i], got.elements()[i], properties);
  }
  return std::move(properties).Take();
}

Status CheckSliceToDynamic(const HloInstruction& call) {
  if (call.operands.empty()) return BadCall(call, "there must be an array and its sizes");
  const Shape& x = call.operand(0).shape;
  bool fits = x.IsArray() && call.shape.IsArray() && call.shape.element_type() == x.element_type() &&
              call.operands.size() == static_cast<std::size_t>(x.rank()) + 1 &&
              call.shape.dimensions() == x.dimensions();
  for (std::size_t i = 1; fits && i < call.operands.size(); ++i) {
    const Shape& size = call.operands[i]->shape;
    fits = size.IsScalar() && size.element_type() == S32;
  }
  if (fits) return {};
  return BadCall(call, "operands must be an array of the result's bounds and an s32 size for each dimension");
}

Literal EvaluateSliceToDynamic(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  Shape sizes = ShapeUtil::MakeShape(call.shape.element_type(), call.shape.dimensions());
  for (std::int64_t d = 0; d < sizes.rank(); ++d) {
    const std::int64_t size = operands[d + 1].IntegerAt(0);
    if (size < 0 || size > sizes.dimensions(d) ||
        (size != sizes.dimensions(d) && !call.shape.is_dynamic_dimension(d))) {
      throw EvaluationError{BadCall(call, "the size of dimension {} is {}, which its bound {} does not allow", d, size,
                                    sizes.dimensions(d))};
    }
    sizes.set_dimensions(d, size);
  }
  return WithBound(LeadingElements(operands[0], sizes), call.shape);
}

// --- halves of 64-bit integers ---

Status CheckHalf(const HloInstruction& call) {
  ASSAY_CHECK_OK(CheckCount(call, 1));
  const Shape& x = call.operand(0).shape;
  const bool is_whole = x.IsArray() && (x.element_type() == S64 || x.element_type() == U64);
  if (!is_whole) return NotEvaluated(call, "only s64 and u64 have halves that are known");
  return CheckResults(call, {ShapeUtil::ChangeElementType(x, U32)});
}

template <int shift>
Literal EvaluateHalf(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  Literal result = Literal::Uninitialized(call.shape);
  const auto in = operands[0].values<std::uint64_t>();
  std::ranges::transform(in, result.mutable_values<std::uint32_t>().begin(),
                         [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> shift); });
  return result;
}

Status CheckCombine(const HloInstruction& call) {
  ASSAY_CHECK_OK(CheckCount(call, 2));
  const Shape& result = call.shape;
  if (!result.IsArray() || (result.element_type() != S64 && result.element_type() != U64)) {
    return NotEvaluated(call, "only s64 and u64 have halves that are known");
  }
  for (const HloInstruction* half : call.operands) {
    if (ShapeUtil::Compatible(half->shape, ShapeUtil::ChangeElementType(result, U32))) continue;
    return BadCall(call, "operands must be the halves as u32, found {}", half->shape.ToStringWithoutLayout());
  }
  return {};
}

Literal EvaluateCombine(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  constexpr int kBitsOfHalf = 32;
  Literal result = Literal::Uninitialized(call.shape);
  const auto low = operands[0].values<std::uint32_t>(), high = operands[1].values<std::uint32_t>();
  const auto out = result.mutable_values<std::uint64_t>();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::uint64_t{high[i]} << kBitsOfHalf | low[i];
  return result;
}

// --- random bits: keys and counters in, bits out ---

Status CheckThreefry(const HloInstruction& call) {
  ASSAY_CHECK_OK(CheckCount(call, 4));
  const Shape& first = call.operand(0).shape;
  for (const HloInstruction* operand : call.operands) {
    if (first.IsArray() && first.element_type() == U32 && ShapeUtil::Compatible(operand->shape, first)) continue;
    return BadCall(call, "operands must be u32 arrays of the same dimensions, found {}",
                   operand->shape.ToStringWithoutLayout());
  }
  return CheckResults(call, {first, first});
}

Literal EvaluateThreefry(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  Literal results[2] = {Literal(call.shape.tuple_shapes(0)), Literal(call.shape.tuple_shapes(1))};
  const auto at = [&](std::size_t i, std::int64_t element) { return operands[i].values<std::uint32_t>()[element]; };
  const auto first = results[0].mutable_values<std::uint32_t>(), second = results[1].mutable_values<std::uint32_t>();
  for (std::int64_t i = 0; i < operands[0].element_count(); ++i) {
    const auto bits = ThreeFry2x32({at(2, i), at(3, i)}, {at(0, i), at(1, i)});
    first[i] = bits[0];
    second[i] = bits[1];
  }
  return Literal::MakeTuple({std::move(results[0]), std::move(results[1])});
}

// --- the permutation that is equal to a list of row exchanges, numbered from 0; jaxlib skips numbers of no row ---

Status CheckPivots(const HloInstruction& call) {
  ASSAY_CHECK_OK(CheckCount(call, 1));
  const Shape& pivots = call.operand(0).shape;
  const Shape& result = call.shape;
  const bool fits =
      pivots.IsArray() && result.IsArray() && pivots.element_type() == S32 && result.element_type() == S32 &&
      pivots.rank() > 0 && pivots.rank() == result.rank() &&
      std::equal(pivots.dimensions().begin(), pivots.dimensions().end() - 1, result.dimensions().begin()) &&
      pivots.dimensions().back() <= result.dimensions().back();
  if (fits) return {};
  return BadCall(call, "an s32 permutation must be no shorter than its pivots, found {} and {}",
                 result.ToStringWithoutLayout(), pivots.ToStringWithoutLayout());
}

Literal EvaluatePivots(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  Literal result(call.shape);
  const std::int64_t count = operands[0].shape().dimensions().back(), size = call.shape.dimensions().back();
  const auto out = result.mutable_values<std::int32_t>();
  const std::int64_t problems = size == 0 ? 0 : result.element_count() / size;
  for (std::int64_t problem = 0; problem < problems; ++problem) {
    const auto permutation = out.subspan(problem * size, size);
    std::iota(permutation.begin(), permutation.end(), 0);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t pivot = operands[0].IntegerAt(problem * count + i);
      if (0 <= pivot && pivot < size) std::swap(permutation[i], permutation[pivot]);
    }
  }
  return result;
}

// --- uninitialized memory ---

Status CheckAllocation(const HloInstruction& call) {
  ASSAY_CHECK_OK(CheckCount(call, 0));
  if (call.shape.IsArray()) return {};
  return BadCall(call, "the result must be an array, found {}", call.shape.ToStringWithoutLayout());
}

Literal EvaluateAllocation(const HloInstruction& call, std::span<Literal>, Evaluation&) { return Literal(call.shape); }

// --- jax.lax.dce_sink ---

Status CheckSink(const HloInstruction& call) {
  if (call.shape.IsTuple() && call.shape.tuple_shapes().empty()) return {};
  return BadCall(call, "the result must be (), found {}", call.shape.ToStringWithoutLayout());
}

Literal Nothing(const HloInstruction&, std::span<Literal>, Evaluation&) { return Literal::MakeTuple({}); }

// The verifier checks operands and result (ops/custom_call.cc).
Status CheckSeed(const HloInstruction&) { return {}; }

const CustomCallTarget kCompilerHelpersTargets[] = {
    {
        .names = {"PadToStatic"},
        .meaning = "The operand as an array of its bounds, and its run-time sizes; past them elements mean nothing.",
        .check = CheckPadToStatic,
        .evaluate = EvaluatePadToStatic,
        .sees_run_time_sizes = true,
        .properties = JudgePadToStatic,
    },
    {
        .names = {"SliceToDynamic"},
        .meaning = "Operand 0 with the run-time sizes that the others are.",
        .check = CheckSliceToDynamic,
        .evaluate = EvaluateSliceToDynamic,
        .sees_run_time_sizes = true,
    },
    {
        .names = {"X64SplitLow"},
        .meaning = "The low halves of 64-bit integers.",
        .check = CheckHalf,
        .evaluate = EvaluateHalf<0>,
    },
    {
        .names = {"X64SplitHigh"},
        .meaning = "The high halves of 64-bit integers.",
        .check = CheckHalf,
        .evaluate = EvaluateHalf<32>,
    },
    {
        .names = {"X64Combine"},
        .meaning = "64-bit integers of their low and high halves.",
        .check = CheckCombine,
        .evaluate = EvaluateCombine,
    },
    {
        .names = {"{cu,hip,oneapi}_threefry2x32{_ffi,}"},
        .meaning = "Threefry2x32 with 20 rounds: operands the key and the counter, each as two arrays.",
        .check = CheckThreefry,
        .evaluate = EvaluateThreefry,
    },
    {
        .names = {"{cu,hip,oneapi}_lu_pivots_to_permutation"},
        .meaning = "The permutation of the rows that were exchanged, both counted from 0.",
        .check = CheckPivots,
        .evaluate = EvaluatePivots,
    },
    {
        .names = {"AllocateBuffer"},
        .meaning = "An array that nobody has written: its elements mean nothing, and are zeros here.",
        .check = CheckAllocation,
        .evaluate = EvaluateAllocation,
        .is_unspecified = true,
    },
    {
        .names = {"GetRngSeed"},
        .meaning = "The seed of the run's random numbers, which a program cannot rely on: 0 here.",
        .check = CheckSeed,
        .evaluate = EvaluateAllocation,
        .is_unspecified = true,
    },
    {
        .names = {"dce_sink"},
        .meaning = "Nothing: a compiler keeps the operand, though no instruction uses it.",
        .check = CheckSink,
        .evaluate = Nothing,
        .sees_run_time_sizes = true,
    },
};

}  // namespace

const TargetFamily targets_compiler_helpers = kCompilerHelpersTargets;

}  // namespace assay
