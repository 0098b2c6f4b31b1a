// Facts about an instruction, about a leaf of its result, and about an element of the leaf: what the pipeline of
// lawful_results.cc and the freedoms' stages in it read. They are computed once, and do not change.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/operand_facts.h"
#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/acceptance/rule.h"

namespace assay {

// A freedom that the profile opens for an instruction.
struct OpenWidening {
  std::uint32_t bit;
  const FreedomWidening& widening;
};

struct InstructionFacts {
  // All arguments must outlive this. The operands of `instruction` are not read.
  InstructionFacts(const JudgedInstruction& instruction, std::span<const ValueSet> operands);
  InstructionFacts(const InstructionFacts&) = delete;
  InstructionFacts& operator=(const InstructionFacts&) = delete;

  const HloInstruction& hlo;
  const OpAcceptance& acceptance;  // of its op
  const std::span<const ValueSet> operands;
  const bool is_exact;                   // by its rule
  const bool is_sum;                     // by its rule
  const bool is_elementwise;             // its op has a kernel
  const bool is_product;                 // of its operands
  const bool rounds;                     // to the type of the result; otherwise it moves numbers
  const std::vector<OpenWidening> open;  // in the order of the list of freedoms
  const std::vector<Literal> reach;  // the operands' values; the largest magnitudes of open ones if anything reads them
  const std::vector<Literal> finite_reach;  // of the operands of a sum
  const OperandFacts operand_facts;
  const double factor_count;  // of a product: the factors that nested multiplications multiply at most; otherwise 1
  // A sum of products has subnormal factors and infinite ones.
  const bool mixes_subnormals_and_infinities;
  const std::uint32_t rule_bits;  // why results of a rule that is not exact are LEGAL, as bits of ValueSet::freedoms
  const JudgedInstruction judged;
  const std::unique_ptr<AcceptanceRule> rule;
};

struct LeafFacts {
  const InstructionFacts& instruction;
  const Literal& value;         // what the reference computes
  const OpenElements* image;    // the exact results of open operands; null: all results are decided
  std::span<const double> own;  // the components of `value` as numbers
  PrimitiveType type;
  PrimitiveType part_type;  // of a component
  const Literal* terms;     // ValueSet::terms of the leaf's own set, and how many they are
  double term_count;
  std::uint32_t unrounded;  // bits of the freedoms by which elements may go unrounded into the next instruction

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
  Reals own;               // what the reference computes
  bool is_open;
  bool is_moved;                // open, and not rounded
  Reals image;                  // of an open element: its exact results
  std::optional<double> exact;  // of a decided element: its value in f64, if it was computed
};

ElementFacts MakeElementFacts(const LeafFacts& leaf, const Place& place, int part, const Literal* exact);

// Component `component` of open elements.
Reals RealsAt(const OpenElements& open, std::int64_t component, std::int64_t element);

// True if an instruction moves numbers, negates them or returns its operand (OpAcceptance::keeps_terms, gives_operand):
// an unrounded product is still one behind it.
bool KeepsTerms(const HloInstruction& instruction);

}  // namespace assay
