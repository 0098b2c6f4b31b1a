// The acceptance of an op: the judgement of a backend's results (docs/verdicts.md). A record names the rule and the
// facts about an instruction that the rule queries, because no rule knows the attributes of an op.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
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
  // Does the same for each element of arrays of one dimension, and takes less time; nullopt unless every instruction is
  // element-wise. An element may be open here and decided by Call, since some facts are those of a whole array.
  virtual std::optional<ValueSet> CallOnArrays(const HloComputation& computation, std::vector<ValueSet> arguments) = 0;
  // Evaluates the instruction on these operands. Its element types may differ from those of the op's instruction.
  virtual Literal Evaluate(const HloInstruction& instruction, std::vector<Literal> operands) = 0;
  // Does the same with f64 for every real type, also in called computations. Returns nullopt if there is no value in
  // f64.
  virtual std::optional<Literal> EvaluateInF64(const HloInstruction& instruction, std::vector<Literal> operands) = 0;
  // Returns the op that a called computation applies to its two parameters; null if it computes anything else.
  virtual const Op* FoldedOp(const HloInstruction& instruction) = 0;
  // True if the signs of zeros are not significant to the instruction.
  virtual bool IgnoresZeroSign(const HloInstruction& instruction) = 0;
};

// Returns the set of exact results, before rounding, for all operands in the given sets. `value` is the result on the
// operands' values. Elements that depend on decided ones only may be omitted.
using SetImage = std::shared_ptr<const OpenElements> (*)(const HloInstruction&, std::span<const ValueSet> operands,
                                                         const Literal& value, SetEvaluation&);

class SumTerms;  // common/sum_terms.h

// The facts about an op that judging needs besides its rule and its set. A row lists the traits of its op.
enum class Trait : std::uint32_t {
  kNone = 0,
  kRounds = 1 << 0,        // rounds, but is neither a fold nor a function: a conversion, or an iota
  kConverts = 1 << 1,      // represents its operand's numbers in another type
  kKeepsBits = 1 << 2,     // only gives the bits of its operand another type
  kAddsTerms = 1 << 3,     // sums of the operands, up to their signs: a chain may be added in any order
  kKeepsTerms = 1 << 4,    // moves numbers or changes their signs: an unrounded product stays unrounded
  kReplacesPart = 1 << 5,  // operand 0 with a part replaced by operand 1; the other operands say which part
  kFolds = 1 << 6,         // combines any number of elements by the computation that it calls
  kOrderMatters = 1 << 7,  // a fold by this op alone depends on the order, though no step rounds
  kIsIncreasing = 1 << 8,  // a fold by this op alone increases with each of its operands
  // Has steps, poles or an end of its domain: a small error of an operand may become a large one of the result, or NaN.
  kJumps = 1 << 9,
  kMakesSubnormals = 1 << 10,  // the exact result may be subnormal although no operand is
  kStartsFromArray = 1 << 11,  // a fold that starts from the elements of operand 0, an array of the result's shape
  kDivides = 1 << 12,          // a compiler may multiply by the reciprocals of operand 1
  kDrawsBits = 1 << 13,        // by an algorithm that it names
  kChooses = 1 << 14           // returns one of its operands' numbers in each element
};
constexpr Trait operator|(Trait a, Trait b) {
  return static_cast<Trait>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}

// The order of a fold, and the part of its operands in it.
struct FoldFacts {
  // True if the instruction folds in one order only, so that every step rounds. Null: it folds in any order.
  bool (*has_fixed_order)(const HloInstruction&) = nullptr;
  // The operand whose elements are only compared to choose among the terms; -1: none.
  int compared_operand = -1;

  bool IsInOneOrder(const HloInstruction& fold) const { return has_fixed_order != nullptr && has_fixed_order(fold); }
};

// Returns the properties of a backend's result.
using PropertiesFunction = PropertyReport (*)(const HloInstruction&, std::span<const Literal> operands,
                                              const Literal& want, const Literal& got);
// Returns the error bound of each element of a backend's result, as f64 arrays of the result's dimensions; infinite if
// no number bounds it.
using ErrorBoundFunction = Literal (*)(const HloInstruction&, std::span<const Literal> operands);
// Returns the algorithm of the sums of an instruction; nullopt if it names none.
using AlgorithmFunction = std::optional<SumAlgorithm> (*)(const HloInstruction&);
using TransformFunction = DiscreteTransform (*)(const HloInstruction&);
using RowOrderFunction = RowOrder (*)(const HloInstruction&);
using DistributionFunction = Distribution (*)(const HloInstruction&);

// The facts that the rule of an op queries: the range that no approximation may leave, for kUlp of real operands; the
// order, for kCalled; a function of the instruction, for kProperties, kDerived, kSum, kTransform, kUnordered and
// kStatistical.
using RuleFacts = std::variant<std::monostate, FunctionRange, FoldFacts, PropertiesFunction, ErrorBoundFunction,
                               AlgorithmFunction, TransformFunction, RowOrderFunction, DistributionFunction>;

// Tests an element of one array of a result.
using ElementTest = std::function<bool(std::int64_t element)>;

