// Times the reference next to what it is compared with, on the same inputs: `tools/dev bench [NAME]`. Ratios mean
// more than nanoseconds; medians of several repetitions are shown with their range.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/numerics/exact_matmul.h"
#include "interpreter/numerics/functions.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

constexpr int kRepetitions = 7;

struct Timing {
  double median = 0, least = 0, most = 0;  // seconds
};

Timing Time(const std::function<void()>& work) {
  std::vector<double> seconds;
  work();  // warms caches and tables
  for (int i = 0; i < kRepetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(seconds);
  return {seconds[kRepetitions / 2], seconds.front(), seconds.back()};
}

void Report(const char* what, double count, const char* unit, const Timing& reference, const char* peer,
            const Timing& other) {
  fmt::print("{:<22} {:>9.2f} {} ({:.2f} to {:.2f})   {:<18} {:>9.2f} ({:.2f} to {:.2f})   ratio {:.2f}\n", what,
             reference.median * 1e9 / count, unit, reference.least * 1e9 / count, reference.most * 1e9 / count, peer,
             other.median * 1e9 / count, other.least * 1e9 / count, other.most * 1e9 / count,
             reference.median / other.median);
}

template <class T>
void BenchFunction(const char* name, const RealUnary& function, PrimitiveType type, T (*libm)(T)) {
  constexpr std::int64_t kCount = 200'000;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<T> values(T(0.01), T(10));
  std::vector<T> in(kCount), out(kCount);
  for (T& x : in) x = values(random);
  const Timing reference = Time([&] {
    Apply(function, type, reinterpret_cast<const std::byte*>(in.data()), reinterpret_cast<std::byte*>(out.data()),
          kCount);
  });
  const Timing peer = Time([&] {
    for (std::int64_t i = 0; i < kCount; ++i) out[i] = libm(in[i]);
  });
  Report(fmt::format("{} {}", PrimitiveTypeName(type), name).c_str(), kCount, "ns", reference, "glibc libm", peer);
}

// What an exhaustive sweep asks of the reference: patterns spread evenly over all f32 numbers, on every core.
void BenchSweep(const char* name, const RealUnary& function) {
  constexpr std::int64_t kCount = std::int64_t{1} << 24;
  constexpr std::int64_t kGrain = std::int64_t{1} << 16;
  std::vector<std::uint32_t> in(kCount), out(kCount);
  for (std::int64_t i = 0; i < kCount; ++i) in[i] = static_cast<std::uint32_t>(i) << 8;
  const Timing time = Time([&] {
    ParallelFor(kCount, kGrain, [&](std::int64_t begin, std::int64_t end) {
      Apply(function, F32, reinterpret_cast<const std::byte*>(in.data() + begin),
            reinterpret_cast<std::byte*>(out.data() + begin), end - begin);
    });
  });
  fmt::print("{:<22} {:>9.1f} million a second ({:.1f} to {:.1f}), {} threads\n", fmt::format("all f32 {}", name),
             kCount / time.median / 1e6, kCount / time.most / 1e6, kCount / time.least / 1e6, ParallelThreads());
}

void BenchDot(PrimitiveType type) {
  constexpr std::int64_t kSize = 512;
  std::mt19937_64 random(1);
  std::normal_distribution<float> values;
  std::vector<double> a(kSize * kSize), b(kSize * kSize), plain(kSize * kSize);
  for (double& x : a) x = values(random);
  for (double& x : b) x = values(random);
  std::vector<std::byte> out(kSize * kSize * StorageBytes(type));
  const Timing reference = Time([&] { MatmulExact(type, a.data(), b.data(), 1, kSize, kSize, kSize, out.data()); });
  const Timing peer = Time([&] {
    std::ranges::fill(plain, 0.0);
    for (std::int64_t i = 0; i < kSize; ++i) {
      for (std::int64_t k = 0; k < kSize; ++k) {
        for (std::int64_t j = 0; j < kSize; ++j) plain[i * kSize + j] += a[i * kSize + k] * b[k * kSize + j];
      }
    }
  });
  Report(fmt::format("{} dot 512x512x512", PrimitiveTypeName(type)).c_str(), double(kSize) * kSize * kSize,
         "ns a product", reference, "three f64 loops", peer);
}

// A loop of all-reduces of one number on each device.
std::string LoopOfCollectives(int devices, int trips) {
  return fmt::format(R"(HloModule loop, replica_count={}
add {{ a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b) }}
condition {{ p = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant({})
  ROOT r = pred[] compare(i, n), direction=LT }}
body {{ p = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  v = s32[] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  w = s32[] all-reduce(v), replica_groups={{}}, to_apply=add
  ROOT r = (s32[], s32[]) tuple(j, w) }}
ENTRY e {{ z = s32[] constant(0)
  one = s32[] constant(1)
  t = (s32[], s32[]) tuple(z, one)
  ROOT w = (s32[], s32[]) while(t), condition=condition, body=body }}
)",
                     devices, trips);
}

