// The tables FileNames, FunctionNames, FileLocations and StackFrames below the module's first line. Metadata refers to
// them by stack_frame_id.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/hlo/text_parser.h"

namespace assay {

// The tables of the text, and those of the module under construction: only used rows, without duplicates, numbered from
// 1 in the order of use, as in XLA.
class StackTables {
 public:
  using Location = std::array<std::int64_t, 6>;  // in the order of kLocationFields
  using Frame = std::array<std::int64_t, 2>;     // location, parent plus one (1: none)
  // Rows are numbered from 1.
  struct Rows {
    std::vector<std::string> files, functions;
    std::vector<Location> locations;
    std::vector<Frame> frames;
  };

  // A table that merges rows of equal content.
  template <class Row>
  struct Table {
    std::vector<Row> rows;
    std::map<Row, std::int64_t> numbers;
    std::int64_t Number(const Row& row) {
      const auto [number, is_new] = numbers.emplace(row, static_cast<std::int64_t>(rows.size()) + 1);
      if (is_new) rows.push_back(row);
      return number->second;
    }
  };
  // The tables of a module: only used rows.
  struct Numbers {
    Table<std::string> files, functions;
    Table<Location> locations;
    Table<Frame> frames;
    // Returns the lines of the tables; empty if there is no frame.
    std::string ToString() const;
  };

  StackTables() = default;
  explicit StackTables(Rows rows) : text_(std::move(rows)), used_(text_.frames.size() + 1, -1) {}
  Status Parse(TextParser& parser);
  // Returns all rows of the text.
  const Rows& text_rows() const { return text_; }

  // Returns the module's number of frame `id` of the text; numbers its parents first. Returns 0 if the text has no such
  // frame, or if something that it refers to is missing.
  std::int64_t Use(std::int64_t id);
  // Returns the lines of the module's tables; empty if no frame is used.
  std::string ToString() const { return numbers_.ToString(); }

 private:
  // True if the text has the location, its file and its function.
  bool HasLocation(std::int64_t id) const;
  std::int64_t UseLocation(std::int64_t id);

  Rows text_;
  std::vector<std::int64_t> used_;  // frame of the text -> frame of the module; -1 before the first use
  Numbers numbers_;
};

}  // namespace assay
