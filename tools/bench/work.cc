#include "tools/bench/work.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/shape.h"

namespace assay {
namespace {

using Operands = std::span<const Literal>;

double ElementsOf(const Literal& array) { return static_cast<double>(ShapeUtil::ElementsIn(array.shape())); }

struct Operations {
  double count = 0;
  ProductKind kind = ProductKind::kF32;
};

// True if the terms are products of elements of two operands.
bool AreProducts(const SumTerms& sums) {
  std::vector<Term> terms;
  sums.At(0, terms);
  return std::ranges::any_of(terms,
                             [](const Term& term) { return term.lhs != Term::kNone && term.rhs != Term::kNone; });
}

Operations OperationsOf(const HloInstruction& instruction, Operands operands, const Literal& result) {
  if (operands.empty() || result.shape().IsTuple()) return {};
  const PrimitiveType type = operands[0].shape().element_type();
  Operations operations{ElementsOf(result), type == F64 || type == C128 ? ProductKind::kF64 : ProductKind::kF32};
  if (instruction.op->evaluation.kernel != nullptr) return operations;
  const auto sums = SumTerms::Of(instruction, operands);
  if (!sums || operations.count == 0) return {};
  operations.count *= static_cast<double>(sums->LargestCount());
  if (AreProducts(*sums)) {
    if (type == S8 || type == U8) operations.kind = ProductKind::kBytes;
    operations.count *= 2;
  } else {
    // Sums of windows that overlap share their parts.
    operations.count = std::min(operations.count, ElementsOf(operands[sums->lhs_operand()]));
  }
  return operations;
}

// Copies of fewer bytes stay on the thread that starts them.
constexpr std::int64_t kCopiedPerPiece = 1 << 17;

void Copy(const std::byte* from, std::int64_t bytes, std::byte* to) {
  ParallelFor(bytes, kCopiedPerPiece, [&](std::int64_t begin, std::int64_t end) {
    std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin));
  });
}

// Work for less time than this is not worth the start of another thread.
constexpr double kOperationsPerPiece = 1 << 18;

void Compute(const Work& work) {
  for (std::size_t kind = 0; kind < work.operations.size(); ++kind) {
    const double operations = work.operations[kind];
    if (operations == 0) continue;
    const int threads = static_cast<int>(std::clamp(operations / kOperationsPerPiece, 1.0, 1.0 * ParallelThreads()));
    ParallelFor(threads, 1, [&](std::int64_t, std::int64_t) {
      MultiplyAndAdd(static_cast<ProductKind>(kind), operations / threads);
    });
  }
}

}  // namespace

std::int64_t BytesOf(const HloModule& module) {
  // The verifier has checked that the sizes do not overflow.
  std::int64_t bytes = ShapeUtil::CheckedByteSizeOf(module.entry->root->shape).value();
  for (const HloInstruction* parameter : module.entry->Parameters()) {
    bytes += ShapeUtil::CheckedByteSizeOf(parameter->shape).value();
  }
  return bytes;
}

Result<Work> WorkOf(const HloModule& module, const DeviceValues& arguments) {
  Work work = {.bytes = BytesOf(module)};
  EvaluationOptions options;
  options.observer = [&](const HloInstruction& instruction, Operands operands, const Literal& result, DeviceId) {
    const Operations operations = OperationsOf(instruction, operands, result);
    work.operations[static_cast<std::size_t>(operations.kind)] += operations.count;
  };
  const auto evaluated = EvaluateTogether(module, arguments, options);
  if (!evaluated) return evaluated.error();
  return work;
}

Roof RoofOf(const Work& work) {
  const std::int64_t half = (work.bytes + 1) / 2;
  const auto from = std::make_shared<std::vector<std::byte>>(half), to = std::make_shared<std::vector<std::byte>>(half);
  return {.copy = [=] { Copy(from->data(), half, to->data()); }, .compute = [=] { Compute(work); }};
}

}  // namespace assay
