#include "backends/data_folder.h"

#include <system_error>
#include <vector>

namespace assay {

namespace fs = std::filesystem;

fs::path FindData(std::string_view name) {
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
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / name, error)) return folder / name;
  }
  return {};
}

}  // namespace assay
