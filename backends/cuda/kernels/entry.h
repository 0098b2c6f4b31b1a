// The entry of a kernel: its parameters, and the work of each thread.
#pragma once

#include <string>
#include <vector>

#include "backends/cuda/kernels/body.h"
#include "backends/cuda/kernels/emitter.h"
#include "backends/cuda/kernels/program.h"
#include "interpreter/hlo/module.h"

namespace assay::cuda {

// The default number of threads of a block.
inline constexpr int kThreads = 256;

// True if offsets in the arrays of a computation need 64 bits.
bool IsWide(const HloComputation& fused);

// The parameters of a kernel's text: the arrays of the parameters of `fused`, p0, p1 and so on; the arrays of its
// result, r0, r1 and so on; `scratch`, x0, x1 and so on, each of a type of the text; and numbers, n0, n1 and so on.
struct EntryText {
  const HloComputation& fused;
  int threads = kThreads;
  std::vector<std::string> scratch = {};
  int numbers = 0;
};
std::string TextOf(const EntryText& entry, const ElementEmitter& emitter, const Body& body);
// Returns the arguments of such a kernel, without the numbers.
std::vector<KernelArgument> ArgumentsOf(const EntryText& entry);

// Returns the launch of such a kernel without numbers, in blocks of kThreads.
KernelLaunch LaunchOf(const EntryText& entry, const ElementEmitter& emitter, const Body& body, std::int64_t blocks);

// Declares `i`, the number of the thread in the launch, and returns from threads beyond `count`.
void DeclareThread(Body& body, std::int64_t count, int threads = kThreads);
std::int64_t BlocksFor(std::int64_t count, int threads = kThreads);

// Returns the number of the parameter that is operand 0 of the root and has no other use, so that its array may become
// the result's while it is read; -1 if there is none.
int UpdatedParameter(const HloComputation& fused);

// Returns the array shapes of a shape.
std::vector<Shape> LeafShapes(const Shape& shape);

}  // namespace assay::cuda
