#include "conformance/cases/case_files.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "backends/files.h"
#include "conformance/cases/golden.h"
#include "conformance/cases/module_file.h"

namespace assay {

Result<CaseFiles> FindCaseFiles(const std::string& corpus, const std::vector<std::string>& models,
                                const CaseOptions& options, const Shard& shard, bool wants_digest) {
  ASSAY_TRY(std::vector<std::string> goldens, FindGoldenFiles(corpus));
  const auto is_golden = [](const std::string& path) { return !IsProgramOfItsOwn(path); };
  const auto programs = std::stable_partition(goldens.begin(), goldens.end(), is_golden);
  std::vector<std::string> modules;
  std::copy_if(programs, goldens.end(), std::back_inserter(modules),
               [&](const std::string& path) { return KeepsModel(path, options); });
  goldens.erase(programs, goldens.end());
  if (!options.filter.text().empty() || !options.tags.empty() || options.names) {
    std::erase_if(goldens, [&](const std::string& path) { return CaseNames(path, options).empty(); });
  }
  for (const std::string& folder : models) {
    ASSAY_TRY(const std::vector<std::string> found, FindModuleFiles(folder));
    if (found.empty()) return Error{ErrorCode::kInput, folder + ": no module in this folder"};
    std::ranges::copy_if(found, std::back_inserter(modules),
                         [&](const std::string& path) { return KeepsModel(path, options); });
  }
  CaseFiles cases;
  if (wants_digest) cases.digest = DigestOf(goldens) + DigestOf(modules);
  shard.Keep(goldens);
  shard.Keep(modules);
  for (const std::string& path : goldens) cases.files.push_back({path});
  for (const std::string& path : modules) cases.files.push_back({path, /*is_model=*/true});
  return cases;
}

Result<std::set<std::string>> ReadCaseNames(const std::string& path) {
  ASSAY_TRY(const std::string text, ReadFile(path));
  std::set<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && !line.starts_with('#')) names.insert(line);
  }
  return names;
}

}  // namespace assay
