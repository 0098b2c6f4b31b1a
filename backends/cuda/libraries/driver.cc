#include "backends/cuda/libraries/driver.h"

#include <fmt/format.h>

#include <memory>

#include "backends/cuda/libraries/dynamic_library.h"

namespace assay::cuda {
namespace {

// The oldest supported version: NVRTC 12 and 13 generate the machine code of the kernels.
constexpr int kOldestVersion = 12000;
constexpr std::string_view kDriverFiles[] = {"libcuda.so.1", "libcuda.so"};

std::string VersionText(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace

Result<const Driver*> Driver::Open() {
  static const Result<const Driver*> opened = OpenOnce();
  return opened;
}

Result<const Driver*> Driver::OpenOnce() {
  ASSAY_TRY(const DynamicLibrary library,
            DynamicLibrary::Open("the CUDA driver, libcuda.so.1,", kDriverFiles, "ASSAY_CUDA_DRIVER"));
  std::unique_ptr<Driver> driver(new Driver());
#define ASSAY_CUDA_FIND(name, symbol, ...)                                                                  \
  driver->name = reinterpret_cast<std::add_pointer_t<__VA_ARGS__>>(library.Find(#symbol));                  \
  if (driver->name == nullptr) {                                                                            \
    return Error{ErrorCode::kBackend, fmt::format("the CUDA driver {} lacks {}", library.path(), #symbol)}; \
  }
  ASSAY_CUDA_DRIVER_FUNCTIONS(ASSAY_CUDA_FIND)
#undef ASSAY_CUDA_FIND
  driver->has_graphs_ = true;
#define ASSAY_CUDA_FIND(name, symbol, ...)                                                 \
  driver->name = reinterpret_cast<std::add_pointer_t<__VA_ARGS__>>(library.Find(#symbol)); \
  driver->has_graphs_ &= driver->name != nullptr;
  ASSAY_CUDA_GRAPH_FUNCTIONS(ASSAY_CUDA_FIND)
#undef ASSAY_CUDA_FIND
  ASSAY_CUDA_CALL(*driver, DriverGetVersion, &driver->version_);
  if (driver->version_ < kOldestVersion) {
    return Error{ErrorCode::kBackend, fmt::format("the CUDA driver is of CUDA {}, the backend cuda needs {} or newer",
                                                  VersionText(driver->version_), VersionText(kOldestVersion))};
  }
  if (const CUresult result = driver->Init(0); result != kCudaSuccess) {
    return Error{ErrorCode::kBackend, result == kCudaNoDevice
                                          ? std::string("the CUDA driver finds no device")
                                          : fmt::format("the CUDA driver does not start: {}", driver->NameOf(result))};
  }
  return driver.release();  // stays loaded, like the library
}

std::string Driver::NameOf(CUresult result) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (GetErrorName(result, &name) != kCudaSuccess || name == nullptr) return fmt::format("error {}", result);
  if (GetErrorString(result, &text) != kCudaSuccess || text == nullptr) return name;
  return fmt::format("{} ({})", name, text);
}

Error Driver::ErrorOf(CUresult result, const std::string& call) const {
  const ErrorCode code = result == kCudaOutOfMemory ? ErrorCode::kLimit : ErrorCode::kBackend;
  return {code, fmt::format("the CUDA device: {} at {}", NameOf(result), call)};
}

}  // namespace assay::cuda
