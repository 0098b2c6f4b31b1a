// Layer normalization of rows, in f64: scale (x - mean) / sqrt(variance + epsilon) + offset.
#pragma once

#include <optional>

#include "interpreter/custom_calls/post_ops.h"
#include "interpreter/types/literal.h"

namespace assay {

struct LayerNormResult {
  Literal y, mean, reciprocal_deviation;
};

struct LayerNorm {
  Literal x;                      // [rows, elements of a row]
  std::optional<Literal> scale;   // [elements of a row]; ones where there is none
  std::optional<Literal> offset;  // zeros where there is none
  double epsilon = 0;

  LayerNormResult Evaluate() const;
};

struct LayerNormGradients {
  Literal x, scale, offset;
};
// Returns the gradients for the output's gradient and the forward pass's mean and reciprocal deviation of each row.
LayerNormGradients GradientsOf(const LayerNorm& norm, const Literal& output_gradient, const Literal& mean,
                               const Literal& reciprocal_deviation);

// Bounds for results that are computed in f32.
struct LayerNormBounds {
  ErrorBounds y, mean, reciprocal_deviation;
};
LayerNormBounds BoundsOf(const LayerNorm& norm);
struct LayerNormGradientBounds {
  ErrorBounds x, scale, offset;
};
LayerNormGradientBounds BoundsOfGradients(const LayerNorm& norm, const Literal& output_gradient, const Literal& mean,
                                          const Literal& reciprocal_deviation);

}  // namespace assay
