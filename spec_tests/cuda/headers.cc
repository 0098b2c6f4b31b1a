// Checks that the backend cuda declares CUDA's libraries as NVIDIA's headers do. The test cuda_headers compiles this
// file if the headers are installed; it is never linked.

// Makes the headers declare all versions of a function under their own symbols.
#define __CUDA_API_VERSION_INTERNAL
#include <cublasLt.h>
#include <cuda.h>
#include <nvrtc.h>

#include <cstddef>
#include <tuple>
#include <type_traits>

#include "backends/cuda/libraries/cublas_lt.h"
#include "backends/cuda/libraries/driver.h"
#include "backends/cuda/libraries/nvrtc.h"

namespace assay::cuda {
namespace {

// True if numbers and pointers are passed alike. Enumerations are int; the types behind pointers have other names here.
template <class A, class B>
constexpr bool IsSame() {
  if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) {
    using Of = std::remove_pointer_t<A>;
    using OfOther = std::remove_pointer_t<B>;
    // Data written through a pointer must have the same size; a pointer to read-only data is const.
    if constexpr (std::is_void_v<Of> || std::is_void_v<OfOther>) {
      return std::is_const_v<Of> == std::is_const_v<OfOther>;
    } else if constexpr (
        requires { sizeof(Of); } && requires { sizeof(OfOther); }) {
      return sizeof(Of) == sizeof(OfOther) && std::is_const_v<Of> == std::is_const_v<OfOther>;
    } else {
      return true;
    }
  } else {
    return !std::is_pointer_v<A> && !std::is_pointer_v<B> &&
           std::is_floating_point_v<A> == std::is_floating_point_v<B> && sizeof(A) == sizeof(B);
  }
}

template <class A, class B>
struct Same : std::false_type {};
template <class A, class... As, class B, class... Bs>
struct Same<A(As...), B(Bs...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(As) == sizeof...(Bs)) {
      return (IsSame<A, B>() && ... && IsSame<As, Bs>());
    } else {
      return false;
    }
  }();
};

#define SAME_FUNCTION(name, symbol, ...) \
  static_assert(Same<std::remove_pointer_t<decltype(&::symbol)>, __VA_ARGS__>::value, #symbol);
ASSAY_CUDA_DRIVER_FUNCTIONS(SAME_FUNCTION)
ASSAY_CUDA_GRAPH_FUNCTIONS(SAME_FUNCTION)
ASSAY_NVRTC_FUNCTIONS(SAME_FUNCTION)
ASSAY_CUBLAS_LT_FUNCTIONS(SAME_FUNCTION)

#define SAME_NUMBER(own, of_header) static_assert(own == static_cast<long long>(::of_header), #own)
SAME_NUMBER(kCudaSuccess, CUDA_SUCCESS);
SAME_NUMBER(kCudaOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
SAME_NUMBER(kCudaNoDevice, CUDA_ERROR_NO_DEVICE);
SAME_NUMBER(kComputeCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME_NUMBER(kComputeCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME_NUMBER(kMultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME_NUMBER(kCaptureRelaxed, CU_STREAM_CAPTURE_MODE_RELAXED);
SAME_NUMBER(kCudaR32F, CUDA_R_32F);
SAME_NUMBER(kCudaR64F, CUDA_R_64F);
SAME_NUMBER(kCudaR16F, CUDA_R_16F);
SAME_NUMBER(kCudaR8I, CUDA_R_8I);
SAME_NUMBER(kCudaC32F, CUDA_C_32F);
SAME_NUMBER(kCudaC64F, CUDA_C_64F);
SAME_NUMBER(kCudaR32I, CUDA_R_32I);
SAME_NUMBER(kCudaR16BF, CUDA_R_16BF);
SAME_NUMBER(kCompute32F, CUBLAS_COMPUTE_32F);
SAME_NUMBER(kCompute64F, CUBLAS_COMPUTE_64F);
SAME_NUMBER(kCompute32I, CUBLAS_COMPUTE_32I);
SAME_NUMBER(kMatmulDescTransA, CUBLASLT_MATMUL_DESC_TRANSA);
SAME_NUMBER(kMatmulDescTransB, CUBLASLT_MATMUL_DESC_TRANSB);
SAME_NUMBER(kOpNone, CUBLAS_OP_N);
SAME_NUMBER(kOpTranspose, CUBLAS_OP_T);
SAME_NUMBER(kMatrixLayoutBatchCount, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
SAME_NUMBER(kMatrixLayoutStridedBatchOffset, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
SAME_NUMBER(kPreferenceMaxWorkspaceBytes, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
SAME_NUMBER(kPreferenceReductionSchemeMask, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK);
SAME_NUMBER(kReductionSchemeComputeType, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);

using Own = cublasLtMatmulHeuristicResult;
using OfHeader = ::cublasLtMatmulHeuristicResult_t;
static_assert(sizeof(cublasLtMatmulAlgo) == sizeof(::cublasLtMatmulAlgo_t));
static_assert(sizeof(Own) == sizeof(OfHeader) && offsetof(Own, algo) == offsetof(OfHeader, algo) &&
              offsetof(Own, workspace_bytes) == offsetof(OfHeader, workspaceSize) &&
              offsetof(Own, state) == offsetof(OfHeader, state) &&
              offsetof(Own, waves_count) == offsetof(OfHeader, wavesCount));

}  // namespace
}  // namespace assay::cuda
