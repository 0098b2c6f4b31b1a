#include "interpreter/ops/common/buffer_rules.h"

#include <algorithm>

#include "interpreter/ops/common/legality.h"

namespace assay {
namespace {

using Index = std::vector<std::int64_t>;

std::string_view TargetOf(const HloInstruction& custom_call) { return custom_call.String("custom_call_target"); }

const std::vector<OutputOperandAlias>& AliasesOf(const HloInstruction& custom_call) {
  static const std::vector<OutputOperandAlias> kNone;
  const auto* aliases = custom_call.Find<std::vector<OutputOperandAlias>>("output_to_operand_aliasing");
  return aliases == nullptr ? kNone : *aliases;
}

void FindBuffers(const Shape& shape, Index& index, std::vector<Index>& buffers) {
  if (shape.IsBuffer()) {
    buffers.push_back(index);
    return;
  }
  for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
    index.push_back(static_cast<std::int64_t>(i));
    FindBuffers(shape.tuple_shapes(i), index, buffers);
    index.pop_back();
  }
}

// Checks that exactly one pair of output_to_operand_aliasing names each buffer of the shape.
template <class NamedBy>
Status CheckBufferPairs(const HloInstruction& custom_call, std::string_view what, const Shape& shape,
                        NamedBy named_by) {
  Index index;
  std::vector<Index> buffers;
  FindBuffers(shape, index, buffers);
  for (const Index& buffer : buffers) {
    const auto count = std::ranges::count_if(AliasesOf(custom_call),
                                             [&](const OutputOperandAlias& alias) { return named_by(alias, buffer); });
    if (count == 1) continue;
    return Illegal(custom_call, "each buffer of {}, {}, must be in one pair of output_to_operand_aliasing, found {}",
                   what, shape.ToStringWithoutLayout(), count);
  }
  return {};
}

Status CheckPinOrUnpin(const HloInstruction& custom_call) {
  const bool is_pin = TargetOf(custom_call) == "Pin";
  if (custom_call.operands.size() == 1) {
    const Shape& operand = custom_call.operand(0).shape;
    const Shape& array = is_pin ? operand : custom_call.shape;
    const Shape& buffer = is_pin ? custom_call.shape : operand;
    if (array.IsArray() && buffer.IsBuffer() && ShapeUtil::Compatible(buffer.tuple_shapes(0), array)) {
      const auto& aliases = AliasesOf(custom_call);
      const bool is_all = aliases.size() == 1 && aliases[0].operand == 0 && aliases[0].output_index.empty() &&
                          aliases[0].operand_index.empty();
      if (is_all) return {};
      return Illegal(custom_call, "{} must have output_to_operand_aliasing={{{{}}: (0, {{}})}}", TargetOf(custom_call));
    }
  }
  return Illegal(custom_call, "{} takes {}, found {} operands and {}", TargetOf(custom_call),
                 is_pin ? "one array and returns its buffer" : "one buffer and returns its array",
                 custom_call.operands.size(), custom_call.shape.ToStringWithoutLayout());
}

}  // namespace

bool IsPinOrUnpin(const HloInstruction& custom_call) {
  return TargetOf(custom_call) == "Pin" || TargetOf(custom_call) == "Unpin";
}

Status CheckBuffers(const HloInstruction& custom_call) {
  if (IsPinOrUnpin(custom_call)) return CheckPinOrUnpin(custom_call);
  if (TargetOf(custom_call) == "CreateBuffer") {
    if (custom_call.operands.empty() && custom_call.shape.IsBuffer()) return {};
    return Illegal(custom_call, "CreateBuffer takes no operands and returns a buffer, found {} operands and {}",
                   custom_call.operands.size(), custom_call.shape.ToStringWithoutLayout());
  }
  for (std::size_t i = 0; i < custom_call.operands.size(); ++i) {
    const auto named_by = [i](const OutputOperandAlias& alias, const Index& index) {
      return alias.operand == static_cast<std::int64_t>(i) && alias.operand_index == index;
    };
    ASSAY_CHECK_OK(
        CheckBufferPairs(custom_call, fmt::format("operand {}", i), custom_call.operands[i]->shape, named_by));
  }
  return CheckBufferPairs(
      custom_call, "the result", custom_call.shape,
      [](const OutputOperandAlias& alias, const Index& index) { return alias.output_index == index; });
}

}  // namespace assay
