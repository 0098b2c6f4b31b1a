// The source locations of operations: the metadata of instructions, and the stack tables of a module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interpreter/hlo/stack_tables.h"
#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

// The numbering of files, functions, places and frames from 1, in the order of their use.
class FrameNumbers {
 public:
  // Returns the text of metadata={...} of an instruction, valid as long as this object; empty for an empty location.
  // The location must outlive this object.
  std::string_view Metadata(const Location& location);
  // Returns the tables as a module prints them; empty if no frame has a number.
  std::string Tables() const { return tables_.ToString(); }

 private:
  struct ByContent {
    std::size_t operator()(const Location* location) const;
    bool operator()(const Location* a, const Location* b) const;
  };

  std::int64_t NumberStack(const std::vector<SourceFrame>& frames);
  std::string MetadataText(const Location& location);

  StackTables::Numbers tables_;
  std::unordered_map<const Location*, std::string, ByContent, ByContent> known_;
};

// Returns the name for the instructions of a location: the last part of "jit(f)/jit(main)/add"; empty if it has none.
std::string_view BaseNameOf(const Location& location);

}  // namespace assay::stablehlo
