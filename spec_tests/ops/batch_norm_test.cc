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
