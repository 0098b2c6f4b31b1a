#include "interpreter/builder/folds.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/builder/add_instruction.h"
#include "interpreter/builder/windows.h"

namespace assay::xla {
namespace {

PaddingList WindowPadding(XlaOp base, const Int64List& window_dimensions, const Int64List& window_strides,
                          Padding padding) {
  const Shape* shape = FindShape(base);
  return shape == nullptr ? PaddingList()
                          : MakePadding(shape->dimensions(), window_dimensions, window_strides, padding);
}

// Returns the results of the computation; those before the carries have an additional dimension.
std::optional<Shape> ScanResult(const XlaComputation& computation, std::size_t carries, std::int64_t dimension,
                                std::int64_t size) {
  const Result<ProgramShape> program = computation.GetProgramShape();
  if (!program) return std::nullopt;
  std::vector<Shape> results =
      program->result.IsTuple() ? program->result.tuple_shapes() : std::vector{program->result};
  for (std::size_t i = 0; i + carries < results.size(); ++i) {
    Dimensions sizes = results[i].dimensions();
    if (dimension < 0 || dimension > results[i].rank()) return std::nullopt;
    sizes.insert(sizes.begin() + dimension, size);
    results[i] = ShapeUtil::MakeShape(results[i].element_type(), std::move(sizes));
  }
  return program->result.IsTuple() ? ShapeUtil::MakeTupleShape(std::move(results)) : results[0];
}

}  // namespace

XlaOp Reduce(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
             const Int64List& dimensions_to_reduce) {
  return AddInstruction("reduce", {operand, init_value},
                        {{"dimensions", dimensions_to_reduce}, {"to_apply", computation}});
}

XlaOp Reduce(XlaBuilder* builder, const std::vector<XlaOp>& operands, const std::vector<XlaOp>& init_values,
             const XlaComputation& computation, const Int64List& dimensions_to_reduce) {
  return AddInstruction(builder, "reduce", Joined(operands, init_values),
                        {{"dimensions", dimensions_to_reduce}, {"to_apply", computation}});
}

XlaOp ReduceAll(XlaOp operand, XlaOp init_value, const XlaComputation& computation) {
  const Shape* shape = FindShape(operand);
  return Reduce(operand, init_value, computation, AllDimensions(shape == nullptr ? 0 : shape->rank()));
}

XlaOp Scan(const std::vector<XlaOp>& inputs, const std::vector<XlaOp>& inits, const XlaComputation& computation,
           std::int64_t scan_dimension, std::optional<std::int64_t> scan_dimension_size, bool is_reverse,
           TriState is_associative) {
  AttributeValue associative;
  if (is_associative != TRI_STATE_UNSPECIFIED) associative = is_associative == TRI_STATE_TRUE;
  std::optional<Shape> declared;
  if (inputs.empty() && scan_dimension_size) {
    declared = ScanResult(computation, inits.size(), scan_dimension, *scan_dimension_size);
  }
  return AddInstruction("scan", Joined(inputs, inits),
                        {{"dimensions", Int64List{scan_dimension}},
                         {"num_carries", static_cast<std::int64_t>(inits.size())},
                         {"is_reverse", is_reverse},
                         {"is_associative", std::move(associative)},
                         {"to_apply", computation}},
                        std::move(declared));
}

XlaOp ReduceWindow(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
                   const Int64List& window_dimensions, const Int64List& window_strides, Padding padding) {
  return ReduceWindow(std::vector<XlaOp>{operand}, std::vector<XlaOp>{init_value}, computation, window_dimensions,
                      window_strides, padding);
}

XlaOp ReduceWindow(const std::vector<XlaOp>& operands, const std::vector<XlaOp>& init_values,
                   const XlaComputation& computation, const Int64List& window_dimensions,
                   const Int64List& window_strides, Padding padding) {
  const XlaOp base = operands.empty() ? XlaOp() : operands[0];
  return ReduceWindowWithGeneralPadding(operands, init_values, computation, window_dimensions, window_strides, {}, {},
                                        WindowPadding(base, window_dimensions, window_strides, padding));
}

XlaOp ReduceWindowWithGeneralPadding(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
                                     const Int64List& window_dimensions, const Int64List& window_strides,
                                     const Int64List& base_dilations, const Int64List& window_dilations,
                                     const PaddingList& padding) {
  return ReduceWindowWithGeneralPadding(std::vector<XlaOp>{operand}, std::vector<XlaOp>{init_value}, computation,
                                        window_dimensions, window_strides, base_dilations, window_dilations, padding);
}

XlaOp ReduceWindowWithGeneralPadding(const std::vector<XlaOp>& operands, const std::vector<XlaOp>& init_values,
                                     const XlaComputation& computation, const Int64List& window_dimensions,
                                     const Int64List& window_strides, const Int64List& base_dilations,
                                     const Int64List& window_dilations, const PaddingList& padding) {
  const std::vector<XlaOp> all = Joined(operands, init_values);
  Result<AttributeValue> window =
      MakeWindow({window_dimensions, window_strides, padding, base_dilations, window_dilations});
  if (!window) return ReportIllegal("reduce-window", all, window.error().message);
  return AddInstruction("reduce-window", all, {{"window", *std::move(window)}, {"to_apply", computation}});
}

XlaOp XlaBuilder::ReduceWindow(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
                               const Int64List& window_dimensions, const Int64List& window_strides, Padding padding) {
  return xla::ReduceWindow(operand, init_value, computation, window_dimensions, window_strides, padding);
}

XlaOp SelectAndScatter(XlaOp operand, const XlaComputation& select, const Int64List& window_dimensions,
                       const Int64List& window_strides, Padding padding, XlaOp source, XlaOp init_value,
                       const XlaComputation& scatter) {
  return SelectAndScatterWithGeneralPadding(operand, select, window_dimensions, window_strides,
                                            WindowPadding(operand, window_dimensions, window_strides, padding), source,
                                            init_value, scatter);
}

XlaOp SelectAndScatterWithGeneralPadding(XlaOp operand, const XlaComputation& select,
                                         const Int64List& window_dimensions, const Int64List& window_strides,
                                         const PaddingList& padding, XlaOp source, XlaOp init_value,
                                         const XlaComputation& scatter) {
  Result<AttributeValue> window = MakeWindow({window_dimensions, window_strides, padding, {}, {}});
  if (!window) return ReportIllegal("select-and-scatter", {operand, source, init_value}, window.error().message);
  return AddInstruction("select-and-scatter", {operand, source, init_value},
                        {{"window", *std::move(window)}, {"select", select}, {"scatter", scatter}});
}

XlaOp Sort(const std::vector<XlaOp>& operands, const XlaComputation& comparator, std::int64_t dimension,
           bool is_stable) {
  const Shape* shape = operands.empty() ? nullptr : FindShape(operands[0]);
  if (dimension == -1 && shape != nullptr) dimension = shape->rank() - 1;
  return AddInstruction("sort", operands,
                        {{"dimensions", Int64List{dimension}}, {"is_stable", is_stable}, {"to_apply", comparator}});
}

XlaOp TopK(XlaOp operand, std::int64_t k, bool largest) {
  return AddInstruction("topk", {operand}, {{"k", k}, {"largest", largest}});
}

XlaOp Map(XlaBuilder* builder, const std::vector<XlaOp>& operands, const XlaComputation& computation,
          const Int64List& dimensions) {
  // Scalar operands have the dimensions of the others.
  std::int64_t rank = 0;
  for (const XlaOp operand : operands) {
    const Shape* shape = FindShape(operand);
    if (shape == nullptr) return AddInstruction(builder, "map", operands, {{"to_apply", computation}});
    rank = std::max(rank, shape->rank());
  }
  if (dimensions != AllDimensions(rank)) {
    return ReportIllegal("map", operands, fmt::format("dimensions must be all {} of the operands in order", rank));
  }
  return AddInstruction(builder, "map", operands, {{"dimensions", dimensions}, {"to_apply", computation}});
}

}  // namespace assay::xla
