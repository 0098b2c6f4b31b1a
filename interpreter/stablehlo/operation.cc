#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

bool QuantizedType::operator==(const QuantizedType& other) const {
  return value == other.value || (value != nullptr && other.value != nullptr && *value == *other.value);
}

const Attribute* Dictionary::Find(std::string_view name) const {
  for (const NamedAttribute& entry : entries) {
    if (entry.name == name) return &entry.value;
  }
  return nullptr;
}

}  // namespace assay::stablehlo
