// Selects words of the element's size, vectorized.
#include "interpreter/kernels/common/element_wise_kernels.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

struct Complex128 {
  std::uint64_t parts[2];
};

template <class T>
void Select(std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
  const auto* pred = reinterpret_cast<const std::uint8_t*>(operands[0]);
  const auto* on_true = reinterpret_cast<const T*>(operands[1]);
  const auto* on_false = reinterpret_cast<const T*>(operands[2]);
  auto* out = reinterpret_cast<T*>(result);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const T a = on_true[i];
    const T b = on_false[i];
    out[i] = pred[i] != 0 ? a : b;
  }
}

Kernel SelectOfSize(int bytes) {
  switch (bytes) {
    case 1:
      return Select<std::uint8_t>;
    case 2:
      return Select<std::uint16_t>;
    case 4:
      return Select<std::uint32_t>;
    case 8:
      return Select<std::uint64_t>;
    default:
      return Select<Complex128>;
  }
}

Kernel SelectKernel(const HloInstruction& instruction) {
  const PrimitiveType type = instruction.shape.element_type();
  return WithOperandsConverted(instruction, /*first=*/1, type, SelectOfSize(StorageBytes(type)));
}

}  // namespace

const OpKernel kernel_select = {.op = &op_select, .kernel = SelectKernel};

}  // namespace assay
