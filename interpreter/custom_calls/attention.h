// Attention: softmax(scale Q K^T + bias) V, and its gradients, of arrays [batch, heads, positions, features] in f64.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/custom_calls/post_ops.h"
#include "interpreter/types/literal.h"

namespace assay {

struct AttentionMask {
  bool is_causal = false;                                // position t of Q sees the positions of K up to t
  std::int64_t window = 0;                               // at most this many of the last visible positions; 0: all
  std::vector<std::int64_t> query_lengths, key_lengths;  // one for each problem of the batch; empty: all positions
};

struct Attention {
  Literal q, k, v;
  double scale = 1;
  std::optional<Literal> bias;  // dimensions of the scores; dimensions of size 1 are repeated
  AttentionMask mask;

  // Returns scale Q K^T + bias, and minus infinity where the mask hides a key: [batch, heads, positions of Q, of K].
  Literal Scores() const;
  // Returns a bound of the errors of scores that are computed in f32.
  Literal ScoreErrors() const;
};

// The weights of attention: each row has the sum 1. A row whose keys are all masked is zero.
struct Softmax {
  explicit Softmax(const Literal& scores);
  Literal weights;
  Literal log_sums;  // of the exponentials of each row
};

struct AttentionGradients {
  Literal q, k, v, scores;
};

// Returns the product of two arrays [batch, heads, rows, columns] over dimension `a_dimension` of the first and
// `b_dimension` of the second.
Literal BatchedProduct(const Literal& a, const Literal& b, std::int64_t a_dimension, std::int64_t b_dimension);

// Returns the gradients of a sum whose gradient with respect to the output is `output_gradient`. `log_sums` and
// `output` are results of the forward pass.
AttentionGradients GradientsOf(const Attention& attention, const Literal& log_sums, const Literal& output,
                               const Literal& output_gradient);

// Returns bounds of results whose operands have `type`: sums are computed in f32, and weights are rounded to the
// operands' type.
ErrorBounds OutputBounds(const Attention& attention, PrimitiveType type);
ErrorBounds LogSumBounds(const Attention& attention);
struct GradientBounds {
  ErrorBounds q, k, v, scores;
};
GradientBounds BoundsOfGradients(const Attention& attention, const Literal& log_sums, const Literal& output,
                                 const Literal& output_gradient, PrimitiveType type);

}  // namespace assay
