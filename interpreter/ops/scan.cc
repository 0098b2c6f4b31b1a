#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/scan_rules.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

using namespace plain;

std::vector<Shape> Elements(const Shape& shape) {
  return shape.IsTuple() ? shape.tuple_shapes() : std::vector<Shape>{shape};
}

// Returns the shape of the slice that one step reads from an input or writes to an output.
Shape WithoutDimension(Shape shape, std::int64_t dimension) {
  shape.delete_dimension(dimension);
  return shape;
}

Shape WithDimension(const Shape& shape, std::int64_t dimension, std::int64_t size) {
  Dimensions sizes = shape.dimensions();
  sizes.insert(sizes.begin() + dimension, size);
  if (!shape.has_layout()) return ShapeUtil::MakeShape(shape.element_type(), sizes);
  // XLA's layout: the new dimension is the next more major one after the dimension whose number it increases, or the
  // most minor one if it is the last.
  std::vector<std::int64_t> minor_to_major = shape.layout().minor_to_major;
  for (std::int64_t& d : minor_to_major) d += d >= dimension ? 1 : 0;
  const auto pushed = std::ranges::find(minor_to_major, dimension + 1);
  minor_to_major.insert(pushed == minor_to_major.end() ? minor_to_major.begin() : pushed + 1, dimension);
  return ShapeUtil::MakeShapeWithLayout(shape.element_type(), sizes, std::move(minor_to_major));
}

// The numbers of carries, and of operands and results that are not carries.
struct ScanCounts {
  std::size_t carries = 0;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
};

Result<ScanCounts> CheckCounts(const HloInstruction& scan) {
  const HloComputation& body = scan.Computation("to_apply");
  const std::int64_t carries = scan.Int64("num_carries");
  const std::size_t operands = scan.operands.size(), results = Elements(body.root->shape).size();
  if (scan.Int64s("dimensions").size() != 1) {
    return Illegal(scan, "dimensions must have one entry, found {}", scan.Int64s("dimensions").size());
  }
  if (carries < 0 || static_cast<std::size_t>(carries) > std::min(operands, results)) {
    return Illegal(scan, "num_carries must be between 0 and the number of operands {} and results {}, found {}",
                   operands, results, carries);
  }
  const ScanCounts counts = {.carries = static_cast<std::size_t>(carries),
                             .inputs = operands - static_cast<std::size_t>(carries),
                             .outputs = results - static_cast<std::size_t>(carries)};
  if (counts.inputs + counts.outputs == 0) return Illegal(scan, "there must be an input or an output to scan along");
  if (body.Parameters().size() != operands) {
    return Illegal(scan, "to_apply must have a parameter for each of the {} operands, found {}", operands,
                   body.Parameters().size());
  }
  return counts;
}

// Returns the size of the scanned dimension: that of the inputs, or of the written outputs if there are no inputs.
Result<std::int64_t> ScanSize(const HloInstruction& scan, const ScanCounts& counts) {
  const std::int64_t dimension = scan.Int64s("dimensions")[0];
  const std::size_t count = counts.inputs > 0 ? counts.inputs : counts.outputs;
  std::vector<Shape> scanned;
  if (counts.inputs == 0) scanned = Elements(scan.shape);
  for (std::size_t i = 0; i < counts.inputs; ++i) scanned.push_back(scan.operands[i]->shape);
  std::int64_t size = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool has_it = i < scanned.size() && scanned[i].IsArray() && dimension >= 0 && dimension < scanned[i].rank();
    if (!has_it || (i > 0 && scanned[i].dimensions(dimension) != size)) {
      return Illegal(scan, "every input and output must have dimension {}, all of one size, found {}", dimension,
                     i < scanned.size() ? scanned[i].ToStringWithoutLayout() : "none");
    }
    size = scanned[i].dimensions(dimension);
  }
  return size;
}

Status CheckStep(const HloInstruction& scan, std::string_view what, std::size_t i, const Shape& found,
                 const Shape& expected) {
  if (ShapeUtil::Compatible(found, expected)) return {};
  return Illegal(scan, "{} {} of to_apply must be {}, found {}", what, i, expected.ToStringWithoutLayout(),
                 found.ToStringWithoutLayout());
}

