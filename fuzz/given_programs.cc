#include "fuzz/given_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "conformance/cases/golden.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/module_file.h"
#include "interpreter/hlo/fill.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kInputSeed = 1;

Result<NamedSubject> ReadProgram(const std::string& path) {
  ASSAY_TRY(const ModuleFile file, ReadModuleFile(path));
  ASSAY_TRY(std::unique_ptr<HloModule> module, ParseModuleFile(file.file_name, file.text));
  FillElidedConstants(*module, 0);
  KeepSource(file, *module);
  InputOptions from_file = WithRecorded(file);
  from_file.seed = kInputSeed;
  ASSAY_TRY(Inputs inputs, ReadInputs(*module, from_file));
  return NamedSubject{ModuleNameOf(path), {std::move(module), std::move(inputs.per_device)}};
}

// Returns the modules of a folder and of its subfolders. A program in a folder of its own is one of them.
Result<std::vector<std::string>> ModuleFilesBelow(const std::string& folder) {
  ASSAY_TRY(std::vector<std::string> files, FindModuleFiles(folder));
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    std::error_code no_folder;
    if (!entry.is_directory(no_folder)) continue;
    ASSAY_TRY(const std::vector<std::string> inner, FindModuleFiles(entry.path().string()));
    files.insert(files.end(), inner.begin(), inner.end());
  }
  if (error) return Error{ErrorCode::kIo, fmt::format("{}: {}", folder, error.message())};
  std::ranges::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace

Result<GivenPrograms> ReadGivenPrograms(const std::string& path) {
  std::error_code no_folder;
  std::vector<std::string> files = {path};
  const bool is_folder = fs::is_directory(path, no_folder);
  if (is_folder) {
    ASSAY_TRY(files, ModuleFilesBelow(path));
    if (files.empty()) return Error{ErrorCode::kInput, path + ": no module in this folder"};
  }
  GivenPrograms given;
  for (const std::string& file : files) {
    Result<NamedSubject> program = WithoutThrowing([&] { return ReadProgram(file); });
    if (program) {
      given.programs.push_back(*std::move(program));
    } else {
      Error error = program.error();
      if (error.message.find(file) == std::string::npos) error.message = fmt::format("{}: {}", file, error.message);
      given.unread.push_back(std::move(error));
    }
  }
  if (given.programs.empty()) return given.unread[0];
  return given;
}

}  // namespace assay
