// The state of one parse: the module under construction and the names in scope.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/stack_tables.h"
#include "interpreter/hlo/text_parser.h"

namespace assay {

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view text) : parser_(text) {}
  Result<std::unique_ptr<HloModule>> Parse();

 private:
  // A computation whose body is being parsed.
  struct Scope {
    std::unique_ptr<HloComputation> computation = std::make_unique<HloComputation>();
    std::unordered_map<std::string, HloInstruction*> instructions;
    // The text is one instruction: operands that are not defined become parameters.
    bool defines_parameters = false;
    std::int64_t parameter_count = 0;
  };
  // An instruction that is not yet part of its computation.
  struct InstructionDrawer {
    std::unique_ptr<HloInstruction> instruction = std::make_unique<HloInstruction>();
    bool has_shape = false;
    SourceLocation opcode_location;
    // For the short forms X-start, X-update and X-done: the instruction X that they wrap. Null for all others.
    std::unique_ptr<HloInstruction> wrapped;
  };

  // module_parser.cc
  Status ParseModule();
  Status ParseSingleInstruction();
  Status ParseComputation();
  Status ParseComputationAttributes(HloComputation& computation);
  Result<std::unique_ptr<HloComputation>> ParseBody(std::string name, SourceLocation location);
  Result<Shape> ParseSignature();
  static Status CheckParameters(const HloComputation& computation);
  Status CheckSignature(const Shape& result, const HloComputation& computation, SourceLocation location);
  Result<HloComputation*> ParseComputationReference();
  HloComputation* AddComputation(std::unique_ptr<HloComputation> computation);
  Status Finish();
  void MakeNamesUnique();
  void NumberStackFrames();

  // module_header.cc
  Status ParseHeaderAttributes();
  Status ParseHeaderAttribute(std::string_view name);
  Status ParseEntryComputationLayout();

  // instruction_parser.cc
  Status ParseInstruction(Scope& scope);
  Result<HloInstruction*> ParseDefinition(Scope& scope, std::string name, SourceLocation location, bool is_nested);
  Status ParseOpcode(InstructionDrawer& draft);
  Status ParseParentheses(Scope& scope, InstructionDrawer& draft);
  Status ParseConstant(HloInstruction& instruction);
  Status ParseOperands(Scope& scope, HloInstruction& instruction);
  Result<HloInstruction*> ParseOperand(Scope& scope);
  Result<HloInstruction*> ParseReference(Scope& scope, const Shape* shape, SourceLocation location);
  HloInstruction* AddImpliedParameter(Scope& scope, std::string name, const Shape& shape);
  Result<HloInstruction*> ParseTupleElements(Scope& scope, HloInstruction* instruction, std::string name);
  Status ParseAttributes(Scope& scope, InstructionDrawer& draft);
  Status ParseAttribute(Scope& scope, InstructionDrawer& draft, const Token& name);
  Status ParseControlPredecessors(Scope& scope, HloInstruction& instruction);
  static Status CheckOperandsAndAttributes(const HloInstruction& instruction, SourceLocation location);
  static Status Normalize(HloInstruction& instruction, SourceLocation location);
  Status CountShapeParts(const Shape& shape, SourceLocation location);
  Status Complete(InstructionDrawer& draft);

  // async_parser.cc
  Status WrapAsync(InstructionDrawer& draft);
  void BindLate(const HloInstruction& instruction);
  Status CompleteAsync(InstructionDrawer& draft);
  Status FinishAsync();

  TextParser parser_;
  std::unique_ptr<HloModule> module_ = std::make_unique<HloModule>();
  // By name; null while the body is being parsed.
  std::unordered_map<std::string, HloComputation*> computations_;
  // The computations that short forms imply, and the locations of their starts. Updates may still bind operands.
  std::unordered_map<HloComputation*, SourceLocation> short_forms_;
  // Updates and dones whose asynchronous value passed through other instructions.
  std::vector<const HloInstruction*> passed_on_;
  bool has_entry_layout_ = false;
  bool has_configuration_ = false;  // the header sets another property of XLA's module configuration
  // The limit on the parts of all instructions' shapes, and the number parsed so far.
  static constexpr std::int64_t kMostShapeParts = 1 << 22;
  std::int64_t shape_parts_ = 0;
  bool is_single_ = false;  // the text is one instruction
  StackTables stack_tables_;
};

}  // namespace assay
