#include "backends/cuda/kernels/doubts.h"

#include <fmt/format.h>

#include "backends/cuda/kernels/entry.h"

namespace assay::cuda {

void AddDoubts(KernelProgram& program, const HloComputation& fused) {
  program.has_doubts = true;
  program.scratch_bytes.push_back(static_cast<std::int64_t>((1 + KernelProgram::kMostDoubts) * sizeof(std::uint64_t)));
  const EntryText entry = {.fused = fused, .scratch = {"u64"}};
  Body body(/*is_wide=*/false);
  const ElementEmitter emitter(body);
  DeclareThread(body, 1);
  body.Line("x0[0] = 0;");
  program.launches.push_back(LaunchOf(entry, emitter, body, BlocksFor(1)));
}

void WriteDoubtUnless(Body& body, const std::string& condition, const std::string& element) {
  body.Open(fmt::format("if (!({})) {{", condition));
  body.Line("const u64 place = atomicAdd((unsigned long long*)x0, 1ull);");
  body.Line(fmt::format("if (place < {}) x0[1 + place] = (u64)({});", KernelProgram::kMostDoubts, element));
  body.Close();
}

}  // namespace assay::cuda
