#include "backends/cuda/libraries/dynamic_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "backends/data_folder.h"

namespace assay::cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSubfolders[] = {"",
                                            "lib",
                                            "lib64",
                                            "nvidia/cu13/lib",
                                            "nvidia/cuda_nvrtc/lib",
                                            "nvidia/cublas/lib",
                                            "nvidia/cudnn/lib",
                                            "nvidia/cufft/lib",
                                            "nvidia/cusolver/lib"};

std::string_view Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

// Adds the site-packages of a virtual environment, one for each Python in it.
void AddSitePackages(const fs::path& environment, std::vector<fs::path>& folders) {
  std::error_code error;
  for (const auto& python : fs::directory_iterator(environment / "lib", error)) {
    const fs::path packages = python.path() / "site-packages";
    if (fs::is_directory(packages, error)) folders.push_back(packages);
  }
}

std::vector<fs::path> FoldersOfPath(std::string_view path) {
  std::vector<fs::path> folders;
  while (!path.empty()) {
    const std::size_t colon = path.find(':');
    if (colon != 0) folders.emplace_back(path.substr(0, colon));
    path.remove_prefix(colon == std::string_view::npos ? path.size() : colon + 1);
  }
  return folders;
}

std::vector<fs::path> FoldersBehindTheLoader() {
  std::vector<fs::path> folders;
  if (const std::string_view environment = Variable("VIRTUAL_ENV"); !environment.empty()) {
    AddSitePackages(environment, folders);
  }
  if (const fs::path environment = FindData(".venv"); !environment.empty()) AddSitePackages(environment, folders);
  folders.emplace_back("/usr/local/cuda/lib64");
  return folders;
}

// Returns the files to try with dlopen, in order. The loader searches for a name without a folder.
std::vector<std::string> Candidates(std::span<const std::string_view> file_names, std::string_view named) {
  if (!named.empty()) return {std::string(named)};
  std::vector<std::string> candidates;
  const auto add = [&](const std::vector<fs::path>& folders) {
    std::error_code error;
    for (const fs::path& folder : folders) {
      for (const std::string_view subfolder : kSubfolders) {
        for (const std::string_view name : file_names) {
          const fs::path file = folder / subfolder / name;
          if (fs::exists(file, error)) candidates.push_back(file.string());
        }
      }
    }
  };
  add(FoldersOfPath(Variable("ASSAY_CUDA_PATH")));
  candidates.insert(candidates.end(), file_names.begin(), file_names.end());
  add(FoldersBehindTheLoader());
  return candidates;
}

}  // namespace

Result<DynamicLibrary> DynamicLibrary::Open(std::string_view what, std::span<const std::string_view> file_names,
                                            const char* variable) {
  std::string reason;
  for (const std::string& candidate : Candidates(file_names, Variable(variable))) {
    if (void* const handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) return DynamicLibrary(handle, candidate);
    if (reason.empty()) reason = dlerror();
  }
  return Error{
      ErrorCode::kBackend,
      fmt::format("{} was not found: {} ({} may name the file, ASSAY_CUDA_PATH its folder)", what, reason, variable)};
}

void DynamicLibrary::OpenBeside(std::string_view file_name) const {
  const fs::path file = fs::path(path_).replace_filename(file_name);
  std::error_code error;
  if (file.has_parent_path() && fs::exists(file, error)) dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

void* DynamicLibrary::Find(const char* symbol) const { return dlsym(handle_, symbol); }

}  // namespace assay::cuda
