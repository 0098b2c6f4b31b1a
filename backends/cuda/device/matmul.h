// Matrix products by cuBLASLt.
#pragma once

#include <map>
#include <memory>

#include "backends/cuda/device/arena.h"
#include "backends/cuda/kernels/matmul.h"
#include "backends/cuda/libraries/cublas_lt.h"
#include "interpreter/types/result.h"

namespace assay::cuda {

// Those that it computes as the specification says: products and sums in the operands' precision or a greater one, the
// result rounded once.
class MatmulLibrary {
 public:
  // Null where the library is not there.
  static std::unique_ptr<MatmulLibrary> Open();
  ~MatmulLibrary();
  MatmulLibrary(const MatmulLibrary&) = delete;
  MatmulLibrary& operator=(const MatmulLibrary&) = delete;

  // False where it has no algorithm for such a product. The context is current.
  bool Takes(const Matmul& product);
  // Of one that it takes: enqueued on the stream.
  Status Run(const Matmul& product, CUdeviceptr lhs, CUdeviceptr rhs, CUdeviceptr result, Arena& arena,
             CUstream stream);

 private:
  struct Plan;

  MatmulLibrary(const CublasLt& library, cublasLtHandle handle);
  std::unique_ptr<Plan> MakePlan(const Matmul& product) const;
  const Plan* PlanOf(const Matmul& product);

  const CublasLt& library_;
  cublasLtHandle handle_;
  std::map<Matmul, std::unique_ptr<Plan>> plans_;  // null: it does not take it
};

}  // namespace assay::cuda
