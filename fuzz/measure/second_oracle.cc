#include "fuzz/measure/second_oracle.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// True if an element of an array of real or complex numbers satisfies the predicate.
template <class Predicate>
bool AnyRealElement(std::span<const Literal> values, const Predicate& predicate) {
  return std::ranges::any_of(values, [&](const Literal& value) {
    if (!value.shape().IsArray() || !IsInexactType(value.element_type()))
      return AnyRealElement(value.elements(), predicate);
    for (std::int64_t i = 0; i < value.element_count(); ++i) {
      if (predicate(value, i)) return true;
    }
    return false;
  });
}

bool IsSubnormalElement(const Literal& value, std::int64_t offset) {
  const int components = ComponentCount(value.element_type());
  for (int c = 0; c < components; ++c) {
    if (IsSubnormal(ComponentAt(value, offset * components + c))) return true;
  }
  return false;
}

// An element that differs.
struct Difference {
  double ulps;
  bool has_not_finite;  // among the operands, or in the wanted element
  bool has_subnormal;
};

struct Row {
  Freedom freedom;
  std::string_view explanation;
  bool (*covers)(const Difference&);
};

bool DiffersBySign(const Difference& difference) { return difference.ulps == 0; }

// In order of precedence. A freedom without a row excuses no element: most concern two instructions, a distance alone
// excuses no sum, and a range narrows the allowance.
constexpr Row kRows[] = {
    {Freedom::kZeroSign, "a zero may have either sign", DiffersBySign},
    {Freedom::kEitherZero, "of two zeros either may be chosen", DiffersBySign},
    {Freedom::kNotFinite, "nothing is said about numbers that are not finite",
     [](const Difference& difference) { return difference.has_not_finite; }},
    {Freedom::kFlush, "subnormal numbers may be zeros",
     [](const Difference& difference) { return difference.has_subnormal; }},
    {Freedom::kUnrepresentable, "nothing is said about numbers that the type does not hold",
     [](const Difference& difference) { return difference.has_not_finite; }},
    {Freedom::kAssumption, "nothing is said about operands that are not what an attribute says",
     [](const Difference&) { return true; }},
};

class SecondOracle {
 public:
  SecondOracle(const HloInstruction& instruction, std::span<const Literal> operands, const Profile& profile)
      : op_(*instruction.op), profile_(profile) {
    const Shape& shape = instruction.operands.empty() ? instruction.shape : instruction.operand(0).shape;
    if (shape.IsArray()) allowance_ = profile.AllowanceOf(op_.name, shape.element_type());
    is_order_open_ = AcceptanceOf(op_).Fact<RowOrderFunction>() != nullptr &&
                     !AcceptanceOf(op_).Fact<RowOrderFunction>()(instruction).is_stable;
    has_subnormal_ = AnyRealElement(operands, IsSubnormalElement);
    has_not_finite_ = AnyRealElement(
        operands, [](const Literal& value, std::int64_t offset) { return !IsFiniteElement(value, offset); });
  }

  std::string Explain(const Literal& want, const Literal& got) const {
    std::string explanation = "nothing differs";
    for (std::size_t i = 0; i < want.elements().size(); ++i) {
      explanation = Explain(want.elements()[i], got.elements()[i]);
      if (explanation.empty()) return {};
    }
    if (!want.shape().IsArray()) return explanation;
    if (is_order_open_) return "the order of ties is open";
    for (std::int64_t i = 0; i < want.element_count(); ++i) {
      if (SameElement(want, got, i)) continue;
      explanation = FreedomExplainingElement(want, got, i);
      if (explanation.empty()) return {};
    }
    return explanation;
  }

 private:
  std::string FreedomExplainingElement(const Literal& want, const Literal& got, std::int64_t offset) const {
    if (!IsInexactType(want.element_type())) return {};
    const bool is_finite = IsFiniteElement(want, offset);
    const Difference difference = {WorstUlps(want, got, offset), has_not_finite_ || !is_finite,
                                   has_subnormal_ || IsSubnormalElement(want, offset)};
    for (const Row& row : kRows) {
      if (profile_.Allows(row.freedom, op_.name) && row.covers(difference)) return std::string(row.explanation);
    }
    const double ulp = IsComplexType(want.element_type()) ? allowance_.ulp : allowance_.UlpAt(NumberAt(want, offset));
    const bool is_near = difference.ulps <= ulp && is_finite && IsFiniteElement(got, offset);
    if (AcceptanceOf(op_).RuleForComplex() == Acceptance::kUlp && is_near)
      return fmt::format("{:g} ULP are allowed", ulp);
    return {};
  }

  const Op& op_;
  const Profile& profile_;
  Allowance allowance_;
  bool is_order_open_ = false, has_subnormal_ = false, has_not_finite_ = false;
};

}  // namespace

std::string FreedomExplaining(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
                              const Literal& got, const Profile& profile) {
  const SumAlgorithm errors = PrecisionErrorsOf(instruction, profile);
  const bool is_less_exact = errors.operand_error > 0 && IsInexactType(want.element_type()) &&
                             errors.operand_error > UnitRoundoff(ComplexComponentType(want.element_type()));
  if (is_less_exact) return std::string(errors.name);
  return SecondOracle(instruction, operands, profile).Explain(want, got);
}

}  // namespace assay
