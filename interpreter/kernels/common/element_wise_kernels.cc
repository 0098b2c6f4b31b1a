#include "interpreter/kernels/common/element_wise_kernels.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/round.h"

namespace assay {

Kernel WithOperandsConverted(const HloInstruction& instruction, std::size_t first, PrimitiveType type, Kernel kernel) {
  std::vector<PrimitiveType> types;
  bool is_uniform = true;
  for (const HloInstruction* operand : instruction.operands) {
    types.push_back(operand->shape.element_type());
    if (types.size() > first) is_uniform = is_uniform && types.back() == type;
  }
  if (is_uniform) return kernel;
  return [=, types = std::move(types), kernel = std::move(kernel)](std::span<const std::byte* const> operands,
                                                                   std::byte* result, std::int64_t n) {
    std::vector<const std::byte*> converted(operands.begin(), operands.end());
    std::vector<std::vector<std::byte>> buffers(operands.size());
    for (std::size_t k = first; k < operands.size(); ++k) {
      buffers[k].resize(static_cast<std::size_t>(n) * StorageBytes(type));
      Convert(types[k], operands[k], type, buffers[k].data(), n);
      converted[k] = buffers[k].data();
    }
    kernel(converted, result, n);
  };
}

namespace elementwise {
namespace {

constexpr std::int64_t kBlock = 512;
constexpr std::size_t kMaxOperands = 3;

bool IsInteger(PrimitiveType type) { return type == PRED || IsIntegralType(type); }

// Returns the loop that reads and writes the type's own storage.
Loop DirectLoop(const Loops& loops, PrimitiveType type) {
  switch (type) {
    case F64:
      return loops.f64;
    case F32:
      return loops.f32;
    case S64:
      return loops.s64;
    case U64:
      return loops.u64;
    case S32:
      return loops.s32;
    default:
      return nullptr;
  }
}

// The element types of a row. Kernels treat the parts of complex numbers as separate elements.
struct ElementsOfRow {
  std::vector<PrimitiveType> operands;
  PrimitiveType result;
  int parts = 1;

  explicit ElementsOfRow(const HloInstruction& instruction) : result(instruction.shape.element_type()) {
    for (const HloInstruction* operand : instruction.operands) operands.push_back(operand->shape.element_type());
    if (!IsComplexType(operands[0])) return;
    parts = 2;
    for (PrimitiveType& type : operands) type = ComplexComponentType(type);
    result = ComplexComponentType(result);
  }
  bool AreOfOneType() const {
    return std::ranges::all_of(operands, [this](PrimitiveType type) { return type == operands[0]; }) &&
           (result == operands[0] || result == PRED);
  }
};

// Makes a kernel that, block by block, loads into T, runs the loop, and stores. A predicate's loop writes the bytes of
// its result itself.
template <class T, auto load, auto store>
Kernel BlockKernel(ElementsOfRow elements, Loop loop, bool is_predicate, int width) {
  return [=, elements = std::move(elements)](std::span<const std::byte* const> operands, std::byte* result,
                                             std::int64_t n) {
    std::array<std::array<T, kBlock>, kMaxOperands> in;
    std::array<T, kBlock> out;
    std::array<const std::byte*, kMaxOperands> blocks;
    for (std::size_t k = 0; k < kMaxOperands; ++k) blocks[k] = reinterpret_cast<const std::byte*>(in[k].data());
    n *= elements.parts;
    for (std::int64_t begin = 0; begin < n; begin += kBlock) {
      const std::int64_t count = std::min(kBlock, n - begin);
      for (std::size_t k = 0; k < operands.size(); ++k) {
        const PrimitiveType type = elements.operands[k];
        load(type, operands[k] + begin * StorageBytes(type), in[k].data(), count);
      }
      std::byte* const stored = result + begin * StorageBytes(elements.result);
      loop(blocks.data(), is_predicate ? stored : reinterpret_cast<std::byte*>(out.data()), count, width);
      if (!is_predicate) store(elements.result, out.data(), stored, count);
    }
  };
}

}  // namespace

Kernel MakeKernel(const Loops& loops, const HloInstruction& instruction) {
  ElementsOfRow elements(instruction);
  const PrimitiveType type = elements.operands[0];
  const int width = type == PRED ? 1 : BitWidth(type);
  const Loop direct = elements.AreOfOneType() ? DirectLoop(loops, type) : nullptr;
  if (direct != nullptr) {
    return
        [direct, width, parts = elements.parts](std::span<const std::byte* const> operands, std::byte* result,
                                                std::int64_t n) { direct(operands.data(), result, n * parts, width); };
  }
  if (IsInteger(type)) {
    const Loop loop = IsSignedIntegralType(type) ? loops.s64 : loops.u64;
    return BlockKernel<std::uint64_t, LoadIntegers, StoreIntegers>(std::move(elements), loop, loops.is_predicate,
                                                                   width);
  }
  return BlockKernel<double, LoadReals, StoreReals>(std::move(elements), loops.f64, loops.is_predicate, width);
}

namespace {

template <class Apply>
Kernel UnaryKernel(const HloInstruction& instruction, Apply apply) {
  return [apply, type = instruction.operand(0).shape.element_type()](std::span<const std::byte* const> operands,
                                                                     std::byte* result, std::int64_t n) {
    apply(type, operands[0], result, n);
  };
}

template <class Apply>
Kernel BinaryKernel(const HloInstruction& instruction, Apply apply) {
  const PrimitiveType type = instruction.shape.element_type();
  return WithOperandsConverted(instruction, 0, type,
                               [apply, type](std::span<const std::byte* const> operands, std::byte* result,
                                             std::int64_t n) { apply(type, operands[0], operands[1], result, n); });
}

template <class Function>
auto Applying(const Function* function) {
  return [function](PrimitiveType type, auto... arrays_and_count) { Apply(*function, type, arrays_and_count...); };
}

}  // namespace

Kernel MakeFunctionKernel(const RealUnary* function, const HloInstruction& instruction) {
  return UnaryKernel(instruction, Applying(function));
}
Kernel MakeFunctionKernel(const RealBinary* function, const HloInstruction& instruction) {
  return BinaryKernel(instruction, Applying(function));
}
Kernel MakeFunctionKernel(const ComplexUnary* function, const HloInstruction& instruction) {
  return UnaryKernel(instruction, Applying(function));
}
Kernel MakeFunctionKernel(const ComplexBinary* function, const HloInstruction& instruction) {
  return BinaryKernel(instruction, Applying(function));
}
Kernel MakeFunctionKernel(ComplexUnaryFunction function, const HloInstruction& instruction) {
  return UnaryKernel(instruction, function);
}
Kernel MakeFunctionKernel(ComplexBinaryFunction function, const HloInstruction& instruction) {
  return BinaryKernel(instruction, function);
}

}  // namespace elementwise
}  // namespace assay