int BenchCollectives(std::span<const std::string_view>) {
  fmt::print("microseconds a collective, from the first device's arrival to the last one's departure\n");
  constexpr int kTrips = 1000;
  for (const int devices : {2, 8, 64}) {
    const auto module = *ParseHloModule(LoopOfCollectives(devices, kTrips));
    const std::vector<std::vector<Literal>> arguments(devices);
    bool has_failed = false;
    const Timing timing = Time([&] { has_failed |= !EvaluateOnDevices(*module, arguments); });
    fmt::print("all-reduce on {:>2} devices {:>9.2f} us ({:.2f} to {:.2f}){}\n", devices, timing.median * 1e6 / kTrips,
               timing.least * 1e6 / kTrips, timing.most * 1e6 / kTrips, has_failed ? "   FAILED" : "");
  }
  return 0;
}

int BenchNumerics(std::span<const std::string_view>) {
  fmt::print("nanoseconds an element: exact result, one rounding (reference) against the machine's usual way\n");
  BenchFunction<float>("exponential", kExp, F32, std::exp);
  BenchFunction<float>("log", kLog, F32, std::log);
  BenchFunction<float>("tanh", kTanh, F32, std::tanh);
  BenchFunction<float>("sine", kSin, F32, std::sin);
  BenchFunction<float>("erf", kErf, F32, std::erf);
  BenchFunction<float>("cbrt", kCbrt, F32, std::cbrt);
  BenchFunction<double>("exponential", kExp, F64, std::exp);
  BenchFunction<double>("log", kLog, F64, std::log);
  BenchFunction<double>("tanh", kTanh, F64, std::tanh);
  BenchFunction<double>("sine", kSin, F64, std::sin);
  BenchSweep("tanh", kTanh);
  BenchSweep("exponential", kExp);
  BenchSweep("erf", kErf);
  BenchDot(F32);
  BenchDot(BF16);
  BenchDot(F64);
  return 0;
}

// Each prints what it measured and returns an exit code.
struct Benchmark {
  std::string_view name;
  int (*run)(std::span<const std::string_view> arguments);
};

constexpr Benchmark kBenchmarks[] = {
    {"collectives", BenchCollectives},
    {"numerics", BenchNumerics},
};

// `bench NAME [ARG...]`; without a name, all of them.
int BenchMain(std::span<const std::string_view> arguments) {
  int worst = 0;
  bool is_known = arguments.empty();
  for (const Benchmark& benchmark : kBenchmarks) {
    if (!arguments.empty() && benchmark.name != arguments[0]) continue;
    is_known = true;
    worst = std::max(worst, benchmark.run(arguments.empty() ? arguments : arguments.subspan(1)));
  }
  if (is_known) return worst;
  fmt::print(stderr, "no benchmark {}: there are", arguments[0]);
  for (const Benchmark& benchmark : kBenchmarks) fmt::print(stderr, " {}", benchmark.name);
  fmt::print(stderr, "\n");
  return 2;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  return assay::BenchMain(arguments);
}
