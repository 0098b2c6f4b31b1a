#include "tools/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace assay {

Result<std::string> ReadFile(const std::string& path) {
  if (path == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return Error{ErrorCode::kIo, fmt::format("{}: is a directory, expected a file", path)};
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::kIo, fmt::format("{}: {}", path, std::strerror(errno))};
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) return Error{ErrorCode::kIo, fmt::format("{}: reading failed", path)};
  return bytes;
}

Status WriteFileAtomically(const std::string& path, std::string_view bytes) {
  const std::string temporary = fmt::format("{}.{}.partial", path, getpid());
  std::ofstream file(temporary, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    return Error{ErrorCode::kIo, fmt::format("{} cannot be written: {}", path, reason)};
  }
  return {};
}

}  // namespace assay
