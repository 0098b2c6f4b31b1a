// Modules to HLO text, byte for byte as XLA prints them.
#pragma once

#include <string>
#include <vector>

#include "interpreter/hlo/module.h"

namespace assay {

struct PrintOptions {
  bool percent = true;           // "%name"
  bool program_shape = true;     // "(p: f32[]) -> f32[]" behind a computation's name
  bool operand_shapes = false;   // "add(f32[] x, f32[] y)"
  bool operand_comments = true;  // "/*index=5*/" before every fifth operand
  bool large_constants = false;  // constants of more than 10 elements in full instead of "{...}"
  bool metadata = true;          // with the stack tables
  bool backend_config = true;
  bool control_predecessors = true;
  bool inline_computations = false;  // bodies in place of the names of called computations
  bool canonical_names = false;      // instructions are tmp_0, tmp_1, ... in each computation
  // What XLA prints does not always say what it stands for: "-0" is read as +0, a callee may stand behind its caller, a
  // short form X-start may hide the operands of X. True: text that XLA and assay read back as the same module.
  bool reads_back = false;

  // XLA's HloPrintOptions of these names.
  static PrintOptions ShortParsable();
  static PrintOptions Canonical();
  // What hands the module to another program: everything that has a meaning, every value exact.
  static PrintOptions Exact();
};

std::string PrintHloModule(const HloModule& module, const PrintOptions& options = {});
// One instruction on one line, without ROOT.
std::string PrintInstruction(const HloInstruction& instruction, const PrintOptions& options = {});

// kXla: in the order in which XLA's walk ends with them, where a computation may come before one that it calls.
// kCalleesFirst: never.
enum class ComputationOrder { kXla, kCalleesFirst };
std::vector<const HloComputation*> ComputationPostOrder(const HloModule& module, ComputationOrder order);
// Operands before users, as XLA lists what has no schedule.
std::vector<const HloInstruction*> InstructionPostOrder(const HloComputation& computation);

}  // namespace assay
