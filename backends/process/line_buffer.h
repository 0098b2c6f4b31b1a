// A buffer that splits the bytes of a pipe into lines.
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

  // Removes and returns the next line, without its end; nullopt while the line is incomplete. Fails with kBackend for a
  // line of more than `longest` bytes, as soon as that many have arrived.
  Result<std::optional<std::string>> TakeLine(std::size_t longest);

  // Returns the incomplete line at the end of the buffer.
  std::string_view Cut() const;

 private:
  std::string bytes_;
  std::size_t searched_ = 0;  // no line ends before this offset
};

}  // namespace assay
