#include <map>
#include <optional>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/reducer_rules.h"
#include "interpreter/ops/common/window_rules.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Status CheckSelect(const HloInstruction& op, const HloComputation& select) {
  const Shape element = ShapeUtil::MakeScalarShape(op.operand(0).shape.element_type());
  const auto parameters = select.Parameters();
  if (parameters.size() != 2) {
    return Illegal(op, "select must have 2 parameters, found {}", parameters.size());
  }
  for (const HloInstruction* parameter : parameters) {
    if (ShapeUtil::Compatible(parameter->shape, element)) continue;
    return Illegal(op, "parameter {} of select must be {} as the operand's elements are, found {}",
                   parameter->parameter_number, element.ToStringWithoutLayout(),
                   parameter->shape.ToStringWithoutLayout());
  }
  if (ShapeUtil::Compatible(select.root->shape, ShapeUtil::MakeScalarShape(PRED))) return {};
  return Illegal(op, "select must return pred[], found {}", select.root->shape.ToStringWithoutLayout());
}

Result<Shape> InferSelectAndScatter(const HloInstruction& op) {
  for (std::int64_t i = 0; i < 3; ++i) ASSAY_CHECK_OK(CheckArrayOperand(op, i));
  const Shape& operand = op.operand(0).shape;
  const Shape& source = op.operand(1).shape;
  const Shape& init = op.operand(2).shape;
  if (!init.IsScalar()) {
    return Illegal(op, "the initial value must be a scalar, found {}", init.ToStringWithoutLayout());
  }
  ASSAY_CHECK_OK(CheckSelect(op, op.Computation("select")));
  const PrimitiveType input_types[] = {source.element_type()};
  const PrimitiveType init_types[] = {init.element_type()};
  ASSAY_TRY(const ReducerResult scatter, CheckReducer(op, op.Computation("scatter"), input_types, init_types));
  const PrimitiveType type = operand.element_type();
  const PrimitiveType element = op.Computation("scatter").Parameters()[1]->shape.element_type();
  if (scatter.is_tuple || scatter.types[0] != type || element != type || source.element_type() != type ||
      init.element_type() != type) {
    return Illegal(op, "scatter, source and initial value must have the operand's element type {}, found {}, {} and {}",
                   PrimitiveTypeName(type), op.Computation("scatter").root->shape.ToStringWithoutLayout(),
                   source.ToStringWithoutLayout(), init.ToStringWithoutLayout());
  }
  ASSAY_TRY(const Shape positions, InferWindowOutputShape(op, operand, op.window(), source.element_type()));
  if (!ShapeUtil::Compatible(source, positions)) {
    return Illegal(op, "the source must have one element for each window, {}, found {}",
                   positions.ToStringWithoutLayout(), source.ToStringWithoutLayout());
  }
  return operand;
}

// Returns the index of the element that the window at `position` selects. The elements under it compete in row-major
// order; the selected one stays while select(selected, next) is true. Returns nullopt if the window covers padding and
// holes only.
std::optional<Index> Chosen(const Window& window, const Index& position, const Literal& operand,
                            const ScalarCall& select) {
  std::optional<Index> chosen;
  ForEachIndex(CellBounds(window), [&](const Index& cell) {
    const auto element = ElementUnder(window, position, cell, operand.shape().dimensions());
    if (!element) return;
    if (!chosen || IntegerOf(select({At(operand, *chosen), At(operand, *element)})[0]) == 0) chosen = element;
  });
  return chosen;
}

// result[index] folds, from the initial value on, the source elements of the windows that choose `index`, in row-major
// order of the windows' positions.
Literal EvaluateSelectAndScatter(const HloInstruction& op, std::span<Literal> operands, Evaluation& evaluation) {
  const Literal &operand = operands[0], &source = operands[1], &init = operands[2];
  const ScalarCall select(op.Computation("select"), evaluation);
  const Folder folder(op.Computation("scatter"), evaluation);
  std::map<Index, Fold> folds;
  ForEachIndex(operand.shape().dimensions(),
               [&](const Index& index) { folds.emplace(index, folder.From({At(init, {})})); });
  ForEachIndex(source.shape().dimensions(), [&](const Index& position) {
    const auto chosen = Chosen(op.window(), position, operand, select);
    if (chosen) folds.at(*chosen).Add({At(source, position)});
  });
  Outputs result(op.shape);
  for (const auto& [index, fold] : folds) result.Set(index, fold.Result());
  return std::move(result).Take();
}

void FitSelectAndScatter(HloInstruction& op) {
  const Shape& operand = op.operand(0).shape;
  const Result<Shape> positions = InferWindowOutputShape(op, operand, op.window(), operand.element_type());
  if (!positions) return;
  for (std::int64_t d = 0; d < positions->rank(); ++d) ShrinkTo(op, 1, d, positions->dimensions(d));
}

}  // namespace

const Op op_select_and_scatter = {
    .name = "select-and-scatter",
    .meaning = "Each source element combined into the operand position that a window selects.",
    .syntax =
        {
            .attributes = {Optional("window", AttributeKind::kWindow), Required("select", AttributeKind::kComputation),
                           Required("scatter", AttributeKind::kComputation)},
        },
    .legality = {.arity = Exactly(3), .types = kArrays, .layouts = LayoutRule::kKept, .infer = InferSelectAndScatter},
    .evaluation = {.evaluate = EvaluateSelectAndScatter, .fit_run_time_sizes = FitSelectAndScatter},
};

}  // namespace assay
