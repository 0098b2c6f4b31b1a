#include "backends/cuda/device/matmul.h"

#include <fmt/format.h>

#include <array>
#include <complex>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

namespace assay::cuda {
namespace {

constexpr std::size_t kMostWorkspace = std::size_t{32} << 20;  // NVIDIA's recommendation for Hopper

std::optional<int> DataTypeOf(PrimitiveType type) {
  switch (type) {
    case F32:
      return kCudaR32F;
    case F64:
      return kCudaR64F;
    case F16:
      return kCudaR16F;
    case BF16:
      return kCudaR16BF;
    case C64:
      return kCudaC32F;
    case C128:
      return kCudaC64F;
    case S8:
      return kCudaR8I;
    case S32:
      return kCudaR32I;
    default:
      return std::nullopt;
  }
}

// The type of the arithmetic, and the type of the factors alpha and beta.
struct Computation {
  int compute_type;
  int scale_type;
};
std::optional<Computation> ComputationOf(const Matmul& product) {
  const PrimitiveType from = product.operand_type, to = product.result_type;
  if (from == F32 && to == F32) return Computation{kCompute32F, kCudaR32F};
  if (from == F64 && to == F64) return Computation{kCompute64F, kCudaR64F};
  if ((from == F16 || from == BF16) && (to == from || to == F32)) return Computation{kCompute32F, kCudaR32F};
  if (from == C64 && to == C64) return Computation{kCompute32F, kCudaC32F};
  if (from == C128 && to == C128) return Computation{kCompute64F, kCudaC64F};
  if (from == S8 && to == S32) return Computation{kCompute32I, kCudaR32I};
  return std::nullopt;
}

// Returns 1 or 0 as a number of the type. The array fits all types.
std::array<std::byte, 16> Factor(int scale_type, int value) {
  std::array<std::byte, 16> bytes = {};
  const auto put = [&](const auto& number) { std::memcpy(bytes.data(), &number, sizeof number); };
  if (scale_type == kCudaR32F || scale_type == kCudaC32F) put(static_cast<float>(value));
  if (scale_type == kCudaR64F || scale_type == kCudaC64F) put(static_cast<double>(value));
  if (scale_type == kCudaR32I) put(static_cast<std::int32_t>(value));
  return bytes;
}

}  // namespace

// A plan of one product. The library's matrices are column-major, so a row-major matrix is transposed there. The plan
// computes the transposed result, as the product of the transposes of rhs and lhs.
struct MatmulLibrary::Plan {
  explicit Plan(const CublasLt& of) : library(of) {}
  ~Plan() {
    for (cublasLtMatrixLayout layout : {lhs, rhs, result}) {
      if (layout != nullptr) library.MatrixLayoutDestroy(layout);
    }
    if (operation != nullptr) library.MatmulDescDestroy(operation);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  bool AddMatrix(cublasLtMatrixLayout& layout, PrimitiveType type, std::int64_t rows, std::int64_t columns,
                 std::int64_t batch) const {
    const auto count = static_cast<std::int32_t>(batch);
    const std::int64_t stride = rows * columns;
    return library.MatrixLayoutCreate(&layout, *DataTypeOf(type), static_cast<std::uint64_t>(columns),
                                      static_cast<std::uint64_t>(rows), columns) == 0 &&
           library.MatrixLayoutSetAttribute(layout, kMatrixLayoutBatchCount, &count, sizeof count) == 0 &&
           library.MatrixLayoutSetAttribute(layout, kMatrixLayoutStridedBatchOffset, &stride, sizeof stride) == 0;
  }

  const CublasLt& library;
  Computation computation = {};
  cublasLtMatmulDesc operation = nullptr;
  cublasLtMatrixLayout lhs = nullptr, rhs = nullptr, result = nullptr;
  cublasLtMatmulHeuristicResult algorithm = {};
};

MatmulLibrary::MatmulLibrary(const CublasLt& library, cublasLtHandle handle) : library_(library), handle_(handle) {}

std::unique_ptr<MatmulLibrary> MatmulLibrary::Open() {
  const Result<const CublasLt*> library = CublasLt::Open();
  cublasLtHandle handle = nullptr;
  if (!library || (*library)->Create(&handle) != 0) return nullptr;
  return std::unique_ptr<MatmulLibrary>(new MatmulLibrary(**library, handle));
}

MatmulLibrary::~MatmulLibrary() {
  plans_.clear();
  library_.Destroy(handle_);
}

std::unique_ptr<MatmulLibrary::Plan> MatmulLibrary::MakePlan(const Matmul& product) const {
  const std::optional<Computation> computation = ComputationOf(product);
  if (!computation || product.batch > INT32_MAX) return nullptr;
  auto plan = std::make_unique<Plan>(library_);
  plan->computation = *computation;
  const auto transposed = [](bool is_transposed) { return is_transposed ? kOpTranspose : kOpNone; };
  const std::int32_t first = transposed(product.rhs_is_transposed), second = transposed(product.lhs_is_transposed);
  const auto [m, n, k] = std::tuple(product.m, product.n, product.k);
  const bool is_described =
      library_.MatmulDescCreate(&plan->operation, computation->compute_type, computation->scale_type) == 0 &&
      library_.MatmulDescSetAttribute(plan->operation, kMatmulDescTransA, &first, sizeof first) == 0 &&
      library_.MatmulDescSetAttribute(plan->operation, kMatmulDescTransB, &second, sizeof second) == 0 &&
      plan->AddMatrix(plan->lhs, product.operand_type, product.lhs_is_transposed ? k : m,
                      product.lhs_is_transposed ? m : k, product.batch) &&
      plan->AddMatrix(plan->rhs, product.operand_type, product.rhs_is_transposed ? n : k,
                      product.rhs_is_transposed ? k : n, product.batch) &&
      plan->AddMatrix(plan->result, product.result_type, m, n, product.batch);
  cublasLtMatmulPreference preference = nullptr;
  if (!is_described || library_.PreferenceCreate(&preference) != 0) return nullptr;
  int found = 0;
  const bool is_found =
      library_.PreferenceSetAttribute(preference, kPreferenceMaxWorkspaceBytes, &kMostWorkspace,
                                      sizeof kMostWorkspace) == 0 &&
      library_.PreferenceSetAttribute(preference, kPreferenceReductionSchemeMask, &kReductionSchemeComputeType,
                                      sizeof kReductionSchemeComputeType) == 0 &&
      library_.GetHeuristic(handle_, plan->operation, plan->rhs, plan->lhs, plan->result, plan->result, preference, 1,
                            &plan->algorithm, &found) == 0 &&
      found == 1 && plan->algorithm.state == 0;
  library_.PreferenceDestroy(preference);
  return is_found ? std::move(plan) : nullptr;
}

const MatmulLibrary::Plan* MatmulLibrary::PlanOf(const Matmul& product) {
  const auto [at, is_new] = plans_.try_emplace(product);
  if (is_new) at->second = MakePlan(product);
  return at->second.get();
}

bool MatmulLibrary::Takes(const Matmul& product) { return PlanOf(product) != nullptr; }

Status MatmulLibrary::Run(const Matmul& product, CUdeviceptr lhs, CUdeviceptr rhs, CUdeviceptr result, Arena& arena,
                          CUstream stream) {
  const Plan& plan = *PlanOf(product);
  std::shared_ptr<Buffer> workspace;
  const std::size_t bytes = plan.algorithm.workspace_bytes;
  if (bytes > 0) {
    ASSAY_TRY(workspace, arena.Allocate(static_cast<std::int64_t>(bytes)));
  }
  const auto pointer = [](CUdeviceptr address) { return reinterpret_cast<void*>(address); };
  const auto one = Factor(plan.computation.scale_type, 1), zero = Factor(plan.computation.scale_type, 0);
  const cublasStatus status =
      library_.Matmul(handle_, plan.operation, one.data(), pointer(rhs), plan.rhs, pointer(lhs), plan.lhs, zero.data(),
                      pointer(result), plan.result, pointer(result), plan.result, &plan.algorithm.algo,
                      workspace == nullptr ? nullptr : pointer(workspace->address()), bytes, stream);
  if (status == 0) return {};
  return Error{ErrorCode::kBackend, fmt::format("cublasLtMatmul: {}", library_.GetStatusName(status))};
}

}  // namespace assay::cuda
