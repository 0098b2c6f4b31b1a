#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/numerics/round.h"

namespace assay {
namespace {

// The operands min, x and max.
using ElementOfEach = std::array<const std::byte*, 3>;

bool HasNanPart(PrimitiveType type, const ElementOfEach& row) {
  const PrimitiveType part = ComplexComponentType(type);
  for (const std::byte* number : row) {
    double parts[2] = {};
    LoadReals(part, number, parts, 2);
    if (std::isnan(parts[0]) || std::isnan(parts[1])) return true;
  }
  return false;
}

// Reads a complex clamp in another way: a comparison with a NaN part is false, so the chosen operand depends on which
// comparisons an implementation makes.
template <std::size_t chosen>
Literal ChooseBesideNan(const HloInstruction& clamp, std::span<Literal> operands, Evaluation&) {
  const Kernel kernel = op_clamp.evaluation.kernel(clamp);
  const PrimitiveType type = clamp.shape.element_type();
  const std::int64_t bytes = StorageBytes(type);
  Literal result = Literal::Uninitialized(clamp.shape);
  std::byte* out = result.mutable_data();
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    ElementOfEach row;
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k] = operands[k].data() + (operands[k].element_count() == 1 ? 0 : i) * bytes;
    }
    if (HasNanPart(type, row)) {
      std::memcpy(out + i * bytes, row[chosen], bytes);
    } else {
      kernel(row, out + i * bytes, 1);
    }
  }
  return result;
}

std::span<const EvaluateFunction> ReadingsOfClamp(const HloInstruction& clamp) {
  static constexpr EvaluateFunction kReadings[] = {ChooseBesideNan<0>, ChooseBesideNan<1>, ChooseBesideNan<2>};
  const PrimitiveType type = clamp.shape.element_type();
  const auto has_type = [=](const HloInstruction* operand) { return operand->shape.element_type() == type; };
  if (!IsComplexType(type) || !std::ranges::all_of(clamp.operands, has_type)) return {};
  return kReadings;
}

}  // namespace

const OpAcceptance acceptance_clamp = {
    .op = &op_clamp,
    .gap = {.other_readings = ReadingsOfClamp, .otherwise = "clamp of a complex NaN"},
    .image = Monotone<1, 1, 1>,
    .traits = Trait::kChooses};

}  // namespace assay
