#include "interpreter/acceptance/sets/freedom_widening.h"

#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/op.h"

namespace assay {

std::uint32_t BitsWith(WideningFlag flag) {
  std::uint32_t bits = 0;
  for (const Freedom freedom : AllFreedoms()) {
    if (RecordOf(freedom).widening.*flag) bits |= BitOf(freedom);
  }
  return bits;
}

std::uint32_t OpenBitsWith(WideningFlag flag, const Profile& profile, std::string_view op) {
  std::uint32_t bits = 0;
  for (const Freedom freedom : AllFreedoms()) {
    if (RecordOf(freedom).widening.*flag && profile.Allows(freedom, op)) bits |= BitOf(freedom);
  }
  return bits;
}

std::vector<ValueSet> WithWidenedOperands(std::span<const ValueSet> operands, const Profile& profile,
                                          const HloInstruction& instruction) {
  std::vector<ValueSet> widened(operands.begin(), operands.end());
  for (const Freedom freedom : AllFreedoms()) {
    const auto widen_operand = RecordOf(freedom).widening.widen_operand;
    if (widen_operand == nullptr || !profile.Allows(freedom, instruction.op->name)) continue;
    for (ValueSet& operand : widened) widen_operand(instruction, operand);
  }
  return widened;
}

}  // namespace assay
