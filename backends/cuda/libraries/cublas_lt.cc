#include "backends/cuda/libraries/cublas_lt.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "backends/cuda/libraries/dynamic_library.h"

namespace assay::cuda {
namespace {

constexpr std::string_view kCublasLtFiles[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"};

}  // namespace

Result<const CublasLt*> CublasLt::Open() {
  static const Result<const CublasLt*> opened = OpenOnce();
  return opened;
}

Result<const CublasLt*> CublasLt::OpenOnce() {
  ASSAY_TRY(const DynamicLibrary library,
            DynamicLibrary::Open("cuBLASLt, libcublasLt.so,", kCublasLtFiles, "ASSAY_CUDA_CUBLASLT"));
  std::unique_ptr<CublasLt> cublas_lt(new CublasLt());
#define ASSAY_CUBLAS_LT_FIND(name, symbol, ...)                                                      \
  cublas_lt->name = reinterpret_cast<std::add_pointer_t<__VA_ARGS__>>(library.Find(#symbol));        \
  if (cublas_lt->name == nullptr) {                                                                  \
    return Error{ErrorCode::kBackend, fmt::format("cuBLASLt {} lacks {}", library.path(), #symbol)}; \
  }
  ASSAY_CUBLAS_LT_FUNCTIONS(ASSAY_CUBLAS_LT_FIND)
#undef ASSAY_CUBLAS_LT_FIND
  return cublas_lt.release();  // stays loaded, like the library
}

}  // namespace assay::cuda
