#include "interpreter/ops/plain/enclosed.h"

#include <cstring>

namespace assay::plain {

Row RoundedOnce(PrimitiveType type, const std::function<std::vector<EnclosedReal>(mpfr_prec_t)>& compute) {
  const PrimitiveType part_type = ComplexComponentType(type);
  const std::size_t parts = ComponentCount(type);
  Row elements;
  RoundAtRisingPrecision(FloatFormatOf(part_type), compute, [&](std::size_t i, std::uint64_t bits) {
    if (elements.size() <= i / parts) elements.resize(i / parts + 1, {.type = type});
    std::byte* const place = elements[i / parts].storage.data() + i % parts * StorageBytes(part_type);
    std::memcpy(place, &bits, StorageBytes(part_type));
  });
  return elements;
}

}  // namespace assay::plain
