#include "interpreter/types/limits.h"

#include <atomic>
#include <chrono>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "interpreter/types/array_memory.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/without_throwing.h"
#include "spec_tests/catch.h"

using namespace assay;

namespace {

void Sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// Returns the message of the error that `function` throws.
template <class Function>
std::string MessageOf(Function function) {
  const Status status = WithoutThrowing([&]() -> Status {
    function();
    return {};
  });
  if (status) return "";
  CHECK(status.error().code == ErrorCode::kLimit);
  return status.error().message;
}

// Limits memory to this many bytes more than in use.
struct MoreMemory {
  explicit MoreMemory(std::int64_t bytes) { MemoryUse::SetLimit(MemoryUse::ArrayBytes() + bytes); }
  ~MoreMemory() { MemoryUse::SetLimit(INT64_MAX); }
};

constexpr std::int64_t kMebibyte = 1 << 20;

}  // namespace

TEST_CASE("without a limit time does not matter", "[limits]") {
  CHECK(MessageOf([] { CheckLimits(); }).empty());
  const TimeLimit none(0);
  CHECK(MessageOf([] { CheckLimits(); }).empty());
}

TEST_CASE("memory that freed arrays leave is dropped where scratch needs it", "[limits]") {
  constexpr std::int64_t kArray = 24 * kMebibyte;
  ArrayMemory::DropKept();
  const MoreMemory memory(32 * kMebibyte);  // and a quarter of it and 64 MiB for scratch
  { const Literal array(ShapeUtil::MakeShape(U8, {kArray})); }
  if (ArrayMemory::KeptBytes() == 0) return;  // sanitizers keep nothing
  CHECK(ArrayMemory::KeptBytes() == kArray);
  CHECK(MemoryUse::TryAddScratch(70 * kMebibyte));
  CHECK(ArrayMemory::KeptBytes() == kArray);
  CHECK(MemoryUse::TryAddScratch(20 * kMebibyte));
  CHECK(ArrayMemory::KeptBytes() == 0);
  MemoryUse::AddScratch(-90 * kMebibyte);
}

TEST_CASE("of nested time limits the earliest holds", "[limits]") {
  const TimeLimit hour(3600);
  {
    const TimeLimit soon(0.01);
    const TimeLimit later(100);
    const TimeLimit none(0);
    Sleep(0.02);
    CHECK(MessageOf([] { CheckLimits(); }) == "time limit of 0.01 s (--time-limit)");
  }
  CHECK(MessageOf([] { CheckLimits(); }).empty());
}

TEST_CASE("a limit too far away for the clock is none", "[limits]") {
  for (double seconds : {1e10, 1e300}) {
    const TimeLimit limit(seconds);
    CHECK(MessageOf([] { CheckLimits(); }).empty());
  }
}

TEST_CASE("the option that gave a limit is named", "[limits]") {
  const TimeLimit limit(0.001, "--timeout");
  Sleep(0.002);
  CHECK(MessageOf([] { CheckLimits(); }) == "time limit of 0.001 s (--timeout)");
}

TEST_CASE("a time limit holds on every thread of a parallel loop", "[limits]") {
  std::atomic<int> pieces = 0;
  const auto loop = [&] {
    ParallelFor(100000, 1, [&](std::int64_t, std::int64_t) {
      ++pieces;
      Sleep(0.001);
    });
  };
  const TimeLimit limit(0.02);
  CHECK(MessageOf(loop) == "time limit of 0.02 s (--time-limit)");
  CHECK(pieces < 100000);
}

TEST_CASE("a check in turns looks at every n-th", "[limits]") {
  const TimeLimit limit(0.001);
  Sleep(0.002);
  int turns = 0;
  MessageOf([&] {
    for (LimitCheck check(/*turns=*/10); turns < 1000; ++turns) check();
  });
  CHECK(turns == 9);
}

