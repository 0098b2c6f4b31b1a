#include "backends/reference.h"

#include <utility>

#include "interpreter/evaluator/evaluator.h"

namespace assay {

Result<std::vector<Literal>> ReferenceBackend::Run(const HloModule& module,
                                                   const std::vector<std::vector<Literal>>& inputs) {
  ASSAY_TRY(std::vector<DeviceOutputs> devices, EvaluateOnDevices(module, inputs));
  std::vector<Literal> outputs;
  for (DeviceOutputs& device : devices) outputs.push_back(std::move(device.output));
  return outputs;
}

}  // namespace assay
