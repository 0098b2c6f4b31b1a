#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/common/sorted_sets.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/primitive_type.h"

namespace assay {
namespace {

// The largest line, in bytes, that is searched for equal elements. Longer lines count as lines with ties.
constexpr std::int64_t kMostBytes = 1 << 20;

bool LineHasTies(const Literal& operand, std::int64_t line) {
  const std::int64_t size = operand.shape().dimensions().back(), bytes = StorageBytes(operand.element_type());
  if (size * bytes > kMostBytes) return true;
  const std::byte* begin = operand.data() + line * size * bytes;
  CheckLimits();  // a line may be long, and each of its elements asks
  std::vector<std::string_view> elements;
  for (std::int64_t i = 0; i < size; ++i) {
    elements.emplace_back(reinterpret_cast<const char*>(begin + i * bytes), bytes);
  }
  std::ranges::sort(elements);
  return std::ranges::adjacent_find(elements) != elements.end();
}

bool IsStable(const HloInstruction& topk) {
  const bool* is_stable = topk.Find<bool>("is_stable");
  return is_stable == nullptr || *is_stable;
}

// Selects the indices in lines with equal elements, unless the order is stable. Implements
// SpecificationGap::implementation_defined.
ElementTest IndicesOfTies(const HloInstruction& topk, std::span<const Literal> operands, std::size_t leaf) {
  if (leaf != 1 || IsStable(topk)) return nullptr;
  return
      [&operand = operands[0], k = topk.Int64("k")](std::int64_t element) { return LineHasTies(operand, element / k); };
}

// True for an index of an element that is equal to the returned value, if its line of the result has it once.
bool IsIndexOfEqual(const Literal& operand, const Literal& want, const Literal& got, std::int64_t element) {
  const std::int64_t size = operand.shape().dimensions().back(), k = want.shape().dimensions().back();
  const std::int64_t line = element / k, index = got.IntegerAt(element);
  if (index < 0 || index >= size) return false;
  for (std::int64_t i = line * k; i < line * k + k; ++i) {
    if (i != element && got.IntegerAt(i) == index) return false;
  }
  return MayBeOneNumber(operand, line * size + index, operand, line * size + want.IntegerAt(element));
}

// Implements SpecificationGap::allows.
ValueTest IndicesOfEqual(const HloInstruction&, std::span<const Literal> operands, const Literal& want,
                         std::size_t leaf) {
  if (leaf != 1) return nullptr;
  return [operand = operands[0], want](const Literal& got, std::int64_t element) {
    return IsIndexOfEqual(operand, want, got, element);
  };
}

// Sorts whole lines, with the indices of their elements, and takes the first elements of each.
std::optional<ValueSet> SetOfTopk(const HloInstruction& topk, std::span<const ValueSet> operands, const Literal& value,
                                  SetEvaluation& evaluation) {
  const Shape &lines = operands[0].value.shape(), places = ShapeUtil::ChangeElementType(lines, S32);
  const std::int64_t size = lines.dimensions().back(), k = topk.Int64("k");
  if (k == size && size <= 1) return ValueSet::Tuple({operands[0], ValueSet::Of(value.elements()[1])});
  HloInstruction all = topk;
  all.Set("k", size);
  all.shape = ShapeUtil::MakeTupleShape({lines, places});
  const Literal sorted = evaluation.Evaluate(all, {operands[0].value});
  Literal indices(places);
  for (std::int64_t i = 0; i < indices.element_count(); ++i)
    indices.mutable_values<std::int32_t>()[i] = static_cast<std::int32_t>(i % size);
  const ValueSet unsorted[] = {operands[0], ValueSet::Of(std::move(indices))};
  std::vector<ValueSet> rows = {ValueSet::Of(sorted.elements()[0]), ValueSet::Of(sorted.elements()[1])};
  const SortKey key = {.operand = 0, .descending = topk.Bool("largest"), .total_order = true, .has_equal_zeros = false};
  FindSortedRows(topk, IsStable(topk), key, unsorted, lines.rank() - 1, rows);
  for (std::size_t leaf = 0; leaf < rows.size(); ++leaf) {
    ElementWriter first(value.elements()[leaf]);
    const ElementReader all_of(rows[leaf]);
    for (std::int64_t i = 0; i < value.elements()[leaf].element_count(); ++i) {
      const std::int64_t from = i / k * size + i % k;
      if (all_of.IsOpen(from)) first.Set(i, all_of.At(from));
    }
    rows[leaf].value = value.elements()[leaf];
    rows[leaf].open = first.Take();
  }
  return ValueSet::Tuple(std::move(rows));
}

}  // namespace

const OpAcceptance acceptance_topk = {.op = &op_topk,
                                      .gap = {.implementation_defined = IndicesOfTies, .allows = IndicesOfEqual},
                                      .steps = SetOfTopk,
                                      .selectors = 0b1};

}  // namespace assay
