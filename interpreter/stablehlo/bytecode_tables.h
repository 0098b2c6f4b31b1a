// The tables of a bytecode file: strings, names of operations, and the places of encoded attributes, types and
// properties.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/bytecode_cursor.h"

namespace assay::stablehlo {

// Versions of the bytecode, named for the feature that each one added.
inline constexpr std::uint64_t kDialectVersions = 1;
inline constexpr std::uint64_t kRegionSections = 2;
inline constexpr std::uint64_t kUseListOrders = 3;
inline constexpr std::uint64_t kOptionalArgumentLocations = 4;
inline constexpr std::uint64_t kProperties = 5;
inline constexpr std::uint64_t kNewestBytecode = 6;

inline constexpr int kIrSection = 4;

struct BytecodeOperationName {
  std::string name;           // "vhlo.add_v1"
  bool is_registered = true;  // else its properties are one attribute
};

// An encoded attribute or type: its place, and the dialect of its encoding.
struct BytecodeEntry {
  std::string_view dialect;
  std::size_t begin = 0, end = 0;
  bool is_text = false;  // MLIR's assembly format
};

struct BytecodeTables {
  std::uint64_t version = 0;
  std::vector<std::string_view> strings;
  std::vector<std::string_view> dialects;
  std::vector<BytecodeOperationName> operations;
  std::vector<BytecodeEntry> attributes, types;
  std::vector<Cursor> properties;
  std::vector<std::string_view> resources;  // blobs of dialects, in the order of their handles
  Cursor ir;
};

// Reads the header and all sections except the operations; errors are reported to the file.
BytecodeTables ReadBytecodeTables(BytecodeFile& file);

}  // namespace assay::stablehlo
