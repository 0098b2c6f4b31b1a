// AsmJit's runtime, which has the memory of machine code.
#include <asmjit/asmjit.h>

#include <cstdlib>
#include <memory>
#include <optional>

#include "backends/simd/loops/machine_code.h"
#include "backends/simd/loops/turn_compiler.h"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/targets.h>
// clang-format on

// The messages of AsmJit's own object file use the C library in a way that no shared library may, such as assay's PJRT
// plugin. These definitions keep the file out.
const char* asmjit::DebugUtils::errorAsString(Error) noexcept { return "error"; }
void asmjit::DebugUtils::debugOutput(const char*) noexcept {}
void asmjit::DebugUtils::assertionFailed(const char*, int, const char*) noexcept { std::abort(); }

namespace assay::simd {
namespace {

// Lives until the process ends: other threads may run machine code while it does.
asmjit::JitRuntime& Runtime() {
  static auto& runtime = *new asmjit::JitRuntime;
  return runtime;
}

// Keeps the first error of the compiler, which later calls ignore.
class FirstError final : public asmjit::ErrorHandler {
 public:
  void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { has_failed = true; }
  bool has_failed = false;
};

}  // namespace

// The kernels then use fused multiplications too, so that products have the same sums.
bool HasTurnCompiler() { return (hwy::SupportedTargets() & (HWY_AVX2 | HWY_AVX3)) != 0; }

std::shared_ptr<const CompiledTurns> CompileTurns(const LoopProgram& program, const LoopBlock& block) {
  if (!HasTurnCompiler()) return nullptr;
  FirstError error;
  asmjit::CodeHolder holder;
  holder.init(Runtime().environment());
  holder.setErrorHandler(&error);
  asmjit::x86::Compiler compiler(&holder);
  // Reports operands with which the assembler would encode another instruction.
  compiler.addDiagnosticOptions(asmjit::DiagnosticOptions::kValidateAssembler);
  const std::optional<int> called_steps = EmitTurns(program, block, compiler);
  if (!called_steps) return nullptr;
  compiler.finalize();
  CompiledTurns compiled{.called_steps = *called_steps};
  if (error.has_failed || Runtime().add(&compiled.run, &holder) != asmjit::kErrorOk) return nullptr;
  return {new CompiledTurns(compiled), [](const CompiledTurns* made) {
            Runtime().release(made->run);
            delete made;
          }};
}

}  // namespace assay::simd
