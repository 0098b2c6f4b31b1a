#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "backends/lawful/arithmetic.h"
#include "backends/mutant/break.h"
#include "backends/mutant/families.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

using FoldOperands = std::vector<Literal>;

// Rounds the f32 operands to a type with fewer digits.
template <PrimitiveType kType>
void RoundOperands(HloInstruction& product, FoldOperands& operands) {
  for (Literal& operand : operands) {
    if (operand.element_type() != F32) continue;
    std::vector<double> reals = RealsOf(operand);
    const Arithmetic narrow(kType);
    for (double& x : reals) x = narrow.Round(x);
    operand = ArrayOf(operand.shape(), reals);
  }
  static_cast<void>(product);
}

void FlipKernel(HloInstruction& convolution) {
  Window window = convolution.window();
  for (WindowDimension& d : window.dimensions) d.window_reversal = !d.window_reversal;
  convolution.Set("window", std::move(window));
}

void IgnoreReversal(HloInstruction& convolution) {
  Window window = convolution.window();
  for (WindowDimension& d : window.dimensions) d.window_reversal = false;
  convolution.Set("window", std::move(window));
}

void ShiftPadding(HloInstruction& convolution) {
  Window window = convolution.window();
  for (WindowDimension& d : window.dimensions) {
    ++d.padding_low;
    --d.padding_high;
  }
  convolution.Set("window", std::move(window));
}

// Evaluates a reduction of operands that are one shorter along the last reduced dimension.
Literal SkipLast(const HloInstruction& reduce, std::span<Literal> operands, Evaluation& evaluation) {
  if (reduce.Int64s("dimensions").empty()) return EvaluateWhole(reduce, operands, evaluation);
  const std::int64_t dimension = std::ranges::max(reduce.Int64s("dimensions"));
  const std::int64_t size = operands[0].shape().dimensions(dimension);
  if (size <= 8 || size % 2 == 0) return EvaluateWhole(reduce, operands, evaluation);
  HloInstruction changed = reduce;
  std::vector<HloInstruction> shorter;
  FoldOperands values(operands.begin(), operands.end());
  shorter.reserve(operands.size() / 2);
  for (std::size_t i = 0; i < operands.size() / 2; ++i) {
    values[i] = FirstOf(operands[i], dimension, size - 1);
    shorter.push_back(reduce.operand(static_cast<std::int64_t>(i)));
    shorter.back().shape = values[i].shape();
    changed.operands[i] = &shorter.back();
  }
  return EvaluateWhole(changed, values, evaluation);
}

// Folds the initial value of a reduction of one array in once more.
Literal CountInitialValueTwice(const HloInstruction& reduce, std::span<Literal> operands, Evaluation& evaluation) {
  const FoldOperands seen(operands.begin(), operands.end());
  Literal result = EvaluateWhole(reduce, operands, evaluation);
  if (seen.size() != 2 || seen[1].element_type() != result.element_type()) return result;
  const auto reducer = evaluation.Scalar(reduce.Computation("to_apply"));
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    std::byte* at = result.mutable_data() + i * StorageBytes(result.element_type());
    const std::byte* const inputs[] = {at, seen[1].data()};
    reducer->Apply(inputs, {&at, 1}, 1);
  }
  return result;
}

// Repeats each element `times` times along a dimension, except the last one.
Literal Repeated(const Literal& array, std::int64_t dimension, std::int64_t times) {
  Shape shape = array.shape();
  const std::int64_t size = shape.dimensions(dimension), repeated = size == 0 ? 0 : (size - 1) * times + 1;
  const std::int64_t inner = Product(std::span(shape.dimensions()).subspan(dimension + 1));
  shape.set_dimensions(dimension, repeated);
  Literal result(shape);
  const std::int64_t row = inner * StorageBytes(array.element_type());
  for (std::int64_t i = 0; i < result.element_count() / std::max<std::int64_t>(inner, 1); ++i) {
    const std::int64_t from = i / repeated * size + i % repeated / times;
    std::memcpy(result.mutable_data() + i * row, array.data() + from * row, row);
  }
  return result;
}

