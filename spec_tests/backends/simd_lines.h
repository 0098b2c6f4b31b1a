// Fusions of the backend simd against the reference.
#pragma once

#include <string>
#include <vector>

#include "spec_tests/backends/simd_loops.h"

namespace assay::simd {

inline std::vector<const HloInstruction*> FusionsIn(const HloModule& module) {
  std::vector<const HloInstruction*> fusions;
  for (const auto& instruction : module.entry->instructions) {
    if (instruction->op->name == "fusion") fusions.push_back(instruction.get());
  }
  return fusions;
}

// Checks that simd computes the bits of the reference, in `fusions` fusions, each of which has a kernel.
inline void CheckLines(const std::string& text, std::size_t fusions) {
  INFO(text);
  const auto fused = ModuleOf(text);
  CHECK(VerifyHloModule(*fused));
  CHECK(FusionsIn(*fused).size() == fusions);
  for (const HloInstruction* fusion : FusionsIn(*fused)) CHECK(kFusion.prepare(*fusion, Overrides()) != nullptr);
  const auto module = Parsed(text);
  generate::Random random(11);
  for (int turn = 0; turn < 3; ++turn) {
    const std::vector<Literal> arguments = DrawArguments(*module, random);
    CheckSameResults(*module, *fused, arguments);
  }
}

}  // namespace assay::simd
