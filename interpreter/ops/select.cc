#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

namespace assay {
namespace {

Result<Shape> InferSelect(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckElementType(instruction));
  ASSAY_CHECK_OK(CheckOperandsAgree(instruction, /*first=*/1));
  const Shape& pred = instruction.operand(0).shape;
  const Shape& on_true = instruction.operand(1).shape;
  const Shape& on_false = instruction.operand(2).shape;
  if (!pred.IsScalar() && !ShapeUtil::SameDimensions(pred, on_true)) {
    return IllegalOperands(instruction, "the predicate must be a scalar or have the dimensions of the choices",
                           "no implicit broadcast");
  }
  ASSAY_TRY(const PrimitiveType type, WiderType(instruction, on_true.element_type(), on_false.element_type()));
  Shape shape = ShapeUtil::ChangeElementType(pred.IsScalar() ? on_true : pred, type);
  MergeDynamicDimensions(shape, on_true);
  MergeDynamicDimensions(shape, on_false);
  return shape;
}

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

Reals Selected(const HloInstruction&, std::span<const Reals> x) {
  if (x[0].low == x[0].high) return x[0].low != 0 ? x[1] : x[2];
  return Hull(x[1], x[2]);
}

}  // namespace

const Op op_select = {
    .name = "select",
    .meaning = "Elements of the second operand where the first is true, else of the third.",
    .legality = {.arity = Exactly(3), .types = kPred, .infer = InferSelect},
    .evaluation = {.kernel = SelectKernel},
    .acceptance = {.image = ByElement<Selected>},
};

}  // namespace assay
