// The tables FileNames, FunctionNames, FileLocations and StackFrames below the module's first line, which metadata
// refers to by stack_frame_id.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "interpreter/hlo/text_parser.h"

namespace assay {

// Holds the tables as the text gives them, and builds those of the module: only what is used, without duplicates,
// numbered from 1 in the order of use, as XLA does.
class StackTables {
 public:
  Status Parse(TextParser& parser);

  // The module's number of frame `id` of the text; its parents get theirs first. 0 when the text has no such frame or
  // something that it refers to is missing.
  std::int64_t Use(std::int64_t id);
  // The lines of the module's tables; empty when no frame is used.
  std::string ToString() const;

 private:
  // Rows of equal content are one row.
  template <class Row>
  struct Table {
    std::vector<Row> rows;
    std::map<Row, std::int64_t> numbers;
    std::int64_t Number(const Row& row);
  };
  using Location = std::array<std::int64_t, 6>;  // in the order of kLocationFields
  using Frame = std::array<std::int64_t, 2>;     // location, parent (0: none)

  std::int64_t UseLocation(std::int64_t id);

  std::vector<std::string> text_files_, text_functions_;
  std::vector<Location> text_locations_;
  std::vector<Frame> text_frames_;
  std::vector<std::int64_t> used_;  // frame of the text -> frame of the module; -1 before the first use

  Table<std::string> files_, functions_;
  Table<Location> locations_;
  Table<Frame> frames_;
};

}  // namespace assay
