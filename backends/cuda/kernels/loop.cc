// Instructions that have element text: one thread computes one element.
#include <fmt/format.h>

#include "backends/cuda/kernels/element_wise.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/kind.h"

namespace assay::cuda {
namespace {

bool Takes(const HloInstruction& instruction) {
  return HasElementText(instruction) && instruction.op->role != OpRole::kConstant;
}

bool ReadsElements(const HloInstruction&, std::size_t) { return true; }

// A broadcast and a gather read an element many times; so does whatever takes a scalar beside arrays.
bool ReadsAgain(const HloInstruction& instruction, std::size_t i) {
  return ShapeUtil::ElementsIn(instruction.shape) > ShapeUtil::ElementsIn(instruction.operands[i]->shape) ||
         instruction.op->name == "gather";
}

KernelProgram Make(const HloComputation& fused) {
  const std::int64_t count = ShapeUtil::ElementsIn(fused.root->shape);
  KernelProgram program;
  if (count == 0) return program;
  Body body(IsWide(fused));
  ElementEmitter emitter(body);
  DeclareThread(body, count);
  const std::string element = emitter.Element(*fused.root, IndexText::AtOffset("i"));
  body.Line(fmt::format("r0[i] = {};", element));
  const EntryText entry = {.fused = fused};
  program.launches.push_back({.text = TextOf(entry, emitter, body),
                              .blocks = BlocksFor(count),
                              .threads = kThreads,
                              .arguments = ArgumentsOf(entry)});
  return program;
}

}  // namespace

extern const KernelKind kLoopKind;
const KernelKind kLoopKind = {.name = "loop",
                              .ops = OpsWithElementText,
                              .takes = Takes,
                              .reads_elements = ReadsElements,
                              .reads_again = ReadsAgain,
                              .is_exact = HasExactText,
                              .make = Make};

}  // namespace assay::cuda
