// The interface to cuBLASLt, NVIDIA's library of matrix products: types, functions and constants as in its manual. The
// library is optional.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "backends/cuda/libraries/driver.h"
#include "interpreter/types/result.h"

namespace assay::cuda {

using cublasStatus = int;
using cublasLtHandle = struct cublasLtContext*;
using cublasLtMatmulDesc = struct cublasLtMatmulDescOpaque*;
using cublasLtMatrixLayout = struct cublasLtMatrixLayoutOpaque*;
using cublasLtMatmulPreference = struct cublasLtMatmulPreferenceOpaque*;

struct cublasLtMatmulAlgo {
  std::uint64_t data[8];
};
struct cublasLtMatmulHeuristicResult {
  cublasLtMatmulAlgo algo;
  std::size_t workspace_bytes;
  cublasStatus state;
  float waves_count;
  int reserved[4];
};

// cudaDataType
inline constexpr int kCudaR32F = 0, kCudaR64F = 1, kCudaR16F = 2, kCudaR8I = 3, kCudaC32F = 4, kCudaC64F = 5,
                     kCudaR32I = 10, kCudaR16BF = 14;
// cublasComputeType, without the faster ones, which round the operands
inline constexpr int kCompute32F = 68, kCompute64F = 70, kCompute32I = 72;
inline constexpr int kMatmulDescTransA = 3, kMatmulDescTransB = 4;
inline constexpr std::int32_t kOpNone = 0, kOpTranspose = 1;
inline constexpr int kMatrixLayoutBatchCount = 5, kMatrixLayoutStridedBatchOffset = 6;
inline constexpr int kPreferenceMaxWorkspaceBytes = 1, kPreferenceReductionSchemeMask = 3;
// Partial sums are added in the type of the computation, and the result is rounded once.
inline constexpr std::uint32_t kReductionSchemeComputeType = 2;

#define ASSAY_CUBLAS_LT_FUNCTIONS(X)                                                                                   \
  X(Create, cublasLtCreate, cublasStatus(cublasLtHandle*))                                                             \
  X(Destroy, cublasLtDestroy, cublasStatus(cublasLtHandle))                                                            \
  X(GetStatusName, cublasLtGetStatusName, const char*(cublasStatus))                                                   \
  X(MatmulDescCreate, cublasLtMatmulDescCreate, cublasStatus(cublasLtMatmulDesc*, int, int))                           \
  X(MatmulDescDestroy, cublasLtMatmulDescDestroy, cublasStatus(cublasLtMatmulDesc))                                    \
  X(MatmulDescSetAttribute, cublasLtMatmulDescSetAttribute,                                                            \
    cublasStatus(cublasLtMatmulDesc, int, const void*, std::size_t))                                                   \
  X(MatrixLayoutCreate, cublasLtMatrixLayoutCreate,                                                                    \
    cublasStatus(cublasLtMatrixLayout*, int, std::uint64_t, std::uint64_t, std::int64_t))                              \
  X(MatrixLayoutDestroy, cublasLtMatrixLayoutDestroy, cublasStatus(cublasLtMatrixLayout))                              \
  X(MatrixLayoutSetAttribute, cublasLtMatrixLayoutSetAttribute,                                                        \
    cublasStatus(cublasLtMatrixLayout, int, const void*, std::size_t))                                                 \
  X(PreferenceCreate, cublasLtMatmulPreferenceCreate, cublasStatus(cublasLtMatmulPreference*))                         \
  X(PreferenceDestroy, cublasLtMatmulPreferenceDestroy, cublasStatus(cublasLtMatmulPreference))                        \
  X(PreferenceSetAttribute, cublasLtMatmulPreferenceSetAttribute,                                                      \
    cublasStatus(cublasLtMatmulPreference, int, const void*, std::size_t))                                             \
  X(GetHeuristic, cublasLtMatmulAlgoGetHeuristic,                                                                      \
    cublasStatus(cublasLtHandle, cublasLtMatmulDesc, cublasLtMatrixLayout, cublasLtMatrixLayout, cublasLtMatrixLayout, \
                 cublasLtMatrixLayout, cublasLtMatmulPreference, int, cublasLtMatmulHeuristicResult*, int*))           \
  X(Matmul, cublasLtMatmul,                                                                                            \
    cublasStatus(cublasLtHandle, cublasLtMatmulDesc, const void*, const void*, cublasLtMatrixLayout, const void*,      \
                 cublasLtMatrixLayout, const void*, const void*, cublasLtMatrixLayout, void*, cublasLtMatrixLayout,    \
                 const cublasLtMatmulAlgo*, void*, std::size_t, CUstream))

class CublasLt {
 public:
  // Opens the library once per process. Fails with kBackend if it is missing or lacks a function.
  static Result<const CublasLt*> Open();

#define ASSAY_CUBLAS_LT_MEMBER(name, symbol, ...) std::add_pointer_t<__VA_ARGS__> name = nullptr;
  ASSAY_CUBLAS_LT_FUNCTIONS(ASSAY_CUBLAS_LT_MEMBER)
#undef ASSAY_CUBLAS_LT_MEMBER

 private:
  CublasLt() = default;
  static Result<const CublasLt*> OpenOnce();
};

}  // namespace assay::cuda
