#include "interpreter/proto/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace assay::proto {
namespace {

enum WireType : unsigned { kVarint = 0, kFixed64 = 1, kLength = 2, kFixed32 = 5 };

// The deepest nesting of messages, such as a tuple in a tuple.
constexpr int kMostNested = 1000;

bool IsRepeated(FieldKind kind) { return kind >= FieldKind::kIntegers; }

WireType WireTypeOf(FieldKind kind) {
  switch (kind) {
    case FieldKind::kInteger:
    case FieldKind::kIntegers:
      return kVarint;
    case FieldKind::kFloat:
    case FieldKind::kFloats:
      return kFixed32;
    case FieldKind::kDouble:
    case FieldKind::kDoubles:
      return kFixed64;
    default:
      return kLength;
  }
}

// Reads a little-endian integer of the wire format.
std::uint64_t Fixed(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  return value;
}

// One field of serialized bytes.
struct WireField {
  std::uint64_t number = 0;
  unsigned wire_type = 0;
  std::uint64_t integer = 0;
  std::string_view text;
};

// Removes the next field from the bytes; false if they are damaged.
bool TakeField(std::string_view& bytes, WireField& field) {
  const std::optional<std::uint64_t> key = TakeVarint(bytes);
  if (!key) return false;
  field = {.number = *key >> 3, .wire_type = static_cast<unsigned>(*key & 7), .integer = 0, .text = {}};
  std::uint64_t size = field.wire_type == kFixed64 ? 8 : 4;
  if (field.wire_type == kVarint || field.wire_type == kLength) {
    const std::optional<std::uint64_t> value = TakeVarint(bytes);
    if (!value) return false;
    field.integer = *value;
    if (field.wire_type == kVarint) return field.number != 0;
    size = *value;
  } else if (field.wire_type != kFixed64 && field.wire_type != kFixed32) {
    return false;
  }
  if (size > bytes.size()) return false;
  field.text = bytes.substr(0, size);
  if (field.wire_type != kLength) field.integer = Fixed(field.text);
  bytes.remove_prefix(size);
  return field.number != 0;
}

// The check of a message and all nested messages.
class WireChecker {
 public:
  explicit WireChecker(std::string_view all) : all_(all) {}

  Status Check(std::string_view bytes, MessageType type, int depth) {
    if (depth > kMostNested) return Fail(bytes, type, fmt::format("nested more than {} levels deep", kMostNested));
    while (!bytes.empty()) {
      const std::string_view start = bytes;
      WireField found;
      if (!TakeField(bytes, found)) {
        return Fail(start, type, "the message is cut off or damaged: expected a field with its value");
      }
      const Field* const field = FindField(type, found.number);
      if (field != nullptr) ASSAY_CHECK_OK(CheckField(start, *field, found, depth));
    }
    return {};
  }

 private:
  Status CheckField(std::string_view start, const Field& field, const WireField& found, int depth) {
    const WireType expected = WireTypeOf(field.kind);
    const bool is_packed = IsRepeated(field.kind) && expected != kLength && found.wire_type == kLength;
    if (found.wire_type != expected && !is_packed) {
      return Fail(start, field.owner,
                  fmt::format("field {} must have wire type {}, found {}", field.name, static_cast<unsigned>(expected),
                              found.wire_type));
    }
    if (is_packed && !IsPacked(found.text, expected)) {
      return Fail(start, field.owner, fmt::format("the packed numbers of field {} are cut off", field.name));
    }
    if (field.message == MessageType::kNone) return {};
    return Check(found.text, field.message, depth + 1);
  }

  static bool IsPacked(std::string_view bytes, WireType type) {
    if (type != kVarint) return bytes.size() % (type == kFixed64 ? 8 : 4) == 0;
    while (!bytes.empty()) {
      if (!TakeVarint(bytes)) return false;
    }
    return true;
  }

  Error Fail(std::string_view at, MessageType type, std::string_view what) const {
    return {ErrorCode::kParse, fmt::format("byte {}: {}: {}", at.data() - all_.data(), NameOf(type), what)};
  }

  std::string_view all_;
};

}  // namespace

