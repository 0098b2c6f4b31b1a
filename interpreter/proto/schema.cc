#include "interpreter/proto/schema.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace assay::proto {
namespace {

#define ASSAY_MESSAGE(message)
#define ASSAY_FIELD(owner, field, number, kind, ...) fields::owner::field,
constexpr Field kFields[] = {
#include "interpreter/proto/hlo_fields.inc"
#include "interpreter/proto/xla_data_fields.inc"
};
#undef ASSAY_FIELD
#undef ASSAY_MESSAGE

#define ASSAY_MESSAGE(message) #message,
#define ASSAY_FIELD(...)
constexpr std::string_view kMessageNames[] = {
    "",
#include "interpreter/proto/hlo_fields.inc"
#include "interpreter/proto/xla_data_fields.inc"
};
#undef ASSAY_FIELD
#undef ASSAY_MESSAGE

constexpr std::size_t kLargestNumber = 127;

// Indices in kFields plus one, by message and field number.
using FieldPlaces = std::array<std::array<std::uint16_t, kLargestNumber + 1>, std::size(kMessageNames)>;
constexpr FieldPlaces kFieldPlaces = [] {
  FieldPlaces places = {};
  for (std::size_t i = 0; i < std::size(kFields); ++i) {
    places[static_cast<std::size_t>(kFields[i].owner)][kFields[i].number] = static_cast<std::uint16_t>(i + 1);
  }
  return places;
}();

}  // namespace

std::string_view NameOf(MessageType message) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all(std::begin(kMessageNames), std::end(kMessageNames));
    for (std::string& name : all) std::ranges::replace(name, '_', '.');
    return all;
  }();
  return names[static_cast<std::size_t>(message)];
}

std::span<const Field> AllFields() { return kFields; }

const Field* FindField(MessageType message, std::uint64_t number) {
  if (number > kLargestNumber) return nullptr;
  const std::uint16_t place = kFieldPlaces[static_cast<std::size_t>(message)][number];
  return place == 0 ? nullptr : &kFields[place - 1];
}

const Field* FindField(MessageType message, std::string_view name) {
  const auto* const field =
      std::ranges::find_if(kFields, [&](const Field& each) { return each.owner == message && each.name == name; });
  return field == std::end(kFields) ? nullptr : field;
}

}  // namespace assay::proto
