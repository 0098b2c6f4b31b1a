#include "interpreter/ops/common/legality.h"

#include <algorithm>
#include <vector>

#include "interpreter/hlo/op.h"

namespace assay {

Error IllegalInstruction(const HloInstruction& instruction, std::string message) {
  return {ErrorCode::kIllegal, fmt::format("{}: {}", instruction.op->name, message), instruction.location};
}

Status CheckDimensionNumbers(const HloInstruction& instruction, std::string_view what,
                             std::span<const std::int64_t> dimension_numbers, std::int64_t rank) {
  std::vector<std::int64_t> seen;
  for (std::int64_t d : dimension_numbers) {
    if (d < 0 || d >= rank) return Illegal(instruction, "{} has {}, which is outside [0, {})", what, d, rank);
    if (std::ranges::find(seen, d) != seen.end()) return Illegal(instruction, "{} has {} twice", what, d);
    seen.push_back(d);
  }
  return {};
}

Status CheckArrayOperand(const HloInstruction& instruction, std::int64_t i) {
  const Shape& shape = instruction.operand(i).shape;
  if (shape.IsArray()) return {};
  return Illegal(instruction, "operand {} must be an array, found {}", i, shape.ToStringWithoutLayout());
}

Status CheckArrayOperand(const HloInstruction& instruction, std::int64_t i, TypeSet types,
                         std::string_view type_names) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, i));
  const Shape& shape = instruction.operand(i).shape;
  if (types.contains(shape.element_type())) return {};
  return Illegal(instruction, "operand {} must have {} elements, found {}", i, type_names,
                 shape.ToStringWithoutLayout());
}

}  // namespace assay
