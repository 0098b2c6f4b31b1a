#include "backends/process/line_buffer.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {

Result<std::optional<std::string>> LineBuffer::TakeLine(std::size_t longest) {
  const std::size_t end = bytes_.find('\n', searched_);
  searched_ = std::min(end, bytes_.size());
  if (searched_ > longest) {
    return Error{ErrorCode::kBackend, fmt::format("the backend sent a line of more than {} bytes", longest)};
  }
  if (end == std::string::npos) return std::optional<std::string>();
  std::string line = bytes_.substr(0, end);
  bytes_.erase(0, end + 1);
  searched_ = 0;
  return std::optional(std::move(line));
}

std::string_view LineBuffer::Cut() const { return std::string_view(bytes_).substr(bytes_.rfind('\n') + 1); }

}  // namespace assay
