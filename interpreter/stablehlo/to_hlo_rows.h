// The table from the operations of StableHLO to the functions that translate them.
#pragma once

#include <string_view>
#include <vector>

#include "interpreter/stablehlo/to_hlo_translator.h"

namespace assay::stablehlo {

struct OpRow;

// One operation that is being translated, with the instructions of its operands.
struct Lowering {
  Translator& translator;
  const Operation& operation;
  const OpRow& row;
  std::vector<HloInstruction*> operands;

  AttributeReader attributes() const { return AttributeReader(operation); }
  Error Illegal(std::string_view message) const { return IllegalAt(operation, message); }
  Error Unsupported(std::string_view message) const { return UnsupportedAt(operation, message); }
  // The shape of a result; of all of them: a tuple unless there is one.
  Result<Shape> ResultShape(std::size_t index = 0) const;
  Result<Shape> ResultsShape() const;
  // Adds an instruction of the row's HLO op, or of another one, that has the shapes of the results, and binds these.
  Result<HloInstruction*> AddResult() const;
  Result<HloInstruction*> AddResult(std::string_view op, std::vector<HloInstruction*> arguments) const;
  Result<HloComputation*> LowerRegion(std::size_t index) const;
  // Operands from `first` on.
  std::vector<HloInstruction*> OperandsFrom(std::size_t first, std::size_t count) const;
  // The numbers of an operand that is a constant.
  Result<Int64List> ConstantOperand(std::size_t index) const;
};

inline constexpr int kAnyCount = -1;

struct OpRow {
  std::string_view name;
  Status (*lower)(const Lowering&) = nullptr;
  const char* op = "";  // of HLO, where one instruction is all
  int operands = kAnyCount, results = 1, regions = 0;
  const char* refusal = nullptr;  // why HLO has no such operation
};

// Null if there is no operation of this name.
const OpRow* FindRow(std::string_view name);
// "there is no such operation", with the nearest name of one.
Error UnknownOperation(const Operation& operation);
Status CheckCounts(const Operation& operation, const OpRow& row);

}  // namespace assay::stablehlo
