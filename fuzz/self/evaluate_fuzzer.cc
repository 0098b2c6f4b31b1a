// The evaluator. The result of a verified module is a value of the root's shape, or an error that a legal module can
// have.
#include "fuzz/self/disturbed.h"
#include "fuzz/self/target.h"
#include "interpreter/evaluator/evaluator.h"

ASSAY_FUZZ_TARGET(evaluate) {
  const SmallLimits limits;
  const std::unique_ptr<HloModule> module = ReadLegalModule(text);
  if (module == nullptr) return;
  const Result<DeviceValues> arguments = DrawInputs(*module, SeedOf(text));
  if (!arguments) return;
  EvaluationOptions options;
  options.limits = SmallEvaluation();
  const Result<PerDevice<DeviceOutputs>> outputs = EvaluateOnDevices(*module, *arguments, options);
  if (!outputs) {
    const ErrorCode code = outputs.error().code;
    // kInput: a number known only at run time, such as the root of a collective-reduce, may be invalid.
    Require(code == ErrorCode::kUnsupported || code == ErrorCode::kLimit || code == ErrorCode::kDeadlock ||
                code == ErrorCode::kCheck || code == ErrorCode::kInput,
            "a legal module has no such error: " + outputs.error().message);
    return;
  }
  for (const DeviceOutputs& device : *outputs) {
    Require(IsOfShape(device.output, module->entry->root->shape), "the value has the root's shape");
  }
}
