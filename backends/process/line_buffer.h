// Bytes as they come from a pipe, taken off line by line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/types/result.h"

namespace assay {

class LineBuffer {
 public:
  void Append(std::string_view bytes) { bytes_ += bytes; }

  // The next line, without its end; nothing while that is still to come. kBackend for one of more than `longest` bytes,
  // which is known before it ends.
  Result<std::optional<std::string>> TakeLine(std::size_t longest);

  // What there is of a line that was cut off.
  std::string_view Cut() const;

 private:
  std::string bytes_;
  std::size_t searched_ = 0;  // no line ends before
};

}  // namespace assay
