// The one interface of everything that claims to run XLA operations.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/compiler.h"
#include "interpreter/hlo/module.h"
#include "interpreter/kernels/overrides.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// The verifier that a module must pass before a backend runs it.
enum class Verification {
  kOfAssay,  // assay's own
  kItsOwn,   // the backend's: it may be given illegal modules, and must refuse them
  kNone,     // the backend relies on legal modules, and says so
};

struct BackendDescription {
  std::string name;
  std::string version;
  int max_devices = 1;
  // Op mnemonics and element types that the backend takes. Nothing: it takes every module and may still decline.
  std::optional<std::vector<std::string>> ops;
  std::optional<std::vector<std::string>> types;
  // The ops that it does not leave to the reference's evaluator. Nothing: it has none of the reference's.
  std::optional<std::vector<std::string>> accelerated_ops = {};
  // The bodies with which the reference's evaluator runs its modules; null if something else runs them. The host's side
  // of a module is known to this evaluator alone.
  const OpOverrides* bodies = nullptr;
  // Its compiler can be told what to leave out (backends/compiler.h).
  bool takes_options = false;
  Verification verification = Verification::kOfAssay;
};

// A module that a backend has compiled. Neither the module nor the backend may end before it.
class Executable {
 public:
  virtual ~Executable() = default;

  // The inputs of a device are a value for each parameter; its result is the root's value. Errors: kUnsupported when
  // the backend declines, kLimit when it does not answer in time, kBackend when it dies or its answer is no value of
  // the module's shape, any other code when the backend itself reports an error.
  virtual Result<PerDevice<Literal>> Run(const DeviceValues& inputs) = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const BackendDescription& description() const = 0;

  // Compiles a verified module (any, if the backend has a verifier of its own), to be run any number of times. Errors
  // are those of Executable::Run. A module that is not among what the description says (backends/claims.h) is
  // kUnsupported without the backend being asked.
  virtual Result<std::unique_ptr<Executable>> Compile(const HloModule& module) = 0;

  // What holds for Compile from now on. Only of one that takes options.
  virtual void SetOptions(CompilerOptions) {}
  // What its compiler does to a module, with these options. kUnsupported of one that takes none.
  virtual Result<CompilerTrace> Trace(const HloModule&) {
    return Error{ErrorCode::kUnsupported, description().name + " does not say what its compiler does"};
  }

  // Compiles a module and runs it once.
  Result<PerDevice<Literal>> Run(const HloModule& module, const DeviceValues& inputs) {
    ASSAY_TRY(const std::unique_ptr<Executable> executable, Compile(module));
    return executable->Run(inputs);
  }
};

// Opens a backend by its name: the form of a kind (backends/kind.h), or an alias of backends.json, which is found
// as data_folder.h says. One call has so many seconds. kUsage for an unknown name, kBackend
// when it cannot be started.
Result<std::unique_ptr<Backend>> OpenBackend(std::string_view name, double timeout_seconds);

}  // namespace assay
