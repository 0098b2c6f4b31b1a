#include "interpreter/builder/xla_computation.h"

#include "interpreter/hlo/printer.h"

namespace assay::xla {

const std::string& XlaComputation::name() const {
  static const std::string kNone;
  return IsNull() ? kNone : module_->name;
}

Result<ProgramShape> XlaComputation::GetProgramShape() const {
  if (IsNull()) return Error{ErrorCode::kUsage, "there is no computation"};
  ProgramShape shape;
  for (const HloInstruction* parameter : module_->entry->Parameters()) {
    shape.parameters.push_back(parameter->shape);
    shape.parameter_names.push_back(parameter->name);
  }
  shape.result = module_->entry->root->shape;
  return shape;
}

std::string XlaComputation::ToString() const {
  return IsNull() ? "" : PrintHloModule(*module_, {.large_constants = true, .reads_back = true});
}

}  // namespace assay::xla