Literal RepeatInHoles(const HloInstruction& reduce_window, std::span<Literal> operands, Evaluation& evaluation) {
  HloInstruction changed = reduce_window;
  Window window = reduce_window.window();
  FoldOperands values(operands.begin(), operands.end());
  std::vector<HloInstruction> dilated;
  dilated.reserve(operands.size());
  for (std::size_t i = 0; i < operands.size() / 2; ++i) {
    for (std::size_t d = 0; d < window.dimensions.size(); ++d) {
      values[i] = Repeated(values[i], static_cast<std::int64_t>(d), window.dimensions[d].base_dilation);
    }
    dilated.push_back(reduce_window.operand(static_cast<std::int64_t>(i)));
    dilated.back().shape = values[i].shape();
    changed.operands[i] = &dilated.back();
  }
  for (WindowDimension& d : window.dimensions) d.base_dilation = 1;
  changed.Set("window", std::move(window));
  return EvaluateWhole(changed, values, evaluation);
}

// Moves the starts of updates into range. A window has size 1 in inserted and batching dimensions, and the update's
// size in the others.
void ClampIndices(HloInstruction& scatter, FoldOperands& operands) {
  const std::size_t n = operands.size() / 2;
  Literal& indices = operands[n];
  const Shape &operand = scatter.operand(0).shape, &update = scatter.operand(static_cast<std::int64_t>(n) + 1).shape;
  std::vector<std::int64_t> sizes(operand.rank(), 1);
  std::size_t next = 0;
  const auto windows = scatter.Int64s("update_window_dims");
  for (std::int64_t d = 0; d < operand.rank(); ++d) {
    const auto is_in = [&](AttributeName list) { return std::ranges::count(scatter.Int64s(list), d) > 0; };
    if (!is_in("inserted_window_dims") && !is_in("input_batching_dims")) sizes[d] = update.dimensions(windows[next++]);
  }
  const auto map = scatter.Int64s("scatter_dims_to_operand_dims");
  const std::int64_t vector = scatter.Int64("index_vector_dim");
  const bool is_implied = vector >= indices.shape().rank();
  const std::int64_t inner = is_implied ? 1 : Product(std::span(indices.shape().dimensions()).subspan(vector + 1));
  for (std::int64_t i = 0; i < indices.element_count(); ++i) {
    const std::int64_t d = map[is_implied ? 0 : i / inner % static_cast<std::int64_t>(map.size())];
    const std::int64_t last = operand.dimensions(d) - sizes[d];
    if (last >= 0) SetInteger(indices, i, std::clamp<std::int64_t>(indices.IntegerAt(i), 0, last));
  }
}

// Selects the last of equal elements: GE, which keeps the first, becomes GT, and LE becomes LT.
void PreferLast(HloInstruction& select_and_scatter) {
  HloInstruction& root = *select_and_scatter.Computation("select").root;
  if (!root.Has("direction")) return;
  if (root.String("direction") == "GE") root.Set("direction", std::string("GT"));
  if (root.String("direction") == "LE") root.Set("direction", std::string("LT"));
}

void ReverseRows(HloInstruction& sort, FoldOperands& operands) {
  for (Literal& operand : operands) operand = Reversed(operand, sort.Int64s("dimensions")[0]);
}

