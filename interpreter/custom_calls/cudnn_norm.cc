// Layer normalization by cuDNN, as XLA:GPU's CudnnNormRewriter leaves it.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/call_config.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/layer_norm.h"
#include "interpreter/custom_calls/library_results.h"
#include "interpreter/kernels/common/permuted.h"
#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

enum class Kind { kInference, kTraining, kBackward };

// Operands: x, scale; the forward kinds have the offset, too. The backward kind has the gradient of the output, and the
// mean and the reciprocal deviation of each row, which are results of the forward pass.
struct NormCall {
  Kind kind = Kind::kInference;
  double epsilon = 0;
  Int64List order;  // dimensions that number the rows, then those of a row
  Dimensions rows, row;
};

Shape FilledRows(const Shape& x, const Int64List& kept) {
  Dimensions sizes(x.rank(), 1);
  for (std::int64_t d : kept) sizes[d] = x.dimensions(d);
  return ShapeUtil::MakeShape(F32, std::move(sizes));
}

Result<NormCall> ReadCudnnNorm(const HloInstruction& call) {
  ASSAY_TRY(const CallConfig config, CallConfig::Of(call, "cudnn_norm_backend_config"));
  ASSAY_TRY(const std::string_view kind, config.Word("kind", {"LAYER_FWD_INFER", "LAYER_FWD_TRAIN", "LAYER_BWD"}));
  NormCall read;
  read.kind = kind == "LAYER_BWD" ? Kind::kBackward : kind == "LAYER_FWD_TRAIN" ? Kind::kTraining : Kind::kInference;
  ASSAY_TRY(read.epsilon, config.Double("epsilon"));
  const std::size_t expected = read.kind == Kind::kBackward ? 5 : 3;
  ASSAY_CHECK_OK(CheckCount(call, expected));
  const Shape& x = call.operand(0).shape;
  const Shape& scale = call.operand(1).shape;
  bool fits = x.IsArray() && IsFloatingPointType(x.element_type()) && scale.IsArray() && scale.rank() == x.rank();
  for (std::int64_t d = 0; fits && d < x.rank(); ++d) {
    fits = scale.dimensions(d) == 1 || scale.dimensions(d) == x.dimensions(d);
  }
  if (!fits) {
    return BadCall(call, "the scale must have sizes of operand 0 or 1, found {} and {}", x.ToStringWithoutLayout(),
                   scale.ToStringWithoutLayout());
  }
  Int64List rows, row;
  for (std::int64_t d = 0; d < x.rank(); ++d) (scale.dimensions(d) == 1 ? rows : row).push_back(d);
  read.rows = SizesOf(x, rows);
  read.row = SizesOf(x, row);
  read.order = Concatenated(rows, row);
  return read;
}

Status CheckCudnnNorm(const HloInstruction& call) {
  ASSAY_TRY(const NormCall read, ReadCudnnNorm(call));
  const Shape& x = call.operand(0).shape;
  const Shape& scale = call.operand(1).shape;
  const Int64List rows(read.order.begin(), read.order.begin() + static_cast<std::int64_t>(read.rows.size()));
  const Shape of_row = FilledRows(x, rows);
  const Shape& third = call.operand(2).shape;
  if (read.kind != Kind::kBackward) {
    ASSAY_CHECK_OK(CheckDimensions(call, "operand 2", third, scale));
    std::vector<Shape> results = {ShapeUtil::ChangeElementType(x, FirstResult(call.shape).element_type())};
    if (read.kind == Kind::kTraining) results.insert(results.end(), {of_row, of_row});
    return CheckResults(call, results);
  }
  ASSAY_CHECK_OK(CheckDimensions(call, "operand 2", third, x));
  for (int i : {3, 4}) {
    ASSAY_CHECK_OK(CheckDimensions(call, fmt::format("operand {}", i), call.operand(i).shape, of_row));
  }
  const Shape of_scale = ShapeUtil::ChangeElementType(
      scale, call.shape.IsTuple() && call.shape.tuple_shapes().size() > 1 ? call.shape.tuple_shapes(1).element_type()
                                                                          : scale.element_type());
  return CheckResults(call,
                      {ShapeUtil::ChangeElementType(x, FirstResult(call.shape).element_type()), of_scale, of_scale});
}

