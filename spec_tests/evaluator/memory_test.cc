// Buffers are freed at their last use and updated in place. Limits on memory show it, whatever the machine's speed.

#include <atomic>
#include <thread>
#include <utility>

#include "interpreter/evaluator/least_memory.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

constexpr std::int64_t kMebibyte = 1 << 20;

TEST_CASE("a chain of additions holds three arrays at most", "[evaluator][memory]") {
  std::string text = R"(ENTRY e {
  one = f32[] constant(1)
  c = f32[262144] broadcast(one), dimensions={}
  x0 = f32[262144] broadcast(one), dimensions={}
)";
  for (int i = 1; i <= 100; ++i) text += fmt::format("  x{} = f32[262144] add(x{}, c)\n", i, i - 1);
  const auto module = Parsed(text + "  ROOT r = f32[262144] copy(x100)\n}");
  const std::int64_t before = MemoryUse::ArrayBytes();
  {
    const MemoryLimit limit(4 * kMebibyte - 1);
    const Literal result = Evaluated(*module, {});
    CHECK(result.values<float>()[262143] == 101.0f);
    // Only the result remains.
    CHECK(MemoryUse::ArrayBytes() == before + kMebibyte);
  }
  CHECK(MemoryUse::ArrayBytes() == before);
  // The check can fail: the constant and both ends of an addition need three.
  const MemoryLimit limit(3 * kMebibyte - 1);
  CHECK(!Evaluate(*module, {}).has_value());
}

TEST_CASE("an evaluation without limits has four gibibytes", "[evaluator][memory]") {
  const auto module = Parsed(R"(one = f32[] constant(1)
  ROOT x = f32[1000000,1000000] broadcast(one), dimensions={})");
  const auto refused = Evaluate(*module, {});
  REQUIRE(!refused.has_value());
  CHECK(refused.error().code == ErrorCode::kLimit);
  CHECK(refused.error().message.starts_with("memory limit of 4 GiB (EvaluationLimits::array_bytes): "));
  // A limit of the process or of the evaluation replaces it.
  const auto larger = Evaluate(*module, {}, {.limits = {.array_bytes = std::int64_t{5} << 30}});
  REQUIRE(!larger.has_value());
  CHECK(larger.error().message.starts_with("memory limit of 5 GiB (EvaluationLimits::array_bytes): "));
  const MemoryLimit limit(kMebibyte);
  const auto of_process = Evaluate(*module, {});
  REQUIRE(!of_process.has_value());
  CHECK(of_process.error().message.starts_with("memory limit of 1 MiB (--memory-limit): "));
}

TEST_CASE("arrays that cannot fit together are refused before anything is evaluated", "[evaluator][memory]") {
  // Each array fits into 4 GiB, both do not.
  const auto module = Parsed(R"(small = f32[] constant(1)
  less = f32[] negate(small)
  x = f32[1000000000] iota(), iota_dimension=0
  y = f32[1000000000] broadcast(less), dimensions={}
  ROOT r = f32[1000000000] add(x, y))");
  int evaluated = 0;
  EvaluationOptions options;
  options.observer = [&](const HloInstruction&, std::span<const Literal>, const Literal&, DeviceId) { ++evaluated; };
  const auto refused = Evaluate(*module, {}, options);
  REQUIRE(!refused.has_value());
  CHECK(refused.error().code == ErrorCode::kLimit);
  CHECK(refused.error().message.starts_with("memory limit of 4 GiB"));
  CHECK(evaluated == 0);
}

// Returns the least bytes of an entry with a parameter p: f32[4] whose argument the caller keeps, or moves.
std::pair<std::int64_t, std::int64_t> LeastBytes(const std::string& instructions) {
  const auto module = Parsed("HloModule m\nENTRY e {\n p = f32[4] parameter(0)\n" + instructions + "\n}");
  const PlanSet plans(*module, {});
  const ComputationPlan& plan = plans.Of(*module->entry);
  return {LeastArrayBytes(plan, /*holds_parameters=*/true), LeastArrayBytes(plan, /*holds_parameters=*/false)};
}

TEST_CASE("the least memory of a module counts results that cannot share a buffer", "[evaluator][memory]") {
  using Bytes = std::pair<std::int64_t, std::int64_t>;
  const std::string x = " x = f32[4] iota(), iota_dimension=0\n";
  CHECK(LeastBytes(" ROOT r = f32[4] reshape(p)") == Bytes(16, 0));
  CHECK(LeastBytes(" ROOT r = f32[4] negate(p)") == Bytes(32, 0));
  CHECK(LeastBytes(x + " ROOT r = f32[4] negate(x)") == Bytes(32, 16));
  CHECK(LeastBytes(x + " ROOT r = f32[4] add(x, p)") == Bytes(32, 16));
  // x is needed by both, so that the first of them has a buffer of its own.
  CHECK(LeastBytes(x + " y = f32[4] negate(x)\n ROOT r = f32[4] add(x, y)") == Bytes(48, 32));
  CHECK(LeastBytes(x + " ROOT r = f32[8] concatenate(x, x), dimensions={0}") == Bytes(64, 48));
  // The operands of the sum are gone when the larger array is made.
  CHECK(LeastBytes(x + " y = f32[4] add(x, x)\n z = f32[1] slice(y), slice={[0:1]}\n s = f32[] reshape(z)\n"
                       " ROOT r = f32[2] broadcast(s), dimensions={}") == Bytes(32, 16));
  // The run-time sizes of an array are not known before.
  CHECK(LeastBytes(" s = s32[] constant(2)\n d = f32[<=4] set-dimension-size(p, s), dimensions={0}\n"
                   " ROOT r = f32[<=4] negate(d)") == Bytes(16, 0));
}

