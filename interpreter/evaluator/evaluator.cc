#include "interpreter/evaluator/evaluator.h"

#include <fmt/format.h>

#include "interpreter/evaluator/frame.h"
#include "interpreter/evaluator/plan.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/without_throwing.h"

namespace assay {

Result<Literal> Evaluate(const HloModule& module, std::vector<Literal> arguments, const EvaluationOptions& options) {
  const std::vector<const HloInstruction*> parameters = module.entry->Parameters();
  if (arguments.size() != parameters.size()) {
    return Error{ErrorCode::kInput, fmt::format("the entry computation {} takes {} arguments, found {}",
                                                module.entry->name, parameters.size(), arguments.size())};
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (FitArgument(parameters[i]->shape, arguments[i])) continue;
    return Error{ErrorCode::kInput, fmt::format("argument {} has shape {}, parameter {} expects {}", i,
                                                arguments[i].shape().ToStringWithoutLayout(), parameters[i]->name,
                                                parameters[i]->shape.ToStringWithoutLayout())};
  }
  return WithoutThrowing([&]() -> Result<Literal> {
    const DefaultFloatEnvironment environment;
    const PlanSet plans(module);
    RunningDevice device(plans, options);
    return ToHost(device.Call(*module.entry, std::move(arguments)));
  });
}

}  // namespace assay
