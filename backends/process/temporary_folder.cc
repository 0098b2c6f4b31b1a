#include "backends/process/temporary_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>

#include "backends/process/values.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// The existing folders. Never destroyed: other threads may still run when the process ends.
struct Folders {
  std::mutex mutex;
  std::set<std::string> paths;
};
Folders& AllFolders() {
  static auto* const folders = new Folders;
  return *folders;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  Folders& all = AllFolders();
  const std::lock_guard lock(all.mutex);
  std::error_code error;
  // The path is absolute because a peer runs in its own folder.
  std::string pattern = fs::absolute(fs::temp_directory_path(error) / "assay-XXXXXX", error).string();
  if (mkdtemp(pattern.data()) == nullptr) return;
  path_ = pattern;
  all.paths.insert(path_);
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  Folders& all = AllFolders();
  const std::lock_guard lock(all.mutex);
  std::error_code error;
  fs::remove_all(path_, error);
  all.paths.erase(path_);
}

std::optional<std::string> TemporaryFolder::Write(const Literal& value) {
  if (path_.empty()) return std::nullopt;
  std::string file = fmt::format("{}/{}", path_, files_++);
  if (!WriteElements(file, value)) return std::nullopt;
  return file;
}

void TemporaryFolder::RemoveAllForGood() {
  Folders& all = AllFolders();
  all.mutex.lock();
  std::error_code error;
  for (const std::string& path : all.paths) fs::remove_all(path, error);
}

}  // namespace assay