// Adds an array of 1 MiB to itself, on each device.
constexpr char kDoubled[] = R"(HloModule m, replica_count=2
ENTRY e {
  one = f32[] constant(1)
  x = f32[262144] broadcast(one), dimensions={}
  ROOT r = f32[262144] add(x, x)
})";

TEST_CASE("a limit on arrays is one evaluation's own", "[evaluator][memory]") {
  const auto module = Parsed(kDoubled);
  const auto doubled = [&](std::int64_t bytes) {
    return EvaluateOnDevices(*module, {{}, {}}, {.limits = {.array_bytes = bytes}});
  };
  const auto refused = doubled(2 * kMebibyte - 1);
  REQUIRE(!refused.has_value());
  CHECK(refused.error().code == ErrorCode::kLimit);
  CHECK(refused.error().message ==
        "memory limit of 2 MiB (EvaluationLimits::array_bytes): arrays have 1 MiB, 1 MiB more needed, "
        "met at r after 3 instructions");
  // Another evaluation runs meanwhile under its own limit, and earlier arrays do not count.
  const Literal kept(ShapeUtil::MakeShape(F32, {1 << 20}));
  std::atomic<int> successes = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < 20; ++n) successes += doubled((i % 2 == 0 ? 4 : 1) * kMebibyte).has_value() ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(successes == 40);
}

TEST_CASE("an inner limit on arrays leaves the outer one as it was", "[evaluator][memory]") {
  const ArrayLimit outer(3 * kMebibyte);
  const Shape mebibyte = ShapeUtil::MakeShape(U8, {kMebibyte});
  std::vector<Literal> arrays = {Literal(mebibyte), Literal(mebibyte)};
  {
    const ArrayLimit inner(kMebibyte);
    arrays.emplace_back(mebibyte);
    CHECK_THROWS_AS(Literal(mebibyte), EvaluationError);
  }
  CHECK_THROWS_AS(Literal(mebibyte), EvaluationError);  // the third also counts for the outer limit
  arrays.pop_back();
  const Literal again(mebibyte);
  CHECK_THROWS_AS(Literal(mebibyte), EvaluationError);
}

// A loop of `trips` in which row i of a 4 MiB array becomes i.
std::string UpdateLoop(int trips, std::string_view after_update) {
  return fmt::format(R"(below {{
  p = (s32[], f32[1024,1024]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant({0})
  ROOT less = pred[] compare(i, n), direction=LT
}}
next {{
  p = (s32[], f32[1024,1024]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  a = f32[1024,1024] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  f = f32[] convert(i)
  u = f32[1,1] broadcast(f), dimensions={{}}
  mask = s32[] constant(1023)
  row = s32[] and(i, mask)
  zero = s32[] constant(0)
  d = f32[1024,1024] dynamic-update-slice(a, u, row, zero)
  {1}
}}
ENTRY e {{
  zero = s32[] constant(0)
  f = f32[] constant(0)
  a = f32[1024,1024] broadcast(f), dimensions={{}}
  t = (s32[], f32[1024,1024]) tuple(zero, a)
  ROOT w = (s32[], f32[1024,1024]) while(t), condition=below, body=next
}})",
                     trips, after_update);
}

TEST_CASE("an update of loop state stays in place", "[evaluator][memory]") {
  const auto module = Parsed(UpdateLoop(2000, "ROOT r = (s32[], f32[1024,1024]) tuple(j, d)"));
  {
    // A copy of the array would need 8 MiB.
    const MemoryLimit limit(5 * kMebibyte);
    const Literal result = Evaluated(*module, {});
    const auto values = result.elements()[1].values<float>();
    // Trips 0 to 1999: row 0 is written last by trip 1024, row 975 by 1999, row 976 by 976.
    CHECK(values[0] == 1024.0f);
    CHECK(values[975 * 1024] == 1999.0f);
    CHECK(values[976 * 1024] == 976.0f);
    CHECK(values[1] == 0.0f);
  }
  // The check can fail: a body that also needs the old array copies it.
  const auto copies = Parsed(UpdateLoop(3, R"(old = f32[1,1] slice(a), slice={[0:1], [0:1]}
  e = f32[1024,1024] dynamic-update-slice(d, old, zero, zero)
  ROOT r = (s32[], f32[1024,1024]) tuple(j, e))"));
  const MemoryLimit limit(5 * kMebibyte);
  CHECK(!Evaluate(*copies, {}).has_value());
}

TEST_CASE("loop state that passes through unchanged is shared", "[evaluator][memory]") {
  const auto module = Parsed(R"(below {
  p = (s32[], f32[1048576]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(100)
  ROOT less = pred[] compare(i, n), direction=LT
}
next {
  p = (s32[], f32[1048576]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  a = f32[1048576] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  b = f32[1024,1024] reshape(a)
  c = f32[1048576] reshape(b)
  ROOT r = (s32[], f32[1048576]) tuple(j, c)
}
ENTRY e {
  zero = s32[] constant(0)
  a = f32[1048576] iota(), iota_dimension=0
  t = (s32[], f32[1048576]) tuple(zero, a)
  w = (s32[], f32[1048576]) while(t), condition=below, body=next
  b = f32[1048576] get-tuple-element(w), index=1
  ROOT r = (f32[1048576], f32[1048576], f32[1048576]) tuple(a, b, b)
})");
  const std::int64_t before = MemoryUse::ArrayBytes();
  const Literal result = Evaluated(*module, {});
  CHECK(result.elements()[1].values<float>()[1048575] == 1048575.0f);
  CHECK(MemoryUse::ArrayBytes() == before + 4 * kMebibyte);
}

}  // namespace
}  // namespace assay::testing
