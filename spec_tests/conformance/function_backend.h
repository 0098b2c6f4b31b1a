// A backend for tests of judging whose outputs are those of a function.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "backends/backend.h"
#include "interpreter/types/version.h"

namespace assay::testing {

class FunctionBackend final : public Backend {
 public:
  using Function = std::function<Result<PerDevice<Literal>>(const HloModule&, const DeviceValues& inputs)>;

  explicit FunctionBackend(Function function) : function_(std::move(function)) {}

  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override {
    return std::unique_ptr<Executable>(std::make_unique<Call>(module, function_));
  }

 private:
  class Call final : public Executable {
   public:
    Call(const HloModule& module, const Function& function) : module_(module), function_(function) {}
    Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override { return function_(module_, inputs); }

   private:
    const HloModule& module_;
    const Function& function_;
  };

  const Function function_;
  const BackendDescription description_ = {
      .name = "function", .version = kVersion, .max_devices = 1, .ops = {}, .types = {}};
};

// Returns a backend with the same output whatever it runs. It declines modules with more or fewer results.
inline FunctionBackend Returning(Literal output) {
  return FunctionBackend([output = std::move(output)](const HloModule& module, const DeviceValues&) {
    const Shape& shape = module.entry->root->shape;
    const bool is_tuple = output.shape().IsTuple();
    const bool has_as_many =
        shape.IsTuple() == is_tuple && (!is_tuple || shape.tuple_shapes().size() == output.elements().size());
    if (!has_as_many) return Result<PerDevice<Literal>>(Error{ErrorCode::kUnsupported, "another result"});
    return Result<PerDevice<Literal>>(PerDevice<Literal>{output});
  });
}

}  // namespace assay::testing
