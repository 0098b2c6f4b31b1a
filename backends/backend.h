// The one interface of everything that claims to run XLA operations.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

struct BackendDescription {
  std::string name;
  std::string version;
  int max_devices = 1;
  // Op mnemonics and element types that the backend takes; nothing: it does not say.
  std::optional<std::vector<std::string>> ops;
  std::optional<std::vector<std::string>> types;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const BackendDescription& description() const = 0;

  // Runs a verified module; `inputs` and the result hold, for each device, a value for each parameter and the root's
  // value. Errors: kUnsupported when the backend declines (shown and counted, never silently passed), kLimit when it
  // does not answer in time, kBackend when it dies or answers something that is not a value of the module's shape, any
  // other when it is the backend itself that reports the error.
  virtual Result<std::vector<Literal>> Run(const HloModule& module,
                                           const std::vector<std::vector<Literal>>& inputs) = 0;
};

// "reference", "lawful[:PROFILE[:SEED]]", "process:COMMAND", or an alias of backends.json (looked for beside the
// executable's repository and in the working directory). kUsage for an unknown name, kBackend when it cannot be
// started.
Result<std::unique_ptr<Backend>> OpenBackend(std::string_view name, double timeout_seconds);

}  // namespace assay
