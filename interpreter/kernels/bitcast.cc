// Copies by strides if a layout only orders dimensions, and element by element if it has tiles or padding.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

// True if the elements have the same order in memory as in a Literal.
bool IsRowMajor(const Shape& shape) {
  if (!shape.has_layout()) return true;
  return LayoutUtil::IsMonotonicWithDim0Major(shape.layout()) && shape.layout().tiles.empty() &&
         PhysicalLayout(shape).buffer_elements() == ShapeUtil::ElementsIn(shape);
}

// Calls move(offset in memory, row-major offset) for every element.
template <class Move>
void ForEachElement(const Shape& shape, Move move) {
  std::vector<std::int64_t> index(shape.rank(), 0);
  if (ShapeUtil::ElementsIn(shape) == 0) return;
  const PhysicalLayout layout(shape);
  std::int64_t offset = 0;
  do {
    move(layout.Offset(index), offset++);
  } while (IndexUtil::BumpIndices(shape.dimensions(), index));
}

// Returns the strides in memory, in elements, of the dimensions of an array without tiles and padding.
std::vector<std::int64_t> MemoryStrides(const Shape& shape) {
  std::vector<std::int64_t> strides(shape.rank());
  std::int64_t stride = 1;
  for (std::int64_t d : shape.layout().minor_to_major) {
    strides[d] = stride;
    stride *= shape.dimensions(d);
  }
  return strides;
}

// Returns the elements in the order of the layout, with padding as zeros.
Literal InMemoryOrder(const Literal& value, const Shape& shape) {
  if (IsRowMajor(shape)) return value;
  const int bytes = StorageBytes(shape.element_type());
  Literal memory(ShapeUtil::MakeShape(shape.element_type(), {PhysicalLayout(shape).buffer_elements()}));
  std::byte* to = memory.mutable_data();
  if (shape.layout().tiles.empty() && shape.layout().padded_dimensions.empty()) {
    StridedCopy(bytes, shape.dimensions(), RowMajorStrides(shape.dimensions()), MemoryStrides(shape))
        .ParallelCopy(value.data(), to);
  } else {
    ForEachElement(shape, [&](std::int64_t in_memory, std::int64_t offset) {
      std::memcpy(to + in_memory * bytes, value.data() + offset * bytes, bytes);
    });
  }
  return memory;
}

// The inverse of InMemoryOrder.
Literal FromMemoryOrder(Literal memory, const Shape& shape) {
  if (IsRowMajor(shape)) return std::move(memory).WithShape(shape);
  if (shape.layout().tiles.empty() && shape.layout().padded_dimensions.empty()) {
    return StridedRead(shape, memory, 0, MemoryStrides(shape));
  }
  const int bytes = StorageBytes(shape.element_type());
  Literal result = Literal::Uninitialized(shape);
  std::byte* to = result.mutable_data();
  ForEachElement(shape, [&](std::int64_t in_memory, std::int64_t offset) {
    std::memcpy(to + offset * bytes, memory.data() + in_memory * bytes, bytes);
  });
  return result;
}

Literal EvaluateBitcast(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Shape& from = instruction.operand(0).shape;
  const Shape& to = instruction.shape;
  if (KeepsBuffer(from, to)) return WithShapeKeepingSizes(std::move(operands[0]), to);
  Literal memory = InMemoryOrder(operands[0], from);
  if (from.element_type() != to.element_type()) {
    Literal bytes(ShapeUtil::MakeShape(to.element_type(), {PhysicalLayout(to).buffer_elements()}));
    std::copy_n(memory.data(), memory.byte_size(), bytes.mutable_data());
    if (to.element_type() == PRED) {
      for (std::uint8_t& pred : bytes.mutable_values<std::uint8_t>()) pred = pred != 0;
    }
    memory = std::move(bytes);
  }
  return FromMemoryOrder(std::move(memory), to);
}

}  // namespace

const OpKernel kernel_bitcast = {.op = &op_bitcast, .evaluate = EvaluateBitcast};

}  // namespace assay
