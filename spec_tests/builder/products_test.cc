// Products, convolutions, transforms, decompositions and batch normalization through the builder.
#include <functional>

#include "spec_tests/builder/built.h"

using namespace assay;
using namespace assay::xla;
using namespace assay::testing;

namespace {

// Checks the instruction that a function adds after parameters of these shapes, named p0, p1, ...
void CheckProduct(const std::vector<Shape>& shapes, const std::function<XlaOp(const std::vector<XlaOp>&)>& function,
                  const std::string& instruction) {
  std::vector<std::string> parameters;
  for (const Shape& shape : shapes) parameters.push_back(fmt::format("p{} = {}", parameters.size(), shape.ToString()));
  CheckInstructions(parameters, function, "ROOT " + instruction);
}

Shape F32Shape(Dimensions dimensions) { return ShapeUtil::MakeShape(F32, std::move(dimensions)); }

using Operands = const std::vector<XlaOp>&;

}  // namespace

TEST_CASE("Dot contracts the last dimension with the first") {
  const std::string numbers = ", lhs_contracting_dims={0}, rhs_contracting_dims={0}";
  CheckProduct({F32Shape({3}), F32Shape({3})}, OF_ALL(p, Dot(p[0], p[1])), "dot = f32[] dot(p0, p1)" + numbers);
  CheckProduct({F32Shape({2, 3}), F32Shape({3, 4})}, OF_ALL(p, Dot(p[0], p[1])),
               "dot = f32[2,4] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  PrecisionConfig precision;
  precision.add_operand_precision(PrecisionConfig::HIGHEST);
  precision.add_operand_precision(PrecisionConfig::DEFAULT);
  precision.algorithm = "dot_f32_f32_f32";
  CheckProduct(
      {F32Shape({3}), F32Shape({3})}, OF_ALL(p, Dot(p[0], p[1], &precision, F64)),
      "dot = f64[] dot(p0, p1)" + numbers + ", operand_precision={highest,default}, algorithm=dot_f32_f32_f32");
  CHECK(WhyNotAdded({"x = f32[1,2,3]", "y = f32[3]"}, OF_ALL(p, Dot(p[0], p[1]))) ==
        "dot(f32[1,2,3], f32[3]): operands must be vectors or matrices; DotGeneral takes all others");
}

TEST_CASE("Sums of products are asked for in types that can hold them") {
  const auto error = [](PrimitiveType type, PrimitiveType preferred) {
    XlaBuilder b("test");
    const Shape shape = ShapeUtil::MakeShape(type, {3});
    Dot(Parameter(&b, 0, shape, "x"), Parameter(&b, 1, shape, "y"), nullptr, preferred);
    const Result<XlaComputation> built = b.Build();
    return built ? "" : built.error().message;
  };
  CHECK(error(F32, S8) ==
        "test: dot(f32[3], f32[3]): preferred_element_type cannot be s8: f32 would lose its kind or width");
  for (const auto& [type, preferred] : {std::pair(F32, PRED), {C64, F32}, {C64, S64}, {S32, S8}, {S32, PRED}}) {
    CHECK_THAT(error(type, preferred), Catch::Matchers::ContainsSubstring("preferred_element_type cannot be"));
  }
  for (const auto& [type, preferred] :
       {std::pair(F32, BF16), {BF16, F32}, {S8, S32}, {S32, U32}, {S32, F32}, {F32, C64}, {PRED, S32}, {PRED, PRED}}) {
    CHECK(error(type, preferred) == "");
  }
}

TEST_CASE("DotGeneral and RaggedDot") {
  DotDimensionNumbers numbers;
  numbers.add_lhs_contracting_dimensions(2);
  numbers.add_rhs_contracting_dimensions(1);
  numbers.add_lhs_batch_dimensions(0);
  numbers.add_rhs_batch_dimensions(0);
  CheckProduct({F32Shape({5, 2, 3}), F32Shape({5, 3, 4})}, OF_ALL(p, DotGeneral(p[0], p[1], numbers)),
               "dot = f32[5,2,4] dot(p0, p1), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, "
               "rhs_contracting_dims={1}");
  RaggedDotDimensionNumbers ragged;
  ragged.dot_dimension_numbers.add_lhs_contracting_dimensions(1);
  ragged.dot_dimension_numbers.add_rhs_contracting_dimensions(1);
  ragged.add_lhs_ragged_dimensions(0);
  ragged.add_rhs_group_dimensions(0);
  CheckProduct({F32Shape({6, 3}), F32Shape({2, 3, 4}), ShapeUtil::MakeShape(S32, {2})},
               OF_ALL(p, RaggedDot(p[0], p[1], p[2], ragged)),
               "ragged-dot = f32[6,4] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
               "lhs_ragged_dims={0}, rhs_group_dims={0}");
}

TEST_CASE("Convolutions") {
  const std::vector<Shape> shapes = {F32Shape({2, 3, 7, 8}), F32Shape({4, 3, 3, 2})};
  // 7 rows, a window of 3 with stride 2: 4 positions cover 9; 8 columns, 2 with stride 3: 3 positions cover 8.
  CheckProduct(shapes, OF_ALL(p, Conv(p[0], p[1], {2, 3}, Padding::kSame)),
               "convolution = f32[2,4,4,3] convolution(p0, p1), window={size=3x2 stride=2x3 pad=1_1x0_0}, "
               "dim_labels=bf01_oi01->bf01");
  CheckProduct(shapes, OF_ALL(p, Conv(p[0], p[1], {1, 1}, Padding::kSame)),
               "convolution = f32[2,4,7,8] convolution(p0, p1), window={size=3x2 pad=1_1x0_1}, "
               "dim_labels=bf01_oi01->bf01");
  CheckProduct(shapes, OF_ALL(p, Conv(p[0], p[1], {1, 1}, Padding::kValid)),
               "convolution = f32[2,4,5,7] convolution(p0, p1), window={size=3x2}, dim_labels=bf01_oi01->bf01");
  CheckProduct(shapes, OF_ALL(p, ConvWithGeneralPadding(p[0], p[1], {1, 1}, {{2, 0}, {-1, 0}})),
               "convolution = f32[2,4,7,6] convolution(p0, p1), window={size=3x2 pad=2_0x-1_0}, "
               "dim_labels=bf01_oi01->bf01");
  CheckProduct(shapes, OF_ALL(p, ConvWithGeneralPadding(p[0], p[1], {1, 1}, {{0, 0}, {0, 0}}, {2, 1}, {1, 3})),
               "convolution = f32[2,4,11,5] convolution(p0, p1), window={size=3x2 lhs_dilate=2x1 rhs_dilate=1x3}, "
               "dim_labels=bf01_oi01->bf01");
  CheckProduct({F32Shape({4, 6, 5}), F32Shape({2, 3, 3})},
               OF_ALL(p, Conv(p[0], p[1], {1}, Padding::kValid, /*feature_group_count=*/2)),
               "convolution = f32[4,2,3] convolution(p0, p1), window={size=3}, dim_labels=bf0_oi0->bf0, "
               "feature_group_count=2");
  CheckProduct({F32Shape({4, 6, 5}), F32Shape({2, 6, 3})},
               OF_ALL(p, ConvWithGeneralPadding(p[0], p[1], {1}, {{0, 0}}, 1, /*batch_group_count=*/2)),
               "convolution = f32[2,2,3] convolution(p0, p1), window={size=3}, dim_labels=bf0_oi0->bf0, "
               "batch_group_count=2");
  CheckProduct({F32Shape({2, 3}), F32Shape({4, 3})}, OF_ALL(p, Conv(p[0], p[1], {}, Padding::kSame)),
               "convolution = f32[2,4] convolution(p0, p1), dim_labels=bf_oi->bf");
}

TEST_CASE("The default dimension numbers of a convolution are those of its input") {
  const auto error = [](auto add) {
    return WhyNotAdded({"x = f32[1,1,2,3]", "y = f32[1,1,1,1]"}, OF_ALL(p, add(p[0], p[1])));
  };
  const std::string message =
      "convolution(f32[1,1,2,3], f32[1,1,1,1]): window_strides must have one entry for each of the 2 window "
      "dimensions, found ";
  CHECK(error(OF_TWO(x, y, Conv(x, y, {1}, Padding::kSame))) == message + "1");
  CHECK(error(OF_TWO(x, y, Conv(x, y, {1, 1, 1}, Padding::kValid))) == message + "3");
  CHECK(error(OF_TWO(x, y, ConvWithGeneralPadding(x, y, {1}, {{0, 0}, {0, 0}}))) == message + "1");
  CHECK(error(OF_TWO(x, y, ConvWithGeneralPadding(x, y, {1}, {{0, 0}, {0, 0}}, Int64List{}, Int64List{}))) ==
        message + "1");
}

TEST_CASE("Convolutions with dimension numbers") {
  ConvolutionDimensionNumbers channels_last = CreateDefaultConvDimensionNumbers(1);
  channels_last.input_spatial_dimensions = channels_last.output_spatial_dimensions = {1};
  channels_last.input_feature_dimension = channels_last.output_feature_dimension = 2;
  channels_last.kernel_spatial_dimensions = {0};
  channels_last.kernel_input_feature_dimension = 1;
  channels_last.kernel_output_feature_dimension = 2;
  const std::vector<Shape> shapes = {F32Shape({2, 9, 3}), F32Shape({3, 3, 4})};
  CheckProduct(
      shapes, OF_ALL(p, ConvWithGeneralDimensions(p[0], p[1], {2}, Padding::kSame, channels_last)),
      "convolution = f32[2,5,4] convolution(p0, p1), window={size=3 stride=2 pad=1_1}, dim_labels=b0f_0io->b0f");
  CheckProduct(
      shapes, OF_ALL(p, ConvGeneral(p[0], p[1], {2}, {{0, 3}}, channels_last)),
      "convolution = f32[2,5,4] convolution(p0, p1), window={size=3 stride=2 pad=0_3}, dim_labels=b0f_0io->b0f");
  CheckProduct(
      shapes,
      OF_ALL(p, ConvGeneralDilated(p[0], p[1], {1}, {{0, 0}}, {2}, {3}, channels_last, 1, 1, nullptr, F64, {true})),
      "convolution = f64[2,11,4] convolution(p0, p1), "
      "window={size=3 lhs_dilate=2 rhs_dilate=3 rhs_reversal=1}, dim_labels=b0f_0io->b0f");
  CHECK(WhyNotAdded({"x = f32[2,9,3]", "y = f32[3,3,4]"},
                    OF_ALL(p, ConvGeneral(p[0], p[1], {1, 1}, {}, channels_last))) ==
        "convolution(f32[2,9,3], f32[3,3,4]): window_strides must have one entry for each of the 1 window dimensions, "
        "found 2");
}

TEST_CASE("Transforms and decompositions") {
  const Shape complex = ShapeUtil::MakeShape(C64, {2, 5});
  CheckProduct({complex}, OF_ALL(p, Fft(p[0], FftType::FFT, {5})),
               "fft = c64[2,5] fft(p0), fft_type=FFT, fft_length={5}");
  CheckProduct({complex}, OF_ALL(p, Fft(p[0], FftType::IFFT, {2, 5})),
               "fft = c64[2,5] fft(p0), fft_type=IFFT, fft_length={2,5}");
  CheckProduct({F32Shape({8})}, OF_ALL(p, Fft(p[0], FftType::RFFT, {8})),
               "fft = c64[5] fft(p0), fft_type=RFFT, fft_length={8}");
  CheckProduct({complex}, OF_ALL(p, Fft(p[0], FftType::IRFFT, {8})),
               "fft = f32[2,8] fft(p0), fft_type=IRFFT, fft_length={8}");
  CheckProduct({F32Shape({3, 3})}, OF_ALL(p, Cholesky(p[0], true)), "cholesky = f32[3,3] cholesky(p0), lower=true");
  CheckProduct({F32Shape({3, 3})}, OF_ALL(p, Cholesky(p[0], false)), "cholesky = f32[3,3] cholesky(p0)");
  CheckProduct(
      {F32Shape({3, 3}), F32Shape({3, 2})},
      OF_ALL(p, TriangularSolve(p[0], p[1], true, true, false, TriangularSolveOptions::TRANSPOSE)),
      "triangular-solve = f32[3,2] triangular-solve(p0, p1), left_side=true, lower=true, transpose_a=TRANSPOSE");
  CheckProduct({F32Shape({3, 3}), F32Shape({2, 3})},
               OF_ALL(p, TriangularSolve(p[0], p[1], false, false, true, TriangularSolveOptions::NO_TRANSPOSE)),
               "triangular-solve = f32[2,3] triangular-solve(p0, p1), unit_diagonal=true, transpose_a=NO_TRANSPOSE");
}

TEST_CASE("Batch normalization") {
  const Shape array = F32Shape({2, 3, 4}), vector = F32Shape({3});
  CheckProduct({array, vector, vector}, OF_ALL(p, BatchNormTraining(p[0], p[1], p[2], 0.25F, 1)),
               "batch-norm-training = (f32[2,3,4], f32[3], f32[3]) batch-norm-training(p0, p1, p2), epsilon=0.25, "
               "feature_index=1");
  CheckProduct({array, vector, vector, vector, vector},
               OF_ALL(p, BatchNormInference(p[0], p[1], p[2], p[3], p[4], 0.001F, 1)),
               "batch-norm-inference = f32[2,3,4] batch-norm-inference(p0, p1, p2, p3, p4), epsilon=0.001, "
               "feature_index=1");
  CheckProduct({array, vector, vector, vector, array}, OF_ALL(p, BatchNormGrad(p[0], p[1], p[2], p[3], p[4], 0.5F, 1)),
               "batch-norm-grad = (f32[2,3,4], f32[3], f32[3]) batch-norm-grad(p0, p1, p2, p3, p4), epsilon=0.5, "
               "feature_index=1");
}
