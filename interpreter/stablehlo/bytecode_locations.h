// Locations of a bytecode file: the name of an operation, and the calls that led to it.
#pragma once

#include <cstddef>
#include <string_view>

#include "interpreter/stablehlo/bytecode_cursor.h"
#include "interpreter/stablehlo/bytecode_tables.h"
#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

class BytecodeLocations {
 public:
  // Both must outlive it.
  BytecodeLocations(BytecodeFile& file, const BytecodeTables& tables) : file_(file), tables_(tables) {}

  // The location whose index is read next. Several names are joined by ";" as XLA does; the name of a position in a
  // file that is part of a call is that of the function: callsite("f"("file.py":1:2) at ...).
  Location Read(Cursor& cursor);

 private:
  void Add(std::size_t index, bool is_in_call, Location& location);
  void AddNamed(Cursor& cursor, bool is_in_call, Location& location);
  void AddFile(Cursor& cursor, bool is_range, Location& location);
  std::size_t ReadIndex(Cursor& cursor);
  // The text of the string attribute whose index is read next.
  std::string_view ReadText(Cursor& cursor);

  BytecodeFile& file_;
  const BytecodeTables& tables_;
  int depth_ = 0;
};

}  // namespace assay::stablehlo
