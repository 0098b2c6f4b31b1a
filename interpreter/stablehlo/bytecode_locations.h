// Locations of a bytecode file: the name of an operation, and the stack of calls that led to it.
#pragma once

#include <cstddef>
#include <string_view>

#include "interpreter/stablehlo/bytecode_cursor.h"
#include "interpreter/stablehlo/bytecode_tables.h"
#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

class BytecodeLocations {
 public:
  // The file and the tables must outlive this object.
  BytecodeLocations(BytecodeFile& file, const BytecodeTables& tables) : file_(file), tables_(tables) {}

  // Reads an index and returns its location. Several names are joined by ";" as in XLA. The name of a position in a
  // file that is part of a call is that of the function: callsite("f"("file.py":1:2) at ...).
  Location Read(Cursor& cursor);

 private:
  void Add(std::size_t index, bool is_in_call, Location& location);
  void AddNamed(Cursor& cursor, bool is_in_call, Location& location);
  void AddFile(Cursor& cursor, bool is_range, Location& location);
  std::size_t ReadIndex(Cursor& cursor);
  // Reads an index and returns the text of its string attribute.
  std::string_view ReadText(Cursor& cursor);

  BytecodeFile& file_;
  const BytecodeTables& tables_;
  int depth_ = 0;
};

}  // namespace assay::stablehlo
