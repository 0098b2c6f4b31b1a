#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "backends/cuda/device/kernel_cache.h"

namespace assay::cuda {
namespace {

namespace fs = std::filesystem;

// The version of the file format.
constexpr std::string_view kCodeFileMark = "assay cuda kernel 1\n";

// FNV-1a with two initial values. 128 bits name a file, and 64 bits verify its contents.
std::uint64_t Hash(std::uint64_t start, std::string_view bytes) {
  std::uint64_t hash = start;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}
constexpr std::uint64_t kStart = 0xcbf29ce484222325;
constexpr std::uint64_t kOtherStart = 0x9e3779b97f4a7c15;

fs::path FolderOfUser() {
  if (const char* own = std::getenv("ASSAY_CUDA_CACHE")) return own;
  if (const char* caches = std::getenv("XDG_CACHE_HOME"); caches != nullptr && *caches != 0) {
    return fs::path(caches) / "assay" / "cuda";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0) {
    return fs::path(home) / ".cache" / "assay" / "cuda";
  }
  return {};
}

// Returns the head of a file: the complete settings and text, so that a colliding file name is detected.
std::string Head(const std::string& settings, const std::string& text) {
  return fmt::format("{}{} {}\n{}{}", kCodeFileMark, settings.size(), text.size(), settings, text);
}

std::string Checksum(std::string_view code) { return fmt::format("{:016x}{:016x}", code.size(), Hash(kStart, code)); }

}  // namespace

CodeFolder CodeFolder::OfUser() { return CodeFolder(FolderOfUser()); }

fs::path CodeFolder::FileOf(const std::string& settings, const std::string& text) const {
  const std::string head = Head(settings, text);
  return folder_ / fmt::format("{:016x}{:016x}", Hash(kStart, head), Hash(kOtherStart, head));
}

std::string CodeFolder::Find(const std::string& settings, const std::string& text) const {
  if (folder_.empty()) return {};
  std::ifstream stream(FileOf(settings, text), std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(stream), {}};
  const std::string head = Head(settings, text);
  constexpr std::size_t kChecksum = 32;
  if (file.size() < head.size() + kChecksum || !file.starts_with(head)) return {};
  std::string code = file.substr(head.size() + kChecksum);
  return file.compare(head.size(), kChecksum, Checksum(code)) == 0 ? code : std::string();
}

void CodeFolder::Keep(const std::string& settings, const std::string& text, const std::string& code) const {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  const fs::path file = FileOf(settings, text);
  // The rename makes the file visible at once, when it is complete.
  static std::atomic<int> count = 0;
  const fs::path part = file.string() + fmt::format(".{}.{}", getpid(), count++);
  std::ofstream stream(part, std::ios::binary);
  stream << Head(settings, text) << Checksum(code) << code;
  stream.close();
  if (stream) fs::rename(part, file, error);
  if (!stream || error) fs::remove(part, error);
}

}  // namespace assay::cuda
