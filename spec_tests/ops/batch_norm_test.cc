// batch-norm-training, -inference and -grad: the formulas on the exact operands, rounded once.
#include <cmath>

#include "spec_tests/ops/graph.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

HloInstruction& MakeBatchNorm(Graph& g, const Op& op, const std::vector<Shape>& operands, double epsilon,
                              std::int64_t feature_index) {
  std::vector<HloInstruction*> parameters;
  for (const Shape& shape : operands) parameters.push_back(&g.Parameter(shape));
  return g.Add(op, parameters, {{"epsilon", epsilon}, {"feature_index", feature_index}});
}

// Returns the results in order.
std::vector<std::vector<double>> BatchNorm(const Op& op, const std::vector<Literal>& operands, double epsilon,
                                           std::int64_t feature_index) {
  Graph g;
  std::vector<Shape> shapes;
  for (const Literal& operand : operands) shapes.push_back(operand.shape());
  const Literal result = Evaluate(MakeBatchNorm(g, op, shapes, epsilon, feature_index), operands);
  if (!result.shape().IsTuple()) return {Numbers(result)};
  std::vector<std::vector<double>> numbers;
  for (const Literal& element : result.elements()) numbers.push_back(Numbers(element));
  return numbers;
}

using Results = std::vector<std::vector<double>>;

// One feature of six elements, whose magnitudes differ; the expected values are mpmath's at 600 bits, with the float
// nearest to 1e-3 as epsilon.
const std::vector<double> kX = {0.1, -2.5, 3.7, 1e3, -0.30000000000000004, 7.25};
const std::vector<double> kGradY = {1.0, -0.5, 0.2, 0.3, -4.1, 2.7};

TEST_CASE("batch-norm-training: statistics and results are correctly rounded") {
  const Results results = BatchNorm(op_batch_norm_training,
                                    {Array(F64, {6, 1}, kX), Array(F64, {1}, {1.3}), Array(F64, {1}, {-0.7})}, 1e-3, 1);
  CHECK(results == Results{{-1.286772583821003, -1.295856742316123, -1.2741945182123753, 2.20678513897533,
                            -1.288170146666406, -1.2617911479594228},
                           {168.04166666666666},
                           {138440.76534722222}});
}

TEST_CASE("batch-norm-training: mean and biased variance of each feature") {
  // Features (1, 3, 5, 7) and (2, 10, 0, 4): means 4 and 4, variances 20 / 4 and (4 + 36 + 16) / 4.
  const Results results = BatchNorm(
      op_batch_norm_training,
      {Array(F32, {4, 2}, {1, 2, 3, 10, 5, 0, 7, 4}), Array(F32, {2}, {1, 1}), Array(F32, {2}, {0, 0})}, 0, 1);
  CHECK(results[1] == std::vector<double>{4, 4});
  CHECK(results[2] == std::vector<double>{5, 14});
  std::vector<double> expected;
  for (double x : {-3, -1, 1, 3}) {
    expected.push_back(static_cast<float>(x / std::sqrt(5.0)));
    expected.push_back(static_cast<float>((x == -3 ? -2 : x == -1 ? 6 : x == 1 ? -4 : 0) / std::sqrt(14.0)));
  }
  CHECK(results[0] == expected);
}

