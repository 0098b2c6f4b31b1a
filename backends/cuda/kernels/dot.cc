// Dot as a matrix product for each batch. A library computes it if both operands are matrices in memory (matmul.h).
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/index_groups.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/matmul.h"
#include "backends/cuda/kernels/product.h"

namespace assay::cuda {
namespace {

using Dims = std::vector<std::int64_t>;

Dims List(const HloInstruction& dot, AttributeName name) {
  const auto list = dot.Int64s(name);
  return Dims(list.begin(), list.end());
}

Dims Others(const Shape& shape, const Dims& a, const Dims& b) {
  Dims others;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (std::ranges::count(a, d) == 0 && std::ranges::count(b, d) == 0) others.push_back(d);
  }
  return others;
}

bool TakesDot(const HloInstruction& dot) {
  return dot.operands.size() == 2 && !dot.Has("sparsity_config") && !dot.Has("block_scaling_config");
}
// A library reads arrays, so its operands cannot be computed element by element.
bool DotReadsElements(const HloInstruction& dot, std::size_t) { return !MatmulOf(dot); }

ProductSide SideOf(const HloInstruction& operand, const IndexGroups& groups, const ProductArithmetic& arithmetic) {
  return {.number =
              [&, groups](Body& body, ElementEmitter& emitter, const std::string& b, const std::string& i,
                          const std::string& k) {
                const std::string at[] = {b, i, k};
                return arithmetic.Number(operand.shape.element_type(), emitter.Element(operand, groups.At(body, at)));
              },
          .is_inner = groups.Innermost() == 2};
}

bool TakesExactDot(const HloInstruction& dot) { return TakesDot(dot) && IsProductOfNumbers(dot); }

KernelProgram MakeDotProgram(const HloComputation& fused, bool is_exact) {
  const HloInstruction& dot = *fused.root;
  const HloInstruction &lhs = dot.operand(0), &rhs = dot.operand(1);
  const Dims lhs_batch = List(dot, "lhs_batch_dims"), lhs_contracting = List(dot, "lhs_contracting_dims");
  const Dims rhs_batch = List(dot, "rhs_batch_dims"), rhs_contracting = List(dot, "rhs_contracting_dims");
  const IndexGroups of_lhs(lhs.shape, {lhs_batch, Others(lhs.shape, lhs_batch, lhs_contracting), lhs_contracting});
  const IndexGroups of_rhs(rhs.shape, {rhs_batch, Others(rhs.shape, rhs_batch, rhs_contracting), rhs_contracting});
  Product product{.fused = fused,
                  .arithmetic = ProductArithmetic(lhs.shape.element_type(), rhs.shape.element_type(),
                                                  dot.shape.element_type(), is_exact),
                  .batch = of_lhs.Count(0),
                  .m = of_lhs.Count(1),
                  .n = of_rhs.Count(1),
                  .k = of_lhs.Count(2),
                  .lhs = {},
                  .rhs = {}};
  product.lhs = SideOf(lhs, of_lhs, product.arithmetic);
  product.rhs = SideOf(rhs, of_rhs, product.arithmetic);
  KernelProgram program = ProgramOf(product);
  // Both operands may be the same parameter. A constant has no array for the library.
  if (!is_exact && lhs.op->role == OpRole::kParameter && rhs.op->role == OpRole::kParameter) {
    if (const std::optional<Matmul> matmul = MatmulOf(dot)) {
      const LibraryProduct by_library = {.matmul = *matmul,
                                         .lhs = {KernelArgument::kOperand, lhs.parameter_number},
                                         .rhs = {KernelArgument::kOperand, rhs.parameter_number},
                                         .result = {KernelArgument::kResult, 0}};
      program.of_library = {.launches = {{.text = {}, .arguments = {}, .product = by_library}}};
    }
  }
  return program;
}

KernelProgram MakeDot(const HloComputation& fused) { return MakeDotProgram(fused, /*is_exact=*/false); }
KernelProgram MakeExactDot(const HloComputation& fused) { return MakeDotProgram(fused, /*is_exact=*/true); }

}  // namespace

const KernelKind kDotKind = {.name = "dot",
                             .takes = TakesDot,
                             .reads_elements = DotReadsElements,
                             .reads_again = ReadsAll,
                             .is_exact = IsProductOfIntegers,
                             .make = MakeDot};

const KernelKind kExactDotKind = {.name = "exact dot",
                                  .ops = [] { return std::vector<std::string_view>{"dot"}; },
                                  .takes = TakesExactDot,
                                  .reads_elements = ReadsAll,
                                  .reads_again = ReadsAll,
                                  .is_exact = IsAlwaysExact,
                                  .make = MakeExactDot};

}  // namespace assay::cuda
