#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

const Attribute* Dictionary::Find(std::string_view name) const {
  for (const NamedAttribute& entry : entries) {
    if (entry.name == name) return &entry.value;
  }
  return nullptr;
}

}  // namespace assay::stablehlo
