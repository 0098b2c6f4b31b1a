// The entry of a kernel: its parameters and what its threads do.
#pragma once

#include <string>
#include <vector>

#include "backends/cuda/kernels/body.h"
#include "backends/cuda/kernels/emitter.h"
#include "backends/cuda/kernels/program.h"
#include "interpreter/hlo/module.h"

namespace assay::cuda {

// Threads of a block where nothing asks for another number.
inline constexpr int kThreads = 256;

// Whether offsets in the arrays of a computation need 64 bits.
bool IsWide(const HloComputation& fused);

// The text of a kernel whose arrays are the parameters of `fused`, p0, p1 and so on; the arrays of its result, r0, r1
// and so on; `scratch`, x0, x1 and so on, each of a type of the text; and numbers, n0, n1 and so on.
struct EntryText {
  const HloComputation& fused;
  int threads = kThreads;
  std::vector<std::string> scratch = {};
  int numbers = 0;
};
std::string TextOf(const EntryText& entry, const ElementEmitter& emitter, const Body& body);
// The arguments of such a kernel, without the numbers.
std::vector<KernelArgument> ArgumentsOf(const EntryText& entry);

// The number of the thread in the launch: a declaration of `i` that returns from threads beyond `count`.
void DeclareThread(Body& body, std::int64_t count, int threads = kThreads);
std::int64_t BlocksFor(std::int64_t count, int threads = kThreads);

// The number of the parameter that is operand 0 of the root and nothing else, so that its array may become the result's
// while it is read; else -1.
int UpdatedParameter(const HloComputation& fused);

// The arrays of a shape.
std::vector<Shape> LeafShapes(const Shape& shape);

}  // namespace assay::cuda
