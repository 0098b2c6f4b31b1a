// The acceptance of an op: how the results of a backend are judged (docs/verdicts.md). It names the rule, and answers
// what the rule asks of an instruction, for no rule knows the attributes of an op.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"

namespace assay {

// One for each name in interpreter/acceptance/meson.build; interpreter/acceptance/rules/ has a file for each.
enum class Acceptance {
#define ASSAY_RULE(name, enumerator) k##enumerator,
#include "interpreter/acceptance/ops/rule_list.inc"
#undef ASSAY_RULE
};

// The values that a real function takes.
struct FunctionRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// A property that defines a result whose bits are free: A = Q R, for instance.
struct Property {
  std::string_view name;
  double share = 0;  // how much of its allowance the result uses; above 1, or NaN, it does not have the property
};

struct PropertyReport {
  std::vector<Property> properties;
  std::string_view open;  // not empty: nothing decides this result, and this is why
};

// How a sum of products may be computed other than in the operands' type: operands rounded to a narrower type, or split
// into several numbers of one.
struct SumAlgorithm {
  std::string_view name;
  double operand_error = 0;  // of an operand, relative to it
  double accumulator_roundoff = 0;
  double products = 1;  // added for each product of two operands
};

// A Fourier transform over the last dimensions.
struct DiscreteTransform {
  std::span<const std::int64_t> lengths;
  bool is_inverse = false;
};

// Rows along a dimension, ordered by a computation whose parameters 2i and 2i + 1 are elements of operand i.
struct RowOrder {
  std::int64_t dimension = 0;
  bool is_stable = false;
  const HloComputation* comparator = nullptr;
};

// Operands 0 and 1 are the ends of the interval, the upper one left out; or the mean and the deviation.
enum class Distribution { kUniform, kNormal };

// What an op may ask when it maps sets of operands to the set of its results.
class SetEvaluation {
 public:
  virtual ~SetEvaluation() = default;
  virtual ValueSet Call(const HloComputation& computation, std::vector<ValueSet> arguments) = 0;
  // The instruction's value on these operands; its element types may be others than those of its op's instruction.
  virtual Literal Evaluate(const HloInstruction& instruction, std::vector<Literal> operands) = 0;
  // The same with f64 for every real type, in what it calls too; nothing where it has no value in f64.
  virtual std::optional<Literal> EvaluateInF64(const HloInstruction& instruction, std::vector<Literal> operands) = 0;
  // The op that a called computation applies to its two parameters; null if it does anything else.
  virtual const Op* FoldedOp(const HloInstruction& instruction) = 0;
};

// The set of exact results, before any of them is rounded, of all operands that lie in the given sets; `value` is the
// result on the operands' values. Elements that come from decided ones alone may be left out.
using SetImage = std::shared_ptr<const OpenElements> (*)(const HloInstruction&, std::span<const ValueSet> operands,
                                                         const Literal& value, SetEvaluation&);

class SumTerms;  // common/sum_terms.h

struct OpAcceptance {
  const Op* op = nullptr;

  Acceptance rule = Acceptance::kExact;
  // For complex operands, where only real ones are exact.
  Acceptance complex_rule = Acceptance::kExact;
  // How a fold by this op alone (reduce, scatter, ...) is judged; kCalled: it rounds in ways without a derived bound.
  Acceptance folded = Acceptance::kExact;

  // Where the specification leaves the order of a fold open: what the opposite order gives. Elements in which the two
  // differ are not decided.
  EvaluateFunction in_opposite_order = nullptr;
  // Where the specification can be read in several ways, or says one thing and XLA does another: the bodies that give
  // an instruction's result otherwise, none for most instructions, and what tells them apart. Elements that one of
  // them gives are SPEC-GAP.
  std::span<const EvaluateFunction> (*other_readings)(const HloInstruction&) = nullptr;
  std::string_view otherwise = {};

