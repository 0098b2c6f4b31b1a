// The set of a product of two sets: a dot or a convolution, whose sums of products are linear in each operand.
#include <algorithm>
#include <cmath>
#include <optional>

#include "interpreter/acceptance/ops/common/images.h"

namespace assay {
namespace {

// True if nothing is known of any element.
bool IsUnknown(const ValueSet& set) {
  if (set.open == nullptr || set.value.element_count() == 0) return false;
  const ElementReader reader(set);
  const std::int64_t components = set.value.element_count() * ComponentCount(set.value.element_type());
  for (std::int64_t i = 0; i < components; ++i) {
    const Reals x = reader.At(i);
    if (x.low != -INFINITY || x.high != INFINITY || !x.may_be_nan) return false;
  }
  return true;
}

// Sums of products of the operands' values, and their relative error. Exact sums in f64 cost ten times as much as sums
// that are rounded to f32, and the bound of any sum is wider than this rounding.
struct Centres {
  Literal sums;  // f64
  double error;
};
Centres CentresOf(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                  SetEvaluation& evaluation) {
  const bool is_wide = value.element_type() == F64;
  if (is_wide || value.element_type() == F32) return {NumbersOf(value), is_wide ? 0x1p-53 : 0x1p-24};
  std::vector<Literal> values;
  for (const ValueSet& operand : operands) values.push_back(operand.value);
  HloInstruction in_f32 = instruction;
  in_f32.shape.set_element_type(F32);
  return {NumbersOf(evaluation.Evaluate(in_f32, std::move(values))), 0x1p-24};
}

// The largest distance of each element from its value, and its largest magnitude, in f64.
struct Spread {
  Literal radius, reach;
};

Spread SpreadOf(const ValueSet& set) {
  const ElementReader reader(set);
  Spread result{RadiusOf(set), NumbersOf(set.value)};
  auto reach = result.reach.mutable_values<double>();
  for (std::int64_t i = 0; i < set.value.element_count(); ++i) {
    const Reals x = reader.At(i);
    reach[i] = std::max(std::fabs(x.low), std::fabs(x.high));
  }
  return result;
}

}  // namespace

Literal RadiusOf(const ValueSet& set) {
  const ElementReader reader(set);
  Literal radius = NumbersOf(set.value);
  auto* const numbers = reinterpret_cast<double*>(radius.mutable_data());
  for (std::int64_t i = 0; i < std::ssize(ComponentsIn(radius)); ++i) {
    const Reals x = reader.At(i);
    numbers[i] = x.may_be_nan ? NAN : std::max(x.high - numbers[i], numbers[i] - x.low);
  }
  return radius;
}

ElementSet BilinearImage(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                         SetEvaluation& evaluation) {
  if (!IsFloatingPointType(value.element_type())) return Anything(value, &instruction).open;
  if (IsUnknown(operands[0]) || IsUnknown(operands[1])) return Anything(value, &instruction).open;
  // a b differs from a' b' by at most |a - a'| |b'| + |a'| |b - b'| + |a - a'| |b - b'|, where a and b are the values.
  const Spread a = SpreadOf(operands[0]), b = SpreadOf(operands[1]);
  Literal magnitude = NumbersOf(operands[0].value);
  for (double& x : magnitude.mutable_values<double>()) x = std::fabs(x);
  const auto others = [&](Literal x, Literal y) {
    std::vector<Literal> arguments = {std::move(x), std::move(y)};
    for (std::size_t i = 2; i < operands.size(); ++i) arguments.push_back(operands[i].value);
    return arguments;
  };
  // A decided operand has no radius.
  const bool is_first_open = operands[0].open != nullptr, is_second_open = operands[1].open != nullptr;
  const auto none = std::optional<Literal>(Literal(ShapeUtil::ChangeElementType(value.shape(), F64)));
  const auto first = is_first_open ? evaluation.EvaluateInF64(instruction, others(a.radius, b.reach)) : none;
  const auto second = is_second_open ? evaluation.EvaluateInF64(instruction, others(magnitude, b.radius)) : none;
  if (!first || !second) return Anything(value, &instruction).open;
  const Centres centres = CentresOf(instruction, operands, value, evaluation);
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    const double distance = first->values<double>()[i] + second->values<double>()[i];
    const double centre = centres.sums.values<double>()[i];
    if (distance == 0) continue;
    // QuickSumsOfProducts has rounded the distances.
    const double radius = distance * (1 + 0x1p-22) + std::fabs(centre) * centres.error + 0x1p-149;
    const bool is_known = std::isfinite(radius) && std::isfinite(centre);
    writer.Set(i, is_known ? Outward(Outward({centre - radius, centre + radius, false})) : Reals());
  }
  return writer.Take();
}

}  // namespace assay
