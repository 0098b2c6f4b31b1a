#include "interpreter/stablehlo/bytecode_locations.h"

#include <fmt/format.h>

#include <utility>

namespace assay::stablehlo {
namespace {

// Codes of the builtin dialect: mlir/include/mlir/IR/BuiltinDialectBytecode.td.
enum LocationCode {
  kText = 2,
  kTextOfType = 3,
  kCallSite = 10,
  kFile = 11,
  kFused = 12,
  kFusedWithMetadata = 13,
  kNamed = 14,
  kFileRange = 22,
};
constexpr int kDeepestLocation = 200;
constexpr std::size_t kFrameSize = sizeof(SourceFrame);

}  // namespace

Location BytecodeLocations::Read(Cursor& cursor) {
  Location location;
  const std::size_t index = ReadIndex(cursor);
  if (cursor.ok()) Add(index, /*is_in_call=*/false, location);
  return location;
}

std::size_t BytecodeLocations::ReadIndex(Cursor& cursor) {
  return cursor.Index(tables_.attributes.size(), "a location");
}

std::string_view BytecodeLocations::ReadText(Cursor& cursor) {
  const std::size_t index = cursor.Index(tables_.attributes.size(), "an attribute");
  if (!cursor.ok()) return {};
  const BytecodeEntry& entry = tables_.attributes[index];
  Cursor text(file_, entry.begin, entry.end);
  const std::uint64_t code = entry.is_text || entry.dialect != "builtin" ? 0 : text.Varint();
  if (code != kText && code != kTextOfType) text.Fail("expected a string attribute in a location");
  const std::size_t string = text.Index(tables_.strings.size(), "a string");
  return text.ok() ? tables_.strings[string] : std::string_view();
}

// Adds the frames of a location. The caller of a call is usually a call again: a loop follows that chain.
void BytecodeLocations::Add(std::size_t index, bool is_in_call, Location& location) {
  if (depth_ == kDeepestLocation) {
    file_.Fail(tables_.attributes[index].begin, fmt::format("locations must nest at most {} deep", kDeepestLocation));
  }
  ++depth_;
  while (file_.ok()) {
    const BytecodeEntry& entry = tables_.attributes[index];
    file_.Charge(kFrameSize, entry.begin);
    if (entry.is_text || entry.dialect != "builtin") break;
    Cursor cursor(file_, entry.begin, entry.end);
    const std::uint64_t code = cursor.Varint();
    if (code == kCallSite) {
      const std::size_t callee = ReadIndex(cursor);
      if (cursor.ok()) Add(callee, /*is_in_call=*/true, location);
      index = ReadIndex(cursor);
      is_in_call = true;
      continue;
    }
    if (code == kNamed) AddNamed(cursor, is_in_call, location);
    if (code == kFile || code == kFileRange) AddFile(cursor, code == kFileRange, location);
    if (code == kFused || code == kFusedWithMetadata) {
      const std::size_t count = cursor.Count();
      for (std::size_t i = 0; i < count && cursor.ok(); ++i) Add(ReadIndex(cursor), is_in_call, location);
    }
    break;
  }
  --depth_;
}

void BytecodeLocations::AddNamed(Cursor& cursor, bool is_in_call, Location& location) {
  const std::string_view name = ReadText(cursor);
  const std::size_t child = ReadIndex(cursor);
  if (!cursor.ok()) return;
  if (!is_in_call) {
    location.name += location.name.empty() ? "" : ";";
    location.name += name;
  }
  const std::size_t first = location.frames.size();
  const std::size_t name_size = location.name.size();
  const bool is_type = !is_in_call && name.ends_with(':');  // of an operation; its name is that of the child
  Add(child, /*is_in_call=*/!is_type, location);
  // The name of another child becomes part of this one only if it names a function.
  if (!is_type) location.name.resize(name_size);
  if (is_in_call && location.frames.size() == first + 1 && location.frames[first].function.empty()) {
    location.frames[first].function = name;
  }
}

void BytecodeLocations::AddFile(Cursor& cursor, bool is_range, Location& location) {
  SourceFrame frame;
  frame.file = ReadText(cursor);
  // A range has up to four numbers. It ends in its first line if there are three, and is a point if there are fewer.
  const std::size_t count = is_range ? cursor.Count() : 2;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<int>(cursor.Varint() & 0x7fffffff);
    if (i == 0) frame.line = frame.end_line = number;
    if (i == 1) frame.column = number;
    if (i == 2 && count == 4) frame.end_line = number;
    if (i == count - 1 && i > 0) frame.end_column = number;
  }
  file_.Charge(frame.file.size(), cursor.offset());
  location.frames.push_back(std::move(frame));
}

}  // namespace assay::stablehlo