// The elements that the specification leaves open: other values than the reference's are SPEC-GAP (docs/spec_gaps.md).
struct SpecificationGap {
  // Evaluates a fold in the opposite order, if the order is open. Elements that differ between both are undecided.
  EvaluateFunction in_opposite_order = nullptr;
  // The bodies for other readings of an ambiguous specification, or of one that XLA contradicts; none for most
  // instructions. `otherwise` names the ambiguity. Elements that agree with one of the bodies are SPEC-GAP.
  std::span<const EvaluateFunction> (*other_readings)(const HloInstruction&) = nullptr;
  std::string_view otherwise = {};
  // Returns a test for the elements of a leaf of the result that are the implementation's choice, null if none is. The
  // arguments must outlive the test.
  ElementTest (*implementation_defined)(const HloInstruction&, std::span<const Literal> operands,
                                        std::size_t leaf) = nullptr;
  // Returns a test for the values of these elements; null if any value is lawful. `want` is the leaf of the reference's
  // result.
  ValueTest (*allows)(const HloInstruction&, std::span<const Literal> operands, const Literal& want,
                      std::size_t leaf) = nullptr;
  // True if an operand is not what an attribute says of it. The freedom `assumption` then opens the result.
  bool (*breaks_assumption)(const HloInstruction&, std::span<const Literal> operands) = nullptr;
};

// The other forms in which compilers compute an instruction.
struct CompiledForms {
  // True if an instruction of one operand returns every operand unchanged. A compiler may elide such an instruction.
  bool (*gives_operand)(const HloInstruction&) = nullptr;
  // True if compilers multiply in the result's type: a power by a whole number, or the conversion of a product of
  // widened numbers back to their type.
  bool (*is_product)(const HloInstruction&) = nullptr;
  // Returns the function by whose result a compiler may multiply: x / sqrt(y) becomes x * rsqrt(y). Null: none.
  const Op* (*multiplies_by)(const HloInstruction&) = nullptr;
};

struct OpAcceptance {
  const Op* op = nullptr;

  Acceptance rule = Acceptance::kExact;
  // The rule for complex operands, if only real ones are exact.
  Acceptance complex_rule = Acceptance::kExact;
  // The rule of a fold by this op alone (reduce, scatter, ...). kCalled: it rounds in ways without a derived bound.
  Acceptance folded = Acceptance::kExact;
  RuleFacts facts = {};
  // For results that are sums of products: returns the terms of a leaf of the result; nullopt if they are unknown.
  std::optional<SumTerms> (*terms)(const HloInstruction&, std::span<const Literal> operands,
                                   std::size_t leaf) = nullptr;
  // True if the instruction does not read the value of an operand, as the types show: in other types it counts as ones.
  bool (*is_unread)(const HloInstruction&, std::size_t operand) = nullptr;
  SpecificationGap gap = {};

  // Maps open operands to the set of exact results. Null: the result may be anything.
  SetImage image = nullptr;
  // Propagates sets through an op that computes nothing itself, including rounding and freedoms.
  ValueSet (*walk)(const HloInstruction&, std::span<const ValueSet> operands, SetEvaluation&) = nullptr;
  // Does the same for an op that applies a computation to single elements, or step by step in one order. Called if the
  // rule is kCalled or an operand is open. Returns nullopt if the steps are too many or say too little.
  std::optional<ValueSet> (*steps)(const HloInstruction&, std::span<const ValueSet> operands, const Literal& value,
                                   SetEvaluation&) = nullptr;
  Trait traits = Trait::kNone;
  // The operands that choose which elements of the other operands are returned: a bit for each. If one is open, so is
  // the choice.
  std::uint32_t selectors = 0;
  CompiledForms forms = {};

  bool Has(Trait trait) const { return (static_cast<std::uint32_t>(traits) & static_cast<std::uint32_t>(trait)) != 0; }
  // Returns the facts of a type: those of another rule are null, or say nothing.
  template <class Facts>
  Facts Fact() const {
    return std::holds_alternative<Facts>(facts) ? std::get<Facts>(facts) : Facts();
  }
  // True for an op that only runs the computations that it calls: a call, a branch or a loop.
  bool RunsComputations() const { return rule == Acceptance::kCalled && steps == nullptr && !Has(Trait::kFolds); }
  Acceptance RuleForComplex() const { return rule == Acceptance::kExact ? complex_rule : rule; }
};

// Returns every row of the table of acceptance: one for each op.
std::vector<const OpAcceptance*> AllAcceptances();
// Returns the row of an op in the table of acceptance. Finds it by name, so that a copy of a record has the row of the
// op. An op without a row (in tests) is judged as exact.
const OpAcceptance& AcceptanceOf(const Op& op);
inline const OpAcceptance& AcceptanceOf(const HloInstruction& instruction) { return AcceptanceOf(*instruction.op); }
// Returns SpecificationGap::other_readings of an instruction.
inline std::span<const EvaluateFunction> OtherReadingsOf(const HloInstruction& instruction) {
  const auto readings = AcceptanceOf(instruction).gap.other_readings;
  return readings == nullptr ? std::span<const EvaluateFunction>() : readings(instruction);
}
// Returns a copy of the record of an op, evaluated by another body.
Op WithBody(const Op& op, EvaluateFunction body);

}  // namespace assay
