#include "interpreter/custom_calls/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

constexpr double kAttentionRoundoff = 0x1p-24;  // of f32, in which cuDNN computes
// The roundings of the argument and the value of an exponential, in its usual forms.
constexpr double kExponential = 16;

const Int64List kRowDimensions = {0, 1, 2};

Literal AlongRows(const Literal& rows, const Shape& shape) { return Broadcast(rows, kRowDimensions, shape); }
Literal Is(const Literal& a, const Literal& b, std::string_view direction) {
  return Elementwise(op_compare, {a, b}, {{"direction", std::string(direction)}});
}

double RoundoffOf(PrimitiveType type) { return std::ldexp(1.0, -FloatFormatOf(type).precision()); }

// Returns true for each key that a query sees.
Literal Seen(const AttentionMask& mask, const Shape& shape) {
  Literal seen(ShapeUtil::ChangeElementType(shape, PRED));
  auto out = seen.mutable_values<std::uint8_t>();
  const std::int64_t heads = shape.dimensions(1), queries = shape.dimensions(2), keys = shape.dimensions(3);
  for (std::int64_t i = 0; i < seen.element_count(); ++i) {
    const std::int64_t key = i % keys, query = i / keys % queries, problem = i / keys / queries / heads;
    const bool is_inside =
        mask.key_lengths.empty() || (key < mask.key_lengths[problem] && query < mask.query_lengths[problem]);
    const bool is_past = !mask.is_causal || key <= query;
    out[i] = is_inside && is_past && (mask.window <= 0 || key > query - mask.window);
  }
  return seen;
}

Literal Full(const Literal& bias, const Shape& shape) {
  Int64List kept;
  Dimensions sizes;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (bias.shape().dimensions(d) != shape.dimensions(d)) continue;
    kept.push_back(d);
    sizes.push_back(shape.dimensions(d));
  }
  return Broadcast(bias.WithShape(ShapeUtil::MakeShape(F64, sizes)), kept, shape);
}

// Returns exp(score - log_sum).
Literal Weights(const Literal& scores, const Literal& log_sums) {
  return Elementwise(op_exponential, {Minus(scores, AlongRows(log_sums, scores.shape()))});
}

// Returns bounds of the relative errors of weights: the errors of a weight's score and of the scores in its row, and
// the roundings of the exponential and the sum. Infinite unless the bound is below 1.
Literal WeightErrors(const Attention& attention, PrimitiveType type) {
  const Literal errors = attention.ScoreErrors();
  const Shape& shape = errors.shape();
  const double keys = static_cast<double>(shape.dimensions(3));
  const Literal relative =
      Plus(Times(RowMaxima(errors), Number(4)), Number((keys + kExponential) * kAttentionRoundoff + RoundoffOf(type)));
  const Literal infinity = Number(std::numeric_limits<double>::infinity());
  return AlongRows(
      Elementwise(op_select, {Is(relative, Number(1), "LT"), relative, Broadcast(infinity, {}, relative.shape())}),
      shape);
}

ErrorBounds AttentionBounds(const Literal& error, const Literal& magnitude) {
  return {DoublesOf(error), DoublesOf(magnitude)};
}

}  // namespace

Literal BatchedProduct(const Literal& a, const Literal& b, std::int64_t a_dimension, std::int64_t b_dimension) {
  const Int64List batch = {0, 1};
  return Apply(op_dot, {a, b},
               {{"lhs_batch_dims", batch},
                {"lhs_contracting_dims", Int64List{a_dimension}},
                {"rhs_batch_dims", batch},
                {"rhs_contracting_dims", Int64List{b_dimension}}},
               ShapeUtil::MakeScalarShape(F64));
}

Literal Attention::Scores() const {
  Literal scores = Times(BatchedProduct(q, k, 3, 3), Number(scale));
  if (bias) scores = Plus(scores, Full(*bias, scores.shape()));
  const Literal hidden = Number(-std::numeric_limits<double>::infinity());
  return Elementwise(op_select, {Seen(mask, scores.shape()), scores, Broadcast(hidden, {}, scores.shape())});
}

Literal Attention::ScoreErrors() const {
  Literal magnitudes = Times(BatchedProduct(Magnitudes(q), Magnitudes(k), 3, 3), Number(std::fabs(scale)));
  if (bias) magnitudes = Plus(magnitudes, Full(Magnitudes(*bias), magnitudes.shape()));
  const double terms = static_cast<double>(q.shape().dimensions(3)) + 6;
  return Times(magnitudes, Number(terms * kAttentionRoundoff));
}