std::optional<std::uint64_t> TakeLongVarint(std::string_view& bytes) {
  constexpr std::size_t kLongest = 10;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < std::min(bytes.size(), kLongest); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    value |= std::uint64_t{byte & 127U} << 7 * i;
    if (byte < 128) {
      bytes.remove_prefix(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

Status CheckMessage(std::string_view bytes, MessageType type) { return WireChecker(bytes).Check(bytes, type, 0); }

void Message::Merge(std::string_view bytes) {
  WireField field;
  while (!bytes.empty() && TakeField(bytes, field)) {
    const bool is_text = field.wire_type == kLength;
    entries_.push_back({static_cast<std::uint32_t>(field.number), is_text, field.integer, field.text});
  }
}

// Returns the last entry of a field: it overrides earlier ones.
const Message::Entry* Message::Find(const Field& field) const {
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (entries_[i].number == static_cast<std::uint32_t>(field.number)) return &entries_[i];
  }
  return nullptr;
}

std::int64_t Message::Integer(const Field& field) const {
  const Entry* const entry = Find(field);
  return entry == nullptr ? 0 : static_cast<std::int64_t>(entry->integer);
}

double Message::Number(const Field& field) const {
  const Entry* const entry = Find(field);
  if (entry == nullptr) return 0;
  if (field.kind == FieldKind::kDouble) return std::bit_cast<double>(entry->integer);
  return std::bit_cast<float>(static_cast<std::uint32_t>(entry->integer));
}

std::string_view Message::Text(const Field& field) const {
  const Entry* const entry = Find(field);
  return entry == nullptr ? std::string_view() : entry->text;
}

Message Message::Sub(const Field& field) const {
  Message message;
  for (const Entry& entry : entries_) {
    if (entry.number == static_cast<std::uint32_t>(field.number)) message.Merge(entry.text);
  }
  return message;
}

std::vector<std::int64_t> Message::Integers(const Field& field) const {
  std::vector<std::int64_t> values;
  ForEachInteger(field, [&](std::uint64_t value) { values.push_back(static_cast<std::int64_t>(value)); });
  return values;
}

std::vector<std::string_view> Message::Texts(const Field& field) const {
  std::vector<std::string_view> texts;
  for (const Entry& entry : entries_) {
    if (entry.number == static_cast<std::uint32_t>(field.number)) texts.push_back(entry.text);
  }
  return texts;
}

std::vector<Message> Message::Messages(const Field& field) const {
  std::vector<Message> messages;
  for (const std::string_view text : Texts(field)) messages.emplace_back(text);
  return messages;
}

void MessageWriter::Varint(std::uint64_t value) {
  for (; value > 127; value >>= 7) bytes_ += static_cast<char>((value & 127) | 128);
  bytes_ += static_cast<char>(value);
}

void MessageWriter::Key(const Field& field, int wire_type) {
  Varint(static_cast<std::uint64_t>(field.number) << 3 | static_cast<unsigned>(wire_type));
}

void MessageWriter::PresentInteger(const Field& field, std::int64_t value) {
  Key(field, kVarint);
  Varint(static_cast<std::uint64_t>(value));
}

void MessageWriter::Integer(const Field& field, std::int64_t value) {
  if (value != 0) PresentInteger(field, value);
}

void MessageWriter::Number(const Field& field, double value) {
  if (value != 0 || std::signbit(value)) AddNumber(field, value);
}

void MessageWriter::AddNumber(const Field& field, double value) {
  const bool is_double = field.kind == FieldKind::kDouble || field.kind == FieldKind::kDoubles;
  const std::uint64_t bits = is_double ? std::bit_cast<std::uint64_t>(value)
                                       : std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(value))};
  const bool is_repeated = field.kind == FieldKind::kFloats || field.kind == FieldKind::kDoubles;
  const int size = is_double ? 8 : 4;
  Key(field, is_repeated ? kLength : is_double ? kFixed64 : kFixed32);
  if (is_repeated) Varint(static_cast<std::uint64_t>(size));  // a packed list of one
  for (int i = 0; i < size; ++i) bytes_ += static_cast<char>(bits >> 8 * i);
}

void MessageWriter::AddText(const Field& field, std::string_view value) {
  Key(field, kLength);
  Varint(value.size());
  bytes_ += value;
}

void MessageWriter::Text(const Field& field, std::string_view value) {
  if (!value.empty()) AddText(field, value);
}

void MessageWriter::Integers(const Field& field, std::span<const std::int64_t> values) {
  if (values.empty()) return;
  MessageWriter packed;
  for (const std::int64_t value : values) packed.Varint(static_cast<std::uint64_t>(value));
  AddText(field, packed.bytes_);
}

}  // namespace assay::proto
