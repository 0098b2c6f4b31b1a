// fft: the sums of the definition, rounded once.
#include <algorithm>
#include <cmath>
#include <random>

#include "interpreter/kernels/common/fourier_blocks.h"
#include "interpreter/numerics/parts.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/join_text.h"
#include "spec_tests/nightly.h"
#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

HloInstruction& MakeFft(Graph& g, const Shape& operand, const std::string& fft_type, const Int64List& lengths) {
  return g.Add(op_fft, {&g.Parameter(operand)}, {{"fft_type", fft_type}, {"fft_length", lengths}});
}

std::vector<double> Fft(const std::string& fft_type, const Int64List& lengths, const Literal& operand) {
  Graph g;
  return Numbers(Evaluate(MakeFft(g, operand.shape(), fft_type, lengths), {operand}));
}

// Computes by the kernel, for lengths that are too large for the definition.
std::vector<double> FftByKernel(const std::string& fft_type, const Int64List& lengths, const Literal& operand) {
  Graph g;
  FakeEvaluation none;
  return Numbers(EvaluateByKernel(MakeFft(g, operand.shape(), fft_type, lengths), {operand}, none));
}

// Computes the transforms of `block_count` blocks without approximations.
std::vector<double> FftByExactPhase(const std::string& fft_type, const Dimensions& lengths, const Literal& operand,
                                    std::int64_t block_count) {
  const PrimitiveType type = operand.element_type();
  const PrimitiveType result = fft_type == "RFFT"    ? ComplexTypeOf(type)
                               : fft_type == "IRFFT" ? ComplexComponentType(type)
                                                     : type;
  const FourierBlocks blocks(fft_type, lengths, result);
  const std::vector<double> parts = LoadParts(operand);
  std::vector<double> numbers(block_count * Product(lengths) * 2);
  std::vector<std::byte> out(numbers.size() * sizeof(double));
  for (std::int64_t i = 0; i < block_count; ++i) blocks.TransformExactly(parts, i, out.data());
  if (fft_type == "IRFFT") numbers.resize(block_count * Product(lengths));
  if (fft_type == "RFFT")
    numbers.resize(block_count * Product(lengths) / lengths.back() * (lengths.back() / 2 + 1) * 2);
  LoadReals(ComplexComponentType(result), out.data(), numbers.data(), std::ssize(numbers));
  return numbers;
}

TEST_CASE("fft: what cancels is exactly zero, at every length") {
  for (const std::int64_t n : {1, 2, 3, 5, 7, 12, 30, 61, 67, 128, 134, 211}) {
    INFO(n);
    const auto transform = n <= 30 ? Fft : FftByKernel;
    std::vector<double> constant, impulse(2 * n), ones;
    for (std::int64_t i = 0; i < n; ++i) {
      constant.insert(constant.end(), {0.1, -3});
      ones.insert(ones.end(), {1, 0});
    }
    impulse[0] = 1;
    std::vector<double> expected(2 * n);
    expected[0] = 0.1;
    expected[1] = -3;
    const std::vector<double> spectrum = transform("IFFT", {n}, Array(C128, {n}, constant));
    CHECK(spectrum == expected);
    CHECK(std::none_of(spectrum.begin(), spectrum.end(), [](double part) { return part == 0 && std::signbit(part); }));
    CHECK(transform("FFT", {n}, Array(C128, {n}, impulse)) == ones);
  }
}

TEST_CASE("fft: parts nearer to a tie than doubles resolve") {
  for (const std::int64_t n : {64, 40, 37}) {
    for (const std::string fft_type : {"FFT", "IFFT", "RFFT"}) {
      for (std::int64_t k = 1; 2 * k <= n; ++k) {
        // The real part of element k is 1 + x[1] cos(2 pi k / n), nearly 1 + 2^-24.
        const double cosine = std::cos(2 * M_PI * static_cast<double>(k) / static_cast<double>(n));
        if (std::fabs(cosine) < 0.01) continue;
        const bool is_real = fft_type == "RFFT";
        std::vector<double> x(is_real ? n : 2 * n);
        x[0] = 1;
        x[is_real ? 1 : 2] = static_cast<float>(0x1p-24 / cosine);
        const Literal operand = Array(is_real ? F32 : C64, {n}, x);
        INFO(n << " " << fft_type << " " << k);
        CHECK(FftByKernel(fft_type, {n}, operand) == FftByExactPhase(fft_type, {n}, operand, 1));
      }
    }
  }
}

