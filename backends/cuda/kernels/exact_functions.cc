// Functions with results that are bit-exact with the reference. They are computed in f64, whose error does not affect
// the rounding of nearly all elements. The others are listed, and the host computes them again.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/doubts.h"
#include "backends/cuda/kernels/element_wise.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/text.h"

namespace assay::cuda {
namespace {

// CUDA states at most 3 ULP for a function of f64, and logistic is three operations: 2^-49 is at least twice that.
constexpr std::string_view kError = "0x1p-49";

bool TakesExactFunctions(const HloInstruction& instruction) {
  const PrimitiveType type = instruction.shape.element_type();
  return IsElementWise(instruction) && IsFloatingPointType(type) && type != F64 && !IsRoundedOnce(instruction) &&
         std::ranges::all_of(instruction.operands, [&](const HloInstruction* operand) {
           return operand->shape.element_type() == type && ShapeUtil::SameDimensions(operand->shape, instruction.shape);
         });
}

KernelProgram MakeExactFunctions(const HloComputation& fused) {
  const HloInstruction& root = *fused.root;
  const std::int64_t count = ShapeUtil::ElementsIn(root.shape);
  KernelProgram program;
  if (count == 0) return program;
  AddDoubts(program, fused);
  const EntryText entry = {.fused = fused, .scratch = {"u64"}};
  Body body(IsWide(fused));
  ElementEmitter emitter(body);
  DeclareThread(body, count);
  const IndexText here = IndexText::AtOffset("i");
  std::vector<std::string> operands;
  std::string is_nan = "false";
  for (const HloInstruction* operand : root.operands) {
    operands.push_back(emitter.Element(*operand, here));
    is_nan += fmt::format(" || value({0}) != value({0})", operands.back());
  }
  const std::string_view type = TypeText(root.shape.element_type());
  emitter.AddType(F64);
  body.Line(fmt::format("const f64 y = {};", WideText(root, operands)));
  body.Line(fmt::format("r0[i] = To<{}>::of(settled(y));", type));
  // An infinity is a pole, or far beyond the range of the type.
  body.Line(fmt::format("const f64 error = is_finite(y) ? magnitude(y) * {} : 0;", kError));
  WriteDoubtUnless(body,
                   fmt::format("!({1}) && bits_of(To<{0}>::of(settled(y - error))) == bits_of(To<{0}>::of(settled(y + "
                               "error)))",
                               type, is_nan),
                   "i");
  program.launches.push_back(LaunchOf(entry, emitter, body, BlocksFor(count)));
  return program;
}

}  // namespace

const KernelKind kExactFunctionKind = {.name = "exact functions",
                                       .ops = [] { return ElementWiseOps(); },
                                       .takes = TakesExactFunctions,
                                       .is_exact = IsAlwaysExact,
                                       .make = MakeExactFunctions};

}  // namespace assay::cuda
