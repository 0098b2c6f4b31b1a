// Evaluates an instruction on other numbers than its operands, for bounds and explanations.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// Evaluates the instruction in f64, with map(x) in place of each real number x among the operands, and map(real part) +
// map(imaginary part) in place of each complex one. An operand that is only compared (FoldFacts::compared_operand)
// keeps its values: it chooses among terms and is not a term. Returns nullopt if the instruction has no value in f64.
std::optional<Literal> EvaluateInF64(const HloInstruction& instruction, std::span<const Literal> operands,
                                     double (*map)(double));

// Evaluates the instruction in f64, integers too. Returns nullopt if it has no value in f64.
std::optional<Literal> NumbersInF64(const HloInstruction& instruction, std::span<const Literal> operands);

// True if an instruction adds up products of its first two operands, as a dot does.
bool AddsProducts(const HloInstruction& instruction);
// True for a real dot or convolution with integer factors. The integers of other sums are places, which no map of
// numbers may change.
bool MultipliesIntegers(const HloInstruction& instruction);

// Returns the sums of products of two non-negative f64 operands, as f64 numbers with a relative error of at most 2^-24.
// This takes a tenth of the time of f64 sums. Returns nullopt if the range of f32 is too small for them.
std::optional<Literal> QuickSumsOfProducts(const HloInstruction& instruction, std::span<const Literal> operands);

// The result of an instruction to 53 bits, for types that have fewer. Evaluated at the first query.
class ExactResult {
 public:
  // Both arguments must outlive this object.
  ExactResult(const HloInstruction& instruction, std::span<const Literal> operands)
      : instruction_(instruction), operands_(operands), adds_products_(AddsProducts(instruction)) {}

  // Returns component `component` of the leaf at an index, for which the reference has `want`. Returns nullopt for f64
  // and c128, whose exact values are known only rounded, and if the instruction cannot be evaluated in wider types.
  // Sums of products that f32 can hold have 24 bits: the allowances of f32 have room for the rounding to f32, and 53
  // bits cost ten times as much.
  std::optional<double> At(std::span<const std::int64_t> tuple_index, const Literal& want, std::int64_t component);

 private:
  // Returns a sum of products rounded to f32, which the reference has computed if that is its type.
  std::optional<double> InF32(const Literal& want, std::int64_t component);

  const HloInstruction& instruction_;
  std::span<const Literal> operands_;
  const bool adds_products_;
  std::optional<std::optional<Literal>> in_f32_, widened_;
};

// Returns element `offset` of the result of an element-wise instruction to 53 bits, in decimal. Returns an empty string
// if the element is not a real number, if its type has 53 bits itself, or if the value in f64 does not round to `want`.
std::string ExactElement(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
                         std::int64_t offset);

}  // namespace assay
