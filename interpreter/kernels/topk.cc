// Partially sorts integer keys, on every thread.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "interpreter/kernels/common/indexed_copy.h"
#include "interpreter/kernels/common/order_keys.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

Literal EvaluateTopk(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Literal& operand = operands[0];
  const std::int64_t n = operand.shape().dimensions().back(), k = instruction.Int64("k");
  Literal values = Literal::Uninitialized(instruction.shape.tuple_shapes(0));
  Literal indices = Literal::Uninitialized(instruction.shape.tuple_shapes(1));
  if (values.element_count() == 0) return Literal::MakeTuple({std::move(values), std::move(indices)});

  std::vector<std::uint64_t> keys = *KeysOfTotalOrder(operand);
  if (instruction.Bool("largest")) {
    for (std::uint64_t& key : keys) key = ~key;  // ties keep the order of indices
  }
  const int bytes = StorageBytes(operand.element_type());
  std::byte* values_out = values.mutable_data();
  std::int32_t* indices_out = indices.mutable_values<std::int32_t>().data();
  const std::int64_t grain = GrainOfRows(n, kMovedPerPiece);
  ParallelFor(values.element_count() / k, grain, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> order(n);
    LimitCheck check;
    for (std::int64_t row = begin; row < end; ++row) {
      const std::uint64_t* key = keys.data() + row * n;
      std::iota(order.begin(), order.end(), 0);
      std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](std::int64_t a, std::int64_t b) {
        check();
        return key[a] != key[b] ? key[a] < key[b] : a < b;
      });
      GatherElements(bytes, operand.data() + row * n * bytes, std::span(order).first(k), values_out + row * k * bytes);
      std::copy_n(order.begin(), k, indices_out + row * k);
    }
  });
  return Literal::MakeTuple({std::move(values), std::move(indices)});
}

}  // namespace

const OpKernel kernel_topk = {.op = &op_topk, .evaluate = EvaluateTopk};

}  // namespace assay
