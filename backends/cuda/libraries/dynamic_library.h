// Shared objects that are opened when they are needed, where they are there.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "interpreter/types/result.h"

namespace assay::cuda {

class DynamicLibrary {
 public:
  // The first that opens of: the file that the environment variable `variable` names, and then nothing else; each of
  // the file names in the folders of ASSAY_CUDA_PATH, on the loader's path, in the site-packages of the virtual
  // environment, and in /usr/local/cuda/lib64. A folder may have them itself, in lib, in lib64, or where the wheels of
  // PyPI put them. It stays open until the process ends. The error is kBackend; `what` says in it what is missing.
  static Result<DynamicLibrary> Open(std::string_view what, std::span<const std::string_view> file_names,
                                     const char* variable);

  // The file that was opened.
  const std::string& path() const { return path_; }

  // Opens a file of the same folder, where there is one: a library that opens it by its name then finds it, also in a
  // folder that the loader does not search, such as those of PyPI's wheels.
  void OpenBeside(std::string_view file_name) const;

  // Null where the library lacks the symbol.
  void* Find(const char* symbol) const;

 private:
  DynamicLibrary(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}

  void* handle_;
  std::string path_;
};

}  // namespace assay::cuda
