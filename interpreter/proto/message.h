// The wire format of protocol buffers: checks, reads and writes serialized messages.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/proto/schema.h"
#include "interpreter/types/result.h"

namespace assay::proto {

// Removes the varint at the start of the bytes and returns it. Returns nothing if the bytes end within it, or if it is
// longer than ten bytes.
std::optional<std::uint64_t> TakeLongVarint(std::string_view& bytes);
inline std::optional<std::uint64_t> TakeVarint(std::string_view& bytes) {
  if (bytes.empty() || static_cast<unsigned char>(bytes[0]) > 127) return TakeLongVarint(bytes);
  const auto value = static_cast<unsigned char>(bytes[0]);  // nearly all are short
  bytes.remove_prefix(1);
  return value;
}

// Checks that all of the bytes are a message of this type: lengths, wire types and nesting of every field in the
// schema. Other field numbers are skipped, as protocol buffers require. Errors (kParse) name the byte and the field.
Status CheckMessage(std::string_view bytes, MessageType type);

// A view of a serialized message that CheckMessage has accepted. A field that is absent reads as zero or empty.
class Message {
 public:
  Message() = default;
  explicit Message(std::string_view bytes) { Merge(bytes); }

  bool Has(const Field& field) const { return Find(field) != nullptr; }
  std::int64_t Integer(const Field& field) const;
  bool Bool(const Field& field) const { return Integer(field) != 0; }
  // Returns a float or a double.
  double Number(const Field& field) const;
  std::string_view Text(const Field& field) const;
  // Returns a nested message. A field that occurs twice is the merge of both.
  Message Sub(const Field& field) const;

  std::vector<std::int64_t> Integers(const Field& field) const;
  // Calls `use` for each number of kIntegers, without a list: literals have many.
  template <class Use>
  void ForEachInteger(const Field& field, Use use) const {
    for (const Entry& entry : entries_) {
      if (entry.number != static_cast<std::uint32_t>(field.number)) continue;
      if (!entry.is_text) use(entry.integer);
      for (std::string_view packed = entry.text; entry.is_text && !packed.empty();) use(*TakeVarint(packed));
    }
  }
  // Returns the bytes of each text or message; those of kFloats and kDoubles are little-endian numbers.
  std::vector<std::string_view> Texts(const Field& field) const;
  std::vector<Message> Messages(const Field& field) const;

 private:
  struct Entry {
    std::uint32_t number;
    bool is_text;           // bytes with a length prefix
    std::uint64_t integer;  // varint and fixed numbers
    std::string_view text;
  };

  void Merge(std::string_view bytes);
  const Entry* Find(const Field& field) const;

  boost::container::small_vector<Entry, 16> entries_;
};

// A writer of one message: fields in the order of the calls. Zeros and empty texts are omitted, as in proto3.
class MessageWriter {
 public:
  void Integer(const Field& field, std::int64_t value);
  void Number(const Field& field, double value);
  void Text(const Field& field, std::string_view value);
  void Integers(const Field& field, std::span<const std::int64_t> values);
  // Append an element of a repeated field, even if it is zero or empty.
  void AddNumber(const Field& field, double value);
  void AddText(const Field& field, std::string_view value);
  // Writes a field whose presence has a meaning, even if it is zero.
  void PresentInteger(const Field& field, std::int64_t value);
  void Sub(const Field& field, const MessageWriter& message) { AddText(field, message.bytes_); }
  // Appends bytes that are already serialized.
  void Append(const MessageWriter& message) { bytes_ += message.bytes_; }

  bool empty() const { return bytes_.empty(); }
  const std::string& bytes() const { return bytes_; }
  std::string TakeBytes() { return std::move(bytes_); }

 private:
  void Varint(std::uint64_t value);
  void Key(const Field& field, int wire_type);

  std::string bytes_;
};

}  // namespace assay::proto