// Returns an array of the dimensions of x as rows, and the inverse.
Literal ToRows(const Literal& array, const NormCall& read) {
  const Shape shape = ShapeUtil::MakeShape(F64, {Product(read.rows), Product(read.row)});
  return Permuted(Converted(array, F64), read.order).WithShape(shape);
}
Literal FromRows(const Literal& rows, const NormCall& read, const Shape& x) {
  Dimensions sizes = SizesOf(x, read.order);
  Int64List back(read.order.size());
  for (std::size_t i = 0; i < back.size(); ++i) back[read.order[i]] = static_cast<std::int64_t>(i);
  return Permuted(rows.WithShape(ShapeUtil::MakeShape(F64, std::move(sizes))), back);
}
// Returns all elements of an array as a vector.
Literal Flat(const Literal& array) {
  return Converted(array, F64).WithShape(ShapeUtil::MakeShape(F64, {array.element_count()}));
}

LayerNorm CudnnNormOf(const NormCall& read, std::span<const Literal> operands) {
  LayerNorm norm{ToRows(operands[0], read), Flat(operands[1]), {}, read.epsilon};
  if (read.kind != Kind::kBackward) norm.offset = Flat(operands[2]);
  return norm;
}

Literal As(const Literal& values, const Shape& shape) {
  return Converted(values.WithShape(ShapeUtil::MakeShape(F64, shape.dimensions())), shape.element_type());
}

Literal EvaluateCudnnNorm(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const NormCall read = *ReadCudnnNorm(call);
  const LayerNorm norm = CudnnNormOf(read, operands);
  const Shape& x = operands[0].shape();
  const PrimitiveType type = FirstResult(call.shape).element_type();
  if (read.kind == Kind::kBackward) {
    const LayerNormGradients gradients =
        GradientsOf(norm, ToRows(operands[2], read), Flat(operands[3]), Flat(operands[4]));
    return WithScratch(
        call.shape, {Converted(FromRows(gradients.x, read, x), type), As(gradients.scale, call.shape.tuple_shapes(1)),
                     As(gradients.offset, call.shape.tuple_shapes(2))});
  }
  const LayerNormResult result = norm.Evaluate();
  std::vector<Literal> results = {Converted(FromRows(result.y, read, x), type)};
  if (read.kind == Kind::kTraining) {
    results.push_back(As(result.mean, call.shape.tuple_shapes(1)));
    results.push_back(As(result.reciprocal_deviation, call.shape.tuple_shapes(2)));
  }
  return WithScratch(call.shape, std::move(results));
}

PropertyReport JudgeCudnnNorm(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                              const Literal& got) {
  const NormCall read = *ReadCudnnNorm(call);
  const LayerNorm norm = CudnnNormOf(read, operands);
  const Shape& x = operands[0].shape();
  const auto of_x = [&](const ErrorBounds& rows) {
    const auto in_place = [&](const std::vector<double>& values) {
      return DoublesOf(FromRows(LiteralUtil::Create<double>(F64, {std::ssize(values)}, values), read, x));
    };
    return ErrorBounds{in_place(rows.error), in_place(rows.magnitude)};
  };
  Properties properties;
  const auto judge = [&](std::string_view name, std::size_t i, const ErrorBounds& bounds) {
    JudgeElements(name, ResultAt(want, i), ResultAt(got, i), bounds, properties);
  };
  if (read.kind == Kind::kBackward) {
    const LayerNormGradientBounds bounds =
        BoundsOfGradients(norm, ToRows(operands[2], read), Flat(operands[3]), Flat(operands[4]));
    judge("each gradient of x is within its rounding errors", 0, of_x(bounds.x));
    judge("each gradient of the scale is within its rounding errors", 1, bounds.scale);
    judge("each gradient of the offset is within its rounding errors", 2, bounds.offset);
    return std::move(properties).Take();
  }
  const LayerNormBounds bounds = BoundsOf(norm);
  judge(kWithinRoundings, 0, of_x(bounds.y));
  if (read.kind == Kind::kTraining) {
    judge("each mean is within its rounding errors", 1, bounds.mean);
    judge("each reciprocal deviation is within its rounding errors", 2, bounds.reciprocal_deviation);
  }
  return std::move(properties).Take();
}

const CustomCallTarget kCudnnNormTargets[] = {{
    .names = {"__cudnn$norm"},
    .meaning = "Layer normalization of the dimensions that the scale has, and its gradients, by kind.",
    .check = CheckCudnnNorm,
    .evaluate = EvaluateCudnnNorm,
    .properties = JudgeCudnnNorm,
}};

}  // namespace

const TargetFamily targets_cudnn_norm = kCudnnNormTargets;

}  // namespace assay
