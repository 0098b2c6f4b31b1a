// The state of one translation from HLO: the block under construction, the values of instructions, and the functions of
// called computations.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/names.h"
#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

// The values of one instruction: one for each leaf of its shape.
using Leaves = std::vector<ValueId>;

// Returns the number of leaves: arrays and tokens.
std::size_t LeafCount(const Shape& shape);

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

}  // namespace assay::stablehlo
