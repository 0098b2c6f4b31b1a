// The one interface of everything that claims to run XLA operations.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/compiler.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/overrides.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// The verifier that a module must pass before a backend runs it.
enum class Verification {
  kOfAssay,  // assay's own
  kItsOwn,   // the backend's: it may receive illegal modules and must reject them
  kNone,     // none: the backend says that it relies on legal modules
};

struct BackendDescription {
  std::string name;
  std::string version;
  int max_devices = 1;
  // The op mnemonics and element types that the backend supports. nullopt: all, and it may still decline a module.
  std::optional<std::vector<std::string>> ops;
  std::optional<std::vector<std::string>> types;
  // The ops that the backend does not leave to the reference's evaluator. nullopt: it does not use that evaluator.
  std::optional<std::vector<std::string>> accelerated_ops = {};
  // The bodies with which the reference's evaluator runs the backend's modules; null if something else runs them. Only
  // this evaluator knows the host's side of a module.
  const OpOverrides* bodies = nullptr;
  // True if its compiler has passes and settings that can be disabled (backends/compiler.h).
  bool takes_options = false;
  // True if it gets a module that came as StableHLO as it came, beside its HLO.
  bool takes_stablehlo = false;
  Verification verification = Verification::kOfAssay;
};

// A module that a backend has compiled. Both the module and the backend must outlive it.
class Executable {
 public:
  virtual ~Executable() = default;

  // Runs the module. `inputs` has one value per parameter for each device; the result is the root's value on each
  // device. Fails with kUnsupported if the backend declines, with kLimit if it does not answer in time, and with
  // kBackend if it dies or its answer is not a value of the module's shape. An error that the backend itself reports
  // keeps its code.
  virtual Result<PerDevice<Literal>> Run(const DeviceValues& inputs) = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const BackendDescription& description() const = 0;

  // Compiles a verified module (any module, if the backend has its own verifier) for any number of runs. Fails as
  // Executable::Run does. A module outside of the description (backends/claims.h) fails with kUnsupported without
  // reaching the backend.
  virtual Result<std::unique_ptr<Executable>> Compile(const HloModule& module) = 0;

  // Sets the options of later calls of Compile. Has an effect only if the backend takes options.
  virtual void SetOptions(CompilerOptions) {}
  // Returns the passes that change the module, and the settings, under the present options. Fails with kUnsupported if
  // the backend takes no options.
  virtual Result<CompilerTrace> Trace(const HloModule&) {
    return Error{ErrorCode::kUnsupported, description().name + " does not say what its compiler does"};
  }

  // Compiles a module and runs it once.
  Result<PerDevice<Literal>> Run(const HloModule& module, const DeviceValues& inputs) {
    ASSAY_TRY(const std::unique_ptr<Executable> executable, Compile(module));
    return executable->Run(inputs);
  }
};

// Opens a backend by name: the form of a kind (backends/kind.h), or an alias of backends.json, which data_folder.h
// finds. Each call has a limit of `timeout_seconds`. Fails with kUsage for an unknown name, and with kBackend if the
// backend cannot be started.
Result<std::unique_ptr<Backend>> OpenBackend(std::string_view name, double timeout_seconds);

}  // namespace assay
