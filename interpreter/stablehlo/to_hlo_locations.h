// Where operations come from: the metadata of instructions, and the stack tables of a module.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

// Numbers files, functions, places and frames from 1 in the order of their use.
class FrameNumbers {
 public:
  // metadata={...} of an instruction, without its name; empty if the location says nothing.
  std::string Metadata(const Location& location);
  // The tables as a module prints them; empty if no frame has a number.
  std::string Tables() const;

 private:
  using Place = std::pair<std::pair<std::int64_t, std::int64_t>, std::pair<int, int>>;  // file, function, line, column
  using Frame = std::pair<std::int64_t, std::int64_t>;                                  // place, parent
  template <class Row>
  struct Table {
    std::vector<Row> rows;
    std::map<Row, std::int64_t, std::less<>> numbers;
    template <class Key>
    std::int64_t Number(const Key& row);
  };

  std::int64_t NumberStack(const std::vector<SourceFrame>& frames);

  Table<std::string> files_, functions_;
  Table<Place> places_;
  Table<Frame> frames_;
  std::unordered_map<std::string, std::int64_t> stacks_;  // by the text of all frames
};

// The name for the instructions of a location: the last part of "jit(f)/jit(main)/add"; empty if it has none.
std::string_view BaseNameOf(const Location& location);

}  // namespace assay::stablehlo
