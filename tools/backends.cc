#include "tools/backends.h"

#include <utility>

#include "fuzz/mutants/mutant.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

// A backend of this process, which has no peer's pipe to give up.
class TimedBackend final : public Backend {
 public:
  TimedBackend(std::unique_ptr<Backend> backend, double seconds) : backend_(std::move(backend)), seconds_(seconds) {}

  const BackendDescription& description() const override { return backend_->description(); }
  Result<std::vector<Literal>> Run(const HloModule& module, const std::vector<std::vector<Literal>>& inputs) override {
    const TimeLimit limit(seconds_, "--timeout");
    return WithoutThrowing([&] { return backend_->Run(module, inputs); });
  }

 private:
  std::unique_ptr<Backend> backend_;
  double seconds_;
};

}  // namespace

Result<std::unique_ptr<Backend>> OpenAnyBackend(std::string_view name, double timeout_seconds) {
  constexpr std::string_view kMutant = "mutant:";
  ASSAY_TRY(std::unique_ptr<Backend> backend,
            name.starts_with(kMutant) ? OpenMutant(name.substr(kMutant.size())) : OpenBackend(name, timeout_seconds));
  return std::unique_ptr<Backend>(std::make_unique<TimedBackend>(std::move(backend), timeout_seconds));
}

}  // namespace assay
