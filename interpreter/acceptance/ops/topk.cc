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

// True for an index in a line with equal elements, unless the order is stable. Implements
// OpAcceptance::is_implementation_defined.
bool HasTies(const HloInstruction& topk, std::span<const Literal> operands, std::size_t leaf, std::int64_t element) {
  const bool* is_stable = topk.Find<bool>("is_stable");
  if (leaf != 1 || is_stable == nullptr || *is_stable) return false;
  const Literal& operand = operands[0];
  const std::int64_t size = operand.shape().dimensions().back(), bytes = StorageBytes(operand.element_type());
  if (size * bytes > kMostBytes) return true;
  const std::byte* line = operand.data() + element / topk.Int64("k") * size * bytes;
  CheckLimits();  // a line may be long, and each of its elements asks
  std::vector<std::string_view> elements;
  for (std::int64_t i = 0; i < size; ++i) {
    elements.emplace_back(reinterpret_cast<const char*>(line + i * bytes), bytes);
  }
  std::ranges::sort(elements);
  return std::ranges::adjacent_find(elements) != elements.end();
}

}  // namespace

const OpAcceptance acceptance_topk = {.op = &op_topk, .is_implementation_defined = HasTies};

}  // namespace assay
