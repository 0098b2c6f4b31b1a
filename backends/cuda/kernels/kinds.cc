#include <algorithm>
#include <set>

#include "backends/cuda/kernels/kind.h"

namespace assay::cuda {
namespace {

constexpr const KernelKind* kKinds[] = {&kLoopKind,
                                        &kExactFunctionKind,
                                        &kCholeskyKind,
                                        &kConvolutionKind,
                                        &kExactConvolutionKind,
                                        &kDotKind,
                                        &kExactDotKind,
                                        &kDynamicUpdateSliceKind,
                                        &kFftKind,
                                        &kReduceKind,
                                        &kExactReduceKind,
                                        &kLongWindowKind,
                                        &kReduceWindowKind,
                                        &kExactReduceWindowKind,
                                        &kRngBitGeneratorKind,
                                        &kScanKind,
                                        &kScatterKind,
                                        &kSelectAndScatterKind,
                                        &kSortKind,
                                        &kTopkKind,
                                        &kTriangularSolveKind};

constexpr std::int64_t kMostElements = std::int64_t{1} << 62;

bool IsStaticArray(const Shape& shape) {
  if (shape.IsTuple()) return std::ranges::all_of(shape.tuple_shapes(), IsStaticArray);
  return shape.IsArray() && !shape.IsDynamic() && ShapeUtil::ElementsIn(shape) < kMostElements;
}

}  // namespace

std::span<const KernelKind* const> AllKernelKinds() { return kKinds; }

const KernelKind* KernelKindOf(const HloInstruction& instruction, Exactness exactness) {
  // Only the host observes control dependencies.
  if (!instruction.control_predecessors.empty() || !IsStaticArray(instruction.shape)) return nullptr;
  const bool has_arrays = std::ranges::all_of(
      instruction.operands, [](const HloInstruction* operand) { return IsStaticArray(operand->shape); });
  if (!has_arrays) return nullptr;
  for (const KernelKind* kind : kKinds) {
    if (std::ranges::count(kind->Ops(), instruction.op->name) == 0 || !kind->takes(instruction)) continue;
    if (exactness == Exactness::kStated || (kind->is_exact != nullptr && kind->is_exact(instruction))) return kind;
  }
  return nullptr;
}

std::vector<std::string_view> AcceleratedOps() {
  std::set<std::string_view> ops;
  for (const KernelKind* kind : kKinds) {
    for (const std::string_view op : kind->Ops()) ops.insert(op);
  }
  return {ops.begin(), ops.end()};
}

}  // namespace assay::cuda
