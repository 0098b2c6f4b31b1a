#include "backends/data_folder.h"

#include <algorithm>
#include <system_error>

namespace assay {

namespace fs = std::filesystem;

fs::path FindData(std::string_view name) {
  const std::vector<fs::path> found = FindAllData(name);
  return found.empty() ? fs::path() : found.front();
}

std::vector<fs::path> FindAllData(std::string_view name) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::vector<fs::path> folders;
  for (fs::path folder : {fs::current_path(error), program}) {
    for (; !folder.empty(); folder = folder.parent_path()) {
      folders.push_back(folder);
      if (folder == folder.root_path()) break;
    }
  }
  folders.push_back(program.parent_path() / "share" / "assay");
  std::vector<fs::path> found;
  for (const fs::path& folder : folders) {
    if (!fs::exists(folder / name, error)) continue;
    if (std::ranges::find(found, folder / name) == found.end()) found.push_back(folder / name);
  }
  return found;
}

}  // namespace assay
