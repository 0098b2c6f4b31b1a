// Instructions that have element text. One thread computes one element, or a pack of neighbors of large arrays that are
// read in order.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "backends/cuda/kernels/element_wise.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/packs.h"

namespace assay::cuda {
namespace {

bool TakesLoop(const HloInstruction& instruction) {
  return HasElementText(instruction) && instruction.op->role != OpRole::kConstant;
}

// A broadcast and a gather read an element many times. So does an instruction with a scalar besides arrays.
bool LoopReadsAgain(const HloInstruction& instruction, std::size_t i) {
  return ShapeUtil::ElementsIn(instruction.shape) > ShapeUtil::ElementsIn(instruction.operands[i]->shape) ||
         instruction.op->name == "gather";
}

// The least number of packs that keeps a device busy.
constexpr std::int64_t kLeastPacks = 1 << 15;
// The limit of expensive instructions. Beyond it, fewer loads do not help, and the unrolled text is long.
constexpr int kMostExpensive = 4;

// Returns how the elements of the result are packed; nullopt if each element has its own thread.
std::optional<Packs> PacksOf(const HloComputation& fused, std::int64_t count) {
  int expensive = 0;
  for (const auto& instruction : fused.instructions) expensive += IsExpensive(*instruction) ? 1 : 0;
  if (expensive > kMostExpensive) return std::nullopt;
  Body body(IsWide(fused));
  ElementEmitter emitter(body);
  emitter.Element(*fused.root, IndexText::AtOffset("i"));
  auto in_order = ReadInOrder(fused, body.text(), "i");
  if (!in_order || in_order->empty()) return std::nullopt;
  std::vector<PrimitiveType> types = {fused.root->shape.element_type()};
  for (const HloInstruction* parameter : fused.Parameters()) {
    if (std::ranges::count(*in_order, parameter->parameter_number) > 0)
      types.push_back(parameter->shape.element_type());
  }
  const std::int64_t size = PackSize(types);
  if (size < 2 || count / size < kLeastPacks) return std::nullopt;
  return Packs(fused, *std::move(in_order), size);
}

// Writes the code of a thread that computes one pack.
void WritePack(const HloComputation& fused, const Packs& packs, std::int64_t count, Body& body,
               ElementEmitter& emitter) {
  const std::string type = PackType(fused.root->shape.element_type(), packs.size());
  const bool is_even = count % packs.size() == 0;
  body.Line(fmt::format("const {0} first = (({0})blockIdx.x * {1} + threadIdx.x) * {2};", body.index_type(), kThreads,
                        packs.size()));
  body.Line(fmt::format("if (first >= {}) return;", count));
  packs.Load(body, "first", is_even ? std::nullopt : std::optional(count));
  body.Line(fmt::format("{} results;", type));
  packs.Open(body);
  const IndexText here = IndexText::AtOffset("i");
  body.Line(fmt::format("const {} i = first + e;", body.index_type()));
  packs.Bind(emitter, here);
  body.Line(fmt::format("results.at[e] = {};", emitter.Element(*fused.root, here)));
  body.Close();
  if (!is_even) body.Open(fmt::format("if (first + {} <= {}) {{", packs.size(), count));
  body.Line(fmt::format("*({}*)(r0 + first) = results;", type));
  if (is_even) return;
  body.Close();
  body.Line(fmt::format("else for (int e = 0; e < {} - first; ++e) r0[first + e] = results.at[e];", count));
}

KernelProgram MakeLoop(const HloComputation& fused) {
  const std::int64_t count = ShapeUtil::ElementsIn(fused.root->shape);
  KernelProgram program;
  if (count == 0) return program;
  Body body(IsWide(fused));
  ElementEmitter emitter(body);
  const std::optional<Packs> packs = PacksOf(fused, count);
  if (packs) {
    WritePack(fused, *packs, count, body, emitter);
  } else {
    DeclareThread(body, count);
    const std::string element = emitter.Element(*fused.root, IndexText::AtOffset("i"));
    body.Line(fmt::format("r0[i] = {};", element));
  }
  const EntryText entry = {.fused = fused};
  const std::int64_t size = packs ? packs->size() : 1;
  program.launches.push_back(LaunchOf(entry, emitter, body, BlocksFor((count + size - 1) / size)));
  return program;
}

}  // namespace

const KernelKind kLoopKind = {.name = "loop",
                              .ops = OpsWithElementText,
                              .takes = TakesLoop,
                              .reads_elements = ReadsAll,
                              .reads_again = LoopReadsAgain,
                              .is_exact = HasExactText,
                              .make = MakeLoop};

}  // namespace assay::cuda
