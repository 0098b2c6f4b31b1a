// The translation from HLO: its state (the block under construction, the values of instructions, the functions of
// called computations), the table of ops, and builders of attributes.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interpreter/hlo/names.h"
#include "interpreter/stablehlo/to_hlo_rows.h"

namespace assay::stablehlo {

// The values of one instruction: one for each leaf of its shape.
using Leaves = std::vector<ValueId>;

class Raiser {
 public:
  // The module must outlive this object.
  explicit Raiser(const HloModule& module) : module_(module) {}
  // Translates the module. Fails as FromHlo does (from_hlo.h).
  Result<Program> Raise();

  // Creates a value for each leaf of a shape. Fails with kUnsupported, at `user`, for a type that StableHLO lacks.
  Result<std::vector<Value>> NewValues(const HloInstruction& user, const Shape& shape);
  // Appends an operation to the current block.
  void Append(Operation operation) { block_->operations.push_back(std::move(operation)); }
  const Leaves& LeavesOf(const HloInstruction& instruction) const { return values_->at(&instruction); }
  void Bind(const HloInstruction& instruction, Leaves leaves) { (*values_)[&instruction] = std::move(leaves); }

  // Translates a computation to a region whose block has an argument for each leaf of a parameter.
  Result<Region> RegionOf(const HloComputation& computation);
  // Translates a branch to a region without arguments. `captured` has the leaves of the branch's parameter: values of
  // the enclosing block.
  Result<Region> BranchOf(const HloComputation& computation, const Leaves& captured);
  // Returns the name of the function of a computation, and translates the computation at the first call.
  Result<std::string> FunctionOf(const HloComputation& computation);

 private:
  using Values = std::unordered_map<const HloInstruction*, Leaves>;

  Result<Operation> Function(const HloComputation& computation, const std::string& name);
  Result<std::vector<Value>> AddArguments(const HloComputation& computation, Values& values);
  // Fills a block with the instructions of a computation. `end` is the name of the terminator. Returns the
  // terminator's operands.
  Result<Leaves> Fill(Block& block, const HloComputation& computation, Values values, std::string_view end);
  Status RaiseInstruction(const HloInstruction& instruction);

  const HloModule& module_;
  Block* block_ = nullptr;
  Values* values_ = nullptr;
  ValueId next_ = 0;
  NameUniquer names_;
  std::map<const HloComputation*, std::string> functions_;
  std::vector<Operation> made_;  // private functions, callees first
  std::vector<Type> types_;      // by id of the value
};

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
// Sets the lists and the padding of an operation to the window's numbers. An instruction without a window has one of
// scalars.
void SetWindowLists(Operation& operation, const HloInstruction& instruction, std::span<const WindowList> lists);
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