TEST_CASE("batch-norm-training: the feature may be any dimension") {
  // The same numbers as [2, 2, 3] with the feature in the middle: (1, 2, 3, 7, 8, 9) and (4, 5, 6, 10, 11, 12).
  const Literal x = Array(F64, {2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const Literal ones = Array(F64, {2}, {1, 1}), zeros = Array(F64, {2}, {0, 0});
  const Results results = BatchNorm(op_batch_norm_training, {x, ones, zeros}, 0, 1);
  CHECK(results[1] == std::vector<double>{5, 8});
  // (16 + 9 + 4) * 2 / 6
  CHECK(results[2] == std::vector<double>{29.0 / 3, 29.0 / 3});
  CHECK(results[0][0] == -results[0][11]);
  CHECK(results[0][5] == -results[0][6]);
}

TEST_CASE("batch-norm-training: cancellation in the statistics loses nothing") {
  const Literal one = Array(F32, {1}, {1}), zero = Array(F32, {1}, {0});
  // Mean 2^-125 / 4 although the large elements are 2^60; variance 2^121 / 4.
  const Results wide =
      BatchNorm(op_batch_norm_training, {Array(F32, {4, 1}, {0x1p60, -0x1p60, 0x1p-125, 0}), one, zero}, 0, 1);
  CHECK(wide[1] == std::vector<double>{0x1p-127});
  CHECK(wide[2] == std::vector<double>{0x1p119});
  // Equal elements whose third is not exact: variance 0, and 0 / sqrt(epsilon).
  const double tenth = 0.1f;
  const Results equal = BatchNorm(op_batch_norm_training,
                                  {Array(F32, {3, 1}, {tenth, tenth, tenth}), one, Array(F32, {1}, {7})}, 1e-5, 1);
  CHECK(equal == Results{{7, 7, 7}, {tenth}, {0}});
  // Without epsilon it is 0 / 0.
  const Results divided =
      BatchNorm(op_batch_norm_training, {Array(F32, {3, 1}, {tenth, tenth, tenth}), one, zero}, 0, 1);
  for (double y : divided[0]) CHECK(std::isnan(y));
}

TEST_CASE("batch-norm-training: narrow types are rounded once") {
  // Mean 1 + 2^-8, a tie in bf16 that goes to 1; the variance is taken around the exact mean: 2^-16.
  const Results pair =
      BatchNorm(op_batch_norm_training,
                {Array(BF16, {2, 1}, {1, 1 + 0x1p-7}), Array(BF16, {1}, {1}), Array(BF16, {1}, {0})}, 0, 1);
  CHECK(pair == Results{{-1, 1}, {1}, {0x1p-16}});
  const Results f8 =
      BatchNorm(op_batch_norm_training,
                {Array(F8E4M3FN, {4, 1}, {-1, 1, -3, 3}), Array(F8E4M3FN, {1}, {2}), Array(F8E4M3FN, {1}, {1})}, 0, 1);
  // 1 + 2 x / sqrt(5): 0.1056, 1.894, -1.683, 3.683
  CHECK(f8 == Results{{0.109375, 1.875, -1.625, 3.75}, {0}, {5}});
}

TEST_CASE("batch-norm-training: empty batches and special values") {
  const Results empty = BatchNorm(op_batch_norm_training,
                                  {Array(F32, {0, 2}, {}), Array(F32, {2}, {1, 1}), Array(F32, {2}, {0, 0})}, 0, 1);
  CHECK(empty[0].empty());
  CHECK((std::isnan(empty[1][0]) && std::isnan(empty[1][1]) && std::isnan(empty[2][0])));
  const Results infinite =
      BatchNorm(op_batch_norm_training,
                {Array(F32, {2, 2}, {INFINITY, 1, 1, 3}), Array(F32, {2}, {1, 1}), Array(F32, {2}, {0, 0})}, 0, 1);
  CHECK(infinite[1] == std::vector<double>{INFINITY, 2});
  CHECK(std::isnan(infinite[2][0]));
  CHECK(infinite[2][1] == 1);
  CHECK(std::isnan(infinite[0][0]));
  CHECK(infinite[0][1] == -1);
}

TEST_CASE("batch-norm-inference: given statistics") {
  const std::vector<Literal> features = {Array(F64, {1}, {1.3}), Array(F64, {1}, {-0.7}), Array(F64, {1}, {0.2}),
                                         Array(F64, {1}, {1.7})};
  std::vector<Literal> operands = {Array(F64, {1, 6}, kX)};
  operands.insert(operands.end(), features.begin(), features.end());
  CHECK(BatchNorm(op_batch_norm_inference, operands, 1e-3, 0) ==
        Results{{-0.7996761363480595, -3.3912556813976074, 2.788664772182084, 995.8620112078992, -1.1983806817402975,
                 6.327167612538196}});
  // 3 (x - 2) / sqrt(8 + 1) + 5 is x + 3. A variance + epsilon of zero divides by zero; a negative one has no root.
  const auto simple = [](double variance, double epsilon) {
    return BatchNorm(op_batch_norm_inference,
                     {Array(F32, {3}, {1, 2, 7}), Array(F32, {3}, {3, 3, 3}), Array(F32, {3}, {5, 5, 5}),
                      Array(F32, {3}, {2, 2, 2}), Array(F32, {3}, {variance, variance, variance})},
                     epsilon, 0)[0];
  };
  CHECK(simple(8, 1) == std::vector<double>{4, 5, 10});
  CHECK(simple(-1, 1)[0] == -INFINITY);
  CHECK(std::isnan(simple(-1, 1)[1]));
  CHECK(simple(-1, 1)[2] == INFINITY);
  CHECK(std::isnan(simple(-2, 1)[0]));
}

TEST_CASE("batch-norm-grad: gradients are correctly rounded") {
  CHECK(BatchNorm(op_batch_norm_grad,
                  {Array(F64, {3, 1, 2}, kX), Array(F64, {1}, {1.3}), Array(F64, {1}, {0.2}), Array(F64, {1}, {1.7}),
                   Array(F64, {3, 1, 2}, kGradY)},
                  1e-3, 1) == Results{{4.217523323879164, 84.73447255232136, -110.13508906890037, -31536.43792675968,
                                       11.751285181460913, -219.62123336077732},
                                      {247.63769336165018},
                                      {-0.39999999999999947}});
}

TEST_CASE("batch-norm-grad: the gradients of the definition, by hand") {
  // x = (0, 2), mean 1, variance 1, epsilon 3: deviation 2, c = (1 * -1 + 5 * 1) / 4 / 2 = 1 / 2, d = 3.
  // grad x = 4 / 2 (grad y - 3 - (x - 1) / 2) = 2 (-2 + 1 / 2, 2 - 1 / 2).
  CHECK(BatchNorm(op_batch_norm_grad,
                  {Array(F32, {2, 1}, {0, 2}), Array(F32, {1}, {4}), Array(F32, {1}, {1}), Array(F32, {1}, {1}),
                   Array(F32, {2, 1}, {1, 5})},
                  3, 1) == Results{{-3, 3}, {2}, {6}});
  // An empty batch: empty sums.
  CHECK(BatchNorm(op_batch_norm_grad,
                  {Array(F32, {0, 1}, {}), Array(F32, {1}, {4}), Array(F32, {1}, {1}), Array(F32, {1}, {1}),
                   Array(F32, {0, 1}, {})},
                  3, 1) == Results{{}, {0}, {0}});
}

TEST_CASE("batch-norm-grad: grad x is orthogonal to constants, and exactly so for integers") {
  Holds([] {
    // With deviation 1 and scale n, n grad x_i = n (n grad y_i - sum - moments (x_i - mean)) is an integer.
    const int n = 1 << InRange(0, 4);
    std::vector<double> x, grad_y, expected;
    double sum = 0, moments = 0;
    const int mean = InRange(-5, 6);
    for (int i = 0; i < n; ++i) {
      x.push_back(InRange(-20, 21));
      grad_y.push_back(InRange(-20, 21));
      sum += grad_y[i];
      moments += grad_y[i] * (x[i] - mean);
    }
    for (int i = 0; i < n; ++i) expected.push_back(n * grad_y[i] - sum - moments * (x[i] - mean) + 0.0);
    const Results results =
        BatchNorm(op_batch_norm_grad,
                  {Array(F32, {1, n}, x), Array(F32, {1}, {double(n)}), Array(F32, {1}, {double(mean)}),
                   Array(F32, {1}, {0.75}), Array(F32, {1, n}, grad_y)},
                  0.25, 0);
    ENSURE(results == (Results{expected, {moments}, {sum}}));
  });
}

}  // namespace
}  // namespace assay::testing