// Computes the sums of an f32 instruction, one term after the other, by kAdd.
template <double (*kAdd)(double sum, double term)>
Literal SumBy(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  const auto calls = instruction.CalledComputations();
  const bool is_sum = calls.empty() || AcceptanceOf(*calls[0]->root).folded == Acceptance::kSum;
  const auto terms = instruction.shape.IsArray() && instruction.shape.element_type() == F32 && is_sum
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

void KeepLastUpdate(HloInstruction& scatter) {
  HloComputation& combiner = scatter.Computation("to_apply");
  for (const auto& instruction : combiner.instructions) {
    const bool is_update = instruction->op->role == OpRole::kParameter && instruction->parameter_number == 1;
    if (is_update && combiner.Parameters().size() == 2) combiner.root = instruction.get();
  }
}

// Clears the elements after the last whole vector of four, as a loop without its remainder does.
void ForgetRemainder(const HloInstruction&, std::span<const Literal>, Literal& result) {
  ForgetFrom(result, result.element_count() / 4 * 4);
}

void ScanForward(HloInstruction& scan) { scan.Set("is_reverse", false); }

void ExtendLastGroup(HloInstruction& dot, FoldOperands& operands) {
  Literal& sizes = operands[2];
  const std::int64_t groups = sizes.shape().dimensions().back();
  const std::int64_t ragged = dot.operand(0).shape.dimensions(dot.Int64s("lhs_ragged_dims")[0]);
  for (std::int64_t i = 0; i < sizes.element_count(); ++i) {
    if (i % groups == groups - 1) SetInteger(sizes, i, ragged);
  }
}

void ForgetScales(HloInstruction&, FoldOperands& operands) {
  Literal& scales = operands[2];
  if (IsComplexType(scales.element_type())) return;
  for (std::int64_t i = 0; i < scales.element_count(); ++i) {
    StoreNumber(scales.element_type(), {1, 1}, scales.mutable_data(), i);
  }
}

}  // namespace

std::vector<Mutant> FoldMutants() {
  return {
      {"conv_f32_via_bf16", "convolution", "f32 operands are rounded to bf16", BreakOperands<RoundOperands<BF16>>},
      {"conv_flips_kernel", "convolution", "a true convolution instead of a cross-correlation", nullptr, FlipKernel},
      {"conv_reversal_ignored", "convolution", "rhs_reversal is ignored", nullptr, IgnoreReversal},
      {"conv_padding_shifted", "convolution", "the low edge has one element of padding too many, the high one too few",
       nullptr, ShiftPadding},
      {"dot_f32_accumulates_in_bf16", "dot", "sums of f32 products are kept in bf16",
       [](Op& op) { op.evaluation.evaluate = SumBy<AddInBf16>; }},
      {"dot_f32_via_bf16", "dot", "f32 operands are rounded to bf16", BreakOperands<RoundOperands<BF16>>},
      {"dot_f32_via_f16", "dot", "f32 operands are rounded to f16", BreakOperands<RoundOperands<F16>>},
      {"map_skips_remainder", "map", "elements past the last vector of four are zero", BreakResult<ForgetRemainder>},
      {"ragged_dot_extends_last_group", "ragged-dot", "what is past the last group belongs to it",
       BreakOperands<ExtendLastGroup>},
      {.id = "reduce_counts_init_twice",
       .op = "reduce",
       .rule = "the initial value is folded in twice",
       .break_op = [](Op& op) { op.evaluation.evaluate = CountInitialValueTwice; },
       .open = "the specification lets an implementation insert the initial value any number of times"},
      {"reduce_skips_last", "reduce", "the last element of a reduced dimension of odd size above 8 is skipped",
       [](Op& op) { op.evaluation.evaluate = SkipLast; }},
      {"reduce_truncates", "reduce", "every f32 addition rounds towards zero",
       [](Op& op) { op.evaluation.evaluate = SumBy<AddTruncating>; }},
      {"reduce_window_base_dilation_repeats", "reduce-window", "holes of base dilation repeat the element before",
       [](Op& op) { op.evaluation.evaluate = RepeatInHoles; }},
      {"scaled_dot_ignores_scales", "scaled-dot", "the scales of lhs are taken for one", BreakOperands<ForgetScales>},
      {"scan_ignores_direction", "scan", "is_reverse is ignored", nullptr, ScanForward},
      {"scatter_clamps_oob", "scatter", "updates out of bounds are moved in instead of dropped",
       BreakOperands<ClampIndices>},
      {"scatter_keeps_last", "scatter", "an update replaces what is there, instead of being combined with it", nullptr,
       KeepLastUpdate},
      {"select_and_scatter_last_tie", "select-and-scatter", "the last of equal elements is chosen", nullptr,
       PreferLast},
      {"sort_unstable", "sort", "ties come out in reverse order", BreakOperands<ReverseRows>},
  };
}

}  // namespace assay
