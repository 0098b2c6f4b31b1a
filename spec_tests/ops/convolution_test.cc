// convolution (XLA, Operation Semantics: ConvWithGeneralPadding).
#include <algorithm>
#include <cmath>
#include <limits>

#include "spec_tests/ops/any_window.h"
#include "spec_tests/ops/exact_number.h"
#include "spec_tests/ops/graph.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

// b0..f, 0..io and b0..f: features innermost.
ConvolutionDimensionNumbers FeaturesLast(std::int64_t spatial) {
  ConvolutionDimensionNumbers d;
  d.input_feature_dimension = d.output_feature_dimension = spatial + 1;
  d.kernel_input_feature_dimension = spatial;
  d.kernel_output_feature_dimension = spatial + 1;
  for (std::int64_t i = 0; i < spatial; ++i) {
    d.input_spatial_dimensions.push_back(i + 1);
    d.kernel_spatial_dimensions.push_back(i);
    d.output_spatial_dimensions.push_back(i + 1);
  }
  return d;
}

struct Groups {
  std::int64_t feature = 1, batch = 1;
};

HloInstruction& MakeConvolution(Graph& g, const Shape& input, const Shape& kernel, std::vector<WindowDimension> window,
                                const ConvolutionDimensionNumbers& labels, Groups groups = {}) {
  return g.Add(op_convolution, {&g.Parameter(input), &g.Parameter(kernel)},
               {{"window", Window{std::move(window)}},
                {"dim_labels", labels},
                {"feature_group_count", groups.feature},
                {"batch_group_count", groups.batch}});
}

Literal Convolution(const Literal& input, const Literal& kernel, std::vector<WindowDimension> window,
                    const ConvolutionDimensionNumbers& labels, Groups groups = {},
                    PrimitiveType type = PRIMITIVE_TYPE_INVALID) {
  Graph g;
  HloInstruction& convolution = MakeConvolution(g, input.shape(), kernel.shape(), std::move(window), labels, groups);
  if (type != PRIMITIVE_TYPE_INVALID) {
    convolution.shape = ShapeUtil::ChangeElementType(*op_convolution.legality.infer(convolution), type);
  }
  return Evaluate(convolution, {input, kernel});
}

// One image and one feature.
std::vector<double> Line(const std::vector<double>& input, const std::vector<double>& kernel, WindowDimension window) {
  window.size = static_cast<std::int64_t>(kernel.size());
  return Numbers(Convolution(Array(F32, {1, static_cast<std::int64_t>(input.size()), 1}, input),
                             Array(F32, {window.size, 1, 1}, kernel), {window}, FeaturesLast(1)));
}

TEST_CASE("convolution: the kernel is not flipped, unless it is reversed") {
  CHECK(Line({1, 2, 3}, {1, 10}, {}) == std::vector<double>{21, 32});
  CHECK(Line({1, 2, 3}, {1, 10}, {.window_reversal = true}) == std::vector<double>{12, 23});
}

TEST_CASE("convolution: the kernel of the kind dgrad is reversed, that of the others is not") {
  const auto line = [](std::string kind, bool reversal) {
    Graph g;
    const WindowDimension window = {.size = 2, .window_reversal = reversal};
    HloInstruction& convolution =
        g.Add(op_convolution, {&g.Parameter(F32, {1, 3, 1}), &g.Parameter(F32, {2, 1, 1})},
              {{"window", Window{{window}}}, {"dim_labels", FeaturesLast(1)}, {"convolution_kind", std::move(kind)}});
    return Numbers(Evaluate(convolution, {Array(F32, {1, 3, 1}, {1, 2, 3}), Array(F32, {2, 1, 1}, {1, 10})}));
  };
  CHECK(line("dgrad", false) == std::vector<double>{12, 23});
  CHECK(line("dgrad", true) == std::vector<double>{21, 32});
  CHECK(line("wgrad", false) == std::vector<double>{21, 32});
  CHECK(line("fprop", false) == std::vector<double>{21, 32});
}

TEST_CASE("convolution: padding of either sign, strides and holes") {
  CHECK(Line({1, 2, 3, 4, 5}, {1, 1}, {.padding_low = -1, .padding_high = -1}) == std::vector<double>{5, 7});
  CHECK(Line({1, 2, 3}, {1, 10, 100}, {.padding_low = 2, .padding_high = 1}) == std::vector<double>{100, 210, 321, 32});
  CHECK(Line({1, 2, 3, 4, 5}, {1, 10}, {.stride = 3}) == std::vector<double>{21, 54});
  CHECK(Line({1, 2, 3}, {1, 10}, {.base_dilation = 2}) == std::vector<double>{1, 20, 2, 30});
  CHECK(Line({1, 2, 3}, {1, 10}, {.window_dilation = 2}) == std::vector<double>{31});
}

