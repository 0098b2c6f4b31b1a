#include "backends/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace assay {
namespace {

// The longest file that ReadFile reads. It bounds reads of devices without an end.
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

// Returns the path at the end of a chain of links, or the path itself if it is not a link. The file need not exist.
std::string BehindLinks(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // as Linux follows them
  std::error_code error;
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(path, error); ++links) {
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  }
  return path.string();
}

// A new file beside the target, under a name that no other thread or process uses. The destructor removes the file
// unless Commit has renamed it. A target that is a device or a pipe must not be replaced and is written itself.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path) {
    static std::atomic<int> made = 0;
    std::error_code error;
    const std::filesystem::file_status target = std::filesystem::status(path, error);
    is_replaced_ = !std::filesystem::exists(target) || std::filesystem::is_regular_file(target);
    target_ = BehindLinks(path);
    name_ = is_replaced_ ? fmt::format("{}.{}.{}.partial", target_, getpid(), made++) : target_;
    file_ = std::fopen(name_.c_str(), is_replaced_ ? "wbxe" : "wbe");
    if (file_ == nullptr) reason_ = errno;
  }
  ~OutputFile() {
    if (file_ == nullptr) return;
    std::fclose(file_);
    if (is_replaced_) std::remove(name_.c_str());
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void Write(std::string_view bytes) {
    if (bytes.empty()) return;  // perhaps without an address
    if (reason_ == 0 && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) reason_ = errno;
  }

  // Renames the file to the target. Returns 0, or the errno of the first failure. The bytes reach the disk before the
  // name does: after a power loss the target has the old bytes or the new ones.
  int Commit() {
    if (reason_ == 0 && std::fflush(file_) != 0) reason_ = errno;
    // EINVAL: the file system does not support fsync, nor do devices.
    if (reason_ == 0 && fsync(fileno(file_)) != 0 && errno != EINVAL) reason_ = errno;
    if (reason_ == 0 && is_replaced_ && std::rename(name_.c_str(), target_.c_str()) != 0) reason_ = errno;
    if (reason_ == 0) std::fclose(std::exchange(file_, nullptr));
    return reason_;
  }

 private:
  std::string target_, name_;
  bool is_replaced_ = true;
  std::FILE* file_ = nullptr;
  int reason_ = 0;
};

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
  if (const int reason = OutputFile(probe).Commit(); reason != 0) {
    return Error{ErrorCode::kIo, fmt::format("{} cannot be written: {}", folder, std::strerror(reason))};
  }
  std::remove(probe.c_str());
  return {};
}

Status WriteFileAtomically(const std::string& path, std::string_view bytes) {
  return WriteFileAtomically(path, [bytes](const TextSink& sink) { sink(bytes); });
}

Status WriteFileAtomically(const std::string& path, const std::function<void(const TextSink&)>& write) {
  OutputFile file(path);
  write([&](std::string_view bytes) { file.Write(bytes); });
  if (const int reason = file.Commit(); reason != 0) {
    return Error{ErrorCode::kIo, fmt::format("{} cannot be written: {}", path, std::strerror(reason))};
  }
  return {};
}

}  // namespace assay
