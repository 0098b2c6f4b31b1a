// Mutation operators: each is one fault that is made of every op, attribute, operand and type to which it applies, by
// reading the op's record. No operator knows an op. The id of what it makes is OPERATOR.OP.DETAIL.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/mutant/mutant.h"

namespace assay {

// All that the operators make, sorted by id.
const std::vector<Mutant>& OperatorMutants();
// Their names, sorted.
std::vector<std::string_view> OperatorNames();

// What collects the mutants of one op.
class MutantList {
 public:
  explicit MutantList(const Op& op, std::vector<Mutant>& mutants) : op_(op), mutants_(mutants) {}
  const Op& op() const { return op_; }
  using Rewrite = std::function<bool(HloInstruction&)>;
  void Add(std::string_view made_by, std::string_view detail, std::string rule, Rewrite rewrite);
  // The change of attributes or operands goes through EditInstruction.
  void AddEdit(std::string_view made_by, std::string_view detail, std::string rule, Rewrite edit);

 private:
  const Op& op_;
  std::vector<Mutant>& mutants_;
};

void AddAttributeMutants(MutantList& mutants);  // numbers, flags, words and lists
void AddStructureMutants(MutantList& mutants);  // windows, paddings, slices, labels, groups, computations
void AddOperandMutants(MutantList& mutants);    // which operand is what, and what an index means
void AddElementMutants(MutantList& mutants);    // special values
void AddPrecisionMutants(MutantList& mutants);  // other types on the way, and other roundings
void AddPlaceMutants(MutantList& mutants);      // elements by where they stand, devices, iterations

// Says of a mutant why no golden kills it, where that is known.
void Excuse(Mutant& mutant);

}  // namespace assay
