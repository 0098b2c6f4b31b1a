// scaled-dot: a dot of operands whose blocks have scales.
#include <complex>
#include <limits>

#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

HloInstruction& MakeScaledDot(Graph& g, const std::vector<Shape>& operands, Int64List lhs, Int64List rhs,
                              PrimitiveType type) {
  std::vector<HloInstruction*> parameters;
  for (const Shape& shape : operands) parameters.push_back(&g.Parameter(shape));
  HloInstruction& dot =
      g.Add(op_scaled_dot, parameters, {{"lhs_contracting_dims", lhs}, {"rhs_contracting_dims", rhs}});
  if (type != PRIMITIVE_TYPE_INVALID) {
    const Result<Shape> shape = op_scaled_dot.legality.infer(dot);
    if (shape) dot.shape = ShapeUtil::ChangeElementType(*shape, type);
  }
  return dot;
}

Literal ScaledDot(const std::vector<Literal>& operands) {
  Graph g;
  std::vector<Shape> shapes;
  for (const Literal& operand : operands) shapes.push_back(operand.shape());
  return Evaluate(MakeScaledDot(g, shapes, {1}, {0}, F32), operands);
}

TEST_CASE("scaled-dot: each block of an operand is multiplied by its scale") {
  // lhs [2, 4] in blocks of 1x2; rhs [4, 1] in blocks of 2x1.
  const Literal lhs = Array(F8E4M3FN, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), rhs = Array(F8E5M2, {4, 1}, {1, 1, 2, 2});
  const Literal lhs_scale = Array(F8E8M0FNU, {2, 2}, {1, 2, 4, 0.5});
  const Literal rhs_scale = Array(F8E8M0FNU, {2, 1}, {1, 8});
  // (1 + 2) * 1 + (3 + 4) * 2 * 16, (5 + 6) * 4 + (7 + 8) * 0.5 * 16
  CHECK(Numbers(ScaledDot({lhs, rhs, lhs_scale, rhs_scale})) == std::vector<double>{227, 164});
}

}  // namespace
}  // namespace assay::testing
