// Facts about an instruction, a leaf of its result and an element of the leaf. The pipeline of lawful_results.cc and
// the freedoms' stages in it read them. They are computed once and do not change.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/operand_facts.h"

namespace assay {

// A freedom that the profile opens for an instruction.
struct OpenWidening {
  std::uint32_t bit;
  const FreedomWidening& widening;
};

struct InstructionFacts {
  // All arguments must outlive this object. The operands of `instruction` are not read.
  InstructionFacts(const JudgedInstruction& instruction, std::span<const ValueSet> operands);
  InstructionFacts(const InstructionFacts&) = delete;
  InstructionFacts& operator=(const InstructionFacts&) = delete;

  const HloInstruction& hlo;
  const OpAcceptance& acceptance;  // of its op
  const std::span<const ValueSet> operands;
  const bool is_exact;                      // by its rule
  const bool is_sum;                        // by its rule
  const bool is_elementwise;                // its op has a kernel
  const bool is_product;                    // of its operands
  const bool is_quotient;                   // that may be a product with a reciprocal
  const bool rounds;                        // rounds to the type of the result; otherwise moves numbers
  const std::vector<OpenWidening> open;     // in the order of the list of freedoms
  const std::vector<Literal> reach;         // the operands' values; largest magnitudes for open ones, if they are read
  const std::vector<Literal> finite_reach;  // of the operands of a sum
  const OperandFacts operand_facts;
  // For a product: the most factors that nested multiplications multiply. A reciprocal is rounded and counts twice.
  const double factor_count;
  // True for a sum of products that has subnormal factors and infinite ones.
  const bool mixes_subnormals_and_infinities;
  const std::uint32_t rule_bits;  // the reasons why an inexact rule's results are LEGAL, as bits of ValueSet::freedoms
  const JudgedInstruction judged;
  const std::unique_ptr<AcceptanceRule> rule;
};

struct LeafFacts {
  const InstructionFacts& instruction;
  const Literal& value;         // the reference's result
  const OpenElements* image;    // the exact results of open operands; null: all results are decided
  std::span<const double> own;  // the components of `value` as numbers
  PrimitiveType type;
  PrimitiveType part_type;  // of a component
  const Literal* terms;     // ValueSet::terms of the leaf's own set, and their number
  double term_count, term_quantum;
  const OpenElements* factors;  // ValueSet::factors
  const Literal* start_errors;  // ValueSet::start_errors
  std::uint32_t unrounded;      // bits of the freedoms by which elements may pass unrounded to the next instruction

  bool IsOpen(std::int64_t element) const;
};

LeafFacts MakeLeafFacts(const InstructionFacts& instruction, const Literal& value, std::span<const double> own,
                        const OpenElements* image, const ValueSet& set);

// A component of an element of a leaf.
struct ElementFacts {
  const LeafFacts& leaf;
  const Place& place;
  int part;                // 0, or 1 for an imaginary part
  std::int64_t component;  // of the leaf
  Reals own;               // the reference's result
  bool is_open;
  bool is_moved;                // open, and not rounded
  Reals image;                  // for an open element: its exact results
  std::optional<double> exact;  // for a decided element: its value by ResultInF64, if it was computed
};

ElementFacts MakeElementFacts(const LeafFacts& leaf, const Place& place, int part, const Literal* exact);

// Returns component `component` of open elements, which belongs to element `element`.
Reals RealsAt(const OpenElements& open, std::int64_t component, std::int64_t element);

// True if an instruction moves numbers, negates them or returns its operand (Trait::kKeepsTerms,
// CompiledForms::gives_operand). An unrounded product stays unrounded in its result.
bool KeepsTerms(const HloInstruction& instruction);

// True if compilers compute an instruction of another op as a multiplication (CompiledForms::is_product).
bool IsComputedAsProduct(const HloInstruction& instruction);

// True for a division of real numbers that may be a product with a reciprocal.
bool IsQuotient(const JudgedInstruction& judged);

// Writes the magnitudes of the terms of a sum on these operands, and their number, to the set of a leaf. An operand's
// element stands for so many terms.
void CountTerms(const InstructionFacts& sum, std::span<const Literal> operands, double terms_each, ValueSet& leaf);

// The magnitudes of powers of two.
struct Scales {
  double least, largest;
};
// Returns the factors of a multiplication by powers of two, and zeros; nullopt for another instruction. An unrounded
// operand stays unrounded: XLA turns p * 2 + c * 2 into (p + c) * 2, and LLVM p times a predicate into a choice.
std::optional<Scales> ScalesOf(const InstructionFacts& instruction);

}  // namespace assay
