// A backend of which the outputs of one module are known already.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"

namespace assay {

// Opens the backend that runs what is not known; null: there is none.
using BackendOpener = std::function<Result<Backend*>()>;

// Returns the given outputs for that module and those inputs, and asks another backend for all else. Where the module
// is one instruction on its parameters, they are also the outputs of that instruction alone.
class GivenOutputs final : public Backend {
 public:
  // The other backend is opened when it is first asked. Null: everything else is kUnsupported. The module and the
  // inputs must outlive this.
  GivenOutputs(BackendOpener open, const HloModule& module, const DeviceValues& inputs, PerDevice<Literal> outputs);

  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;
  // Opens the other backend now: its description is then this one's.
  Status Open();
  // The error of opening the other backend, if it was tried.
  const std::optional<Error>& opening_error() const { return opening_error_; }

 private:
  class Known;

  BackendOpener open_;
  Backend* backend_ = nullptr;
  std::optional<Error> opening_error_;
  BackendDescription description_;
  std::string text_;        // of the module
  std::string alone_text_;  // of its only instruction as a piece; empty: it has several
  const DeviceValues& inputs_;
  PerDevice<Literal> outputs_;
};

}  // namespace assay
