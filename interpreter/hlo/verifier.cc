#include "interpreter/hlo/verifier.h"

#include "interpreter/hlo/verifier_rules.h"

namespace assay {

void ErrorList::Add(const HloInstruction& instruction, std::string_view message) {
  Add(Error{ErrorCode::kIllegal, fmt::format("{}: {}", instruction.name, message), instruction.location});
}

void ErrorList::Add(const HloComputation& computation, std::string_view message) {
  Add(Error{ErrorCode::kIllegal, fmt::format("computation {}: {}", computation.name, message), computation.location});
}

void ErrorList::Add(const HloModule& module, std::string_view message) {
  Add(Error{ErrorCode::kIllegal, fmt::format("module {}: {}", module.name, message)});
}

std::vector<Error> FindIllegal(const HloModule& module, const VerifierOptions& options) {
  ErrorList errors;
  CheckStructure(module, errors);
  if (!errors.empty()) return std::move(errors).Take();
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      CheckInstruction(*instruction, errors);
      CheckSharding(*instruction, errors);
      CheckOrigin(*instruction, errors);
    }
  }
  CheckAsyncPairs(module, errors);
  CheckChannels(module, errors);
  CheckBufferWriters(module, errors);
  CheckEntry(module, errors);
  // Shape inference relies on all of the above.
  if (options.layout_sensitive && errors.empty()) CheckLayouts(module, errors);
  return std::move(errors).Take();
}

Status VerifyHloModule(const HloModule& module) {
  std::vector<Error> errors = FindIllegal(module);
  if (errors.empty()) return {};
  return std::move(errors.front());
}

}  // namespace assay
