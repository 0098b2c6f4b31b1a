#include "interpreter/numerics/quick_fourier.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <utility>

#include "interpreter/numerics/fourier_radix.h"
#include "interpreter/numerics/lane_moves.h"
#include "interpreter/numerics/lanes.h"
#include "interpreter/numerics/roots_of_unity.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

using lanes::ComplexOf;
using lanes::kLanes;
using lanes::Lanes;
using lanes::WordOf;

// Longer lines are transformed one at a time, because kLanes of them would need too much memory.
constexpr std::int64_t kLongestOfManyLanes = 65536;

// The number of cached transforms, and their greatest length.
constexpr std::size_t kMostKept = 16;
constexpr std::int64_t kLongestKept = 16384;

}  // namespace

struct QuickFourierTransform::Roots {
  struct Convolution {
    std::int64_t size;
    RootTable chirp;        // the roots of length 2p
    FourierNumbers kernel;  // transformed
    std::unique_ptr<Roots> there, back;
  };

  Roots(std::int64_t n, bool is_inverse, bool in_words) : inverse(is_inverse), table(n, is_inverse, in_words) {
    for (std::int64_t rest = n; rest > 1; rest /= RadixOf(rest)) {
      const std::int64_t p = RadixOf(rest);
      if (p > kLargestQuickPrime && !convolutions.contains(p)) AddConvolution(p, in_words);
    }
  }
  void AddConvolution(std::int64_t p, bool in_words);

  bool inverse;
  RootTable table;
  std::map<std::int64_t, Convolution> convolutions;  // by prime
};

namespace {

using Roots = QuickFourierTransform::Roots;

// Several lines, and the scratch memory of their transform.
template <class Number>
struct Lines {
  using Root = ComplexOf<typename RootOf<Number>::Type>;

  explicit Lines(const Roots& of) : roots(of), n(of.table.size()), in(n), out(n), terms(0), sums(0) {
    std::int64_t largest = 1;
    for (std::int64_t rest = n; rest > 1; rest /= RadixOf(rest)) largest = std::max(largest, RadixOf(rest));
    terms.resize(largest);
    sums.resize(largest);
    for (const auto& [p, convolution] : roots.convolutions) {
      there.emplace(p, *convolution.there);
      back.emplace(p, *convolution.back);
    }
  }

  const Roots& roots;
  std::int64_t n;
  std::vector<ComplexOf<Number>> in, out, terms, sums;
  std::map<std::int64_t, Lines> there, back;  // of convolutions, by prime
};

template <class Number>
ASSAY_INLINE void Combine2(Lines<Number>& lines, std::int64_t m, std::int64_t out, std::int64_t step) {
  for (std::int64_t k = 0; k < m; ++k) {
    ComplexOf<Number>*const a = &lines.out[out + k], *const b = a + m;
    const ComplexOf<Number> x = *a, y = *b * lines.roots.table.template Get<Number>(k * step);
    *a = x + y;
    *b = x - y;
  }
}

template <class Number>
ASSAY_INLINE void Combine4(Lines<Number>& lines, std::int64_t m, std::int64_t out, std::int64_t step) {
  const bool inverse = lines.roots.inverse;
  const RootTable& table = lines.roots.table;
  for (std::int64_t k = 0; k < m; ++k) {
    ComplexOf<Number>* const at = &lines.out[out + k];
    const ComplexOf<Number> a = at[0], b = at[m] * table.template Get<Number>(k * step),
                            c = at[2 * m] * table.template Get<Number>(2 * k * step),
                            d = at[3 * m] * table.template Get<Number>(3 * k * step);
    const ComplexOf<Number> even = a + c, odd = a - c, sum = b + d, difference = Turned(b - d, inverse);
    at[0] = even + sum;
    at[m] = odd + difference;
    at[2 * m] = even - sum;
    at[3 * m] = odd - difference;
  }
}

template <class Number>
ASSAY_INLINE void CombineAny(Lines<Number>& lines, std::int64_t p, std::int64_t m, std::int64_t out,
                             std::int64_t step) {
  const RootTable& table = lines.roots.table;
  for (std::int64_t k = 0; k < m; ++k) {
    for (std::int64_t r = 0; r < p; ++r) {
      lines.terms[r] = lines.out[out + r * m + k] * table.template Get<Number>(r * k * step);
    }
    for (std::int64_t q = 0; q < p; ++q) {
      ComplexOf<Number> sum = lines.terms[0];
      for (std::int64_t r = 1; r < p; ++r) {
        sum = sum + lines.terms[r] * table.template Get<Number>(r * q % p * (lines.n / p));
      }
      lines.out[out + q * m + k] = sum;
    }
  }
}

// Multiplies a[i] by roots of the chirp, or of the transformed kernel.
template <class Number>
ASSAY_INLINE void TimesChirp(std::vector<ComplexOf<Number>>& numbers, std::int64_t p, const RootTable& chirp) {
  for (std::int64_t j = 0; j < p; ++j) {
    // j^2 modulo 2p: p is far below 2^31 for any array that fits in memory.
    numbers[j] = numbers[j] * chirp.Get<Number>(j * j % (2 * p));
  }
}

template <class Number>
ASSAY_INLINE void TimesKernel(std::vector<ComplexOf<Number>>& numbers, const FourierNumbers& kernel) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if constexpr (std::is_same_v<typename RootOf<Number>::Type, double>) {
      numbers[i] = numbers[i] * ComplexOf<double>{kernel.real[i], kernel.imaginary[i]};
    } else {
      const WordOf<double> real = {kernel.real[i], kernel.real_low[i]};
      numbers[i] = numbers[i] * ComplexOf<WordOf<double>>{real, {kernel.imaginary[i], kernel.imaginary_low[i]}};
    }
  }
}

