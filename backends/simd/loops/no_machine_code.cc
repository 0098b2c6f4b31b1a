// The build without AsmJit, or for processors other than x86-64: loops are replayed.
#include "backends/simd/loops/machine_code.h"

namespace assay::simd {

bool HasTurnCompiler() { return false; }

std::shared_ptr<const CompiledTurns> CompileTurns(const LoopProgram&, const LoopBlock&) { return nullptr; }

}  // namespace assay::simd