// The loops of the specification: b, oz, oy, ox; iz, ky, kx.
TEST_CASE("convolution: two dimensions, as in XLA's documentation") {
  constexpr int kBatch = 2, kInputs = 3, kOutputs = 4, kHeight = 5, kWidth = 6, kKernelY = 3, kKernelX = 2;
  constexpr int kStrideY = 2, kStrideX = 1, kPadY = 1, kPadX = 1, kOutY = 3, kOutX = 7;
  std::vector<double> input(kBatch * kInputs * kHeight * kWidth), kernel(kOutputs * kInputs * kKernelY * kKernelX);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<int>(i * 37 % 23) - 11;
  for (std::size_t i = 0; i < kernel.size(); ++i) kernel[i] = static_cast<int>(i * 29 % 17) - 8;
  std::vector<double> output;
  for (int b = 0; b < kBatch; ++b) {
    for (int oz = 0; oz < kOutputs; ++oz) {
      for (int oy = 0; oy < kOutY; ++oy) {
        for (int ox = 0; ox < kOutX; ++ox) {
          double value = 0;
          for (int iz = 0; iz < kInputs; ++iz) {
            for (int ky = 0; ky < kKernelY; ++ky) {
              for (int kx = 0; kx < kKernelX; ++kx) {
                const int iy = oy * kStrideY + ky - kPadY, ix = ox * kStrideX + kx - kPadX;
                if (iy < 0 || iy >= kHeight || ix < 0 || ix >= kWidth) continue;
                value += input[((b * kInputs + iz) * kHeight + iy) * kWidth + ix] *
                         kernel[((oz * kInputs + iz) * kKernelY + ky) * kKernelX + kx];
              }
            }
          }
          output.push_back(value);
        }
      }
    }
  }
  // The layout bf01_oi01->bf01.
  const ConvolutionDimensionNumbers labels = {.input_batch_dimension = 0,
                                              .input_feature_dimension = 1,
                                              .input_spatial_dimensions = {2, 3},
                                              .kernel_input_feature_dimension = 1,
                                              .kernel_output_feature_dimension = 0,
                                              .kernel_spatial_dimensions = {2, 3},
                                              .output_batch_dimension = 0,
                                              .output_feature_dimension = 1,
                                              .output_spatial_dimensions = {2, 3}};
  const Literal result = Convolution(Array(F32, {kBatch, kInputs, kHeight, kWidth}, input),
                                     Array(F32, {kOutputs, kInputs, kKernelY, kKernelX}, kernel),
                                     {{.size = kKernelY, .stride = kStrideY, .padding_low = kPadY, .padding_high = 1},
                                      {.size = kKernelX, .stride = kStrideX, .padding_low = kPadX, .padding_high = 1}},
                                     labels);
  CHECK(result.shape().ToStringWithoutLayout() == "f32[2,4,3,7]");
  CHECK(Numbers(result) == output);
}