Result<Shape> InferScan(const HloInstruction& scan) {
  ASSAY_TRY(const ScanCounts counts, CheckCounts(scan));
  ASSAY_TRY(const std::int64_t size, ScanSize(scan, counts));
  const std::int64_t dimension = scan.Int64s("dimensions")[0];
  const HloComputation& body = scan.Computation("to_apply");
  for (std::size_t i = 0; i < scan.operands.size(); ++i) {
    const Shape& operand = scan.operands[i]->shape;
    ASSAY_CHECK_OK(CheckStep(scan, "parameter", i, body.Parameters()[i]->shape,
                             i < counts.inputs ? WithoutDimension(operand, dimension) : operand));
  }
  std::vector<Shape> results = Elements(body.root->shape);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i >= counts.outputs) {
      ASSAY_CHECK_OK(
          CheckStep(scan, "result", i, results[i], scan.operands[counts.inputs + i - counts.outputs]->shape));
    } else if (!results[i].IsArray() || dimension > results[i].rank()) {
      return Illegal(scan, "result {} of to_apply must be an array that dimension {} can be added to, found {}", i,
                     dimension, results[i].ToStringWithoutLayout());
    } else {
      results[i] = WithDimension(results[i], dimension, size);
    }
  }
  return body.root->shape.IsTuple() ? ShapeUtil::MakeTupleShape(std::move(results)) : results.front();
}

// Returns the index in a scanned array of an element of the slice at one step.
Index InStep(Index slice, std::int64_t dimension, std::int64_t step) {
  slice.insert(slice.begin() + dimension, step);
  return slice;
}

Literal SliceAt(const Literal& array, std::int64_t dimension, std::int64_t step) {
  Literal slice(WithoutDimension(array.shape(), dimension));
  ForEachIndex(slice.shape().dimensions(),
               [&](const Index& index) { Set(slice, index, At(array, InStep(index, dimension, step))); });
  return slice;
}

void SetSlice(Literal& array, std::int64_t dimension, std::int64_t step, const Literal& slice) {
  ForEachIndex(slice.shape().dimensions(),
               [&](const Index& index) { Set(array, InStep(index, dimension, step), At(slice, index)); });
}

// sums[step] = carry + input[first] + ... + input[step], exact and rounded once.
Literal CumulativeSums(const HloInstruction& scan, const Literal& input, const Literal& carry) {
  const std::int64_t d = scan.Int64s("dimensions")[0], size = input.shape().dimensions(d);
  Literal sums(input.shape()), last = carry;
  ForEachIndex(carry.shape().dimensions(), [&](const Index& index) {
    Sum sum(carry.element_type());
    sum.Add(At(carry, index));
    for (std::int64_t i = 0; i < size; ++i) {
      const Index place = InStep(index, d, scan.Bool("is_reverse") ? size - 1 - i : i);
      sum.Add(At(input, place));
      Set(sums, place, sum.Rounded());
      Set(last, index, sum.Rounded());
    }
  });
  return Literal::MakeTuple({std::move(sums), std::move(last)});
}

// Step by step: (slices of the outputs, carries) = to_apply(slices of the inputs, carries).
Literal EvaluateScan(const HloInstruction& scan, std::span<Literal> operands, Evaluation& evaluation) {
  if (IsCumulativeSum(scan)) return CumulativeSums(scan, operands[0], operands[1]);
  const HloComputation& to_apply = scan.Computation("to_apply");
  const std::int64_t d = scan.Int64s("dimensions")[0], carry_count = scan.Int64("num_carries");
  const auto inputs = operands.first(operands.size() - carry_count), carries = operands.last(carry_count);
  std::vector<Literal> results;
  for (const Shape& shape : Elements(scan.shape)) results.emplace_back(shape);
  const auto outputs = std::span(results).first(results.size() - carry_count);
  std::vector<Literal> carried(carries.begin(), carries.end());
  const std::int64_t size = (inputs.empty() ? outputs : inputs)[0].shape().dimensions(d);
  for (std::int64_t i = 0; i < size; ++i) {
    CheckLimits();
    const std::int64_t step = scan.Bool("is_reverse") ? size - 1 - i : i;
    std::vector<Literal> arguments;
    for (const Literal& input : inputs) arguments.push_back(SliceAt(input, d, step));
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    const Literal value = evaluation.Call(to_apply, std::move(arguments));
    std::vector<Literal> values = to_apply.root->shape.IsTuple() ? value.elements() : std::vector<Literal>{value};
    for (std::size_t k = 0; k < outputs.size(); ++k) SetSlice(outputs[k], d, step, values[k]);
    carried.assign(values.begin() + std::ssize(outputs), values.end());
  }
  std::ranges::copy(carried, results.begin() + std::ssize(outputs));
  return scan.shape.IsTuple() ? Literal::MakeTuple(std::move(results)) : std::move(results[0]);
}

}  // namespace

const Op op_scan = {
    .name = "scan",
    .meaning = "A fold along one dimension that keeps each step.",
    .syntax =
        {
            .attributes =
                {OneDimension("dimensions"),
                 Required("num_carries", AttributeKind::kInt64),
                 Flag("is_reverse"),
                 Printed("is_associative", AttributeKind::kBool, false),
                 {.name = "to_apply", .kind = AttributeKind::kComputation, .required = true, .body_name = "calls"}},
        },
    .legality = {.arity = AtLeast(1), .types = kArrays, .infer = InferScan},
    .evaluation = {.evaluate = EvaluateScan},
};

}  // namespace assay
