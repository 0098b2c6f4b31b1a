#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/functions.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/parallel.h"
#include "tools/bench/benchmarks.h"
#include "tools/bench/peers.h"
#include "tools/bench/timing.h"

namespace assay {
namespace {

constexpr std::array kTypes = {F32, F64, F16, BF16, F8E4M3FN, C64, C128};
constexpr std::int64_t kCount = 2048;
constexpr double kLeastSeconds = 2e-4;

// The benchmark of one function on one type, with its operands.
class FunctionBench {
 public:
  FunctionBench(const PeerFunctions& peers, const Op& op, PrimitiveType type)
      : peers_(peers), type_(type), part_(ComplexComponentType(type)), operand_count_(op.legality.arity.max) {
    const std::string array = fmt::format("{}[{}]", PrimitiveTypeName(type), kCount);
    std::string parameters, operands;
    for (int i = 0; i < op.legality.arity.max; ++i) {
      parameters += fmt::format("p{} = {} parameter({})\n", i, array, i);
      operands += fmt::format("{}p{}", i > 0 ? ", " : "", i);
    }
    auto module = ParseHloModule(
        fmt::format("HloModule bench\nENTRY e {{\n{}ROOT r = {}({}) }}\n", parameters, op.name, operands));
    if (!module || !FindIllegal(**module).empty()) return;
    module_ = *std::move(module);
    kernel_ = WithKernel(op).evaluation.kernel(*module_->entry->root);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> values(peers.low, peers.high);
    const std::int64_t parts = kCount * ComponentCount(type);
    for (auto& [numbers, bytes] : operands_) {
      numbers.resize(parts);
      for (double& number : numbers) number = values(random);
      bytes.resize(parts * StorageBytes(part_));
      StoreReals(part_, numbers.data(), bytes.data(), parts);
      LoadReals(part_, bytes.data(), numbers.data(), parts);
    }
    out_.resize(operands_[0].bytes.size());
  }

  bool IsPossible() const { return kernel_ != nullptr; }

  void Run() {
    std::vector<std::function<void()>> works = {[this] {
      const std::array<const std::byte*, 2> operands = {operands_[0].bytes.data(), operands_[1].bytes.data()};
      kernel_(std::span(operands).first(operand_count_), out_.data(), kCount);
    }};
    const std::function<void()> libm = Libm(), exact = Exact();
    if (libm) works.push_back(libm);
    if (exact) works.push_back(exact);
    const std::vector<Timing> timings = TimeByTurns(works, kLeastSeconds);
    const auto text = [&](std::size_t i) {
      return fmt::format("{} ratio {:.3g}", TimingText(timings[i], 1e9 / kCount),
                         timings[0].median / timings[i].median);
    };
    fmt::print("{:<22} {:<9} {:<26} {:<38} {}\n", peers_.op, PrimitiveTypeName(type_),
               TimingText(timings[0], 1e9 / kCount), libm ? text(1) : "-", exact ? text(timings.size() - 1) : "-");
  }

 private:
  struct Operand {
    std::vector<double> numbers;  // parts
    std::vector<std::byte> bytes;
  };

  template <class T>
  std::function<void()> OnBytes(ArrayFunction<T> function) {
    if (function == nullptr) return nullptr;
    return [this, function] {
      function(reinterpret_cast<const T*>(operands_[0].bytes.data()),
               reinterpret_cast<const T*>(operands_[1].bytes.data()), reinterpret_cast<T*>(out_.data()), kCount);
    };
  }

  std::function<void()> Libm() {
    if (type_ == F32) return OnBytes(peers_.f32);
    if (type_ == F64) return OnBytes(peers_.f64);
    if (type_ == C64) return OnBytes(peers_.c64);
    if (type_ == C128) return OnBytes(peers_.c128);
    return [this] { FloatBetweenConversions(); };
  }

  // Computes in float between conversions, as programs usually do for types that libm does not support.
  void FloatBetweenConversions() {
    std::array<std::vector<float>, 2> floats;
    for (int i = 0; i < 2; ++i) {
      std::vector<double> numbers(kCount);
      LoadReals(type_, operands_[i].bytes.data(), numbers.data(), kCount);
      floats[i].assign(numbers.begin(), numbers.end());
    }
    peers_.f32(floats[0].data(), floats[1].data(), floats[0].data(), kCount);
    const std::vector<double> results(floats[0].begin(), floats[0].end());
    StoreReals(type_, results.data(), out_.data(), kCount);
  }

  // Returns the function of MPFR or MPC at the precision of the type, which rounds correctly.
  std::function<void()> Exact() {
    if (IsComplexType(type_)) {
      if (peers_.mpc == nullptr) return nullptr;
      return [this] { ByMpc(); };
    }
    if (peers_.mpfr == nullptr) return nullptr;
    return [this] { ByMpfr(); };
  }