TEST_CASE("convolution: groups of features are convolutions of their own") {
  // Two features in, each with its own kernel and two features out.
  const Literal input = Array(F32, {1, 3, 2}, {1, 10, 2, 20, 3, 30});
  const Literal kernel = Array(F32, {2, 1, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(Numbers(Convolution(input, kernel, {{.size = 2}}, FeaturesLast(1), {.feature = 2})) ==
        std::vector<double>{1 * 1 + 5 * 2, 2 * 1 + 6 * 2, 3 * 10 + 7 * 20, 4 * 10 + 8 * 20,  //
                            1 * 2 + 5 * 3, 2 * 2 + 6 * 3, 3 * 20 + 7 * 30, 4 * 20 + 8 * 30});
}

TEST_CASE("convolution: groups of the batch go to groups of the output features") {
  // Four images in two groups; six output features in two groups.
  const Literal input = Array(F32, {4, 1, 1}, {1, 10, 100, 1000});
  const Literal kernel = Array(F32, {1, 1, 6}, {1, 2, 3, 4, 5, 6});
  const Literal result = Convolution(input, kernel, {{}}, FeaturesLast(1), {.batch = 2});
  CHECK(result.shape().ToStringWithoutLayout() == "f32[2,1,6]");
  CHECK(Numbers(result) == std::vector<double>{1, 2, 3, 400, 500, 600, 10, 20, 30, 4000, 5000, 6000});
}

TEST_CASE("convolution: a kernel of one cell is a dot") {
  const Literal input = Array(F32, {1, 2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const Literal kernel = Array(F32, {1, 1, 3, 2}, {1, 0, 0, 1, 1, 1});
  CHECK(Numbers(Convolution(input, kernel, {{}, {}}, FeaturesLast(2))) ==
        std::vector<double>{4, 5, 10, 11, 16, 17, 22, 23});
  // No spatial dimension at all.
  CHECK(Numbers(Convolution(Array(F32, {2, 3}, {1, 2, 3, 4, 5, 6}), Array(F32, {3, 2}, {1, 0, 0, 1, 1, 1}), {},
                            FeaturesLast(0))) == std::vector<double>{4, 5, 10, 11});
}

TEST_CASE("convolution: a sum starts from zero and leaves padding out") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(Line({1, 2}, {infinity, 1}, {.padding_low = 1, .padding_high = 1}) ==
        std::vector<double>{1, infinity, infinity});
  const std::vector<double> zeros = Line({-1, -1}, {0, 0}, {});
  CHECK(zeros == std::vector<double>{0});
  CHECK_FALSE(std::signbit(zeros[0]));
  // The start value of the specification does not hide a result that rounds to -0.
  CHECK(std::signbit(Line({-0x1p-100}, {0x1p-100}, {})[0]));
}

TEST_CASE("convolution: the result type rounds once and integers wrap") {
  const auto one = [](PrimitiveType type, std::vector<double> numbers) {
    return Array(type, {1, static_cast<std::int64_t>(numbers.size()), 1}, numbers);
  };
  const auto kernel = [](PrimitiveType type, std::vector<double> numbers) {
    return Array(type, {static_cast<std::int64_t>(numbers.size()), 1, 1}, numbers);
  };
  CHECK(Numbers(Convolution(one(F32, {1, 0x1p-8, 0x1p-40}), kernel(F32, {1, 1, 1}), {{.size = 3}}, FeaturesLast(1), {},
                            BF16)) == std::vector<double>{1 + 0x1p-7});
  CHECK(Numbers(Convolution(one(S8, {100, 100}), kernel(S8, {2, 1}), {{.size = 2}}, FeaturesLast(1))) ==
        std::vector<double>{44});
  CHECK(Numbers(Convolution(one(S8, {100, 100}), kernel(S8, {2, 1}), {{.size = 2}}, FeaturesLast(1), {}, S32)) ==
        std::vector<double>{300});
  CHECK(Numbers(Convolution(one(PRED, {0, 1, 0, 0}), kernel(PRED, {1, 1}), {{.size = 2}}, FeaturesLast(1))) ==
        std::vector<double>{1, 1, 0});
}

TEST_CASE("convolution: empty arrays") {
  CHECK(Numbers(Convolution(Array(F32, {0, 3, 1}, {}), Array(F32, {2, 1, 1}, {1, 1}), {{.size = 2}}, FeaturesLast(1)))
            .empty());
  CHECK(Numbers(Convolution(Array(F32, {1, 3, 0}, {}), Array(F32, {2, 0, 1}, {}), {{.size = 2}}, FeaturesLast(1))) ==
        std::vector<double>{0, 0});
  CHECK(Numbers(Convolution(Array(F32, {1, 0, 1}, {}), Array(F32, {1, 1, 1}, {5}), {{.padding_low = 2}},
                            FeaturesLast(1))) == std::vector<double>{0, 0});
}

Int64List AnyOrder(std::int64_t n) {
  Int64List order(n);
  for (std::int64_t i = 0; i < n; ++i) order[i] = i;
  std::mt19937 random(AnyBits());
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

// Draws the dimension numbers and sizes of one array: two named dimensions and the spatial ones, in any order.
Dimensions AnyLabels(std::int64_t first_size, std::int64_t second_size, const Dimensions& spatial_sizes,
                     std::int64_t& first, std::int64_t& second, Int64List& spatial) {
  const Int64List order = AnyOrder(static_cast<std::int64_t>(spatial_sizes.size()) + 2);
  Dimensions sizes(order.size());
  first = order[0];
  second = order[1];
  spatial.assign(order.begin() + 2, order.end());
  sizes[first] = first_size;
  sizes[second] = second_size;
  for (std::size_t i = 0; i < spatial.size(); ++i) sizes[spatial[i]] = spatial_sizes[i];
  return sizes;
}

std::int64_t OffsetOf(const Dimensions& sizes, std::int64_t first, std::int64_t first_index, std::int64_t second,
                      std::int64_t second_index, const Int64List& spatial, const std::vector<std::int64_t>& index) {
  const auto strides = RowMajorStrides(sizes);
  std::int64_t offset = first_index * strides[first] + second_index * strides[second];
  for (std::size_t i = 0; i < spatial.size(); ++i) offset += index[i] * strides[spatial[i]];
  return offset;
}

TEST_CASE("convolution: any window, labels and groups, against sums in MPFR") {
  Holds([] {
    const WindowedBase w = AnyWindowedBase(3);
    const auto range = [](std::int64_t low, std::int64_t high) { return InRange(low, high); };
    Groups groups;
    (range(0, 2) == 0 ? groups.feature : groups.batch) = range(1, 4);
    const std::int64_t out_batch = range(0, 3), features = range(0, 4), outputs = range(1, 3);
    const std::int64_t all_outputs = outputs * groups.feature * groups.batch;
    Dimensions window_sizes;
    for (const WindowDimension& d : w.window.dimensions) window_sizes.push_back(d.size);
    ConvolutionDimensionNumbers n;
    const Dimensions input = AnyLabels(out_batch * groups.batch, features * groups.feature, w.base,
                                       n.input_batch_dimension, n.input_feature_dimension, n.input_spatial_dimensions);
    const Dimensions kernel = AnyLabels(features, all_outputs, window_sizes, n.kernel_input_feature_dimension,
                                        n.kernel_output_feature_dimension, n.kernel_spatial_dimensions);
    const Dimensions output = AnyLabels(out_batch, all_outputs, w.positions, n.output_batch_dimension,
                                        n.output_feature_dimension, n.output_spatial_dimensions);
    const auto a = AnyNumbers(Product(input)), b = AnyNumbers(Product(kernel));
    std::vector<ExactNumber> expected(Product(output));
    for (ExactNumber& sum : expected) sum.Add(0.0);
    std::vector<std::int64_t> position(w.base.size(), 0);
    if (!expected.empty()) {
      do {
        std::vector<std::int64_t> cell(w.base.size(), 0);
        do {
          const std::int64_t element = BaseElementUnder(w, position, cell);
          if (element < 0) continue;
          std::vector<std::int64_t> place(w.base.size());
          std::int64_t rest = element;
          for (std::size_t d = place.size(); d-- > 0; rest /= w.base[d]) place[d] = rest % w.base[d];
          for (std::int64_t image = 0; image < out_batch; ++image) {
            for (std::int64_t o = 0; o < all_outputs; ++o) {
              const std::int64_t feature_group = groups.feature > 1 ? o / outputs : 0;
              const std::int64_t batch_group = groups.batch > 1 ? o / outputs : 0;
              ExactNumber& sum = expected[OffsetOf(output, n.output_batch_dimension, image, n.output_feature_dimension,
                                                   o, n.output_spatial_dimensions, position)];
              for (std::int64_t f = 0; f < features; ++f) {
                sum.AddProduct(a[OffsetOf(input, n.input_batch_dimension, batch_group * out_batch + image,
                                          n.input_feature_dimension, feature_group * features + f,
                                          n.input_spatial_dimensions, place)],
                               b[OffsetOf(kernel, n.kernel_input_feature_dimension, f,
                                          n.kernel_output_feature_dimension, o, n.kernel_spatial_dimensions, cell)]);
              }
            }
          }
        } while (IndexUtil::BumpIndices(window_sizes, cell));
      } while (IndexUtil::BumpIndices(w.positions, position));
    }
    const Literal result = Convolution(Array(F32, input, a), Array(F32, kernel, b), w.window.dimensions, n, groups);
    ENSURE(result.shape().dimensions() == output);
    const auto found = Numbers(result);
    for (std::size_t i = 0; i < found.size(); ++i) ENSURE(found[i] == expected[i].RoundTo(F32));
  });
}

// Larger than a block of positions. The integers are small, so that every order of summation has the same result.
TEST_CASE("convolution: many positions") {
  const Dimensions base = {2, 40, 50, 3};
  std::vector<double> input(Product(base)), kernel(3 * 3 * 3 * 5), expected;
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<int>(i * 7919 % 41) - 20;
  for (std::size_t i = 0; i < kernel.size(); ++i) kernel[i] = static_cast<int>(i * 31 % 19) - 9;
  for (std::int64_t b = 0; b < 2; ++b) {
    for (std::int64_t y = 0; y < 40; ++y) {
      for (std::int64_t x = 0; x < 50; ++x) {
        for (std::int64_t o = 0; o < 5; ++o) {
          double sum = 0;
          for (std::int64_t k = 0; k < 27; ++k) {
            const std::int64_t iy = y + k / 9 - 1, ix = x + k / 3 % 3 - 1;
            if (iy < 0 || iy >= 40 || ix < 0 || ix >= 50) continue;
            sum += input[((b * 40 + iy) * 50 + ix) * 3 + k % 3] * kernel[k * 5 + o];
          }
          expected.push_back(sum);
        }
      }
    }
  }
  const WindowDimension same = {.size = 3, .padding_low = 1, .padding_high = 1};
  CHECK(Numbers(Convolution(Array(F32, base, input), Array(F32, {3, 3, 3, 5}, kernel), {same, same},
                            FeaturesLast(2))) == expected);
}

}  // namespace
}  // namespace assay::testing
