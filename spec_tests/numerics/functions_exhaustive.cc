// usage: functions_exhaustive FUNCTION [STRIDE [RANDOM [WINDOW [PIECE PIECES]]]]
// Checks the assumptions of the approximate phase of functions of one argument on all 2^32 f32 numbers (which include
// those of the narrower types), or on one piece of them. FUNCTION may be `all`. Compares with MPFR:
//   1. The results of numbers for which the C library's double is at most WINDOW (1.01) times the assumed bound from a
//      boundary where f32 rounding changes, and beyond the bound itself, so that the approximate phase has decided.
//   2. At every STRIDE-th (17) number: the distance from the C library's double to the ball, which must be less than
//   the
//      assumed bound. Prints the largest one. Without a ball (zeros, NaNs, results beyond double) every 1000th of these
//      results is compared with MPFR.
//   3. The results of RANDOM (0) numbers.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <mutex>
#include <thread>
#include <type_traits>

#include "interpreter/numerics/certain.h"
#include "interpreter/types/number_in_text.h"
#include "spec_tests/numerics/function_reference.h"
#include "spec_tests/numerics/rounding_reference.h"

namespace assay {
namespace {

constexpr std::uint64_t kBlock = 4096;
constexpr std::uint64_t kBlocks = (std::uint64_t{1} << 32) / kBlock;
// Beyond 25 bits there is no tie of f32 that 80 bits could hide: if they are no tie, neither is the number.
constexpr mpfr_prec_t kPrecision = 80;

struct Options {
  std::uint64_t stride = 17;
  std::uint64_t random = 0;
  double window = 1.01;
  std::uint64_t piece = 0;
  std::uint64_t pieces = 1;
};

struct Findings {
  std::uint64_t near = 0;
  std::uint64_t measured = 0;
  std::uint64_t without_ball = 0;
  std::uint64_t compared_without_ball = 0;
  std::uint64_t beyond_bound = 0;
  std::uint64_t wrong = 0;
  double largest = 0;
  float largest_at = 0;

  void Add(const Findings& other) {
    near += other.near;
    measured += other.measured;
    without_ball += other.without_ball;
    compared_without_ball += other.compared_without_ball;
    beyond_bound += other.beyond_bound;
    wrong += other.wrong;
    if (other.largest <= largest) return;
    largest = other.largest;
    largest_at = other.largest_at;
  }
};

class Checker {
 public:
  Checker(const UnaryCase& unary, const Options& options) : unary_(unary), options_(options) {
    mpfr_init2(operand_, 24);
    mpfr_init2(value_, kPrecision);
  }
  ~Checker() {
    mpfr_clears(operand_, value_, nullptr);
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  }
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  void CheckBlock(std::uint64_t block) {
    for (std::uint64_t i = 0; i < kBlock; ++i) {
      x_[i] = std::bit_cast<float>(static_cast<std::uint32_t>(block * kBlock + i));
    }
    unary_.function->approximate(x_.data(), y_.data(), kBlock);
    for (std::uint64_t i = 0; i < kBlock; ++i) near_[i] = IsNear(y_[i]) ? 1 : 0;
    for (std::uint64_t i = 0; i < kBlock; ++i) {
      if (near_[i] == 0) continue;
      ++findings.near;
      Compare(static_cast<float>(x_[i]));
    }
    Measure(block * kBlock);
  }

  void Compare(float x) {
    float result = 0;
    Apply(*unary_.function, F32, reinterpret_cast<const std::byte*>(&x), reinterpret_cast<std::byte*>(&result), 1);
    mpfr_set_flt(operand_, x, MPFR_RNDN);
    mpfr_set_prec(value_, kPrecision);
    unary_.reference(value_, operand_);
    if (mpfr_regular_p(value_) != 0 && mpfr_min_prec(value_) <= 25) {
      mpfr_set_prec(value_, kReferencePrecision);
      unary_.reference(value_, operand_);
    }
    const auto want = std::bit_cast<float>(static_cast<std::uint32_t>(RoundByMpfr(FloatFormatOf(F32), value_)));
    const bool same = std::bit_cast<std::uint32_t>(result) == std::bit_cast<std::uint32_t>(want);
    if (same || (std::isnan(result) && std::isnan(want))) return;
    if (findings.wrong++ < 5) fmt::print("wrong: {}({:a}) = {:a}, not {:a}\n", unary_.name, x, result, want);
  }

