#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/buffer.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferBitcast(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  const Shape& result = instruction.shape;
  if (!result.IsArray()) {
    return Illegal(instruction, "the result must be an array, found {}", result.ToStringWithoutLayout());
  }
  const std::int64_t from = BufferBytes(operand);
  const std::int64_t to = BufferBytes(result);
  const auto fills_bytes = [](PrimitiveType type) { return BitWidth(type) % 8 == 0; };
  const bool same_type = operand.element_type() == result.element_type();
  if (!same_type && !(fills_bytes(operand.element_type()) && fills_bytes(result.element_type()))) {
    return Illegal(instruction, "types narrower than a byte keep their type, found {} from {}",
                   PrimitiveTypeName(result.element_type()), PrimitiveTypeName(operand.element_type()));
  }
  if (from != to) {
    return Illegal(instruction, "the result must have the {} bytes of the operand {}, found {} in {}", from,
                   operand.ToString(), to, result.ToString());
  }
  return result;
}

// Writes the operand's elements to memory by its layout, with padding as zeros, and reads the result's elements by its
// layout. Run-time sizes are kept if nothing else changes.
Literal EvaluateBitcast(const HloInstruction& bitcast, std::span<Literal> operands, Evaluation&) {
  const Shape &from = bitcast.operand(0).shape, &to = bitcast.shape;
  if (KeepsBuffer(from, to)) return WithShapeKeepingSizes(std::move(operands[0]), to);
  const PhysicalLayout written(from), read(to);
  const std::int64_t from_bytes = std::ssize(BytesOf(Zero(from.element_type())));
  const std::int64_t to_bytes = std::ssize(BytesOf(Zero(to.element_type())));
  std::vector<std::uint8_t> memory(written.buffer_elements() * from_bytes);
  ForEachIndex(from.dimensions(), [&](const Index& index) {
    std::ranges::copy(BytesOf(At(operands[0], index)), memory.begin() + written.Offset(index) * from_bytes);
  });
  Outputs result(to);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    result.Set(index, WithBytes(to.element_type(), std::span(memory).subspan(read.Offset(index) * to_bytes, to_bytes)));
  });
  return std::move(result).Take();
}

}  // namespace

const Op op_bitcast = {
    .name = "bitcast",
    .meaning = "The bytes of the operand under another shape and layout.",
    .syntax = {.shape_is_inferable = false},
    .legality = {.arity = Exactly(1), .types = kArrays, .infer = InferBitcast},
    .evaluation = {.evaluate = EvaluateBitcast, .keeps_scalars = true, .sees_run_time_sizes = true},
};

}  // namespace assay
