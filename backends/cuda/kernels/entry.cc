#include "backends/cuda/kernels/entry.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/text.h"
#include "interpreter/types/join_text.h"

namespace assay::cuda {

bool IsWide(const HloComputation& fused) {
  constexpr std::int64_t kMostNarrow = std::int64_t{1} << 31;
  // Half of the limit, because padding and strides may reach beyond an array by its own size.
  const auto is_wide = [](const Shape& shape) { return ShapeUtil::ElementsIn(shape) >= kMostNarrow / 2; };
  return std::ranges::any_of(fused.instructions, [&](const auto& instruction) {
    return std::ranges::any_of(LeafShapes(instruction->shape), is_wide);
  });
}

std::vector<Shape> LeafShapes(const Shape& shape) {
  if (!shape.IsTuple()) return {shape};
  std::vector<Shape> leaves;
  for (const Shape& element : shape.tuple_shapes()) {
    for (Shape& leaf : LeafShapes(element)) leaves.push_back(std::move(leaf));
  }
  return leaves;
}

std::string TextOf(const EntryText& entry, const ElementEmitter& emitter, const Body& body) {
  TypeSet types = emitter.types();
  std::vector<std::string> parameters;
  for (const HloInstruction* parameter : entry.fused.Parameters()) {
    const PrimitiveType type = parameter->shape.element_type();
    types = types | TypesOf(type);
    parameters.push_back(fmt::format("const {}* p{}", TypeText(type), parameter->parameter_number));
  }
  int result = 0;
  for (const Shape& shape : LeafShapes(entry.fused.root->shape)) {
    types = types | TypesOf(shape.element_type());
    parameters.push_back(fmt::format("{}* r{}", TypeText(shape.element_type()), result++));
  }
  for (std::size_t i = 0; i < entry.scratch.size(); ++i) {
    parameters.push_back(fmt::format("{}* x{}", entry.scratch[i], i));
  }
  for (int i = 0; i < entry.numbers; ++i) parameters.push_back(fmt::format("s64 n{}", i));
  return TextOfParts(types, fmt::format("\nextern \"C\" __global__ void __launch_bounds__({}) kernel({}) {{\n{}}}\n",
                                        entry.threads, JoinText(parameters, ", "), body.text()));
}

std::vector<KernelArgument> ArgumentsOf(const EntryText& entry) {
  std::vector<KernelArgument> arguments;
  const auto add = [&](KernelArgument::Kind kind, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) arguments.push_back({kind, static_cast<std::int64_t>(i)});
  };
  add(KernelArgument::kOperand, entry.fused.Parameters().size());
  add(KernelArgument::kResult, LeafShapes(entry.fused.root->shape).size());
  add(KernelArgument::kScratch, entry.scratch.size());
  return arguments;
}

KernelLaunch LaunchOf(const EntryText& entry, const ElementEmitter& emitter, const Body& body, std::int64_t blocks) {
  return {.text = TextOf(entry, emitter, body), .blocks = blocks, .threads = kThreads, .arguments = ArgumentsOf(entry)};
}

int UpdatedParameter(const HloComputation& fused) {
  const HloInstruction& operand = fused.root->operand(0);
  if (operand.op->role != OpRole::kParameter) return -1;
  std::int64_t uses = 0;
  for (const auto& instruction : fused.instructions) uses += std::ranges::count(instruction->operands, &operand);
  return uses == 1 ? static_cast<int>(operand.parameter_number) : -1;
}

void DeclareThread(Body& body, std::int64_t count, int threads) {
  body.Line(fmt::format("const {0} i = ({0})blockIdx.x * {1} + threadIdx.x;", body.index_type(), threads));
  body.Line(fmt::format("if (i >= {}) return;", count));
}

std::int64_t BlocksFor(std::int64_t count, int threads) { return (count + threads - 1) / threads; }

}  // namespace assay::cuda
