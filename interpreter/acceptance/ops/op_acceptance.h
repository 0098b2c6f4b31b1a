// The acceptance of an op: the judgement of a backend's results (docs/verdicts.md). A record names the rule and the
// facts about an instruction that the rule queries, because no rule knows the attributes of an op.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/ops/sum_algorithm.h"
#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"

namespace assay {

// One enumerator for each rule in interpreter/acceptance/meson.build; interpreter/acceptance/rules/ has a file for
// each.
enum class Acceptance {
#define ASSAY_RULE(name, enumerator) k##enumerator,
#include "interpreter/acceptance/ops/rule_list.inc"
#undef ASSAY_RULE
};

// The range of a real function.
struct FunctionRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// A property that defines a result whose bits are unspecified, such as A = Q R.
struct Property {
  std::string_view name;
  double share = 0;  // of its allowance that the result uses; violated if above 1 or NaN
};

struct PropertyReport {
  std::vector<Property> properties;
  std::string_view open;  // not empty: the reason why the specification does not decide this result
};

// A Fourier transform over the last dimensions.
struct DiscreteTransform {
  std::span<const std::int64_t> lengths;
  bool is_inverse = false;
};

// Rows along a dimension, ordered by a computation. Its parameters 2i and 2i + 1 are elements of operand i.
struct RowOrder {
  std::int64_t dimension = 0;
  bool is_stable = false;
  const HloComputation* comparator = nullptr;
};

// Operands 0 and 1 are the inclusive lower and exclusive upper end of the interval, or the mean and the deviation.
enum class Distribution { kUniform, kNormal };

// The functions that an op may call to map sets of operands to the set of its results.
class SetEvaluation {
 public:
  virtual ~SetEvaluation() = default;
  virtual ValueSet Call(const HloComputation& computation, std::vector<ValueSet> arguments) = 0;
  // Evaluates the instruction on these operands. Its element types may differ from those of the op's instruction.
  virtual Literal Evaluate(const HloInstruction& instruction, std::vector<Literal> operands) = 0;
  // Does the same with f64 for every real type, also in called computations. Returns nullopt if there is no value in
  // f64.
  virtual std::optional<Literal> EvaluateInF64(const HloInstruction& instruction, std::vector<Literal> operands) = 0;
  // Returns the op that a called computation applies to its two parameters; null if it computes anything else.
  virtual const Op* FoldedOp(const HloInstruction& instruction) = 0;
};

// Returns the set of exact results, before rounding, for all operands in the given sets. `value` is the result on the
// operands' values. Elements that depend on decided ones only may be omitted.
using SetImage = std::shared_ptr<const OpenElements> (*)(const HloInstruction&, std::span<const ValueSet> operands,
                                                         const Literal& value, SetEvaluation&);

class SumTerms;  // common/sum_terms.h

struct OpAcceptance {
  const Op* op = nullptr;

  Acceptance rule = Acceptance::kExact;
  // The rule for complex operands, if only real ones are exact.
  Acceptance complex_rule = Acceptance::kExact;
  // The rule of a fold by this op alone (reduce, scatter, ...). kCalled: it rounds in ways without a derived bound.
  Acceptance folded = Acceptance::kExact;

  // Evaluates a fold in the opposite order, if the specification leaves the order open. Elements that differ between
  // the two orders are undecided.
  EvaluateFunction in_opposite_order = nullptr;
  // The bodies for other readings of an ambiguous specification, or of one that XLA contradicts; none for most
  // instructions. `otherwise` names the ambiguity. Elements that agree with one of the bodies are SPEC-GAP.
  std::span<const EvaluateFunction> (*other_readings)(const HloInstruction&) = nullptr;
  std::string_view otherwise = {};
  // True if the specification leaves an element of a leaf of the result to the implementation: any other value is
  // SPEC-GAP. Null: it leaves none.
  bool (*is_implementation_defined)(const HloInstruction&, std::span<const Literal> operands, std::size_t leaf,
                                    std::int64_t element) = nullptr;

