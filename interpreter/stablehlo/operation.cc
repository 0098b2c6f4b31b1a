#include "interpreter/stablehlo/operation.h"

#include <algorithm>

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

void SortByName(Dictionary& dictionary) { std::ranges::stable_sort(dictionary.entries, {}, &NamedAttribute::name); }

Attribute DialectAttributeOf(std::string_view name, std::vector<NamedAttribute> fields) {
  DialectAttribute attribute = {std::string(name), {std::move(fields)}};
  SortByName(attribute.fields);
  return {std::move(attribute)};
}

Attribute EnumerationOf(std::string_view name, std::string_view word) {
  return DialectAttributeOf(name, {{"value", {std::string(word)}}});
}

}  // namespace assay::stablehlo
