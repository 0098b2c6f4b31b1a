#include "interpreter/acceptance/statistics/samples/decided_values.h"

#include <algorithm>
#include <compare>
#include <cstring>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/acceptance/statistics/disturbance.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

// Appends the real components of a value.
void AppendReals(const Literal& value, std::vector<double>& numbers) {
  for (const Literal& element : value.elements()) AppendReals(element, numbers);
  if (!IsRealArray(value)) return;
  const std::vector<double> own = NumbersIn(value);
  numbers.insert(numbers.end(), own.begin(), own.end());
}

// Appends for each element of an array whether it differs; for real ones only if the function has steps.
void AppendDifferent(const Literal& a, const Literal& b, bool has_steps, std::vector<bool>& different) {
  for (std::size_t i = 0; i < a.elements().size(); ++i) {
    AppendDifferent(a.elements()[i], b.elements()[i], has_steps, different);
  }
  if (!a.shape().IsArray() || (IsRealArray(a) && !has_steps)) return;
  for (std::int64_t i = 0; i < a.element_count(); ++i) different.push_back(!SameElement(a, b, i));
}

constexpr std::size_t kCopied = static_cast<std::size_t>(-1);

// Copies the element with this number among those that AppendDifferent counts, or among the real components. Returns
// the number that is left if the value has fewer.
std::size_t CopyFrom(const Literal& from, bool has_steps, bool of_reals, std::size_t element, Literal& to) {
  for (std::size_t i = 0; i < from.elements().size(); ++i) {
    const std::size_t left = CopyFrom(from.elements()[i], has_steps, of_reals, element, to.mutable_elements()[i]);
    if (left == kCopied) return kCopied;
    element = left;
  }
  const bool is_real = IsRealArray(from);
  if (!from.shape().IsArray() || (of_reals ? !is_real : is_real && !has_steps)) return element;
  const int parts = of_reals ? ComponentCount(from.element_type()) : 1;
  const auto count = static_cast<std::size_t>(from.element_count() * parts);
  if (element >= count) return element - count;
  const std::size_t bytes =
      static_cast<std::size_t>(StorageBytes(from.element_type())) / static_cast<std::size_t>(parts);
  std::memcpy(to.mutable_data() + element * bytes, from.data() + element * bytes, bytes);
  return kCopied;
}

}  // namespace

std::vector<double> NumbersIn(const Literal& array) {
  const PrimitiveType type = ComplexComponentType(array.element_type());
  std::vector<double> numbers(array.element_count() * ComponentCount(array.element_type()));
  LoadReals(type, array.data(), numbers.data(), static_cast<std::int64_t>(numbers.size()));
  return numbers;
}

bool IsOfZeros(std::span<const Literal> operands, std::size_t component) {
  return operands.size() > 1 && std::ranges::all_of(operands, [&](const Literal& operand) {
           const auto count =
               static_cast<std::size_t>(operand.element_count()) * ComponentCount(operand.element_type());
           return IsInexactType(operand.element_type()) && component < count &&
                  NumberAt(operand, static_cast<std::int64_t>(component)) == 0;
         });
}

void Repeat(const Literal& made, bool has_steps, Literal& result) {
  for (std::size_t i = 0; i < made.elements().size(); ++i) {
    Repeat(made.elements()[i], has_steps, result.mutable_elements()[i]);
  }
  const bool is_repeated = made.shape().IsArray() && (has_steps || !IsInexactType(made.element_type()));
  if (is_repeated && made.shape() == result.shape()) result = made;
}

std::vector<double> RealsIn(const Literal& value) {
  std::vector<double> numbers;
  AppendReals(value, numbers);
  return numbers;
}

std::vector<bool> Different(const Literal& a, const Literal& b, bool has_steps) {
  std::vector<bool> different;
  AppendDifferent(a, b, has_steps, different);
  return different;
}

void ChangedElements::Add(std::size_t element, const std::shared_ptr<const Literal>& result, bool has_steps) {
  Results& others = results_[element];
  if (others.size() == 1) {
    const std::vector<bool> different = Different(*others[0], *result, has_steps);
    if (element >= different.size() || !different[element]) return;
  }
  if (others.size() < 2) others.push_back(result);
}

std::size_t MostValues(std::span<const Literal> results, bool has_steps) {
  std::size_t most = 1;
  for (std::size_t leaf = 0; leaf < results[0].elements().size(); ++leaf) {
    std::vector<Literal> leaves;
    for (const Literal& result : results) leaves.push_back(result.elements()[leaf]);
    most = std::max(most, MostValues(leaves, has_steps));
  }
  if (!results[0].shape().IsArray() || (IsRealArray(results[0]) && !has_steps)) return most;
  for (std::int64_t i = 0; i < results[0].element_count(); ++i) {
    std::vector<const Literal*> values;
    for (const Literal& result : results) {
      const auto has_it = [&](const Literal* value) { return SameElement(*value, result, i); };
      if (std::ranges::none_of(values, has_it)) values.push_back(&result);
    }
    most = std::max(most, values.size());
  }
  return most;
}

void CopyElement(const Literal& from, bool has_steps, std::size_t element, Literal& to) {
  const std::size_t left = CopyFrom(from, has_steps, /*of_reals=*/false, element, to);
  if (left != kCopied && !has_steps) CopyFrom(from, has_steps, /*of_reals=*/true, left, to);
}

std::optional<Literal> Compared(const HloInstruction& compare, std::span<const Literal> operands,
                                const std::vector<Literal>& moved, std::uint64_t& stream) {
  std::optional<Literal> result = EvaluateAlone(compare, moved);
  const std::optional<Literal> of_equal = EvaluateAlone(compare, {moved[0], moved[0]});
  if (!result || !of_equal) return std::nullopt;
  const auto order = [](std::span<const Literal> pair, std::int64_t i) {
    return RealValue(ComponentAt(pair[0], i)) <=> RealValue(ComponentAt(pair[1], i));
  };
  for (std::int64_t i = 0; i < result->element_count() * ComponentCount(operands[0].element_type()); ++i) {
    if (order(operands, i) == order(moved, i) || SplitMix(stream += kSplitMixStep) % 2 == 0) continue;
    const std::int64_t element = i / ComponentCount(operands[0].element_type());
    result->mutable_values<bool>()[element] = of_equal->values<bool>()[element];
  }
  return result;
}

}  // namespace assay
