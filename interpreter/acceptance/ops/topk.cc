#include <algorithm>
#include <string_view>
#include <vector>

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

// Selects the indices in lines with equal elements, unless the order is stable. Implements
// SpecificationGap::implementation_defined.
ElementTest IndicesOfTies(const HloInstruction& topk, std::span<const Literal> operands, std::size_t leaf) {
  const bool* is_stable = topk.Find<bool>("is_stable");
  if (leaf != 1 || is_stable == nullptr || *is_stable) return nullptr;
  return
      [&operand = operands[0], k = topk.Int64("k")](std::int64_t element) { return LineHasTies(operand, element / k); };
}

}  // namespace

const OpAcceptance acceptance_topk = {.op = &op_topk, .gap = {.implementation_defined = IndicesOfTies}};

}  // namespace assay
