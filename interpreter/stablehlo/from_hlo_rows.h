// The table from the ops of HLO to the functions that translate them to StableHLO, and builders of attributes.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/attribute_pairs.h"
#include "interpreter/stablehlo/from_hlo_raiser.h"

namespace assay::stablehlo {

struct HloRow;

// The translation of one instruction, with the values of its operands.
struct Raising {
  Raiser& raiser;
  const HloInstruction& instruction;
  const HloRow& row;
  Leaves operands;

  // Returns an error of kind kUnsupported at the instruction: "OP: MESSAGE".
  Error Unsupported(std::string_view message) const;
  // Returns the row's operation on the operands, with the attributes that it and the op have in common, or the
  // operation `name` on the arguments. It has no results yet.
  Operation Start() const;
  Operation Start(std::string_view name, Leaves arguments) const;
  // Adds the regions of the row's computations and a result for each leaf of the shape, which is the instruction's by
  // default, appends the operation to the block, and binds the instruction to the results. Fails for types that
  // StableHLO lacks.
  Status Finish(Operation operation) const { return Finish(std::move(operation), instruction.shape); }
  Status Finish(Operation operation, const Shape& shape) const;
};

using RaiseFunction = Status(const Raising& raising);

// A row of the table: an op of HLO, its operation, and the function that translates it.
struct HloRow {
  std::string_view op;         // of HLO
  std::string_view operation;  // of StableHLO or CHLO
  RaiseFunction* raise = nullptr;
  std::array<AttributeName, 2> computations = {};  // each becomes a region
};

// Returns the row of an op of HLO; nothing if neither StableHLO nor CHLO has an equivalent.
std::optional<HloRow> FindHloRow(std::string_view op);

// Adds an attribute.
void Set(Operation& operation, std::string_view name, Attribute value);
Attribute Number(std::int64_t value, PrimitiveType type = S64);
Attribute Numbers(std::span<const std::int64_t> values);
Attribute Flags(const std::vector<bool>& values);
// Returns the elements of a tensor: dense<[1, 2]> : tensor<2xi64>.
DenseElements WholeNumbers(std::span<const std::int64_t> values, std::vector<std::int64_t> dimensions);
// Returns rows of equal length: dense<[[1, 2], [0, 0]]> : tensor<2x2xi64>.
Attribute RowsOf(const std::vector<Int64List>& rows, std::int64_t width);
// Returns #stablehlo<comparison_direction EQ>.
Attribute Word(std::string_view enumeration, std::string_view word);
// Returns #stablehlo.NAME<FIELD = VALUE, ...>.
Attribute Fields(std::string_view name, std::vector<NamedAttribute> fields);
// Returns the dimension numbers of a gather or a scatter: the lists that are not empty, and index_vector_dim.
std::vector<NamedAttribute> IndexNumbers(const HloInstruction& instruction, std::span<const AttributePair> numbers);
// The window of an instruction as StableHLO has it: lists of one entry for each dimension. An instruction without one
// has a window of scalars.
struct WindowLists {
  Int64List sizes, strides, base_dilations, window_dilations;
  std::vector<Int64List> padding;
  std::vector<bool> reversal;
};
WindowLists WindowOf(const HloInstruction& instruction);
// Fails if bits become truth values or the other way round: HLO's pred takes a byte, MLIR's i1 a bit.
RaiseFunction CheckBits;

RaiseFunction RaiseDirectly, RaiseBitcastConvert, RaiseCompare, RaiseConstant, RaiseConvert;

RaiseFunction RaiseBitcast, RaiseDynamicSlice, RaiseDynamicUpdateSlice, RaiseGather, RaisePad, RaiseReshape, RaiseSlice;

RaiseFunction RaiseMap, RaiseScatter, RaiseWindowed;

RaiseFunction RaiseConvolution, RaiseDot, RaiseRaggedDot;

RaiseFunction RaiseRng, RaiseRngBitGenerator, RaiseTopK;

RaiseFunction RaiseCall, RaiseConditional, RaiseCustomCall, RaiseFirstOperand, RaiseGetTupleElement, RaiseTuple;

RaiseFunction RaiseAllToAll, RaiseCollective, RaiseCollectiveBroadcast, RaiseCollectiveOfOne;

}  // namespace assay::stablehlo
