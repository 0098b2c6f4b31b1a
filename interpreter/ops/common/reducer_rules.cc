#include "interpreter/ops/common/reducer_rules.h"

#include "interpreter/ops/common/legality.h"
#include "interpreter/types/mixed_precision.h"

namespace assay {
namespace {

// Returns the scalar shapes of the reducer's results; fails unless there are n.
Result<std::vector<Shape>> ResultScalars(const HloInstruction& instruction, const HloComputation& reducer,
                                         std::size_t n) {
  const Shape& result = reducer.root->shape;
  const std::vector<Shape> shapes = result.IsTuple() ? result.tuple_shapes() : std::vector<Shape>{result};
  bool is_legal = shapes.size() == n;
  for (const Shape& shape : shapes) is_legal &= shape.IsScalar();
  if (is_legal) return shapes;
  return Illegal(instruction, "the reducer {} of {} array{} must return {}, found {}", reducer.name, n,
                 n == 1 ? "" : "s", n == 1 ? std::string("a scalar") : fmt::format("a tuple of {} scalars", n),
                 result.ToStringWithoutLayout());
}

Error WrongType(const HloInstruction& instruction, const HloComputation& reducer, std::string_view what, std::size_t i,
                PrimitiveType found, std::string_view must_match, PrimitiveType expected) {
  return Illegal(instruction, "{} {} of type {} does not fit {} of type {} in the reducer {}", what, i,
                 PrimitiveTypeName(found), must_match, PrimitiveTypeName(expected), reducer.name);
}

}  // namespace

Shape ReducerResult::WithDimensions(const Shape& dimensions) const {
  std::vector<Shape> shapes;
  for (PrimitiveType type : types) shapes.push_back(ShapeUtil::ChangeElementType(dimensions, type));
  return is_tuple ? ShapeUtil::MakeTupleShape(std::move(shapes)) : shapes.front();
}

Result<ReducerResult> CheckReducer(const HloInstruction& instruction, const HloComputation& reducer,
                                   std::span<const PrimitiveType> inputs, std::span<const PrimitiveType> inits) {
  const std::size_t n = inputs.size();
  const auto parameters = reducer.Parameters();
  if (parameters.size() != 2 * n) {
    return Illegal(instruction, "the reducer {} of {} array{} must have {} parameters, found {}", reducer.name, n,
                   n == 1 ? "" : "s", 2 * n, parameters.size());
  }
  ASSAY_TRY(const std::vector<Shape> results, ResultScalars(instruction, reducer, n));
  ReducerResult result{.types = {}, .is_tuple = reducer.root->shape.IsTuple()};
  for (std::size_t i = 0; i < n; ++i) {
    const PrimitiveType accumulator = results[i].element_type();
    if (!ShapeUtil::Compatible(parameters[i]->shape, results[i])) {
      return Illegal(instruction, "parameter {} of the reducer {} must have the shape of its result {}, found {}", i,
                     reducer.name, results[i].ToStringWithoutLayout(), parameters[i]->shape.ToStringWithoutLayout());
    }
    if (!parameters[n + i]->shape.IsScalar()) {
      return Illegal(instruction, "parameter {} of the reducer {} must be a scalar, found {}", n + i, reducer.name,
                     parameters[n + i]->shape.ToStringWithoutLayout());
    }
    const PrimitiveType element = parameters[n + i]->shape.element_type();
    if (!SameTypeIgnoringFpPrecision(inits[i], accumulator)) {
      return WrongType(instruction, reducer, "initial value", i, inits[i], "the result", accumulator);
    }
    if (!SameTypeIgnoringFpPrecision(inputs[i], element)) {
      return WrongType(instruction, reducer, "array", i, inputs[i], fmt::format("parameter {}", n + i), element);
    }
    if (!SameTypeIgnoringFpPrecision(accumulator, element)) {
      return WrongType(instruction, reducer, "result", i, accumulator, fmt::format("parameter {}", n + i), element);
    }
    result.types.push_back(accumulator);
  }
  return result;
}

Result<ReducerResult> CheckReduction(const HloInstruction& instruction) {
  const std::size_t count = instruction.operands.size();
  if (count == 0 || count % 2 != 0) {
    return Illegal(instruction, "takes N arrays and N initial values, found {} operands", count);
  }
  const std::size_t n = count / 2;
  std::vector<PrimitiveType> types;
  for (std::size_t i = 0; i < count; ++i) {
    ASSAY_CHECK_OK(CheckArrayOperand(instruction, static_cast<std::int64_t>(i)));
    const Shape& shape = instruction.operands[i]->shape;
    if (i < n && !ShapeUtil::SameDimensions(shape, instruction.operand(0).shape)) {
      return Illegal(instruction, "all arrays must have the same dimensions, found {} and {}",
                     instruction.operand(0).shape.ToStringWithoutLayout(), shape.ToStringWithoutLayout());
    }
    if (i >= n && !shape.IsScalar()) {
      return Illegal(instruction, "initial value {} must be a scalar, found {}", i - n, shape.ToStringWithoutLayout());
    }
    types.push_back(shape.element_type());
  }
  const HloComputation& reducer = instruction.Computation("to_apply");
  const auto inputs = std::span(types).first(n);
  const auto inits = std::span(types).last(n);
  ASSAY_TRY(ReducerResult result, CheckReducer(instruction, reducer, inputs, inits));
  // The result has the reducer's types, so operands may have another precision if the instruction has no shape yet.
  const bool has_shape = instruction.shape.element_type() != PRIMITIVE_TYPE_INVALID;
  const auto parameters = reducer.Parameters();
  for (std::size_t i = 0; i < count && has_shape; ++i) {
    const std::size_t parameter = i < n ? n + i : i - n;
    if (types[i] == parameters[parameter]->shape.element_type()) continue;
    return Illegal(instruction, "operand {} must have the type {} of parameter {} of the reducer {}, found {}", i,
                   PrimitiveTypeName(parameters[parameter]->shape.element_type()), parameter, reducer.name,
                   PrimitiveTypeName(types[i]));
  }
  return result;
}

}  // namespace assay
