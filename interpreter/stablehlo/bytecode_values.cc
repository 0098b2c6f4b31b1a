#include "interpreter/stablehlo/bytecode_values.h"

#include <fmt/format.h>

#include <utility>

namespace assay::stablehlo {
namespace {

// A lower bound of the memory of an attribute or a type.
constexpr std::size_t kNodeSize = 96;
constexpr int kDeepest = 200;

// Parses an attribute in MLIR's text, #name<text>. HLO has no equivalent of dialects without an encoding.
Attribute AttributeOfText(std::string_view text) {
  const std::size_t open = text.find('<');
  if (!text.starts_with('#') || open == std::string_view::npos || !text.ends_with('>')) return {std::string(text)};
  const std::string_view body = text.substr(open + 1, text.size() - open - 2);
  return DialectAttributeOf(std::string(text.substr(1, open - 1)), {{"text", {std::string(body)}}});
}

}  // namespace

BytecodeValues::BytecodeValues(BytecodeFile& file, const BytecodeTables& tables)
    : file_(file), tables_(tables), attributes_(tables.attributes.size()), types_(tables.types.size()) {}

template <class T, class F>
T BytecodeValues::Memoized(Slots<T>& slots, const std::vector<BytecodeEntry>& entries, std::size_t index, F read) {
  if (!file_.ok()) return {};
  if (slots[index] == nullptr) slots[index] = std::make_unique<Slot<T>>();
  Slot<T>& slot = *slots[index];
  const BytecodeEntry& entry = entries[index];
  if (slot.value) {
    file_.Charge(slot.charge, entry.begin);
    return *slot.value;
  }
  Cursor cursor(file_, entry.begin, entry.end);
  if (slot.is_open) cursor.Fail("an attribute or a type contains itself");
  if (depth_ == kDeepest) cursor.Fail(fmt::format("attributes and types must nest at most {} deep", kDeepest));
  if (!cursor.ok()) return {};
  slot.is_open = true;
  ++depth_;
  const std::size_t charged = file_.charged();
  file_.Charge(kNodeSize + entry.end - entry.begin, entry.begin);
  T value = read(entry, cursor);
  slot.charge = file_.charged() - charged;
  --depth_;
  slot.is_open = false;
  // A large entry, usually a constant, is used once: a copy would only use memory.
  if (cursor.ok() && entry.end - entry.begin < 4096) slot.value = value;
  return value;
}

Attribute BytecodeValues::AttributeAt(std::size_t index) {
  return Memoized(attributes_, tables_.attributes, index,
                  [this](const BytecodeEntry& entry, Cursor& cursor) { return DecodeAttribute(entry, cursor); });
}

Type BytecodeValues::TypeAt(std::size_t index) {
  return Memoized(types_, tables_.types, index,
                  [this](const BytecodeEntry& entry, Cursor& cursor) { return DecodeType(entry, cursor); });
}

Attribute BytecodeValues::DecodeAttribute(const BytecodeEntry& entry, Cursor& cursor) {
  if (entry.is_text) {
    return AttributeOfText(cursor.Text());
  }
  if (entry.dialect == "vhlo") return DecodeVhloAttribute(cursor, *this);
  if (entry.dialect == "builtin") return DecodeBuiltinAttribute(cursor, *this);
  if (entry.dialect == "sdy") return DecodeShardyAttribute(cursor, *this);
  cursor.Fail(
      fmt::format("attributes of the dialect {} must be text: only builtin, sdy and vhlo have an encoding that is "
                  "read (serialize a portable artifact of StableHLO)",
                  entry.dialect),
      ErrorCode::kUnsupported);
  return {};
}

Type BytecodeValues::DecodeType(const BytecodeEntry& entry, Cursor& cursor) {
  if (entry.is_text) return TypeOfWord(cursor.Text());
  if (entry.dialect == "vhlo") return DecodeVhloType(cursor, *this);
  if (entry.dialect == "builtin") return DecodeBuiltinType(cursor, *this);
  if (entry.dialect == "quant") return DecodeQuantType(cursor, *this);
  // The one type of its own that the dialect has; an operand of a cast to VHLO's.
  if (entry.dialect == "stablehlo" && cursor.Varint() == 0) return {TokenType()};
  cursor.Fail(fmt::format("types of the dialect {} must be text: only builtin, quant and vhlo have an encoding that is "
                          "read (serialize a portable artifact of StableHLO)",
                          entry.dialect),
              ErrorCode::kUnsupported);
  return {};
}

Attribute BytecodeValues::ReadAttribute(Cursor& cursor) {
  const std::size_t index = cursor.Index(attributes_.size(), "an attribute");
  return cursor.ok() ? AttributeAt(index) : Attribute();
}

std::optional<Attribute> BytecodeValues::ReadOptionalAttribute(Cursor& cursor) {
  const Cursor::Flagged index = cursor.FlaggedVarint();
  if (!cursor.ok() || !index.flag) return std::nullopt;
  if (index.value >= attributes_.size()) {
    cursor.Fail(fmt::format("the index of an attribute must be below {}, found {}", attributes_.size(), index.value));
    return std::nullopt;
  }
  return AttributeAt(index.value);
}

Type BytecodeValues::ReadType(Cursor& cursor) {
  const std::size_t index = cursor.Index(types_.size(), "a type");
  return cursor.ok() ? TypeAt(index) : Type();
}

std::string BytecodeValues::ReadString(Cursor& cursor) {
  const std::size_t index = cursor.Index(tables_.strings.size(), "a string");
  if (!cursor.ok()) return {};
  file_.Charge(tables_.strings[index].size(), cursor.offset());
  return std::string(tables_.strings[index]);
}

std::vector<Attribute> BytecodeValues::ReadAttributes(Cursor& cursor) {
  std::vector<Attribute> attributes(cursor.Count());
  for (Attribute& attribute : attributes) attribute = ReadAttribute(cursor);
  return attributes;
}

std::vector<Type> BytecodeValues::ReadTypes(Cursor& cursor) {
  std::vector<Type> types(cursor.Count());
  for (Type& type : types) type = ReadType(cursor);
  return types;
}

std::string_view BytecodeValues::ReadResource(Cursor& cursor) {
  const std::size_t index = cursor.Index(tables_.resources.size(), "a resource");
  return cursor.ok() ? tables_.resources[index] : std::string_view();
}

}  // namespace assay::stablehlo
