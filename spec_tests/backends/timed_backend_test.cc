#include "backends/timed_backend.h"

#include <new>

#include "interpreter/hlo/parser.h"
#include "interpreter/types/limits.h"
#include "spec_tests/catch.h"

namespace assay {
namespace {

// Compiles, runs and traces without an end, or throws at once.
class Endless final : public Backend {
 public:
  explicit Endless(bool throws) : throws_(throws) {}

  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule&) override { Work(); }
  Result<CompilerTrace> Trace(const HloModule&) override { Work(); }

 private:
  [[noreturn]] void Work() const {
    if (throws_) throw std::bad_alloc();
    while (true) CheckLimits();
  }

  bool throws_;
  BackendDescription description_ = {.name = "endless", .version = "1", .ops = {}, .types = {}, .takes_options = true};
};

template <class T>
std::string MessageOf(const Result<T>& result) {
  REQUIRE(!result);
  CHECK(result.error().code == ErrorCode::kLimit);
  return result.error().message;
}

}  // namespace

TEST_CASE("every call of a backend has its time limit, and none throws") {
  const auto module = *ParseHloModule("HloModule m\nENTRY e { ROOT a = f32[] parameter(0) }");
  const auto slow = TimedBackend(std::make_unique<Endless>(false), 0.01);
  CHECK(MessageOf(slow->Compile(*module)) == "time limit of 0.01 s (--timeout)");
  CHECK(MessageOf(slow->Trace(*module)) == "time limit of 0.01 s (--timeout)");
  const auto hungry = TimedBackend(std::make_unique<Endless>(true), 60);
  CHECK(MessageOf(hungry->Compile(*module)) == "the system has no memory left");
  CHECK(MessageOf(hungry->Trace(*module)) == "the system has no memory left");
}

}  // namespace assay
