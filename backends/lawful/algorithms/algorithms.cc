#include "backends/lawful/algorithms/algorithms.h"

#include <algorithm>
#include <iterator>

namespace assay {
namespace {

struct OpAlgorithm {
  std::string_view op;
  Algorithm algorithm;
};

constexpr OpAlgorithm kAlgorithms[] = {
    {"batch-norm-grad", BatchNormGradient},
    {"batch-norm-inference", BatchNormInference},
    {"batch-norm-training", BatchNormTraining},
    {"cholesky", CholeskyFactor},
    {"fft", FourierTransform},
    {"triangular-solve", TriangularSolution},
};

}  // namespace

Algorithm FindAlgorithm(std::string_view op) {
  const auto* found = std::ranges::find(kAlgorithms, op, &OpAlgorithm::op);
  return found == std::end(kAlgorithms) ? nullptr : found->algorithm;
}

}  // namespace assay
