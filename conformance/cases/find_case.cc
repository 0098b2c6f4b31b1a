#include "conformance/cases/find_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "backends/files.h"
#include "interpreter/hlo/suggest.h"

namespace assay {
namespace {

// Suggests the name that was probably meant, followed by some names of the same file.
std::string NearNames(const std::string& name, const std::vector<std::string>& names) {
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  std::string near = Suggest(name, candidates);
  const std::string file = name.substr(0, name.rfind('/') + 1);
  for (std::size_t i = 0; i < names.size() && near.size() < 200; ++i) {
    if (!near.starts_with(", did") && !file.empty() && names[i].starts_with(file)) {
      near += (near.empty() ? "; there are " : ", ") + names[i];
    }
  }
  return near;
}

}  // namespace

std::string NamedCase::Title() const {
  return fmt::format("{} ({}:{}): {}", golden.name, file.path, golden.line, golden.reason);
}

Result<NamedCase> FindCase(const std::string& corpus, const std::string& name) {
  ASSAY_TRY(const std::vector<std::string> paths, FindGoldenFiles(corpus));
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    ASSAY_TRY(const std::string text, ReadFile(path));
    ASSAY_TRY(GoldenFile file, ParseGoldenFile(path, text));
    for (GoldenCase& golden : file.cases) {
      names.push_back(golden.name);
      if (golden.name != name) continue;
      if (!golden.refused.empty()) {
        return Error{ErrorCode::kInput, fmt::format("{} must be refused: it has no values", name)};
      }
      if (golden.has_host()) return Error{ErrorCode::kInput, fmt::format("{} needs a host", name)};
      GoldenCase found = std::move(golden);
      return NamedCase{std::move(file), std::move(found)};
    }
  }
  return Error{ErrorCode::kUsage, fmt::format("{} is neither a file nor the name of a case below {}{}\nassay check "
                                              "--list prints all names",
                                              name, corpus, NearNames(name, names))};
}

Result<NamedCase> FindNeighbour(const GoldenFile& file, const GoldenCase& refused) {
  const std::string& name = refused.neighbour;
  const std::filesystem::path corpus = std::filesystem::path(file.path).parent_path().parent_path();
  ASSAY_TRY(GoldenFile of_neighbour, ReadGoldenFile((corpus / name.substr(0, name.rfind('/'))).string() + ".hlo"));
  const auto found = std::ranges::find(of_neighbour.cases, name, &GoldenCase::name);
  if (found == of_neighbour.cases.end() || !found->refused.empty() || found->has_host()) {
    return Error{ErrorCode::kInput,
                 fmt::format("{}:{}: the neighbour of {} must be a legal case without a host in {}, found {}",
                             file.path, refused.line, refused.name, of_neighbour.path, name)};
  }
  GoldenCase golden = std::move(*found);
  return NamedCase{std::move(of_neighbour), std::move(golden)};
}

}  // namespace assay
