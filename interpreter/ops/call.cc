#include "interpreter/hlo/annotation_text.h"
#include "interpreter/ops/common/call_rules.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Checks the frontend attributes of a composite call, which name the operation that the computation decomposes.
Status CheckComposite(const HloInstruction& instruction) {
  const std::string name = FrontendAttribute(instruction, "composite.name").value_or("");
  if (name.empty()) return Illegal(instruction, "a composite must have a name: frontend attribute composite.name");
  const auto attributes = FrontendAttribute(instruction, "composite.attributes");
  if (attributes && attributes->empty()) return Illegal(instruction, "composite.attributes must not be empty");
  const auto version = FrontendAttribute(instruction, "composite.version");
  if (version && (version->empty() || version->find_first_not_of("0123456789") != std::string::npos)) {
    return Illegal(instruction, "composite.version must be a whole number, found {}", *version);
  }
  return {};
}

Result<Shape> InferCall(const HloInstruction& instruction) {
  const HloComputation& callee = instruction.Computation("to_apply");
  if (instruction.Bool("is_composite")) ASSAY_CHECK_OK(CheckComposite(instruction));
  ASSAY_CHECK_OK(CheckArguments(instruction, "the computation", callee, OperandShapes(instruction)));
  return callee.root->shape;
}

}  // namespace

const Op op_call = {
    .name = "call",
    .meaning = "A computation applied to the operands.",
    .role = OpRole::kCall,
    .syntax =
        {
            .attributes = {Required("to_apply", AttributeKind::kComputation), Flag("is_composite")},
        },
    .legality =
        {
            .arity = AtLeast(0),
            .types = kAny,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .forwards_operands = true,
            .infer = InferCall,
        },
};

}  // namespace assay
