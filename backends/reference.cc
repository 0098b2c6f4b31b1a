#include "backends/reference.h"

#include "interpreter/evaluator/evaluator.h"

namespace assay {

Result<std::vector<Literal>> ReferenceBackend::Run(const HloModule& module,
                                                   const std::vector<std::vector<Literal>>& inputs) {
  std::vector<Literal> outputs;
  for (const std::vector<Literal>& arguments : inputs) {
    ASSAY_TRY(Literal output, Evaluate(module, arguments));
    outputs.push_back(std::move(output));
  }
  return outputs;
}

}  // namespace assay
