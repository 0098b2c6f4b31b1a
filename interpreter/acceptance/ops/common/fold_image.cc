// The set of a fold of arrays by a computation.
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/common/images.h"

namespace assay {
namespace {

// Folds the operands after replacing the inexact ones, except one that only chooses among the terms; nothing if the
// evaluation in f64 is not possible.
std::optional<Literal> FoldOf(const HloInstruction& instruction, std::span<const ValueSet> operands,
                              SetEvaluation& evaluation, const std::function<Literal(const ValueSet&)>& term) {
  std::vector<Literal> arguments;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool is_term = IsInexactType(operands[i].value.element_type()) &&
                         static_cast<int>(i) != AcceptanceOf(instruction).Fact<FoldFacts>().compared_operand;
    arguments.push_back(is_term ? term(operands[i]) : operands[i].value);
  }
  return evaluation.EvaluateInF64(instruction, std::move(arguments));
}

// Returns ones, with NaN in place of the elements for which `is_nan` holds.
Literal NanMarks(const ValueSet& operand, bool (*is_nan)(const ElementReader&, std::int64_t)) {
  Literal marks = NumbersOf(operand.value);
  const ElementReader reader(operand, true);
  auto out = marks.mutable_values<double>();
  for (std::int64_t i = 0; i < marks.element_count(); ++i) out[i] = is_nan(reader, i) ? NAN : 1;
  return marks;
}

// True if an open operand decides which elements are folded.
bool IsPlacedOpenly(const HloInstruction& instruction, std::span<const ValueSet> operands) {
  const int compared = AcceptanceOf(instruction).Fact<FoldFacts>().compared_operand;
  if (compared >= 0 && !operands[compared].IsDecided()) return true;
  return std::ranges::any_of(operands, [](const ValueSet& operand) {
    return !IsInexactType(operand.value.element_type()) && !operand.IsDecided();
  });
}

using Fold = std::function<std::optional<Literal>(const std::function<Literal(const ValueSet&)>&)>;

// Returns a number for each element of an operand.
Literal FactorsOf(const ValueSet& operand, double (*number)(const Reals&)) {
  Literal factors = NumbersOf(operand.value);
  const ElementReader reader(operand);
  auto out = factors.mutable_values<double>();
  for (std::int64_t i = 0; i < factors.element_count(); ++i) out[i] = number(reader.At(i));
  return factors;
}

// Returns the set of a fold by multiplication: the product of the least and that of the largest magnitudes, with the
// sign of the product. Nothing is known of a product that may be NaN, or whose largest magnitude is more than 1.5 times
// the least: the rule of a product reads how large the products of some factors are on the operands' values.
ElementSet ProductOfFactors(const Fold& fold, std::span<const ValueSet> operands, const Literal& value,
                            const HloInstruction& instruction) {
  const auto product = [&](double (*number)(const Reals&)) {
    return fold([=](const ValueSet& operand) { return FactorsOf(operand, number); });
  };
  const auto least = product([](const Reals& x) {
    return x.may_be_nan || (x.low < 0 && x.high > 0) ? NAN : std::min(std::fabs(x.low), std::fabs(x.high));
  });
  const auto most = product([](const Reals& x) { return std::max(std::fabs(x.low), std::fabs(x.high)); });
  const auto sign = product([](const Reals& x) { return x.high <= 0 && x.low < 0 ? -1.0 : 1.0; });
  const auto open = fold([](const ValueSet& operand) {
    return NanMarks(operand, [](const ElementReader& reader, std::int64_t i) { return reader.IsOpen(i); });
  });
  if (!least || !most || !sign || !open) return Anything(value, &instruction).open;
  std::int64_t factors = 1;
  for (const ValueSet& operand : operands) factors += operand.value.element_count();
  const double roundings = 1 + 2 * static_cast<double>(factors) * 0x1p-53;  // of the products in f64
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    if (!std::isnan(open->values<double>()[i])) continue;
    const double low = least->values<double>()[i] / roundings, high = most->values<double>()[i] * roundings;
    const bool is_known = std::isfinite(high) && high <= 1.5 * low;
    const bool is_negative = sign->values<double>()[i] < 0;
    writer.Set(i, !is_known     ? Reals()
                  : is_negative ? Outward(Reals{-high, -low, false})
                                : Outward(Reals{low, high, false}));
  }
  return writer.Take();
}

