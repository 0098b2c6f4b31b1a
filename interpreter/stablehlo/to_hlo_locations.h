// The source locations of operations: the metadata of instructions, and the stack tables of a module.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

// The numbering of files, functions, places and frames from 1, in the order of their use.
class FrameNumbers {
 public:
  // Returns the text of metadata={...} of an instruction, valid as long as this object; empty for an empty location.
  // The location must outlive this object.
  std::string_view Metadata(const Location& location);
  // Returns the tables as a module prints them; empty if no frame has a number.
  std::string Tables() const;

 private:
  // File, function, line, last line, column, last column.
  using Place = std::tuple<std::int64_t, std::int64_t, int, int, int, int>;
  using Frame = std::pair<std::int64_t, std::int64_t>;  // place, parent
  template <class Row>
  struct Table {
    std::vector<Row> rows;
    std::map<Row, std::int64_t, std::less<>> numbers;
    template <class Key>
    std::int64_t Number(const Key& row);
  };

  struct ByContent {
    std::size_t operator()(const Location* location) const;
    bool operator()(const Location* a, const Location* b) const;
  };

  std::int64_t NumberStack(const std::vector<SourceFrame>& frames);
  std::string MetadataText(const Location& location);

  Table<std::string> files_, functions_;
  Table<Place> places_;
  Table<Frame> frames_;
  std::unordered_map<const Location*, std::string, ByContent, ByContent> known_;
};

// Returns the name for the instructions of a location: the last part of "jit(f)/jit(main)/add"; empty if it has none.
std::string_view BaseNameOf(const Location& location);

}  // namespace assay::stablehlo
