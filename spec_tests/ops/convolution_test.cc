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