template <class Number>
ASSAY_INLINE void Times(std::vector<ComplexOf<Number>>& numbers, std::int64_t count, double factor) {
  // The factor is a power of two, so the products are exact.
  for (std::int64_t i = 0; i < count; ++i) {
    if constexpr (requires { numbers[i].real.hi; }) {
      numbers[i].real.hi = numbers[i].real.hi * factor;
      numbers[i].real.lo = numbers[i].real.lo * factor;
      numbers[i].imaginary.hi = numbers[i].imaginary.hi * factor;
      numbers[i].imaginary.lo = numbers[i].imaginary.lo * factor;
    } else {
      numbers[i].real = numbers[i].real * factor;
      numbers[i].imaginary = numbers[i].imaginary * factor;
    }
  }
}

// One clone for each type of numbers.
#define ASSAY_LOOPS(Number)                                                                                    \
  ASSAY_VECTOR_CLONES void Combine(Lines<Number>& lines, std::int64_t p, std::int64_t m, std::int64_t out,     \
                                   std::int64_t step) {                                                        \
    if (p == 2) return Combine2(lines, m, out, step);                                                          \
    if (p == 4) return Combine4(lines, m, out, step);                                                          \
    CombineAny(lines, p, m, out, step);                                                                        \
  }                                                                                                            \
  ASSAY_VECTOR_CLONES void MultiplyByChirp(std::vector<ComplexOf<Number>>& a, std::int64_t p,                  \
                                           const RootTable& chirp) {                                           \
    TimesChirp(a, p, chirp);                                                                                   \
  }                                                                                                            \
  ASSAY_VECTOR_CLONES void MultiplyByKernel(std::vector<ComplexOf<Number>>& a, const FourierNumbers& kernel) { \
    TimesKernel(a, kernel);                                                                                    \
  }                                                                                                            \
  ASSAY_VECTOR_CLONES void MultiplyBy(std::vector<ComplexOf<Number>>& a, std::int64_t count, double factor) {  \
    Times(a, count, factor);                                                                                   \
  }

ASSAY_LOOPS(double)
ASSAY_LOOPS(Lanes)
ASSAY_LOOPS(WordOf<double>)
ASSAY_LOOPS(WordOf<Lanes>)

template <class Number>
void Transform(Lines<Number>& lines, std::int64_t n, std::int64_t in, std::int64_t in_stride, std::int64_t out);

