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

TEST_CASE("scaled-dot: a bf16 operand may go without a scale") {
  const Literal lhs = Array(F8E4M3FN, {1, 2}, {3, 5}), rhs = Array(BF16, {2, 1}, {1, 2});
  CHECK(Numbers(ScaledDot({lhs, rhs, Array(F8E8M0FNU, {1, 1}, {2}), Array(BF16, {}, {1})})) == std::vector<double>{26});
}

TEST_CASE("scaled-dot: scales reach beyond the operand's own range, and the sum is rounded once") {
  const Literal lhs = Array(F8E4M3FN, {1, 3}, {1, 1, 1}), rhs = Array(F8E4M3FN, {3, 1}, {1, 1, -1});
  const Literal scales = Array(F8E8M0FNU, {1, 3}, {0x1p100, 1, 0x1p100});
  CHECK(Numbers(ScaledDot({lhs, rhs, scales, Array(F8E8M0FNU, {1, 1}, {1})})) == std::vector<double>{1});
}

TEST_CASE("scaled-dot: a complex element is scaled as multiply does it, which recovers infinities") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  const Literal lhs = Array(C64, {1, 1}, {kNan, -kInfinity}), one = Array(F32, {1, 1}, {1});
  CHECK(Numbers(ScaledDot({lhs, one, lhs, one})) == std::vector<double>{-kInfinity});
}

TEST_CASE("scaled-dot: integers wrap, and complex numbers keep both parts") {
  const auto dot = [](PrimitiveType type, const Literal& lhs, const Literal& rhs, const Literal& scale) {
    Graph g;
    return Evaluate(MakeScaledDot(g, {lhs.shape(), rhs.shape(), scale.shape(), scale.shape()}, {1}, {0}, type),
                    {lhs, rhs, scale, scale});
  };
  // (3 * 2 * 5 * 2) mod 16 = 60 - 64
  CHECK(Numbers(dot(S4, Array(S4, {1, 1}, {3}), Array(S4, {1, 1}, {5}), Array(S4, {1, 1}, {2}))) ==
        std::vector<double>{-4});
  const auto complex = [](float real, float imag) {
    return LiteralUtil::Create<std::complex<float>>(C64, {1, 1}, std::vector<std::complex<float>>{{real, imag}});
  };
  // (1 + i) i (2 i) i = 2 - 2 i
  CHECK(dot(C64, complex(1, 1), complex(0, 2), complex(0, 1)).BitwiseEqual(complex(2, -2)));
}

TEST_CASE("scaled-dot: a complex element is multiplied by its scale exactly, and rounded once") {
  const auto complex = [](double real, double imag) {
    return LiteralUtil::Create<std::complex<double>>(C128, {1, 1}, std::vector<std::complex<double>>{{real, imag}});
  };
  // The real part is (1 + 2^-30)^2 - (1 + 2^-29) = 2^-60, which a rounded square would lose.
  const Literal one = complex(1, 0), z = complex(1 + 0x1p-30, 1), scale = complex(1 + 0x1p-30, 1 + 0x1p-29);
  Graph g;
  HloInstruction& dot = MakeScaledDot(g, {z.shape(), one.shape(), scale.shape(), one.shape()}, {1}, {0}, C128);
  CHECK(Evaluate(dot, {z, one, scale, one}).BitwiseEqual(complex(0x1p-60, 2 + 0x1p-28)));
}

}  // namespace
}  // namespace assay::testing
