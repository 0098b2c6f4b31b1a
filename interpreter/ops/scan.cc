#include <algorithm>
#include <cstring>
#include <vector>

#include "interpreter/numerics/cumulative_sum.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

std::vector<Shape> Elements(const Shape& shape) {
  return shape.IsTuple() ? shape.tuple_shapes() : std::vector<Shape>{shape};
}

// What one step takes from an input, or adds to an output.
Shape WithoutDimension(Shape shape, std::int64_t dimension) {
  shape.delete_dimension(dimension);
  return shape;
}

Shape WithDimension(const Shape& shape, std::int64_t dimension, std::int64_t size) {
  Dimensions sizes = shape.dimensions();
  sizes.insert(sizes.begin() + dimension, size);
  if (!shape.has_layout()) return ShapeUtil::MakeShape(shape.element_type(), sizes);
  // As XLA lays it out: behind the dimension that it pushes up, and in front of all if it is the last one.
  std::vector<std::int64_t> minor_to_major = shape.layout().minor_to_major;
  for (std::int64_t& d : minor_to_major) d += d >= dimension ? 1 : 0;
  const auto pushed = std::ranges::find(minor_to_major, dimension + 1);
  minor_to_major.insert(pushed == minor_to_major.end() ? minor_to_major.begin() : pushed + 1, dimension);
  return ShapeUtil::MakeShapeWithLayout(shape.element_type(), sizes, std::move(minor_to_major));
}

// How many operands and results are not carries.
struct Counts {
  std::size_t carries = 0;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
};

Result<Counts> CheckCounts(const HloInstruction& scan) {
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
  const Counts counts = {.carries = static_cast<std::size_t>(carries),
                         .inputs = operands - static_cast<std::size_t>(carries),
                         .outputs = results - static_cast<std::size_t>(carries)};
  if (counts.inputs + counts.outputs == 0) return Illegal(scan, "there must be an input or an output to scan along");
  if (body.Parameters().size() != operands) {
    return Illegal(scan, "to_apply must have a parameter for each of the {} operands, found {}", operands,
                   body.Parameters().size());
  }
  return counts;
}

