// Custom calls of unbounded programs: shape assertions, and ops whose sizes or windows are operands.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "interpreter/stablehlo/to_hlo_operations.h"

namespace assay::stablehlo {
namespace {

// Replaces each {N} of a message by operand N + 1, an integer.
Result<std::string> FilledMessage(const Lowering& lowering, std::string_view message) {
  std::string filled;
  while (!message.empty()) {
    const std::size_t open = std::min(message.find('{'), message.size());
    const std::size_t digits = std::min(message.find_first_not_of("0123456789", open + 1), message.size());
    const std::size_t close = message.find('}', digits);
    filled += message.substr(0, open);
    if (open == message.size()) break;
    std::size_t number = lowering.operands.size();
    if (digits > open + 1 && digits - open < 4 && close != std::string_view::npos) {
      number = std::stoul(std::string(message.substr(open + 1, digits - open - 1))) + 1;
    }
    if (number < lowering.operands.size()) {
      ASSAY_TRY(const Int64List value, lowering.ConstantOperand(number));
      filled += value.empty() ? "?" : std::to_string(value[0]);
      message.remove_prefix(close + 1);
    } else {
      filled += '{';
      message.remove_prefix(open + 1);
    }
  }
  return filled;
}

// Checks operand 0, which must be known, and removes the assertion.
Status CheckAssertion(const Lowering& lowering) {
  if (lowering.operands.empty()) return lowering.Illegal("a shape assertion must have an operand, found none");
  ASSAY_TRY(const Int64List holds, lowering.ConstantOperand(0));
  if (holds.size() == 1 && holds[0] != 0) return {};
  ASSAY_TRY(const std::string message, lowering.attributes().String("error_message"));
  ASSAY_TRY(const std::string filled, FilledMessage(lowering, message));
  return lowering.Illegal(fmt::format("the shape assertion does not hold: {}", filled));
}

Status PassFirstOperand(const Lowering& lowering) {
  if (lowering.operands.empty() || lowering.operation.results.size() != 1) {
    return lowering.Illegal("it must have operands and one result");
  }
  lowering.translator.BindResults(lowering.operation, *lowering.operands[0]);
  return {};
}

// Operands: the inputs, their initial values, and the sizes, strides, base dilations, window dilations and paddings of
// the window.
Status LowerDynamicReduceWindow(const Lowering& lowering) {
  constexpr std::size_t kLists = 5;
  const std::size_t count = lowering.operands.size();
  if (count < kLists + 2 || (count - kLists) % 2 != 0) {
    return lowering.Illegal(
        fmt::format("it must have inputs, as many initial values and {} lists, found {} operands", kLists, count));
  }
  Int64List lists[kLists];
  for (std::size_t i = 0; i < kLists; ++i) {
    ASSAY_TRY(lists[i], lowering.ConstantOperand(count - kLists + i));
    if (lists[i].size() == lists[0].size() * (i + 1 == kLists ? 2 : 1)) continue;
    return lowering.Illegal(fmt::format("operand {} must have as many numbers as the window has dimensions, found {}",
                                        count - kLists + i, lists[i].size()));
  }
  Window window;
  for (std::size_t d = 0; d < lists[0].size(); ++d) {
    window.dimensions.push_back({.size = lists[0][d],
                                 .stride = lists[1][d],
                                 .padding_low = lists[4][2 * d],
                                 .padding_high = lists[4][2 * d + 1],
                                 .window_dilation = lists[3][d],
                                 .base_dilation = lists[2][d]});
  }
  ASSAY_TRY(const std::vector<std::string> called, lowering.attributes().Symbols("called_computations"));
  if (called.size() != 1) return lowering.Illegal("it must have one called computation");
  ASSAY_TRY(HloComputation * body, lowering.translator.LowerFunction(lowering.operation, called[0]));
  ASSAY_TRY(HloInstruction * reduce, lowering.AddResult("reduce-window", lowering.OperandsFrom(0, count - kLists)));
  reduce->Set("window", std::move(window));
  reduce->Set("to_apply", body);
  return {};
}

// Operands: an initial state, and the sizes of the second result.
Status LowerDynamicRngBitGenerator(const Lowering& lowering) {
  if (lowering.operands.size() != 2 || lowering.operation.results.size() != 2) {
    return lowering.Illegal("it must have two operands and two results");
  }
  Shape state = lowering.operands[0]->shape;
  ASSAY_TRY(Shape bits, lowering.SizedShape(lowering.operation.results[1].type, 1));
  return LowerRngBitGenerator({lowering.translator,
                               lowering.operation,
                               *FindRow("stablehlo.rng_bit_generator"),
                               {lowering.operands[0]},
                               {std::move(state), std::move(bits)}});
}

Status LowerDynamicTopK(const Lowering& lowering) {
  if (lowering.operands.size() != 2 || lowering.operation.results.size() != 2) {
    return lowering.Illegal("it must have two operands and two results");
  }
  ASSAY_TRY(const Int64List k, lowering.ConstantOperand(1));
  if (k.size() != 1) return lowering.Illegal("operand 1 must be one number");
  ASSAY_TRY(HloInstruction * topk, lowering.AddResult("topk", {lowering.operands[0]}));
  topk->Set("k", k[0]);
  topk->Set("largest", true);
  return {};
}

// The operands after the initial values are k and the sizes of the results.
Status LowerDynamicApproxTopK(const Lowering& lowering) {
  Lowering sized = lowering;
  sized.operands.resize(std::min(sized.operands.size(), 2 * sized.operation.results.size()));
  return LowerApproxTopK(sized);
}

constexpr std::string_view kOperandWrapper = "stablehlo.shape_refinement_operand_wrapper";

struct DynamicCall {
  std::string_view target;
  Status (*lower)(const Lowering&);
};

constexpr DynamicCall kDynamicCalls[] = {
    {"ApproxTopK", LowerDynamicApproxTopK},
    {"shape_assertion", CheckAssertion},
    {"stablehlo.dynamic_approx_top_k", LowerDynamicApproxTopK},
    {"stablehlo.dynamic_reduce_window", LowerDynamicReduceWindow},
    {"stablehlo.dynamic_rng_bit_generator", LowerDynamicRngBitGenerator},
    {"stablehlo.dynamic_top_k", LowerDynamicTopK},
    {kOperandWrapper, PassFirstOperand},
};

// Returns the shape of a type. The sizes of each of its tensors are the operand with the next number, which is removed.
Result<Shape> ShapeByOperands(const Lowering& lowering, const Type& type, std::span<const std::int64_t>& numbers) {
  if (const auto* tuple = std::get_if<TupleType>(&type.value)) {
    std::vector<Shape> elements;
    for (const Type& element : tuple->elements) {
      ASSAY_TRY(elements.emplace_back(), ShapeByOperands(lowering, element, numbers));
    }
    return ShapeUtil::MakeTupleShape(std::move(elements));
  }
  if (numbers.empty()) return lowering.Illegal("indices_of_shape_operands must have a number for each result");
  const std::int64_t number = numbers.front();
  numbers = numbers.subspan(1);
  if (number < 0 || std::cmp_greater_equal(number, lowering.operands.size())) {
    return lowering.Illegal(fmt::format("indices_of_shape_operands names operand {}, which does not exist", number));
  }
  return lowering.SizedShape(type, number);
}

}  // namespace

Result<bool> LowerDynamicCall(Lowering& lowering, std::string_view target) {
  ASSAY_TRY(const Int64List operands, lowering.attributes().Integers("indices_of_shape_operands"));
  if (!operands.empty() && target != kOperandWrapper) {
    std::span<const std::int64_t> left = operands;
    for (const Value& result : lowering.operation.results) {
      ASSAY_TRY(lowering.result_shapes.emplace_back(), ShapeByOperands(lowering, result.type, left));
    }
    if (!left.empty()) return lowering.Illegal("indices_of_shape_operands has more numbers than there are results");
  }
  const auto* const call = std::ranges::find(kDynamicCalls, target, &DynamicCall::target);
  if (call == std::end(kDynamicCalls)) return false;
  ASSAY_CHECK_OK(call->lower(lowering));
  return true;
}

}  // namespace assay::stablehlo