Softmax::Softmax(const Literal& scores) {
  // The largest score of a fully masked row is minus infinity: use a finite number instead.
  const Literal largest = Elementwise(op_maximum, {RowMaxima(scores), Number(std::numeric_limits<double>::lowest())});
  const Literal powers = Elementwise(op_exponential, {Minus(scores, AlongRows(largest, scores.shape()))});
  const Literal sums = RowSums(powers);
  log_sums = Plus(largest, Elementwise(op_log, {sums}));
  const Literal ones = Broadcast(Number(1), {}, sums.shape());
  const Literal divisors = Elementwise(op_select, {Is(sums, Number(0), "EQ"), ones, sums});
  weights = Elementwise(op_divide, {powers, AlongRows(divisors, scores.shape())});
}

AttentionGradients GradientsOf(const Attention& attention, const Literal& log_sums, const Literal& output,
                               const Literal& output_gradient) {
  const Literal weights = Weights(attention.Scores(), log_sums);
  const Literal of_weights = BatchedProduct(output_gradient, attention.v, 3, 3);
  const Literal means = AlongRows(RowSums(Times(output_gradient, output)), weights.shape());
  AttentionGradients gradients;
  gradients.scores = Times(weights, Minus(of_weights, means));
  gradients.q = Times(BatchedProduct(gradients.scores, attention.k, 3, 2), Number(attention.scale));
  gradients.k = Times(BatchedProduct(gradients.scores, attention.q, 2, 2), Number(attention.scale));
  gradients.v = BatchedProduct(weights, output_gradient, 2, 2);
  return gradients;
}

ErrorBounds OutputBounds(const Attention& attention, PrimitiveType type) {
  const Literal weights = Softmax(attention.Scores()).weights;
  const double keys = static_cast<double>(weights.shape().dimensions(3));
  const Literal errors = Times(weights, Plus(WeightErrors(attention, type), Number((keys + 2) * kAttentionRoundoff)));
  const Literal values = Magnitudes(attention.v);
  return AttentionBounds(BatchedProduct(errors, values, 3, 2), BatchedProduct(weights, values, 3, 2));
}

ErrorBounds LogSumBounds(const Attention& attention) {
  const Literal errors = attention.ScoreErrors();
  const double keys = static_cast<double>(errors.shape().dimensions(3));
  const Literal sizes = Magnitudes(Softmax(attention.Scores()).log_sums);
  const Literal roundings = Times(Plus(sizes, Number(keys + kExponential)), Number(4 * kAttentionRoundoff));
  return AttentionBounds(Plus(RowMaxima(errors), roundings), Elementwise(op_maximum, {sizes, Number(1)}));
}

GradientBounds BoundsOfGradients(const Attention& attention, const Literal& log_sums, const Literal& output,
                                 const Literal& output_gradient, PrimitiveType type) {
  const Literal weights = Weights(attention.Scores(), log_sums);
  const Shape& shape = weights.shape();
  const double queries = static_cast<double>(shape.dimensions(2)), keys = static_cast<double>(shape.dimensions(3));
  const double features = static_cast<double>(output.shape().dimensions(3));
  const Literal gradient = Magnitudes(output_gradient);
  // The scores and their logarithmic sums are each rounded to f32.
  const Literal weight_errors =
      Times(weights, Plus(WeightErrors(attention, type),
                          AlongRows(Times(Magnitudes(log_sums), Number(2 * kAttentionRoundoff)), shape)));
  // The magnitudes of the terms of the gradient of the weights less their mean.
  const Literal terms = Plus(BatchedProduct(gradient, Magnitudes(attention.v), 3, 3),
                             AlongRows(RowSums(Times(gradient, Magnitudes(output))), shape));
  const Literal score_terms = Times(weights, terms);
  const Literal score_errors = Plus(Times(weight_errors, terms),
                                    Times(score_terms, Number((features + 6) * kAttentionRoundoff + RoundoffOf(type))));
  const double scale = std::fabs(attention.scale);
  const auto sum = [&](const Literal& errors, const Literal& magnitudes, const Literal& other, std::int64_t dimension,
                       double count, double factor) {
    const Literal rounded = Plus(errors, Times(magnitudes, Number((count + 4) * kAttentionRoundoff)));
    return AttentionBounds(Times(BatchedProduct(rounded, other, dimension, 2), Number(factor)),
                           Times(BatchedProduct(magnitudes, other, dimension, 2), Number(factor)));
  };
  return {sum(score_errors, score_terms, Magnitudes(attention.k), 3, keys, scale),
          sum(score_errors, score_terms, Magnitudes(attention.q), 2, queries, scale),
          sum(weight_errors, weights, gradient, 2, queries, 1), AttentionBounds(score_errors, score_terms)};
}

}  // namespace assay
