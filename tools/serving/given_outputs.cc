#include "tools/serving/given_outputs.h"

#include <algorithm>
#include <utility>

#include "interpreter/hlo/printer.h"

namespace assay {
namespace {

bool AreEqual(const DeviceValues& a, const DeviceValues& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return std::ranges::equal(x, y, [](const Literal& p, const Literal& q) { return p.BitwiseEqual(q); });
  });
}

}  // namespace

// The module whose outputs are known. Other inputs are run by the other backend.
class GivenOutputs::Known final : public Executable {
 public:
  Known(GivenOutputs& owner, const HloModule& module) : owner_(owner), module_(module) {}

  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
    if (AreEqual(inputs, owner_.inputs_)) return owner_.outputs_;
    if (owner_.backend_ == nullptr) {
      return Error{ErrorCode::kUnsupported, "only the outputs of the whole module are known"};
    }
    return owner_.backend_->Run(module_, inputs);
  }

 private:
  GivenOutputs& owner_;
  const HloModule& module_;
};

GivenOutputs::GivenOutputs(Backend* backend, const HloModule& module, const DeviceValues& inputs,
                           PerDevice<Literal> outputs)
    : backend_(backend),
      text_(PrintHloModule(module, PrintOptions::Exact())),
      inputs_(inputs),
      outputs_(std::move(outputs)) {
  description_ = {
      .name = "given", .version = "", .max_devices = static_cast<int>(outputs_.size()), .ops = {}, .types = {}};
  if (backend != nullptr) description_ = backend->description();
}

Result<std::unique_ptr<Executable>> GivenOutputs::Compile(const HloModule& module) {
  if (PrintHloModule(module, PrintOptions::Exact()) == text_) {
    return std::unique_ptr<Executable>(std::make_unique<Known>(*this, module));
  }
  if (backend_ != nullptr) return backend_->Compile(module);
  return Error{ErrorCode::kUnsupported, "only the outputs of the whole module are known"};
}

}  // namespace assay
