#include "backends/cuda/kernels/sums.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/doubts.h"
#include "backends/cuda/kernels/entry.h"

namespace assay::cuda {

bool IsSum(const HloComputation& computation, PrimitiveType type) {
  const HloInstruction& root = *computation.root;
  if (computation.instructions.size() != 3 || root.op->name != "add" || root.operands[0] == root.operands[1]) {
    return false;
  }
  return std::ranges::all_of(computation.instructions, [&](const auto& instruction) {
    return instruction->shape.IsScalar() && instruction->shape.element_type() == type &&
           instruction->control_predecessors.empty() &&
           (instruction.get() == &root || instruction->op->role == OpRole::kParameter);
  });
}

bool IsExactSum(const HloInstruction& reduction) {
  if (reduction.operands.size() != 2 || reduction.shape.IsTuple()) return false;
  const PrimitiveType type = reduction.shape.element_type();
  return IsInexactType(type) && reduction.operand(0).shape.element_type() == type &&
         reduction.operand(1).shape.element_type() == type && IsSum(reduction.Computation("to_apply"), type);
}

bool IsSameInAnyOrder(const HloInstruction& reduction) {
  const HloComputation& computation = reduction.Computation("to_apply");
  const std::string_view op = computation.root->op->name;
  const bool rounds =
      op != "maximum" && op != "minimum" && !std::ranges::all_of(LeafShapes(reduction.shape), [](const Shape& leaf) {
        return IsIntegralType(leaf.element_type()) || leaf.element_type() == PRED;
      });
  return Folding::Takes(computation) && Folding(computation).IsFree() && !rounds;
}

std::string_view WideType(PrimitiveType type) { return IsComplexType(type) ? "wide_complex" : "wide_sum"; }

Folding WideSums(PrimitiveType type) {
  return Folding(WideType(type), "with_sum({0}, {1})",
                 IsComplexType(type) ? "wide_complex(complex{-0.0, -0.0})" : "wide_sum(-0.0)");
}

void StoreSum(Body& body, const std::string& sum, const std::string& place, bool is_long) {
  WriteDoubtUnless(body, fmt::format("store_{}sum({}, &r0[{}])", is_long ? "long_" : "", sum, place), place);
}

void WriteFactor(Body& body, const TermTexts& terms, int number, const std::string& text) {
  const bool is_complex = IsComplexType(terms.result);
  const int factors = terms.are_products ? 2 : 1;
  if (!is_complex) return body.Line(fmt::format("x1[{} * term + {}] = {};", factors, number, text));
  const std::string name = body.NewName();
  body.Line(fmt::format("const complex {} = {};", name, text));
  body.Line(fmt::format("x1[{} * term + {}] = {}.real;", 2 * factors, 2 * number, name));
  body.Line(fmt::format("x1[{} * term + {}] = {}.imag;", 2 * factors, 2 * number + 1, name));
}

void AddTerms(KernelProgram& program, const HloComputation& fused, const TermTexts& terms) {
  const EntryText entry = {.fused = fused, .scratch = {"u64", "f64"}, .numbers = 2};
  Body body(/*is_wide=*/true);
  ElementEmitter emitter(body);
  emitter.AddType(F64);
  // A launch writes the terms with the numbers n0 to n1, exclusive.
  body.Line(fmt::format("const s64 term = (s64)blockIdx.x * {} + threadIdx.x, at = n0 + term;", kThreads));
  body.Line("if (at >= n1) return;");
  body.Line(fmt::format("const s64 o = (s64)x0[1 + at / {0}], k = at % {0};", terms.n));
  terms.write(body, emitter, "o", "k");
  program.doubtful_sums = {
      .n = terms.n,
      .parts = ComponentCount(terms.result),
      .are_products = terms.are_products,
      .gather = {
          .text = TextOf(entry, emitter, body), .blocks = 0, .threads = kThreads, .arguments = ArgumentsOf(entry)}};
}

}  // namespace assay::cuda