  Findings findings;

 private:
  static bool Differ(double y, double error) {
    return static_cast<float>(y * (1 - error)) != static_cast<float>(y * (1 + error));
  }
  // False for NaN.
  bool IsNear(double y) const {
    return y == y && Differ(y, kNarrowError * options_.window) && !Differ(y, kNarrowError);
  }

  void Measure(std::uint64_t first) {
    std::size_t count = 0;
    for (std::uint64_t i = (options_.stride - first % options_.stride) % options_.stride; i < kBlock;
         i += options_.stride) {
      sample_[count] = x_[i];
      sampled_[count++] = y_[i];
    }
    unary_.function->enclose(sample_.data(), balls_.data(), static_cast<std::int64_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
      const Ball& ball = balls_[i];
      const double distance = std::fabs((sampled_[i] - ball.hi) - ball.lo) + ball.radius;
      const double error = distance / std::fabs(ball.hi);
      ++findings.measured;
      // 2^-160 is less than half the least number of f32 and narrower types: such results are zeros (f8e8m0fnu always
      // uses MPFR), and results below 2^-1022 have no meaningful relative error.
      if (std::fabs(ball.hi) < 0x1p-1000 && std::fabs(sampled_[i]) < 0x1p-160) continue;
      if (!std::isfinite(error)) {
        if (findings.without_ball++ % 1000 != 0) continue;
        ++findings.compared_without_ball;
        Compare(static_cast<float>(sample_[i]));
        continue;
      }
      if (error > kNarrowError * (1 - 0x1p-40)) ++findings.beyond_bound;
      if (error <= findings.largest) continue;
      findings.largest = error;
      findings.largest_at = static_cast<float>(sample_[i]);
    }
  }

  const UnaryCase& unary_;
  const Options& options_;
  mpfr_t operand_;
  mpfr_t value_;
  std::array<double, kBlock> x_;
  std::array<double, kBlock> y_;
  std::array<char, kBlock> near_;
  std::array<double, kBlock> sample_;
  std::array<double, kBlock> sampled_;
  std::array<Ball, kBlock> balls_;
};

Findings Check(const UnaryCase& unary, const Options& options) {
  const unsigned workers = std::max(1U, std::thread::hardware_concurrency());
  std::atomic<std::uint64_t> next = options.piece;
  std::mutex mutex;
  Findings total;
  const auto work = [&](unsigned worker) {
    Checker checker(unary, options);
    for (std::uint64_t block; (block = next.fetch_add(options.pieces)) < kBlocks;) checker.CheckBlock(block);
    std::mt19937_64 random(worker + 1);
    for (std::uint64_t i = worker; i < options.random; i += workers) {
      checker.Compare(static_cast<float>(RandomReal(F32, random)));
    }
    const std::lock_guard lock(mutex);
    total.Add(checker.findings);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < workers; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  return total;
}

int Main(std::string_view only, const Options& options) {
  bool is_right = true;
  for (const UnaryCase& unary : UnaryCases()) {
    if (only != "all" && only != unary.name) continue;
    const Findings found = Check(unary, options);
    fmt::print(
        "{:9} {} near the bound, {} random, {} without ball: {} wrong; error of {} at most 2^{:.2f} at {:a}, {} "
        "beyond\n",
        unary.name, found.near, options.random, found.compared_without_ball, found.wrong,
        found.measured - found.without_ball, std::log2(found.largest), found.largest_at, found.beyond_bound);
    std::fflush(stdout);
    is_right = is_right && found.wrong == 0 && found.beyond_bound == 0;
  }
  return is_right ? 0 : 1;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  assay::Options options;
  // A word that is no number is 0, which is no stride and no number of pieces.
  const auto read = [&](int argument, auto& number) {
    if (argument < argc)
      number = assay::NumberInText<std::remove_reference_t<decltype(number)>>(argv[argument]).value_or(0);
  };
  read(2, options.stride);
  read(3, options.random);
  read(4, options.window);
  read(5, options.piece);
  read(6, options.pieces);
  if (options.stride == 0 || options.pieces == 0) return 2;
  return assay::Main(argv[1], options);
}