TEST_CASE("fft: certain approximations have the bits of the exact phase") {
  std::vector<Dimensions> lengths = {{1}, {2}, {8}, {30}, {61}, {67}, {128}, {4, 64}, {2, 3, 5}, {1, 1}, {16, 1}};
  if (IsNightly("transforms of 201 to 1024 numbers by the exact phase")) {
    lengths.insert(lengths.end(), {{201}, {508}, {1024}, {67, 3}, {7, 8, 9}});
  }
  std::mt19937_64 bits(1);
  const auto in_range = [&](std::int64_t least, std::int64_t end) {
    return least + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(end - least));
  };
  for (const Dimensions& n : lengths) {
    for (const bool is_wide : {false, true}) {
      for (const std::string fft_type : {"FFT", "IFFT", "RFFT", "IRFFT"}) {
        INFO(fft_type << " " << JoinText(n, ",") << (is_wide ? " wide" : ""));
        Dimensions dimensions = {3};
        dimensions.insert(dimensions.end(), n.begin(), n.end());
        if (fft_type == "IRFFT") dimensions.back() = n.back() / 2 + 1;
        const bool is_real = fft_type == "RFFT";
        const PrimitiveType type = is_real ? (is_wide ? F64 : F32) : (is_wide ? C128 : C64);
        const std::int64_t parts = Product(dimensions) * (is_real ? 1 : 2), of_block = parts / 3;
        std::vector<double> x(parts);
        for (std::int64_t i = 0; i < parts; ++i) {
          // Magnitudes of very different sizes; small whole numbers with sums that are zero or ties; real numbers.
          const double number = static_cast<float>(in_range(-100000, 100001)) / 1024;
          x[i] = i < of_block       ? std::ldexp(number, static_cast<int>(in_range(-40, 41)))
                 : i < 2 * of_block ? static_cast<double>(in_range(-3, 4))
                                    : (is_real || i % 2 == 0 ? number : 0);
        }
        const Literal operand = Array(type, dimensions, x);
        const std::vector<double> found = FftByKernel(fft_type, {n.begin(), n.end()}, operand);
        const std::vector<double> exact = FftByExactPhase(fft_type, n, operand, 3);
        REQUIRE(found.size() == exact.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
          if (found[i] == exact[i] && std::signbit(found[i]) == std::signbit(exact[i])) continue;
          FAIL_CHECK(i << ": " << found[i] << " and " << exact[i]);
        }
      }
    }
  }
}

TEST_CASE("fft: the least and the greatest numbers") {
  const auto check = [](PrimitiveType type, double scale) {
    INFO(PrimitiveTypeName(type) << " " << scale);
    std::vector<double> x;
    for (int i = 0; i < 24; ++i) x.push_back(static_cast<double>(i * i % 17 - 8) * scale);
    const Literal operand = Array(type, {12}, x);
    for (const std::string fft_type : {"FFT", "IFFT"}) {
      CHECK(Fft(fft_type, {12}, operand) == FftByExactPhase(fft_type, {12}, operand, 1));
    }
  };
  for (const double scale : {0x1p-149, 0x1p-126, 0x1p100}) check(C64, scale);
  for (const double scale : {0x1p-1074, 0x1p-1022, 0x1p100, 0x1p1019}) check(C128, scale);
}

TEST_CASE("fft: lengths other than the operand's are legal and not evaluated") {
  Graph g;
  const Literal x = Array(C64, {4}, {1, 0, 2, 0, 3, 0, 4, 0});
  HloInstruction& fft = MakeFft(g, x.shape(), "FFT", {3});
  CHECK(WhyIllegal(fft) == "legal: c64[4]{0}");
  std::vector<Literal> operands = {x};
  FakeEvaluation evaluation;
  fft.shape = x.shape();
  CHECK_THROWS_AS(op_fft.evaluation.evaluate(fft, operands, evaluation), EvaluationError);
}

}  // namespace
}  // namespace assay::testing