  // Maps open operands to the set of exact results. Null: the result may be anything.
  SetImage image = nullptr;
  // Propagates sets through an op that computes nothing itself, including rounding and freedoms.
  ValueSet (*walk)(const HloInstruction&, std::span<const ValueSet> operands, SetEvaluation&) = nullptr;
  // Does the same for an op that applies a computation to single elements, or step by step in one order. Called if the
  // rule is kCalled or an operand is open. Returns nullopt if the steps are too many or say too little.
  std::optional<ValueSet> (*steps)(const HloInstruction&, std::span<const ValueSet> operands, const Literal& value,
                                   SetEvaluation&) = nullptr;
  // True if the op rounds but is neither a fold nor a function: a conversion, or a number that its type may lack.
  bool rounds = false;
  // True if results are sums of the operands, up to their signs: a chain of such ops may be added in any order.
  bool adds_terms = false;
  // True if the op moves real numbers, or changes their signs: an unrounded product stays unrounded in its result.
  bool keeps_terms = false;
  // The operands that choose which elements of the other operands are returned: a bit for each. If one is open, so is
  // the choice.
  std::uint32_t selectors = 0;
  // True if the result is operand 0 with a part replaced by operand 1. The other operands say which part.
  bool replaces_part = false;
  // True if an instruction of one operand returns every operand unchanged. A compiler may elide such an instruction.
  bool (*gives_operand)(const HloInstruction&) = nullptr;
  // True for an instruction of another op that compilers compute as a multiplication of the result's type: a power by a
  // whole number, or the conversion of a product of widened numbers back to their type.
  bool (*is_product)(const HloInstruction&) = nullptr;
  // Returns the function by whose result a compiler may multiply instead: x / sqrt(y) becomes x * rsqrt(y). Null: none.
  const Op* (*multiplies_by)(const HloInstruction&) = nullptr;
  // True if the op represents its operand's numbers in another type.
  bool converts = false;
  // True if the op only gives the bits of its operand another type.
  bool keeps_bits = false;
  // True if the op combines any number of elements by the computation that it calls.
  bool folds = false;
  // True if the result of a fold by this op alone depends on the order, though no step rounds.
  bool order_matters = false;
  // True if a fold by this op alone increases with each of its operands.
  bool is_increasing = false;
  // True if the function has steps or poles: a small error of an operand may become a large one of the result.
  bool jumps = false;
  // The exact result may be subnormal although no operand is.
  bool makes_subnormals = false;

  // The facts about an instruction that the rules query.
  // kUlp, for real operands: the range that no approximation may leave, however close it is to the exact value.
  FunctionRange range = {};
  // kProperties: returns the properties of a backend's result.
  PropertyReport (*properties)(const HloInstruction&, std::span<const Literal> operands, const Literal& want,
                               const Literal& got) = nullptr;
  // kDerived: returns the error bound of each element of a backend's result, as f64 arrays of the result's dimensions;
  // infinite if no number bounds it.
  Literal (*error_bound)(const HloInstruction&, std::span<const Literal> operands) = nullptr;
  // kSum: returns the algorithm of an instruction; nullopt if it names none.
  std::optional<SumAlgorithm> (*sum_algorithm)(const HloInstruction&) = nullptr;
  // For results that are sums of products: returns the terms of a leaf of the result; nullopt if they are unknown.
  std::optional<SumTerms> (*terms)(const HloInstruction&, std::span<const Literal> operands,
                                   std::size_t leaf) = nullptr;
  // True if the instruction does not read the value of an operand, as the types show: in other types it counts as ones.
  bool (*is_unread)(const HloInstruction&, std::size_t operand) = nullptr;
  // kTransform.
  DiscreteTransform (*transform)(const HloInstruction&) = nullptr;
  // kUnordered.
  RowOrder (*row_order)(const HloInstruction&) = nullptr;
  // kStatistical.
  Distribution (*distribution)(const HloInstruction&) = nullptr;
  // kCalled: true if the instruction folds in one order only, so that every step rounds. Null: it folds in any order.
  bool (*has_fixed_order)(const HloInstruction&) = nullptr;
  // kCalled: the operand whose elements are only compared to choose among the terms of a fold; -1: none.
  int compared_operand = -1;

  Acceptance RuleForComplex() const { return rule == Acceptance::kExact ? complex_rule : rule; }
};

// Returns every row of the table of acceptance: one for each op.
std::vector<const OpAcceptance*> AllAcceptances();
// Returns the row of an op in the table of acceptance. Finds it by name, so that a copy of a record has the row of the
// op. An op without a row (in tests) is judged as exact.
const OpAcceptance& AcceptanceOf(const Op& op);
inline const OpAcceptance& AcceptanceOf(const HloInstruction& instruction) { return AcceptanceOf(*instruction.op); }
// Returns OpAcceptance::other_readings of an instruction.
inline std::span<const EvaluateFunction> OtherReadingsOf(const HloInstruction& instruction) {
  const auto readings = AcceptanceOf(instruction).other_readings;
  return readings == nullptr ? std::span<const EvaluateFunction>() : readings(instruction);
}
// Returns a copy of the record of an op, evaluated by another body.
Op WithBody(const Op& op, EvaluateFunction body);

}  // namespace assay
