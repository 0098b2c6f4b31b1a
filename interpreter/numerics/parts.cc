#include "interpreter/numerics/parts.h"

#include <cstring>

#include "interpreter/numerics/round.h"

namespace assay {

std::vector<double> LoadParts(const Literal& array) {
  const PrimitiveType type = array.element_type();
  std::vector<double> parts(array.element_count() * ComponentCount(type));
  LoadReals(ComplexComponentType(type), array.data(), parts.data(), static_cast<std::int64_t>(parts.size()));
  return parts;
}

void StorePart(PrimitiveType type, std::byte* array, std::int64_t part, std::uint64_t bits) {
  const int bytes = StorageBytes(ComplexComponentType(type));
  std::memcpy(array + part * bytes, &bits, bytes);
}

}  // namespace assay
