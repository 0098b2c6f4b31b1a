// Compiled kernels, cached in memory, and on disk for the next process.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>

#include "backends/cuda/libraries/driver.h"
#include "backends/cuda/libraries/nvrtc.h"

namespace assay::cuda {

// The one kernel of a text, loaded on the device.
class LoadedKernel {
 public:
  LoadedKernel(const Driver& driver, CUmodule module) : driver_(driver), module_(module) {}
  ~LoadedKernel() { driver_.ModuleUnload(module_); }
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;

  CUfunction function() const { return function_; }
  void set_function(CUfunction function) { function_ = function; }

 private:
  const Driver& driver_;
  CUmodule module_;
  CUfunction function_ = nullptr;
};

// A folder with the machine code of texts, which several processes may share. A file that is unreadable, damaged or of
// another text counts as absent.
class CodeFolder {
 public:
  // Returns the folder ASSAY_CUDA_CACHE, or assay/cuda in XDG_CACHE_HOME or ~/.cache. Without any of these variables
  // nothing is stored.
  static CodeFolder OfUser();
  explicit CodeFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Returns the code of a text; empty if there is none.
  std::string Find(const std::string& settings, const std::string& text) const;
  // Stores the code of a text. Ignores errors.
  void Keep(const std::string& settings, const std::string& text, const std::string& code) const;

 private:
  std::filesystem::path FileOf(const std::string& settings, const std::string& text) const;

  std::filesystem::path folder_;
};

// A cache for one thread at a time.
class KernelCache {
 public:
  KernelCache(const Driver& driver, const Nvrtc& nvrtc, std::string architecture, CodeFolder folder);

  // Compiles and loads a text. Fails with kUnsupported if the compiler rejects it; other errors are the device's.
  Result<std::shared_ptr<const LoadedKernel>> Load(const std::string& text);

 private:
  Result<std::shared_ptr<const LoadedKernel>> LoadCode(const std::string& code) const;

  const Driver& driver_;
  const Nvrtc& nvrtc_;
  std::string architecture_;
  std::string settings_;
  CodeFolder folder_;
  std::unordered_map<std::string, std::shared_ptr<const LoadedKernel>> loaded_;
  std::deque<std::string> order_;  // the oldest first
};

}  // namespace assay::cuda
