// Functions whose results are the reference's to the bit: computed in f64, whose error decides nothing for all but a
// few elements. Those few are named, and the host computes them again.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/element_wise.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/text.h"

namespace assay::cuda {
namespace {

// CUDA states 3 ULP at most for a function of f64, and logistic is three operations: 2^-49 leaves as much again.
constexpr std::string_view kError = "0x1p-49";

bool Takes(const HloInstruction& instruction) {
  const PrimitiveType type = instruction.shape.element_type();
  return IsElementWise(instruction) && IsFloatingPointType(type) && type != F64 && !IsRoundedOnce(instruction) &&
         std::ranges::all_of(instruction.operands, [&](const HloInstruction* operand) {
           return operand->shape.element_type() == type && ShapeUtil::SameDimensions(operand->shape, instruction.shape);
         });
}

KernelLaunch LaunchOf(const EntryText& entry, const ElementEmitter& emitter, const Body& body, std::int64_t count) {
  return {.text = TextOf(entry, emitter, body),
          .blocks = BlocksFor(count),
          .threads = kThreads,
          .arguments = ArgumentsOf(entry)};
}

KernelProgram Make(const HloComputation& fused) {
  const HloInstruction& root = *fused.root;
  const std::int64_t count = ShapeUtil::ElementsIn(root.shape);
  KernelProgram program;
  if (count == 0) return program;
  program.scratch_bytes = {static_cast<std::int64_t>((1 + KernelProgram::kMostDoubts) * sizeof(std::uint64_t))};
  program.has_doubts = true;
  const EntryText entry = {.fused = fused, .scratch = {"u64"}};

  Body zeroing(/*is_wide=*/false);
  ElementEmitter no_elements(zeroing);
  DeclareThread(zeroing, 1);
  zeroing.Line("x0[0] = 0;");
  program.launches.push_back(LaunchOf(entry, no_elements, zeroing, 1));

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
  // An infinity is a pole, or far beyond the type.
  body.Line(fmt::format("const f64 error = is_finite(y) ? magnitude(y) * {} : 0;", kError));
  body.Open(
      fmt::format("if ({1} || bits_of(To<{0}>::of(settled(y - error))) != bits_of(To<{0}>::of(settled(y + "
                  "error)))) {{",
                  type, is_nan));
  body.Line("const u64 place = atomicAdd((unsigned long long*)x0, 1ull);");
  body.Line(fmt::format("if (place < {}) x0[1 + place] = (u64)i;", KernelProgram::kMostDoubts));
  body.Close();
  program.launches.push_back(LaunchOf(entry, emitter, body, count));
  return program;
}

}  // namespace

extern const KernelKind kExactFunctionKind;
const KernelKind kExactFunctionKind = {.name = "exact functions",
                                       .ops = [] { return ElementWiseOps(); },
                                       .takes = Takes,
                                       .is_exact = IsAlwaysExact,
                                       .make = Make};

}  // namespace assay::cuda
