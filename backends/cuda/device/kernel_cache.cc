#include "backends/cuda/device/kernel_cache.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <utility>

namespace assay::cuda {
namespace {

// The limit of loaded modules, which hold device memory.
constexpr std::size_t kMostLoaded = 1024;
constexpr const char* kEntry = "kernel";

// Writes the text to a file named by its hash, for inspection.
Status WriteText(const std::filesystem::path& folder, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::filesystem::path path = folder / fmt::format("{:016x}.cu", std::hash<std::string>()(text));
  if (!(std::ofstream(path) << text << std::flush)) {
    return Error{ErrorCode::kIo, fmt::format("ASSAY_CUDA_DUMP: cannot write {}", path.string())};
  }
  return {};
}

}  // namespace

KernelCache::KernelCache(const Driver& driver, const Nvrtc& nvrtc, std::string architecture, CodeFolder folder)
    : driver_(driver),
      nvrtc_(nvrtc),
      architecture_(std::move(architecture)),
      settings_(nvrtc.Settings(architecture_)),
      folder_(std::move(folder)) {}

Result<std::shared_ptr<const LoadedKernel>> KernelCache::Load(const std::string& text) {
  const char* const folder = std::getenv("ASSAY_CUDA_DUMP");
  if (folder != nullptr && *folder != 0) ASSAY_CHECK_OK(WriteText(folder, text));
  if (const auto found = loaded_.find(text); found != loaded_.end()) return found->second;
  std::shared_ptr<const LoadedKernel> kernel;
  if (const std::string code = folder_.Find(settings_, text); !code.empty()) {
    // If the device rejects the code, the text is compiled again.
    if (auto loaded = LoadCode(code)) kernel = *std::move(loaded);
  }
  if (kernel == nullptr) {
    ASSAY_TRY(const std::string code, nvrtc_.Compile(text, architecture_));
    ASSAY_TRY(kernel, LoadCode(code));
    folder_.Keep(settings_, text, code);
  }
  if (order_.size() == kMostLoaded) {
    loaded_.erase(order_.front());
    order_.pop_front();
  }
  loaded_[text] = kernel;
  order_.push_back(text);
  return kernel;
}

Result<std::shared_ptr<const LoadedKernel>> KernelCache::LoadCode(const std::string& code) const {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  ASSAY_CUDA_CALL(driver_, ModuleLoadData, &module, code.data());
  auto kernel = std::make_shared<LoadedKernel>(driver_, module);
  ASSAY_CUDA_CALL(driver_, ModuleGetFunction, &function, module, kEntry);
  kernel->set_function(function);
  return std::shared_ptr<const LoadedKernel>(std::move(kernel));
}

}  // namespace assay::cuda
