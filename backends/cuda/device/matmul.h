// Matrix products by cuBLASLt.
#pragma once

#include <map>
#include <memory>

#include "backends/cuda/device/arena.h"
#include "backends/cuda/kernels/matmul.h"
#include "backends/cuda/libraries/cublas_lt.h"
#include "interpreter/types/result.h"

namespace assay::cuda {

// The products that cuBLASLt computes as the specification requires: products and sums in the operands' precision or a
// greater one, and the result rounded once.
class MatmulLibrary {
 public:
  // Opens the library; null if it is missing.
  static std::unique_ptr<MatmulLibrary> Open();
  ~MatmulLibrary();
  MatmulLibrary(const MatmulLibrary&) = delete;
  MatmulLibrary& operator=(const MatmulLibrary&) = delete;

  // False if the library has no algorithm for the product. The context must be current.
  bool Takes(const Matmul& product);
  // Enqueues a product on the stream. Takes must be true for it.
  Status Run(const Matmul& product, CUdeviceptr lhs, CUdeviceptr rhs, CUdeviceptr result, Arena& arena,
             CUstream stream);

 private:
  struct Plan;

  MatmulLibrary(const CublasLt& library, cublasLtHandle handle);
  std::unique_ptr<Plan> MakePlan(const Matmul& product) const;
  const Plan* PlanOf(const Matmul& product);

  const CublasLt& library_;
  cublasLtHandle handle_;
  std::map<Matmul, std::unique_ptr<Plan>> plans_;  // null: no algorithm
};

}  // namespace assay::cuda
