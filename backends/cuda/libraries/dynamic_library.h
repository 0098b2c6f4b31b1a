// Shared objects that are loaded at run time, if they are installed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "interpreter/types/result.h"

namespace assay::cuda {

class DynamicLibrary {
 public:
  // Opens the first file that loads. If the environment variable `variable` names a file, it is the only candidate.
  // Otherwise the file names are searched in the folders of ASSAY_CUDA_PATH, on the loader's path, in the site-packages
  // of the virtual environment, and in /usr/local/cuda/lib64: in each folder itself, in its lib and lib64, and in the
  // folders of PyPI's wheels. The library stays open until the process ends. Fails with kBackend; `what` describes the
  // library in the message.
  static Result<DynamicLibrary> Open(std::string_view what, std::span<const std::string_view> file_names,
                                     const char* variable);

  // The path of the opened file.
  const std::string& path() const { return path_; }

  // Opens a file in the same folder, if there is one. A library that opens this file by name then finds it, even in a
  // folder that the loader does not search, such as those of PyPI's wheels.
  void OpenBeside(std::string_view file_name) const;

  // Returns the symbol; null if the library lacks it.
  void* Find(const char* symbol) const;

 private:
  DynamicLibrary(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}

  void* handle_;
  std::string path_;
};

}  // namespace assay::cuda