TEST_CASE("work that cannot be interrupted is waited for until the time is up", "[limits]") {
  CHECK(Uninterruptible([] { return std::this_thread::get_id(); }) == std::this_thread::get_id());
  {
    const TimeLimit limit(60);
    CHECK(Uninterruptible([] { return std::string("done"); }) == "done");
    CHECK(!IsWorkLeftBehind());
    CHECK_THROWS_AS(RunUninterruptible([] { throw std::runtime_error("its own"); }), std::runtime_error);
  }
  static std::atomic<bool> may_end = false, has_ended = false;
  {
    const TimeLimit limit(0.02);
    CHECK(MessageOf([] {
            RunUninterruptible([] {
              while (!may_end) Sleep(0.001);
              has_ended = true;
            });
          }) == "time limit of 0.02 s (--time-limit)");
  }
  CHECK(IsWorkLeftBehind());
  CHECK(!has_ended);
  may_end = true;
  while (!has_ended) Sleep(0.001);
}

TEST_CASE("work that cannot be interrupted keeps to the array limit of its caller", "[limits]") {
  const TimeLimit limit(60);
  const ArrayLimit arrays(kMebibyte);
  const auto array_of = [](std::int64_t bytes) {
    return [bytes] { return Literal(ShapeUtil::MakeShape(U8, {bytes})); };
  };
  CHECK(Uninterruptible(array_of(kMebibyte)).byte_size() == kMebibyte);
  CHECK(MessageOf([&] { Uninterruptible(array_of(kMebibyte + 1)); }).starts_with("memory limit of 1 MiB"));
}

TEST_CASE("arrays keep to the memory limit itself", "[limits]") {
  const MoreMemory limit(kMebibyte);
  const Literal fits(ShapeUtil::MakeShape(U8, {kMebibyte}));
  CHECK(MessageOf([] { Literal(ShapeUtil::MakeShape(U8, {1})); }).starts_with("memory limit of "));
}

TEST_CASE("room for arrays is checked against every limit, and not taken", "[limits]") {
  const MoreMemory limit(2 * kMebibyte);
  const ArrayLimit outer(kMebibyte), inner(4 * kMebibyte);
  const std::int64_t before = MemoryUse::ArrayBytes();
  const auto message_of = [](std::int64_t bytes) { return MessageOf([&] { MemoryUse::CheckRoomForArrays(bytes); }); };
  CHECK(message_of(kMebibyte).empty());
  CHECK(message_of(kMebibyte + 1).starts_with("memory limit of 1 MiB (EvaluationLimits::array_bytes): "));
  CHECK(message_of(2 * kMebibyte + 1).find("(--memory-limit)") != std::string::npos);
  CHECK(MemoryUse::ArrayBytes() == before);
  const Literal fits(ShapeUtil::MakeShape(U8, {kMebibyte}));
  CHECK(!message_of(1).empty());
}

TEST_CASE("scratch memory has a quarter of the limit and 64 MiB besides", "[limits]") {
  const MoreMemory limit(40 * kMebibyte);
  const std::int64_t more = (40 + 10 + 64) * kMebibyte;
  CHECK(MemoryUse::TryAddScratch(more - kMebibyte));
  CHECK(!MemoryUse::TryAddScratch(2 * kMebibyte));
  CHECK(MessageOf([] { CheckLimits(); }).empty());
  // AddScratch cannot refuse; the next check finds the excess.
  MemoryUse::AddScratch(2 * kMebibyte);
  CHECK(MessageOf([] { CheckLimits(); }).starts_with("memory limit of "));
  MemoryUse::AddScratch(-(more + kMebibyte));
  CHECK(MessageOf([] { CheckLimits(); }).empty());
}

TEST_CASE("a bad_alloc is an error that says whose limit it was", "[limits]") {
  const MoreMemory limit(kMebibyte);
  CHECK(MessageOf([] { throw ScratchBeyondLimit(3 * kMebibyte / 2); }).ends_with("1.5 MiB more needed"));
  CHECK(MessageOf([] { throw std::bad_alloc(); }) == "the system has no memory left");
}
