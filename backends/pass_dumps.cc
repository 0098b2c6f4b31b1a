#include "backends/pass_dumps.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <system_error>

namespace assay {

std::vector<PassDump> FindPassDumps(const std::string& folder) {
  static const std::regex form(R"((.*)\.(\d{4})\.([^.]+)\.after_([^.]+)(?:\.before_([^.]+))?\.txt)");
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<PassDump> dumps;
  for (const std::filesystem::path& file : files) {
    std::smatch match;
    const std::string name = file.filename().string();
    if (!std::regex_match(name, match, form)) continue;
    dumps.push_back({match[1], match[2], match[3], match[4], match[5], file.string()});
  }
  return dumps;
}

}  // namespace assay
