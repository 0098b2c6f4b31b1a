#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/cases/inputs.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "tools/bench/benchmarks.h"
#include "tools/bench/timing.h"

namespace assay {
namespace {

// The lines of a module's entry, and the computations that it calls.
struct Case {
  std::string_view name;
  std::string_view computations;
  std::string_view entry;
};

constexpr std::string_view kFolds =
    "add { x = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT r = f32[] add(x, y) }\n"
    "max { x = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT r = f32[] maximum(x, y) }\n"
    "add64 { x = f64[] parameter(0)\n y = f64[] parameter(1)\n ROOT r = f64[] add(x, y) }\n"
    "lt { x = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT r = pred[] compare(x, y), direction=LT }\n"
    "lts { x = s32[] parameter(0)\n y = s32[] parameter(1)\n ROOT r = pred[] compare(x, y), direction=LT }\n";

constexpr Case kCases[] = {
    {"add f32[1024]", "", "a = f32[1024] parameter(0)\n ROOT r = f32[1024] add(a, a)"},
    {"add f32[4194304]", "", "a = f32[4194304] parameter(0)\n ROOT r = f32[4194304] add(a, a)"},
    {"multiply f64[1048576]", "", "a = f64[1048576] parameter(0)\n ROOT r = f64[1048576] multiply(a, a)"},
    {"maximum f32[1048576]", "",
     "a = f32[1048576] parameter(0)\n b = f32[1048576] parameter(1)\n ROOT r = f32[1048576] maximum(a, b)"},
    {"divide f32[1048576]", "",
     "a = f32[1048576] parameter(0)\n b = f32[1048576] parameter(1)\n ROOT r = f32[1048576] divide(a, b)"},
    {"sqrt f32[1048576]", "", "a = f32[1048576] parameter(0)\n ROOT r = f32[1048576] sqrt(a)"},
    {"floor f32[1048576]", "", "a = f32[1048576] parameter(0)\n ROOT r = f32[1048576] floor(a)"},
    {"round-nearest-afz f32[1048576]", "",
     "a = f32[1048576] parameter(0)\n ROOT r = f32[1048576] round-nearest-afz(a)"},
    {"compare f32[1048576]", "",
     "a = f32[1048576] parameter(0)\n b = f32[1048576] parameter(1)\n ROOT r = pred[1048576] compare(a, b), "
     "direction=LT"},
    {"select f32[1048576]", "",
     "p = pred[1048576] parameter(0)\n a = f32[1048576] parameter(1)\n b = f32[1048576] parameter(2)\n"
     "ROOT r = f32[1048576] select(p, a, b)"},
    {"clamp f32[1048576]", "",
     "l = f32[] parameter(0)\n a = f32[1048576] parameter(1)\n h = f32[] parameter(2)\n"
     "ROOT r = f32[1048576] clamp(l, a, h)"},
    {"add s32[1048576]", "", "a = s32[1048576] parameter(0)\n ROOT r = s32[1048576] add(a, a)"},
    {"add s8[1048576]", "", "a = s8[1048576] parameter(0)\n ROOT r = s8[1048576] add(a, a)"},
    {"multiply u32[1048576]", "", "a = u32[1048576] parameter(0)\n ROOT r = u32[1048576] multiply(a, a)"},
    {"and pred[1048576]", "", "a = pred[1048576] parameter(0)\n ROOT r = pred[1048576] and(a, a)"},
    {"add bf16[1048576]", "", "a = bf16[1048576] parameter(0)\n ROOT r = bf16[1048576] add(a, a)"},
    {"multiply f16[1048576]", "", "a = f16[1048576] parameter(0)\n ROOT r = f16[1048576] multiply(a, a)"},
    {"convert f32 to bf16", "", "a = f32[1048576] parameter(0)\n ROOT r = bf16[1048576] convert(a)"},
    {"convert bf16 to f32", "", "a = bf16[1048576] parameter(0)\n ROOT r = f32[1048576] convert(a)"},
    {"convert s32 to f32", "", "a = s32[1048576] parameter(0)\n ROOT r = f32[1048576] convert(a)"},
    {"convert f32 to s32", "", "a = f32[1048576] parameter(0)\n ROOT r = s32[1048576] convert(a)"},
    {"convert s8 to s32", "", "a = s8[1048576] parameter(0)\n ROOT r = s32[1048576] convert(a)"},
    {"convert f32 to f64", "", "a = f32[1048576] parameter(0)\n ROOT r = f64[1048576] convert(a)"},
    {"exponential f32[1048576]", "", "a = f32[1048576] parameter(0)\n ROOT r = f32[1048576] exponential(a)"},
    {"exponential f64[1048576]", "", "a = f64[1048576] parameter(0)\n ROOT r = f64[1048576] exponential(a)"},
    {"tanh f32[1048576]", "", "a = f32[1048576] parameter(0)\n ROOT r = f32[1048576] tanh(a)"},
    {"tanh f64[1048576]", "", "a = f64[1048576] parameter(0)\n ROOT r = f64[1048576] tanh(a)"},
    {"tanh bf16[1048576]", "", "a = bf16[1048576] parameter(0)\n ROOT r = bf16[1048576] tanh(a)"},
    {"log f32[1048576]", "", "a = f32[1048576] parameter(0)\n b = f32[1048576] abs(a)\n ROOT r = f32[1048576] log(b)"},
    {"log f64[1048576]", "", "a = f64[1048576] parameter(0)\n b = f64[1048576] abs(a)\n ROOT r = f64[1048576] log(b)"},
    {"dot f32 512^3", "",
     "a = f32[512,512] parameter(0)\n b = f32[512,512] parameter(1)\n ROOT r = f32[512,512] dot(a, b), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
    {"dot f64 512^3", "",
     "a = f64[512,512] parameter(0)\n b = f64[512,512] parameter(1)\n ROOT r = f64[512,512] dot(a, b), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
    {"dot s8 512^3", "",
     "a = s8[512,512] parameter(0)\n b = s8[512,512] parameter(1)\n ROOT r = s32[512,512] dot(a, b), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
    {"dot f32 matrix and vector", "",
     "a = f32[2048,2048] parameter(0)\n b = f32[2048] parameter(1)\n ROOT r = f32[2048] dot(a, b), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
    {"dot f32 64 x 64^3", "",
     "a = f32[64,64,64] parameter(0)\n b = f32[64,64,64] parameter(1)\n ROOT r = f32[64,64,64] dot(a, b), "
     "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}"},
    {"convolution f32 3x3, 64 features", "",
     "a = f32[4,28,28,64] parameter(0)\n b = f32[3,3,64,64] parameter(1)\n ROOT r = f32[4,28,28,64] "
     "convolution(a, b), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"},
    {"convolution f32 7x7, 3 features", "",
     "a = f32[1,112,112,3] parameter(0)\n b = f32[7,7,3,64] parameter(1)\n ROOT r = f32[1,56,56,64] "
     "convolution(a, b), window={size=7x7 stride=2x2 pad=3_2x3_2}, dim_labels=b01f_01io->b01f"},
    {"convolution f32 by depth", "",
     "a = f32[1,56,56,64] parameter(0)\n b = f32[3,3,1,64] parameter(1)\n ROOT r = f32[1,56,56,64] "
     "convolution(a, b), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=64"},
    {"reduce add f32, last axis", kFolds,
     "a = f32[1024,1024] parameter(0)\n z = f32[] constant(0)\n ROOT r = f32[1024] reduce(a, z), dimensions={1}, "
     "to_apply=add"},
    {"reduce add f32, first axis", kFolds,
     "a = f32[1024,1024] parameter(0)\n z = f32[] constant(0)\n ROOT r = f32[1024] reduce(a, z), dimensions={0}, "
     "to_apply=add"},
    {"reduce add f64, last axis", kFolds,
     "a = f64[1024,1024] parameter(0)\n z = f64[] constant(0)\n ROOT r = f64[1024] reduce(a, z), dimensions={1}, "
     "to_apply=add64"},
    {"reduce max f32, last axis", kFolds,
     "a = f32[1024,1024] parameter(0)\n z = f32[] constant(-inf)\n ROOT r = f32[1024] reduce(a, z), dimensions={1}, "
     "to_apply=max"},
    {"transpose f32[1024,1024]", "",
     "a = f32[1024,1024] parameter(0)\n ROOT r = f32[1024,1024] transpose(a), "
     "dimensions={1,0}"},
    {"transpose f32[64,64,256]", "",
     "a = f32[64,64,256] parameter(0)\n ROOT r = f32[64,64,256] transpose(a), "
     "dimensions={1,0,2}"},
    {"sort f32[1048576]", kFolds,
     "a = f32[1048576] parameter(0)\n ROOT r = f32[1048576] sort(a), dimensions={0}, "
     "to_apply=lt"},
    {"sort s32[1024,1024]", kFolds,
     "a = s32[1024,1024] parameter(0)\n ROOT r = s32[1024,1024] sort(a), "
     "dimensions={1}, to_apply=lts"},
    {"fft c64[16,256]", "",
     "a = c64[16,256] parameter(0)\n ROOT r = c64[16,256] fft(a), fft_type=FFT, "
     "fft_length={256}"},
};

bool Measure(const Case& measured) {
  const std::string text =
      fmt::format("HloModule bench\n{}ENTRY e {{\n{}\n}}\n", measured.computations, measured.entry);
  const auto module = ParseHloModule(text);
  if (!module || !FindIllegal(**module).empty()) {
    fmt::print(stderr, "{}: not a legal module\n", measured.name);
    return false;
  }
  const auto inputs = ReadInputs(**module, {.inputs = {}, .inputs_file = {}, .seed = 1})->per_device;
  std::vector<std::function<void()>> works;
  std::vector<std::unique_ptr<Executable>> executables;
  for (const std::string_view name : {"reference", "simd"}) {
    static std::vector<std::unique_ptr<Backend>> backends;
    auto backend = OpenBackend(name, 600);
    if (!backend) {
      fmt::print(stderr, "{}\n", backend.error().message);
      return false;
    }
    backends.push_back(*std::move(backend));
    executables.push_back(*backends.back()->Compile(**module));
    works.push_back([&, executable = executables.back().get()] { (void)executable->Run(inputs); });
  }
  const std::vector<Timing> timings = TimeByTurns(works, 2e-3);
  fmt::print("| {} | {} | {} | {:.3g} |\n", measured.name, TimingText(timings[0], 1e6), TimingText(timings[1], 1e6),
             timings[0].median / timings[1].median);
  return true;
}

}  // namespace

int BenchSimd(BenchArguments arguments) {
  fmt::print("Microseconds: the median of {} turns, and the range. Ratio: how many times as fast simd is.\n\n",
             kBenchRepetitions);
  fmt::print("| module | reference | simd | ratio |\n|---|---|---|---|\n");
  bool is_well = true;
  for (const Case& measured : kCases) {
    const auto is_part = [&](std::string_view part) { return measured.name.find(part) != std::string_view::npos; };
    if (arguments.empty() || std::ranges::any_of(arguments, is_part)) is_well = Measure(measured) && is_well;
  }
  return is_well ? 0 : 1;
}

}  // namespace assay