  void ByMpfr() {
    mpfr_t a, b, result;
    mpfr_inits2(FloatFormatOf(part_).precision(), a, b, result, nullptr);
    for (std::int64_t i = 0; i < kCount; ++i) {
      mpfr_set_d(a, operands_[0].numbers[i], MPFR_RNDN);
      mpfr_set_d(b, operands_[1].numbers[i], MPFR_RNDN);
      peers_.mpfr(result, a, b);
      numbers_out_[i] = mpfr_get_d(result, MPFR_RNDN);
    }
    mpfr_clears(a, b, result, nullptr);
  }

  void ByMpc() {
    mpc_t a, b, result;
    for (mpc_ptr number : {a, b, result}) mpc_init2(number, FloatFormatOf(part_).precision());
    for (std::int64_t i = 0; i < kCount; ++i) {
      mpc_set_d_d(a, operands_[0].numbers[2 * i], operands_[0].numbers[2 * i + 1], MPC_RNDNN);
      mpc_set_d_d(b, operands_[1].numbers[2 * i], operands_[1].numbers[2 * i + 1], MPC_RNDNN);
      peers_.mpc(result, a, b);
      numbers_out_[2 * i] = mpfr_get_d(mpc_realref(result), MPFR_RNDN);
      numbers_out_[2 * i + 1] = mpfr_get_d(mpc_imagref(result), MPFR_RNDN);
    }
    for (mpc_ptr number : {a, b, result}) mpc_clear(number);
  }

  const PeerFunctions& peers_;
  const PrimitiveType type_;
  const PrimitiveType part_;
  const std::size_t operand_count_;
  std::unique_ptr<HloModule> module_;  // the kernel may refer to its instruction
  Kernel kernel_;
  std::array<Operand, 2> operands_;
  std::vector<std::byte> out_;
  std::vector<double> numbers_out_ = std::vector<double>(2 * kCount);
};

// Times the reference in an exhaustive sweep: patterns spread evenly over all f32 numbers, on every core.
void BenchSweep(const char* name, const RealUnary& function) {
  constexpr std::int64_t kPatterns = std::int64_t{1} << 24;
  constexpr std::int64_t kGrain = std::int64_t{1} << 16;
  std::vector<std::uint32_t> in(kPatterns), out(kPatterns);
  for (std::int64_t i = 0; i < kPatterns; ++i) in[i] = static_cast<std::uint32_t>(i) << 8;
  const Timing time = Time([&] {
    ParallelFor(kPatterns, kGrain, [&](std::int64_t begin, std::int64_t end) {
      Apply(function, F32, reinterpret_cast<const std::byte*>(in.data() + begin),
            reinterpret_cast<std::byte*>(out.data() + begin), end - begin);
    });
  });
  fmt::print("{:<22} {:>6.1f} million a second ({:.1f} to {:.1f}), {} threads: all 2^32 in {:.0f} s\n", name,
             kPatterns / time.median / 1e6, kPatterns / time.most / 1e6, kPatterns / time.least / 1e6,
             ParallelThreads(), time.median * 256);
}

}  // namespace

int BenchNumerics(BenchArguments arguments) {
  const auto chosen = [&](std::string_view name, const auto& is_of_kind) {
    return std::ranges::none_of(arguments, is_of_kind) || std::ranges::find(arguments, name) != arguments.end();
  };
  const auto is_type = [](std::string_view name) { return PrimitiveTypeFromName(name).has_value(); };
  const auto is_op = [&](std::string_view name) { return !is_type(name); };
  fmt::print(
      "Nanoseconds an element on one thread, {} elements: median of {} turns (least to most); ratio: reference / "
      "peer.\n"
      "The reference rounds the exact result once. glibc's libm does not; types that it lacks go through its float\n"
      "functions. MPFR and MPC round correctly, at the precision of the type.\n\n",
      kCount, kBenchRepetitions);
  fmt::print("{:<22} {:<9} {:<26} {:<38} {}\n", "op", "type", "reference", "libm", "MPFR, MPC");
  for (const PeerFunctions& peers : AllPeerFunctions()) {
    const Op* op = FindOp(peers.op);
    if (!chosen(peers.op, is_op)) continue;
    for (const PrimitiveType type : kTypes) {
      if (!op->legality.types.contains(type) || !chosen(PrimitiveTypeName(type), is_type)) continue;
      FunctionBench bench(peers, *op, type);
      if (bench.IsPossible()) bench.Run();
    }
  }
  if (arguments.empty()) {
    fmt::print("\nf32 numbers, spread evenly over all patterns, on all threads\n");
    BenchSweep("tanh", kTanh);
    BenchSweep("exponential", kExp);
    BenchSweep("erf", kErf);
  }
  return 0;
}

}  // namespace assay
