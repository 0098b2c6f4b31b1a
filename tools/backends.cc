#include "tools/backends.h"

#include "fuzz/mutants/mutant.h"

namespace assay {

Result<std::unique_ptr<Backend>> OpenAnyBackend(std::string_view name, double timeout_seconds) {
  constexpr std::string_view kMutant = "mutant:";
  return name.starts_with(kMutant) ? OpenMutant(name.substr(kMutant.size())) : OpenBackend(name, timeout_seconds);
}

}  // namespace assay
