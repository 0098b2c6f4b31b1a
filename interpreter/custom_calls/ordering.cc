// Sorts and the largest elements, as XLA:GPU's SortRewriter and TopkRewriter leave them.
#include <algorithm>
#include <numeric>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/call_config.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/library_results.h"
#include "interpreter/custom_calls/post_ops.h"
#include "interpreter/kernels/common/indexed_copy.h"
#include "interpreter/kernels/common/order_keys.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

// --- radix sort ---

Status CheckSort(const HloInstruction& call) {
  ASSAY_TRY(const CallConfig config, CallConfig::Of(call, "cub_sort_config"));
  ASSAY_TRY([[maybe_unused]] const bool descending, config.Bool("descending"));
  const std::size_t n = call.operands.size();
  if (n != 1 && n != 2) return BadCall(call, "the number of operands must be 1 or 2, found {}", n);
  const Shape& keys = call.operand(0).shape;
  const bool has_order = keys.IsArray() && !IsComplexType(keys.element_type()) && keys.rank() > 0;
  if (!has_order) return BadCall(call, "the keys must be real, found {}", keys.ToStringWithoutLayout());
  std::vector<Shape> results = {keys};
  if (n == 2) {
    ASSAY_CHECK_OK(CheckDimensions(call, "operand 1", call.operand(1).shape, keys));
    results.push_back(call.operand(1).shape);
  }
  return CheckResults(call, results);
}

// Returns keys of the total order, except that zeros are equal: CUB does not distinguish them.
std::vector<std::uint64_t> RadixKeys(const Literal& keys) {
  if (!IsFloatingPointType(keys.element_type())) return *KeysOfTotalOrder(keys);
  const Literal zero = Converted(Number(0), keys.element_type());
  const Literal is_zero = Elementwise(op_compare, {keys, zero}, {{"direction", "EQ"}});
  return *KeysOfTotalOrder(Elementwise(op_select, {is_zero, Broadcast(zero, {}, keys.shape()), keys}));
}

Literal EvaluateSort(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const bool descending = *CallConfig::Of(call, "cub_sort_config")->Bool("descending");
  const std::int64_t size = operands[0].shape().dimensions().back();
  std::vector<std::uint64_t> keys = RadixKeys(operands[0]);
  if (descending) {
    for (std::uint64_t& key : keys) key = ~key;
  }
  std::vector<std::int64_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  LimitCheck check;
  for (auto row = order.begin(); row != order.end(); row += size) {
    std::stable_sort(row, row + size, [&](std::int64_t a, std::int64_t b) {
      check();
      return keys[a] < keys[b];
    });
  }
  std::vector<Literal> results;
  for (const Literal& operand : operands) {
    Literal sorted = Literal::Uninitialized(operand.shape());
    GatherElements(StorageBytes(operand.element_type()), operand.data(), order, sorted.mutable_data());
    results.push_back(std::move(sorted));
  }
  return WithScratch(call.shape, std::move(results));
}

PropertyReport JudgeSort(const HloInstruction& call, std::span<const Literal>, const Literal& want,
                         const Literal& got) {
  Properties properties;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    JudgeEqual("the elements stand in the order of the keys", ResultAt(want, i), ResultAt(got, i), properties);
  }
  return std::move(properties).Take();
}

// --- the largest elements ---

// Reads the direction of the comparator: parameter 0 greater than parameter 1, or less. JAX's comparator first
// canonicalizes NaN and zeros of its parameters; apart from those it is the total order.
Result<bool> TakesLargest(const HloInstruction& call) {
  const auto comparators = call.Computations("called_computations");
  if (comparators.empty()) return true;
  const HloInstruction& root = *comparators[0]->root;
  const std::string_view direction = root.op == &op_compare ? root.String("direction") : "";
  if (comparators.size() == 1 && (direction == "GT" || direction == "LT")) return direction == "GT";
  return NotEvaluated(call, "the comparator must be one that compares by GT or LT");
}

StandIn TopKOf(const HloInstruction& call, bool largest) {
  const Shape& values = call.shape.tuple_shapes(0);
  return StandIn(op_topk, {call.operand(0).shape}, {{"k", values.dimensions().back()}, {"largest", largest}});
}

Status CheckTopK(const HloInstruction& call) {
  if (call.operands.size() != 1 || !call.operand(0).shape.IsArray()) return BadCall(call, "there must be one array");
  const bool has_values = call.shape.IsTuple() && call.shape.tuple_shapes().size() == 2 &&
                          call.shape.tuple_shapes(0).IsArray() && call.shape.tuple_shapes(0).rank() > 0;
  if (!has_values) return BadCall(call, "the result must be (values, indices)");
  ASSAY_TRY(const bool largest, TakesLargest(call));
  if (!op_topk.legality.types.contains(call.operand(0).shape.element_type())) {
    return BadCall(call, "elements must have an order, found {}", call.operand(0).shape.ToStringWithoutLayout());
  }
  StandIn topk = TopKOf(call, largest);
  ASSAY_CHECK_OK(topk.Infer(call));
  return CheckResults(call, topk.instruction().shape.tuple_shapes());
}

Literal EvaluateTopK(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  StandIn topk = TopKOf(call, *TakesLargest(call));
  if (const Status status = topk.Infer(call); !status) throw EvaluationError{status.error()};
  return WithScratch(call.shape, std::move(topk.Evaluate({operands[0]}).mutable_elements()));
}

const CustomCallTarget kOrderingTargets[] = {
    {
        .names = {"__cub$DeviceRadixSort", "__cub$DeviceRadixSortUnassignedScratchSize"},
        .meaning = "The keys in order along the last dimension, and the values with them; equal keys keep theirs.",
        .check = CheckSort,
        .evaluate = EvaluateSort,
        .properties = JudgeSort,
    },
    {
        .names = {"TopK", "__gpu$TopK"},
        .meaning = "The k largest elements of the last dimension in total order, or smallest, and their indices.",
        .check = CheckTopK,
        .evaluate = EvaluateTopK,
    },
};

}  // namespace

const TargetFamily targets_ordering = kOrderingTargets;

}  // namespace assay
