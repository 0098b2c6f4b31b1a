#include "interpreter/kernels/kernels.h"

#include <algorithm>
#include <deque>

namespace assay {
namespace {

constexpr const OpKernel* kAllKernels[] = {
#define ASSAY_KERNEL(name) &kernel_##name,
#include "interpreter/kernels/kernel_list.inc"
#undef ASSAY_KERNEL
};

struct Records {
  std::deque<Op> ops;
  OpOverrides kernels, definitions;

  Records() {
    for (const OpKernel* kernel : kAllKernels) Add(*kernel);
    for (const auto kernels_of_file : {CollectiveKernels(), ComplexParts(), ElementWiseKernels(), StridedCopies()}) {
      for (const OpKernel& kernel : kernels_of_file) Add(kernel);
    }
  }

  void Add(const OpKernel& kernel) {
    Op& op = ops.emplace_back(*kernel.op);
    if (kernel.kernel != nullptr) op.evaluation.kernel = kernel.kernel;
    if (kernel.evaluate != nullptr) op.evaluation.evaluate = kernel.evaluate;
    if (kernel.prepare != nullptr) op.evaluation.prepare = kernel.prepare;
    kernels[kernel.op] = &op;
    definitions[kernel.op] = kernel.op;
  }
};

const Records& AllRecords() {
  static const Records records;
  return records;
}

}  // namespace

const Op& WithKernel(const Op& op) {
  const OpOverrides& kernels = AllRecords().kernels;
  const auto kernel = kernels.find(&op);
  return kernel == kernels.end() ? op : *kernel->second;
}

const Op& RunningOp(const HloInstruction& instruction, const OpOverrides& overrides) {
  const auto other = overrides.find(instruction.op);
  return other == overrides.end() ? WithKernel(*instruction.op) : *other->second;
}

bool MayBeElementWise(const HloInstruction& instruction) {
  const Shape& shape = instruction.shape;
  if (!shape.IsFixedArray() || instruction.op->evaluation.kernel == nullptr || instruction.operands.empty())
    return false;
  return std::ranges::all_of(instruction.operands, [&](const HloInstruction* operand) {
    return operand->shape.IsArray() && (operand->shape.IsScalar() || operand->shape.dimensions() == shape.dimensions());
  });
}

const OpOverrides& Definitions() { return AllRecords().definitions; }

}  // namespace assay
