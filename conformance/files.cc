#include "conformance/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

namespace assay {
namespace {

// No text or array of a run is longer; a device that never ends is.
constexpr std::size_t kLargestFile = std::size_t{4} << 30;

Result<std::string> ReadAll(std::FILE* file, const std::string& path) {
  std::string bytes;
  std::vector<char> chunk(1 << 16);
  while (const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), file)) {
    bytes.append(chunk.data(), n);
    if (bytes.size() > kLargestFile) {
      return Error{ErrorCode::kLimit, fmt::format("{}: more than {} bytes", path, kLargestFile)};
    }
  }
  if (std::ferror(file) != 0) return Error{ErrorCode::kIo, fmt::format("{}: {}", path, std::strerror(errno))};
  return bytes;
}

}  // namespace

Result<std::string> ReadFile(const std::string& path) {
  if (path == "-") return ReadAll(stdin, "standard input");
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return Error{ErrorCode::kIo, fmt::format("{}: is a directory, expected a file", path)};
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return Error{ErrorCode::kIo, fmt::format("{}: {}", path, std::strerror(errno))};
  return ReadAll(file.get(), path);
}

Status PrepareFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string probe = fmt::format("{}/.{}.probe", folder, getpid());
  ASSAY_CHECK_OK(WriteFileAtomically(probe, ""));
  std::remove(probe.c_str());
  return {};
}

Status WriteFileAtomically(const std::string& path, std::string_view bytes) {
  return WriteFileAtomically(path, [bytes](const TextSink& sink) { sink(bytes); });
}

Status WriteFileAtomically(const std::string& path, const std::function<void(const TextSink&)>& write) {
  const std::string temporary = fmt::format("{}.{}.partial", path, getpid());
  std::ofstream file(temporary, std::ios::binary);
  write([&](std::string_view bytes) { file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
  file.close();
  if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    return Error{ErrorCode::kIo, fmt::format("{} cannot be written: {}", path, reason)};
  }
  return {};
}

}  // namespace assay
