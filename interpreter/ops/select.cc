#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

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

Kernel Select(const HloInstruction& select) {
  return plain::ElementByElement(select, [type = select.shape.element_type()](const plain::Row& row) {
    return plain::ConvertedTo(type, plain::IntegerOf(row[0]) != 0 ? row[1] : row[2]);
  });
}

}  // namespace

const Op op_select = {
    .name = "select",
    .meaning = "Elements of the second operand where the first is true, else of the third.",
    .legality = {.arity = Exactly(3), .types = kPred, .infer = InferSelect},
    .evaluation = {.kernel = Select},
};

}  // namespace assay
