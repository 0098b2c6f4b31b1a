// Mutation operators. Each makes one fault of every op, attribute, operand and type to which it applies, by reading the
// op's record. No operator knows an op. The id of a mutant is OPERATOR.OP.DETAIL.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backends/mutant/mutant.h"

namespace assay {

// Returns the mutants of all operators, sorted by id.
const std::vector<Mutant>& OperatorMutants();
// Returns the names of the operators, sorted.
std::vector<std::string_view> OperatorNames();

// A collector of the mutants of one op.
class MutantList {
 public:
  explicit MutantList(const Op& op, std::vector<Mutant>& mutants) : op_(op), mutants_(mutants) {}
  const Op& op() const { return op_; }
  using Rewrite = std::function<bool(HloInstruction&)>;
  void Add(std::string_view made_by, std::string_view detail, std::string rule, Rewrite rewrite);
  // Adds a mutant that changes attributes or operands through EditInstruction.
  void AddEdit(std::string_view made_by, std::string_view detail, std::string rule, Rewrite edit);

 private:
  const Op& op_;
  std::vector<Mutant>& mutants_;
};

// Changes the attribute's value, or its default if the instruction does not have the attribute.
template <class T>
MutantList::Rewrite Change(const AttributeSpec& spec, std::function<void(T&)> change) {
  return [name = spec.name, if_absent = spec.default_value, change = std::move(change)](HloInstruction& instruction) {
    const T* value = instruction.Find<T>(name);
    if (value == nullptr) value = std::get_if<T>(&if_absent);
    if (value == nullptr) return false;
    T changed = *value;
    change(changed);
    if (changed == *value) return false;
    instruction.Set(name, std::move(changed));
    return true;
  };
}

// A way to change an attribute. The rule of the mutant is the attribute's name, followed by `what`.
template <class T>
struct Variant {
  std::string_view made_by, what;
  void (*change)(T&);
};

// Changes of lists.
template <auto kChange, class List>
void IfAny(List& list) {
  if (!list.empty()) kChange(list);
}
template <class List>
void Reverse(List& list) {
  std::ranges::reverse(list);
}
template <class List>
void Turn(List& list) {
  if (list.size() > 1) std::rotate(list.begin(), list.begin() + 1, list.end());
}

template <class T>
void AddVariants(MutantList& mutants, const AttributeSpec& spec, const std::vector<Variant<T>>& variants) {
  for (const Variant<T>& variant : variants) {
    mutants.AddEdit(variant.made_by, spec.name, std::string(spec.name.text()).append(variant.what),
                    Change<T>(spec, variant.change));
  }
}

void AddAttributeMutants(MutantList& mutants);  // numbers, flags, words and lists
void AddStructureMutants(MutantList& mutants);  // windows, paddings, slices, labels, groups, computations
void AddOperandMutants(MutantList& mutants);    // the roles of operands, and the meaning of indices
void AddElementMutants(MutantList& mutants);    // special values
void AddPrecisionMutants(MutantList& mutants);  // intermediate types and roundings
void AddPlaceMutants(MutantList& mutants);      // elements by their position, devices, iterations

// Notes why no golden kills the mutant, if that is known.
void MarkEquivalent(Mutant& mutant);

}  // namespace assay
