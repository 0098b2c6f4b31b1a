// An instruction evaluated on other numbers than its operands: what bounds and explanations are made of.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// The instruction in f64, with map(x) in place of each real number x among the operands; of a complex number, map(real
// part) + map(imaginary part). An operand that is only compared (Op::compared_operand) keeps its values: it chooses
// among terms and is none of them. Nothing if the instruction cannot be evaluated in f64.
std::optional<Literal> EvaluateInF64(const HloInstruction& instruction, std::span<const Literal> operands,
                                     double (*map)(double));

// True if an instruction adds up products of its first two operands, as a dot does.
bool AddsProducts(const HloInstruction& instruction);

// The sums of products of two f64 operands without a negative number, as f64 numbers that are off by 2^-24 of
// themselves at most: a rounding to f32 costs a tenth of one to f64. Nothing if f32 has not the range for them.
std::optional<Literal> QuickSumsOfProducts(const HloInstruction& instruction, std::span<const Literal> operands);

// The result of an instruction to 53 bits, for types that have fewer: evaluated when it is first asked for.
class ExactResult {
 public:
  // Both must outlive this.
  ExactResult(const HloInstruction& instruction, std::span<const Literal> operands)
      : instruction_(instruction), operands_(operands) {}

  // Part `component` of an element of a leaf of the type `leaf`. Nothing for f64 and c128, whose exact values are known
  // rounded only, and where the instruction cannot be evaluated in wider types. Sums of products that f32 can
  // hold have 24 bits: the allowances of f32 have room for the rounding to f32, and 53 bits cost ten times as much.
  std::optional<double> At(std::span<const std::int64_t> tuple_index, PrimitiveType leaf, std::int64_t component);

 private:
  const HloInstruction& instruction_;
  std::span<const Literal> operands_;
  std::optional<std::optional<Literal>> in_f32_, widened_;
};

// Element `offset` of the result of an element-wise instruction to 53 bits, in decimal. Empty where the element is no
// real number, where its type has 53 bits itself, and where the value in f64 does not round to the wanted one.
std::string ExactElement(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
                         std::int64_t offset);

}  // namespace assay