// The size of the scanned dimension: that of the inputs; without any, that of the written outputs.
Result<std::int64_t> ScanSize(const HloInstruction& scan, const Counts& counts) {
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

Result<Shape> Infer(const HloInstruction& scan) {
  ASSAY_TRY(const Counts counts, CheckCounts(scan));
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

// An array as [outer, size, inner] along the scanned dimension.
class ScannedArray {
 public:
  ScannedArray(const Shape& shape, std::int64_t dimension) : size_(shape.dimensions(dimension)) {
    for (std::int64_t d = 0; d < shape.rank(); ++d) {
      if (d != dimension) (d < dimension ? outer_ : inner_bytes_) *= shape.dimensions(d);
    }
    inner_bytes_ *= StorageBytes(shape.element_type());
  }
  Literal Read(const Literal& array, std::int64_t step, const Shape& shape) const {
    Literal slice = Literal::Uninitialized(shape);
    std::byte* const out = slice.mutable_data();
    for (std::int64_t o = 0; o < outer_ && inner_bytes_ > 0; ++o) {
      std::memcpy(out + o * inner_bytes_, array.data() + (o * size_ + step) * inner_bytes_, inner_bytes_);
    }
    return slice;
  }
  void Write(const Literal& slice, std::int64_t step, std::byte* out) const {
    for (std::int64_t o = 0; o < outer_ && inner_bytes_ > 0; ++o) {
      std::memcpy(out + (o * size_ + step) * inner_bytes_, slice.data() + o * inner_bytes_, inner_bytes_);
    }
  }

 private:
  std::int64_t size_;
  std::int64_t outer_ = 1;
  std::int64_t inner_bytes_ = 1;
};

// An associative scan may be computed in any order. If it does nothing but add, its results are cumulative sums.
bool IsCumulativeSum(const HloInstruction& scan) {
  const HloInstruction& root = *scan.Computation("to_apply").root;
  const bool has_one_carry = scan.operands.size() == 2 && scan.Int64("num_carries") == 1 && root.operands.size() == 2;
  if (!scan.Bool("is_associative") || !has_one_carry || root.op != &op_tuple) return false;
  const PrimitiveType type = scan.operand(0).shape.element_type();
  if (scan.operand(1).shape.element_type() != type) return false;
  const auto adds_parameters = [](const HloInstruction* sum) {
    return sum->op == &op_add && sum->operands[0] != sum->operands[1] && sum->operand(0).op == &op_parameter &&
           sum->operand(1).op == &op_parameter;
  };
  return (IsFloatingPointType(type) || IsComplexType(type)) && std::ranges::all_of(root.operands, adds_parameters);
}

Literal CumulativeSum(const HloInstruction& scan, const Literal& input, const Literal& carry) {
  const std::int64_t dimension = scan.Int64s("dimensions")[0];
  const Shape& shape = input.shape();
  const std::span<const std::int64_t> sizes = shape.dimensions();
  const std::int64_t n = sizes[dimension], outer = Product(sizes.first(dimension));
  const std::int64_t inner = Product(sizes.subspan(dimension + 1)) * (IsComplexType(shape.element_type()) ? 2 : 1);
  Literal sums = Literal::Uninitialized(shape);
  CumulativeSums(ComplexComponentType(shape.element_type()), input.data(), outer, n, inner, carry.data(),
                 scan.Bool("is_reverse"), sums.mutable_data());
  if (n == 0) return Literal::MakeTuple({sums, carry});
  Literal last = ScannedArray(shape, dimension).Read(sums, scan.Bool("is_reverse") ? 0 : n - 1, carry.shape());
  return Literal::MakeTuple({std::move(sums), std::move(last)});
}

Literal Evaluate(const HloInstruction& scan, std::span<Literal> operands, Evaluation& evaluation) {
  if (IsCumulativeSum(scan)) return CumulativeSum(scan, operands[0], operands[1]);
  const HloComputation& body = scan.Computation("to_apply");
  const std::int64_t dimension = scan.Int64s("dimensions")[0];
  const auto carries = static_cast<std::size_t>(scan.Int64("num_carries"));
  const std::vector<Shape> shapes = Elements(scan.shape);
  const std::size_t inputs = operands.size() - carries, outputs = shapes.size() - carries;
  std::vector<Literal> results;
  for (std::size_t i = 0; i < outputs; ++i) results.push_back(Literal::Uninitialized(shapes[i]));
  std::vector<Literal> carried(std::make_move_iterator(operands.begin() + static_cast<std::ptrdiff_t>(inputs)),
                               std::make_move_iterator(operands.end()));
  const std::int64_t size = (inputs > 0 ? operands[0].shape() : shapes[0]).dimensions(dimension);
  for (std::int64_t i = 0; i < size; ++i) {
    CheckLimits();
    const std::int64_t step = scan.Bool("is_reverse") ? size - 1 - i : i;
    std::vector<Literal> arguments;
    for (std::size_t k = 0; k < inputs; ++k) {
      const ScannedArray scanned(operands[k].shape(), dimension);
      arguments.push_back(scanned.Read(operands[k], step, body.Parameters()[k]->shape));
    }
    std::move(carried.begin(), carried.end(), std::back_inserter(arguments));
    Literal value = evaluation.Call(body, std::move(arguments));
    std::vector<Literal> values = body.root->shape.IsTuple() ? value.elements() : std::vector<Literal>{value};
    for (std::size_t k = 0; k < outputs; ++k) {
      ScannedArray(shapes[k], dimension).Write(values[k], step, results[k].mutable_data());
    }
    carried.assign(std::make_move_iterator(values.begin() + static_cast<std::ptrdiff_t>(outputs)),
                   std::make_move_iterator(values.end()));
  }
  std::move(carried.begin(), carried.end(), std::back_inserter(results));
  return scan.shape.IsTuple() ? Literal::MakeTuple(std::move(results)) : std::move(results[0]);
}

bool HasFixedOrder(const HloInstruction& scan) { return !scan.Bool("is_associative"); }

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
    .legality = {.arity = AtLeast(1), .types = kArrays, .infer = Infer},
    .evaluation = {.evaluate = Evaluate},
    .acceptance = {.rule = Acceptance::kCalled, .has_fixed_order = HasFixedOrder},
};

}  // namespace assay