template <class Number>
void Convolve(Lines<Number>& lines, std::int64_t p, std::int64_t m, std::int64_t out, std::int64_t step) {
  const Roots::Convolution& convolution = lines.roots.convolutions.at(p);
  Lines<Number>&there = lines.there.at(p), &back = lines.back.at(p);
  for (std::int64_t k = 0; k < m; ++k) {
    std::fill(there.in.begin(), there.in.end(), ComplexOf<Number>{});
    for (std::int64_t r = 0; r < p; ++r) {
      there.in[r] = lines.out[out + r * m + k];
      if (r * k != 0) there.in[r] = there.in[r] * lines.roots.table.template Get<Number>(r * k * step);
    }
    MultiplyByChirp(there.in, p, convolution.chirp);
    Transform(there, convolution.size, 0, 1, 0);
    MultiplyByKernel(there.out, convolution.kernel);
    back.in.swap(there.out);
    Transform(back, convolution.size, 0, 1, 0);
    back.in.swap(there.out);
    MultiplyBy(back.out, p, 1 / static_cast<double>(convolution.size));
    MultiplyByChirp(back.out, p, convolution.chirp);
    for (std::int64_t q = 0; q < p; ++q) lines.out[out + q * m + k] = back.out[q];
  }
}

template <class Number>
void Transform(Lines<Number>& lines, std::int64_t n, std::int64_t in, std::int64_t in_stride, std::int64_t out) {
  if (n == 1) {
    lines.out[out] = lines.in[in];
    return;
  }
  if (n >= 1024) CheckLimits();
  const std::int64_t p = RadixOf(n), m = n / p;
  for (std::int64_t r = 0; r < p; ++r) Transform(lines, m, in + r * in_stride, in_stride * p, out + r * m);
  if (p > kLargestQuickPrime) return Convolve(lines, p, m, out, lines.n / n);
  Combine(lines, p, m, out, lines.n / n);
}

// Calls move(array of `numbers`, the same part of the first number of the line) for the real and imaginary parts, high
// and low.
template <class Number, class Move>
void ForEachPart(FourierNumbers& numbers, ComplexOf<Number>& first, const Move& move) {
  if constexpr (requires { first.real.hi; }) {
    move(numbers.real, first.real.hi);
    move(numbers.real_low, first.real.lo);
    move(numbers.imaginary, first.imaginary.hi);
    move(numbers.imaginary_low, first.imaginary.lo);
  } else {
    move(numbers.real, first.real);
    move(numbers.imaginary, first.imaginary);
  }
}

// Transforms one line at a time, or kLanes of them.
template <class Number>
class LinesTransform {
 public:
  explicit LinesTransform(const Roots& roots) : lines_(roots) {}

  void Apply(FourierNumbers& numbers, std::span<const std::int64_t> firsts, std::int64_t stride) {
    constexpr std::size_t lanes = sizeof(Number) >= sizeof(Lanes) ? kLanes : 1;
    for (std::size_t i = 0; i < firsts.size(); i += lanes) {
      CheckLimits();
      // Without as many lines, the last is in several lanes.
      std::int64_t some[kLanes];
      for (std::size_t lane = 0; lane < lanes; ++lane) some[lane] = firsts[std::min(i + lane, firsts.size() - 1)];
      ForEachPart(numbers, lines_.in[0],
                  [&](std::vector<double>& array, auto& part) { Load(array.data(), some, stride, part); });
      Transform(lines_, lines_.n, 0, 1, 0);
      ForEachPart(numbers, lines_.out[0],
                  [&](std::vector<double>& array, auto& part) { Store(part, some, stride, array.data()); });
    }
  }

 private:
  // From a number of the line to the next, in doubles.
  static constexpr std::int64_t kStep = sizeof(ComplexOf<Number>) / sizeof(double);

  void Load(const double* numbers, const std::int64_t (&firsts)[kLanes], std::int64_t stride, double& part) const {
    for (std::int64_t j = 0; j < lines_.n; ++j) (&part)[j * kStep] = numbers[firsts[0] + j * stride];
  }
  void Load(const double* numbers, const std::int64_t (&firsts)[kLanes], std::int64_t stride, Lanes& part) const {
    LoadLanes(numbers, {firsts, stride, lines_.n}, reinterpret_cast<double*>(&part), kStep);
  }
  void Store(const double& part, const std::int64_t (&firsts)[kLanes], std::int64_t stride, double* numbers) const {
    for (std::int64_t j = 0; j < lines_.n; ++j) numbers[firsts[0] + j * stride] = (&part)[j * kStep];
  }
  void Store(const Lanes& part, const std::int64_t (&firsts)[kLanes], std::int64_t stride, double* numbers) const {
    StoreLanes(reinterpret_cast<const double*>(&part), kStep, {firsts, stride, lines_.n}, numbers);
  }

