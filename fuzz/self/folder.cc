#include "fuzz/self/folder.h"

#include <filesystem>
#include <fstream>

#include "fuzz/self/target.h"

namespace assay {

TargetFolder::TargetFolder() { Require(!folder_.path().empty(), "there is a folder for temporary files"); }

std::string TargetFolder::Write(std::string_view name, std::string_view text) const {
  const std::filesystem::path path = std::filesystem::path(folder_.path()) / name;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  return path.string();
}

}  // namespace assay