// Returns the set of a fold of integers by an op that increases with both operands, such as the sum of a mask.
ElementSet FoldOfIntegers(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                          const Op& op, SetEvaluation& evaluation) {
  const PrimitiveType type = value.element_type();
  const auto has_type = [=](const ValueSet& operand) { return operand.value.element_type() == type; };
  const bool is_known =
      AcceptanceOf(op).Has(Trait::kIsIncreasing) && operands.size() == 2 && std::ranges::all_of(operands, has_type);
  if (!is_known) return Anything(value, &instruction).open;
  // A start that is no identity counts any number of times, also that of a fold before this one.
  const Reals start = ElementReader(operands[1]).At(0);
  if (AcceptanceOf(op).Has(Trait::kAddsTerms) && !(start.low == 0 && start.high == 0))
    return Anything(value, &instruction).open;
  double magnitude = 0;  // of all sums of some elements
  for (const ValueSet& operand : operands) {
    const ElementReader reader(operand);
    for (std::int64_t i = 0; i < operand.value.element_count(); ++i) {
      magnitude += std::max(std::fabs(reader.At(i).low), std::fabs(reader.At(i).high));
    }
  }
  if (magnitude > std::min(AnyOf(type).high, 0x1p53)) return Anything(value, &instruction).open;
  const auto fold = [&](const auto& ends) {
    std::vector<Literal> arguments;
    for (const ValueSet& operand : operands) arguments.push_back(IntegersOf(type, ends(ElementReader(operand))));
    return NumbersOf(evaluation.Evaluate(instruction, std::move(arguments)));
  };
  const Literal lows = fold([](const ElementReader& reader) { return reader.Lows(); });
  const Literal highs = fold([](const ElementReader& reader) { return reader.Highs(); });
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    const double low = lows.values<double>()[i], high = highs.values<double>()[i];
    if (low < high) writer.Set(i, {low, high, false});
  }
  return writer.Take();
}

}  // namespace

bool Overwrites(const HloInstruction& fold) {
  if (!AcceptanceOf(fold).Has(Trait::kFolds) || fold.CalledComputations().size() != 1) return false;
  const HloInstruction& root = *fold.CalledComputations()[0]->root;
  return root.op->role == OpRole::kParameter && root.parameter_number == 1 && fold.shape.IsArray();
}

ElementSet FoldImage(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                     SetEvaluation& evaluation) {
  if (!value.shape().IsArray()) return nullptr;
  const Op* op = evaluation.FoldedOp(instruction);
  if (op == nullptr) return Anything(value, &instruction).open;
  if (IsIntegralType(value.element_type())) return FoldOfIntegers(instruction, operands, value, *op, evaluation);
  const bool is_real = IsFloatingPointType(value.element_type());
  const bool multiplies = AcceptanceOf(*op).folded == Acceptance::kProduct;
  if (!is_real || !(AcceptanceOf(*op).Has(Trait::kIsIncreasing) || multiplies))
    return Anything(value, &instruction).open;
  if (IsPlacedOpenly(instruction, operands)) return Anything(value, &instruction).open;
  const auto fold = [&](const std::function<Literal(const ValueSet&)>& term) {
    return FoldOf(instruction, operands, evaluation, term);
  };
  if (multiplies) return ProductOfFactors(fold, operands, value, instruction);
  const auto lows = fold([](const ValueSet& operand) { return ElementReader(operand, true).Lows(); });
  const auto highs = fold([](const ValueSet& operand) { return ElementReader(operand, true).Highs(); });
  if (!lows || !highs) return Anything(value, &instruction).open;
  const auto marks = [&](bool (*is_nan)(const ElementReader&, std::int64_t)) {
    return fold([=](const ValueSet& operand) { return NanMarks(operand, is_nan); });
  };
  // The results that must be NaN, those that may be, and those that depend on open elements.
  const auto must = marks([](const ElementReader& reader, std::int64_t i) { return reader.At(i).IsEmpty(); });
  const auto may = marks([](const ElementReader& reader, std::int64_t i) { return reader.At(i).may_be_nan; });
  const auto open = marks([](const ElementReader& reader, std::int64_t i) { return reader.IsOpen(i); });
  if (!must || !may || !open) return Anything(value, &instruction).open;
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    const double low = lows->values<double>()[i], high = highs->values<double>()[i];
    const bool may_be_nan = std::isnan(may->values<double>()[i]);
    if (std::isnan(must->values<double>()[i])) {
      writer.Set(i, Reals::Nan());
    } else if (std::isnan(low) || std::isnan(high)) {
      writer.Set(i, Reals());
    } else if (std::isnan(open->values<double>()[i])) {  // though its ends may round to one number
      writer.Set(i, Outward({low, high, may_be_nan}));
    }
  }
  return writer.Take();
}

}  // namespace assay
