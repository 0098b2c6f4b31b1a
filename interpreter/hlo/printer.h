// Printing of modules as HLO text, byte for byte as XLA does.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"

namespace assay {

struct PrintOptions {
  bool percent = true;           // "%name"
  bool program_shape = true;     // "(p: f32[]) -> f32[]" after a computation's name
  bool operand_shapes = false;   // "add(f32[] x, f32[] y)"
  bool operand_comments = true;  // "/*index=5*/" before every fifth operand
  bool large_constants = false;  // constants of more than 10 elements in full instead of "{...}"
  bool metadata = true;          // with the stack tables
  bool backend_config = true;
  bool control_predecessors = true;
  bool inline_computations = false;  // bodies of called computations in place of their names
  bool canonical_names = false;      // instructions are named tmp_0, tmp_1, ... in each computation
  // XLA's text does not always read back as the same module: "-0" is read as +0, a callee may follow its caller, a
  // short form X-start may hide the operands of X. True: text that XLA and assay read back as the same module.
  bool reads_back = false;

  // XLA's HloPrintOptions of the same names.
  static PrintOptions ShortParsable();
  static PrintOptions Canonical();
  // Options for passing the module to another program: everything that has a meaning, every value exact.
  static PrintOptions Exact();
};

std::string PrintHloModule(const HloModule& module, const PrintOptions& options = {});
// Returns one instruction on one line, without ROOT.
std::string PrintInstruction(const HloInstruction& instruction, const PrintOptions& options = {});

// Lets a module know the program of StableHLO that it was converted from.
void SetSource(HloModule& module, std::shared_ptr<const std::string> stablehlo);
// Returns that program; null if there is none, and if the module was changed afterwards. `text` is what
// PrintOptions::Exact() prints of the module.
const std::string* SourceOf(const HloModule& module, std::string_view text);

// The order of computations. kXla: the post order of XLA's walk, in which a computation may precede one of its callees.
// kCalleesFirst: callees always precede callers.
enum class ComputationOrder { kXla, kCalleesFirst };
std::vector<const HloComputation*> ComputationPostOrder(const HloModule& module, ComputationOrder order);
// Returns operands before users, in XLA's order for a computation without a schedule.
std::vector<const HloInstruction*> InstructionPostOrder(const HloComputation& computation);

}  // namespace assay
