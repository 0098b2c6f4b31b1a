// The messages of XLA's serialized modules and their fields, the schema for reader, writer and tests.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace assay::proto {

enum class MessageType : std::uint8_t {
  kNone,
#define ASSAY_MESSAGE(message) message,
#define ASSAY_FIELD(...)
#include "interpreter/proto/hlo_fields.inc"
#include "interpreter/proto/xla_data_fields.inc"
#undef ASSAY_FIELD
#undef ASSAY_MESSAGE
};

// kInteger is a varint: int32, int64, uint32, uint64, bool or an enumeration. kText is string or bytes. The kinds after
// kMessage are repeated; repeated numbers may be packed.
enum class FieldKind : std::uint8_t {
  kInteger,
  kFloat,
  kDouble,
  kText,
  kMessage,
  kIntegers,
  kFloats,
  kDoubles,
  kTexts,
  kMessages
};

struct Field {
  MessageType owner;
  std::string_view name;
  int number;
  FieldKind kind;
  MessageType message = MessageType::kNone;  // the type of a kMessage or kMessages

  constexpr bool operator==(const Field& other) const { return owner == other.owner && number == other.number; }
};

// Fields by their names: fields::ShapeProto::dimensions.
namespace fields {
#define ASSAY_MESSAGE(message)
#define ASSAY_FIELD(owner, field, number, kind, ...)                                     \
  namespace owner {                                                                      \
  inline constexpr Field field{MessageType::owner, #field, number,                       \
                               FieldKind::kind __VA_OPT__(, MessageType::) __VA_ARGS__}; \
  }
#include "interpreter/proto/hlo_fields.inc"
#include "interpreter/proto/xla_data_fields.inc"
#undef ASSAY_FIELD
#undef ASSAY_MESSAGE
}  // namespace fields

// Returns "HloInstructionProto.SliceDimensions".
std::string_view NameOf(MessageType message);
// Returns every field of every message; the fields of a message are adjacent.
std::span<const Field> AllFields();
// Returns null for a number or a name that is not in the table.
const Field* FindField(MessageType message, std::uint64_t number);
const Field* FindField(MessageType message, std::string_view name);

}  // namespace assay::proto
