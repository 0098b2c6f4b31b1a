#include "backends/timed_backend.h"

#include <utility>

#include "backends/claims.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

class Calls {
 public:
  explicit Calls(double seconds) : seconds_(seconds) {}

  template <class Function>
  auto operator()(Function function) const {
    const TimeLimit limit(seconds_, "--timeout");
    return WithoutThrowing(function);
  }

 private:
  double seconds_;
};

class Timed final : public Backend {
 public:
  Timed(std::unique_ptr<Backend> backend, double seconds) : backend_(std::move(backend)), calls_(seconds) {}

  const BackendDescription& description() const override { return backend_->description(); }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override {
    if (const auto reason = WhyNotTaken(description(), module)) return Error{ErrorCode::kUnsupported, *reason};
    ASSAY_TRY(std::unique_ptr<Executable> executable, calls_([&] { return backend_->Compile(module); }));
    return std::unique_ptr<Executable>(std::make_unique<TimedExecutable>(std::move(executable), calls_));
  }
  void SetOptions(CompilerOptions options) override { backend_->SetOptions(std::move(options)); }
  Result<CompilerTrace> Trace(const HloModule& module) override {
    return calls_([&] { return backend_->Trace(module); });
  }

 private:
  class TimedExecutable final : public Executable {
   public:
    TimedExecutable(std::unique_ptr<Executable> executable, Calls calls)
        : executable_(std::move(executable)), calls_(calls) {}

    Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
      return calls_([&] { return executable_->Run(inputs); });
    }

   private:
    std::unique_ptr<Executable> executable_;
    Calls calls_;
  };

  std::unique_ptr<Backend> backend_;
  Calls calls_;
};

}  // namespace

std::unique_ptr<Backend> TimedBackend(std::unique_ptr<Backend> backend, double seconds) {
  return std::make_unique<Timed>(std::move(backend), seconds);
}

}  // namespace assay