  Lines<Number> lines_;
};

template <class Number>
void ApplyTo(const Roots& roots, FourierNumbers& numbers, std::span<const std::int64_t> firsts, std::int64_t stride) {
  LinesTransform<Number>(roots).Apply(numbers, firsts, stride);
}

template <class One, class Many>
void ApplyOneOrMany(const Roots& roots, FourierNumbers& numbers, std::span<const std::int64_t> firsts,
                    std::int64_t stride) {
  const bool is_one = firsts.size() < kLanes / 2 || roots.table.size() > kLongestOfManyLanes;
  return is_one ? ApplyTo<One>(roots, numbers, firsts, stride) : ApplyTo<Many>(roots, numbers, firsts, stride);
}

}  // namespace

void QuickFourierTransform::Roots::AddConvolution(std::int64_t p, bool in_words) {
  const std::int64_t size = ConvolutionSize(p);
  // The chirp is e^(sign pi i j^2 / p).
  Convolution made{size, RootTable(2 * p, inverse, in_words), FourierNumbers(size, in_words),
                   std::make_unique<Roots>(size, false, in_words), std::make_unique<Roots>(size, true, in_words)};
  for (std::int64_t j = 0; j < p; ++j) {
    const auto root = made.chirp.Get<WordOf<double>>(j * j % (2 * p));
    for (const std::int64_t at : {j, (size - j) % size}) {
      made.kernel.real[at] = root.real.hi;
      made.kernel.imaginary[at] = -root.imaginary.hi;
      if (!in_words) continue;
      made.kernel.real_low[at] = root.real.lo;
      made.kernel.imaginary_low[at] = -root.imaginary.lo;
    }
  }
  const std::int64_t first[] = {0};
  if (in_words) {
    ApplyTo<WordOf<double>>(*made.there, made.kernel, first, 1);
  } else {
    ApplyTo<double>(*made.there, made.kernel, first, 1);
  }
  convolutions.emplace(p, std::move(made));
}

FourierNumbers::FourierNumbers(std::int64_t count, bool in_words) : real(count), imaginary(count) {
  if (!in_words) return;
  real_low.resize(count);
  imaginary_low.resize(count);
}

QuickFourierTransform::QuickFourierTransform(std::int64_t n, bool inverse, bool in_words)
    : in_words_(in_words), roots_(std::make_unique<const Roots>(n, inverse, in_words)) {}

QuickFourierTransform::~QuickFourierTransform() = default;

std::shared_ptr<const QuickFourierTransform> QuickFourierTransform::Get(std::int64_t n, bool inverse, bool in_words) {
  const auto make = [&] { return std::make_shared<const QuickFourierTransform>(n, inverse, in_words); };
  if (n > kLongestKept) return make();
  static std::mutex mutex;
  static std::deque<std::pair<std::tuple<std::int64_t, bool, bool>, std::shared_ptr<const QuickFourierTransform>>> kept;
  const std::tuple key = {n, inverse, in_words};
  const std::lock_guard lock(mutex);
  for (const auto& [other, transform] : kept) {
    if (other == key) return transform;
  }
  if (kept.size() == kMostKept) kept.pop_back();
  return kept.emplace_front(key, make()).second;
}

void QuickFourierTransform::Apply(FourierNumbers& numbers, std::span<const std::int64_t> firsts,
                                  std::int64_t stride) const {
  if (in_words_) {
    ApplyOneOrMany<WordOf<double>, WordOf<Lanes>>(*roots_, numbers, firsts, stride);
  } else {
    ApplyOneOrMany<double, Lanes>(*roots_, numbers, firsts, stride);
  }
}

// The factor 1.01 covers errors of second order.
double QuickFourierTransform::error() const {
  return 1.01 * TransformUnits(roots_->table.size(), in_words_) * (in_words_ ? 0x1p-101 : 0x1p-53);
}

const RootTable& QuickFourierTransform::roots() const { return roots_->table; }

}  // namespace assay
