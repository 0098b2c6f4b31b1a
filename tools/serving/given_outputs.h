// A backend for one module with known outputs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"

namespace assay {

// Opens the backend that runs everything else; null: there is none.
using BackendOpener = std::function<Result<Backend*>()>;

// Returns the given outputs for that module and those inputs, and runs everything else on another backend. If the
// module is one instruction on its parameters, the outputs are also those of that instruction alone.
class GivenOutputs final : public Backend {
 public:
  // The other backend is opened on its first use. Null: everything else is kUnsupported. The module and the inputs must
  // outlive this object.
  GivenOutputs(BackendOpener open, const HloModule& module, const DeviceValues& inputs, PerDevice<Literal> outputs);

  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;
  // Opens the other backend now. From then on description() is the other backend's.
  Status Open();
  // Returns the error of opening the other backend, if that failed.
  const std::optional<Error>& opening_error() const { return opening_error_; }

 private:
  class Known;

  BackendOpener open_;
  Backend* backend_ = nullptr;
  std::optional<Error> opening_error_;
  BackendDescription description_;
  std::string text_;        // of the module
  std::string alone_text_;  // of its only instruction as a piece; empty: the module has several
  const DeviceValues& inputs_;
  PerDevice<Literal> outputs_;
};

}  // namespace assay