  // Where operands are not decided. Null: the result may be anything.
  SetImage image = nullptr;
  // Ops that compute nothing themselves: how sets go through them, rounding and freedoms included.
  ValueSet (*walk)(const HloInstruction&, std::span<const ValueSet> operands, SetEvaluation&) = nullptr;
  // It rounds, though it is no fold and no function: a conversion, or a number that its type may lack.
  bool rounds = false;
  // Results are sums of the operands, up to their signs: a chain of them may be added in any order.
  bool adds_terms = false;
  // It moves numbers, or negates them: a product that has not been rounded is still one behind it.
  bool keeps_terms = false;
  // The result is operand 0 with a part of it replaced by operand 1; the other operands say where.
  bool replaces_part = false;
  // Whether an instruction of one operand gives it as it is, whatever it is, and so may be left out.
  bool (*gives_operand)(const HloInstruction&) = nullptr;
  // It combines elements, however many, by the computation that it calls.
  bool folds = false;
  // A fold by this op alone has another result in another order, though no step rounds.
  bool order_matters = false;
  // A fold by this op alone grows with each of its operands.
  bool is_increasing = false;
  // The function jumps: a small error of an operand may come to a large one of the result.
  bool jumps = false;

  // What the rules ask of an instruction.
  // kUlp, for real operands: what no approximation may leave, however near it comes to the exact value.
  FunctionRange range = {};
  // kProperties: those of a backend's result.
  PropertyReport (*properties)(const HloInstruction&, std::span<const Literal> operands, const Literal& want,
                               const Literal& got) = nullptr;
  // kDerived: how far each element of a backend's result may be off, as f64 arrays of the result's dimensions; infinite
  // where no number bounds it.
  Literal (*error_bound)(const HloInstruction&, std::span<const Literal> operands) = nullptr;
  // kSum: nothing where the instruction names no algorithm.
  std::optional<SumAlgorithm> (*sum_algorithm)(const HloInstruction&) = nullptr;
  // Results are sums of products: the terms of a leaf of the result. Nothing where they are not known.
  std::optional<SumTerms> (*terms)(const HloInstruction&, std::size_t leaf) = nullptr;
  // Whether the value of an operand is not read, which the types alone say: in other types it counts as ones.
  bool (*is_unread)(const HloInstruction&, std::size_t operand) = nullptr;
  // kTransform.
  DiscreteTransform (*transform)(const HloInstruction&) = nullptr;
  // kUnordered.
  RowOrder (*row_order)(const HloInstruction&) = nullptr;
  // kStatistical.
  Distribution (*distribution)(const HloInstruction&) = nullptr;
  // kCalled: the instruction folds in one order only, so that every step rounds. Null: in any order.
  bool (*has_fixed_order)(const HloInstruction&) = nullptr;
  // kCalled: the operand whose elements are compared to choose among the terms of a fold, and are none; -1: no operand.
  int compared_operand = -1;

  Acceptance RuleForComplex() const { return rule == Acceptance::kExact ? complex_rule : rule; }
};

// Every row of the table of acceptance: one for each op.
std::vector<const OpAcceptance*> AllAcceptances();
// The row of an op in the table of acceptance, found by name, so that a copy of a record has that of the op. An op
// without a row (a test's) is judged as exact.
const OpAcceptance& AcceptanceOf(const Op& op);
inline const OpAcceptance& AcceptanceOf(const HloInstruction& instruction) { return AcceptanceOf(*instruction.op); }
// OpAcceptance::other_readings of an instruction.
inline std::span<const EvaluateFunction> OtherReadingsOf(const HloInstruction& instruction) {
  const auto readings = AcceptanceOf(instruction).other_readings;
  return readings == nullptr ? std::span<const EvaluateFunction>() : readings(instruction);
}
// The record of an op whose result is that of another body.
Op WithBody(const Op& op, EvaluateFunction body);

}  // namespace assay
