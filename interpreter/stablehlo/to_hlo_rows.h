// The table from the operations of StableHLO to the functions that translate them, and back.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/stablehlo/attribute_pairs.h"
#include "interpreter/stablehlo/to_hlo_translator.h"

namespace assay::stablehlo {

struct OpRow;

// The translation of one operation, with the instructions of its operands.
struct Lowering {
  Translator& translator;
  const Operation& operation;
  const OpRow& row;
  std::vector<HloInstruction*> operands;
  // Instead of those of the operation's types; empty: not known. More than its results are a tuple that begins with
  // them.
  std::vector<Shape> result_shapes = {};

  AttributeReader attributes() const { return AttributeReader(operation); }
  Error Illegal(std::string_view message) const { return IllegalAt(operation, message); }
  Error Unsupported(std::string_view message) const { return UnsupportedAt(operation, message); }
  // Returns the shape of one result, of each result, and of all: a tuple unless there is only one. Dimensions of
  // unknown size get those of an operand of the same rank; Translator infers the right ones after the lowering.
  Result<Shape> ResultShape(std::size_t index = 0) const;
  Result<std::vector<Shape>> ResultShapes() const;
  Result<Shape> ResultsShape() const;
  // Adds an instruction with the shapes of the results and binds them to it. The op is the row's HLO op, or `op`.
  Result<HloInstruction*> AddResult() const;
  Result<HloInstruction*> AddResult(std::string_view op, std::vector<HloInstruction*> arguments) const;
  Result<HloComputation*> LowerRegion(std::size_t index) const;
  // Returns the same with operands of the element types of a computation's parameters: those of a fold may be
  // promoted, first to last and from the first one on again. The operand `indices` has no parameter.
  Lowering Promoted(const HloComputation& body, std::size_t indices = -1) const;
  // Returns `count` operands from `first` on.
  std::vector<HloInstruction*> OperandsFrom(std::size_t first, std::size_t count) const;
  // Returns the numbers of an operand that is a constant, or in an unbounded program a known value.
  Result<Int64List> ConstantOperand(std::size_t index) const;
  // Returns the shape of a result's type, whose unknown sizes are the numbers of an operand.
  Result<Shape> SizedShape(const Type& type, std::size_t operand) const;
  // Returns the same with this shape for the only result.
  Result<Lowering> WithResultSizes(std::size_t operand) const;
};

using LowerFunction = Status(const Lowering& lowering);

struct Raising;

using RaiseFunction = Status(const Raising& raising);

inline constexpr int kAnyCount = -1;

struct OpRow {
  std::string_view name;
  LowerFunction* lower = nullptr;
  const char* op = "";  // the HLO op, if the operation becomes one instruction
  int operands = kAnyCount, results = 1, regions = 0;
  // The way back, if the operation stands for the HLO op; each computation of the instruction becomes a region.
  RaiseFunction* raise = nullptr;
  std::array<AttributeName, 2> computations = {};
};

std::vector<Shape> ShapesOf(const std::vector<HloInstruction*>& instructions);
// Returns the elements of integers.
Int64List NumbersOf(const Literal& literal);
// Returns null if there is no operation of this name.
const OpRow* FindRow(std::string_view name);
// Returns the operation of StableHLO that stands for an HLO op, and its row; null if there is none.
const std::pair<const std::string, OpRow>* FindRaisedRow(std::string_view op);
// Returns the error of an unknown operation, with the nearest known name.
Error UnknownOperation(const Operation& operation);
Status CheckCounts(const Operation& operation, const OpRow& row);

}  // namespace assay::stablehlo
