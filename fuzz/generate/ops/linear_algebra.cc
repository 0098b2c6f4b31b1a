// Factorizations, transforms, normalizations.
#include <algorithm>
#include <cstring>

#include "fuzz/generate/ops/drawings.h"

namespace assay::generate {
namespace {

// Draws the number of rows of a square matrix.
std::int64_t DrawOrder(InstructionDrawer& drawer) {
  return DrawSize(drawer.random(), drawer.constraints().most_elements > 256 ? 16 : 6);
}

// Draws batch dimensions.
Dimensions Batch(Random& random) { return DrawDimensions(random, {0, 2, 6}); }

Shape MatrixShape(PrimitiveType type, Dimensions batch, std::int64_t rows, std::int64_t columns) {
  batch.insert(batch.end(), {rows, columns});
  return ShapeUtil::MakeShape(type, batch);
}

// Keeps one triangle and replaces the elements of the other.
Literal WithOtherTriangle(Random& random, const Literal& matrices, bool is_lower) {
  const Literal other = DrawValue(random, matrices.shape(), EdgeClass::kNormal);
  Literal result = matrices;
  const std::int64_t n = matrices.shape().dimensions().back(), bytes = StorageBytes(matrices.element_type());
  for (std::int64_t i = 0; i < matrices.element_count(); ++i) {
    const std::int64_t row = i / n % n, column = i % n;
    const bool is_other = is_lower ? column > row : column < row;
    if (is_other) std::memcpy(result.mutable_data() + i * bytes, other.data() + i * bytes, bytes);
  }
  return result;
}

}  // namespace

XlaOp DrawCholesky(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const std::int64_t n = DrawOrder(drawer);
  const PrimitiveType type = drawer.Type();
  const Shape shape = MatrixShape(type, Batch(random), n, n);
  // A matrix that is not positive definite has no factor.
  const bool is_definite = !random.OneIn(8) || !drawer.constraints().draws_optional_attributes;
  if (!is_definite) return drawer.Add({{drawer.Value(shape)}});
  const Literal definite = DrawPositiveDefinite(random, shape);
  if (random.Flip() || !drawer.constraints().draws_optional_attributes) return drawer.Add({{drawer.Value(definite)}});
  // The triangle that is not read may have any elements.
  const bool is_lower = random.Flip();
  return drawer.Add({{drawer.Value(WithOtherTriangle(random, definite, is_lower))}, {{"lower", is_lower}}});
}

XlaOp DrawTriangularSolve(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const PrimitiveType type = drawer.Type();
  const Dimensions batch = Batch(random);
  const bool is_left = random.Flip();
  const std::int64_t n = DrawOrder(drawer), other = DrawSize(random, 4);
  const std::string transpose(random.OneOf({"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}));
  const Shape b = is_left ? MatrixShape(type, batch, n, other) : MatrixShape(type, batch, other, n);
  return drawer.Add({{drawer.Value(MatrixShape(type, batch, n, n)), drawer.Value(b)},
                     {{"left_side", is_left},
                      {"lower", random.Flip()},
                      {"unit_diagonal", random.OneIn(4)},
                      {"transpose_a", transpose}}});
}

// Draws a transform of the last one to three dimensions. The last dimension of an IRFFT operand has half of the
// spectrum.
XlaOp DrawFft(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const std::int64_t axes = random.Between(1, 3), most_last = axes == 1 ? drawer.constraints().most_elements / 4 : 6;
  const std::string kind(random.OneOf({"FFT", "IFFT", "RFFT", "IRFFT"}));
  const bool is_wide = random.OneIn(3);
  Int64List lengths;
  for (std::int64_t i = 1; i < axes; ++i) lengths.push_back(random.Between(1, 4));
  lengths.push_back(random.Between(1, std::max<std::int64_t>(1, most_last)));
  Dimensions dimensions = Batch(random);
  dimensions.insert(dimensions.end(), lengths.begin(), lengths.end());
  if (kind == "IRFFT") dimensions.back() = lengths.back() / 2 + 1;
  const PrimitiveType real = is_wide ? F64 : F32;
  const PrimitiveType type = kind == "RFFT" ? real : ComplexTypeOf(real);
  return drawer.Add(
      {{drawer.Value(ShapeUtil::MakeShape(type, dimensions))}, {{"fft_type", kind}, {"fft_length", lengths}}});
}

// Operands: an array and vectors with one number for each feature; for the gradient also an array, the gradient of the
// result.
XlaOp DrawBatchNorm(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const Shape shape = drawer.ArrayShape(1);
  const std::int64_t feature_index = random.Below(shape.rank());
  const Shape features = ShapeUtil::MakeShape(shape.element_type(), {shape.dimensions(feature_index)});
  std::vector<XlaOp> operands = {drawer.Value(shape)};
  const int count = drawer.op().legality.arity.max;
  const bool has_gradient = drawer.op().name == "batch-norm-grad";
  while (static_cast<int>(operands.size()) < count - (has_gradient ? 1 : 0)) operands.push_back(drawer.Value(features));
  if (has_gradient) operands.push_back(drawer.Value(shape));
  return drawer.Add({operands, {{"epsilon", random.OneOf({0.0, 1e-5, 1e-3})}, {"feature_index", feature_index}}});
}

}  // namespace assay::generate
