#include "interpreter/numerics/quick_fourier.h"

#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "interpreter/numerics/double_word.h"
#include "interpreter/numerics/mpfr_cache.h"
#include "interpreter/numerics/vector_clones.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

// Up to here the sum itself is as quick as a convolution.
constexpr std::int64_t kLargestDirectPrime = 61;
// Lines that are transformed side by side.
constexpr std::int64_t kLanes = 8;
// Longer lines are taken one at a time, because kLanes of them would need too much memory.
constexpr std::int64_t kLongestOfManyLanes = 65536;

// Transforms that are kept, of lengths up to this.
constexpr std::size_t kMostKept = 16;
constexpr std::int64_t kLongestKept = 16384;

// Errors are counted in units, 2^-53 of the magnitude of a result for doubles and 2^-101 for double words: half of a
// last place, and the 32 u^2 of ball.h. Each part of a sum of complex numbers is off by one unit. Each part of a
// product is the sum of two products: off by two units of |a b|, the product as a whole by less than three. A root from
// the table is off by less than five: its two factors are off by one each, and their product by three.
constexpr double kProductUnits = 9;

struct Vector {
  // Aligned like a double, as memory from anywhere is.
  typedef double Type __attribute__((vector_size(kLanes * sizeof(double)), aligned(sizeof(double))));
  Type lanes;
};

// Operations are always inlined into the clones below: what a vector is in memory depends on the machine's width.
#define ASSAY_INLINE [[gnu::always_inline]] inline

ASSAY_INLINE Vector operator+(const Vector& a, const Vector& b) { return {a.lanes + b.lanes}; }
ASSAY_INLINE Vector operator-(const Vector& a, const Vector& b) { return {a.lanes - b.lanes}; }
ASSAY_INLINE Vector operator*(const Vector& a, const Vector& b) { return {a.lanes * b.lanes}; }
ASSAY_INLINE Vector operator*(const Vector& a, double b) { return {a.lanes * b}; }
ASSAY_INLINE Vector operator-(const Vector& a) { return {-a.lanes}; }

// The unevaluated sum of two numbers.
template <class Number>
struct Word {
  Number hi, lo;
};

template <class Number>
ASSAY_INLINE Word<Number> Sum(const Number& a, const Number& b) {
  const Number sum = a + b, b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

template <class Number>
ASSAY_INLINE Word<Number> OrderedSum(const Number& a, const Number& b) {
  const Number sum = a + b;
  return {sum, b - (sum - a)};
}

// Veltkamp's splitting into numbers of 26 bits, and Dekker's product from it: the same on machines without a fused
// multiply-add.
template <class Number>
ASSAY_INLINE Word<Number> Split(const Number& a) {
  const Number scaled = a * 134217729.0, hi = scaled - (scaled - a);
  return {hi, a - hi};
}

template <class Number, class Other>
ASSAY_INLINE Word<Number> Product(const Number& a, const Other& b) {
  const Number product = a * b;
  const Word<Number> x = Split(a);
  const Word<Other> y = Split(b);
  return {product, ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

// The sum of algorithm 6 and the product of algorithm 10 of the paper that ball.h names: 3u^2 and 7u^2.
template <class Number>
ASSAY_INLINE Word<Number> operator+(const Word<Number>& a, const Word<Number>& b) {
  const Word<Number> high = Sum(a.hi, b.hi), low = Sum(a.lo, b.lo);
  const Word<Number> sum = OrderedSum(high.hi, high.lo + low.hi);
  return OrderedSum(sum.hi, low.lo + sum.lo);
}
template <class Number>
ASSAY_INLINE Word<Number> operator-(const Word<Number>& a) {
  return {-a.hi, -a.lo};
}
template <class Number>
ASSAY_INLINE Word<Number> operator-(const Word<Number>& a, const Word<Number>& b) {
  return a + -b;
}
template <class Number, class Other>
ASSAY_INLINE Word<Number> operator*(const Word<Number>& a, const Word<Other>& b) {
  const Word<Number> high = Product(a.hi, b.hi);
  return OrderedSum(high.hi, high.lo + (a.hi * b.lo + a.lo * b.hi));
}

template <class Number>
struct Complex {
  Number real, imaginary;
};

template <class Number>
ASSAY_INLINE Complex<Number> operator+(const Complex<Number>& a, const Complex<Number>& b) {
  return {a.real + b.real, a.imaginary + b.imaginary};
}
template <class Number>
ASSAY_INLINE Complex<Number> operator-(const Complex<Number>& a, const Complex<Number>& b) {
  return {a.real - b.real, a.imaginary - b.imaginary};
}
template <class Number, class Other>
ASSAY_INLINE Complex<Number> operator*(const Complex<Number>& a, const Complex<Other>& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}
// Times the imaginary unit, or the opposite of it.
template <class Number>
ASSAY_INLINE Complex<Number> Turned(const Complex<Number>& a, bool inverse) {
  return inverse ? Complex<Number>{-a.imaginary, a.real} : Complex<Number>{a.imaginary, -a.real};
}

// What a root is to numbers of each kind.
template <class Number>
struct RootOf;
template <>
struct RootOf<double> {
  using Type = double;
  static double From(double hi, double) { return hi; }
};
template <>
struct RootOf<Vector> : RootOf<double> {};
template <class Number>
struct RootOf<Word<Number>> {
  using Type = Word<double>;
  static Word<double> From(double hi, double lo) { return {hi, lo}; }
};

std::int64_t SmallestPrimeFactor(std::int64_t n) {
  for (std::int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

// How a transform of n numbers is split: into so many of n by that. Four at once where it can be.
std::int64_t RadixOf(std::int64_t n) { return n % 4 == 0 ? 4 : SmallestPrimeFactor(n); }

// e^(2 pi i k / n) as double words.
Complex<Word<double>> RootByMpfr(std::int64_t k, std::int64_t n) {
  FreeMpfrCacheWithThread();
  mpfr_t number;
  mpfr_init2(number, 120);
  const auto word = [&]() -> Word<double> {
    const double hi = mpfr_get_d(number, MPFR_RNDN);
    mpfr_sub_d(number, number, hi, MPFR_RNDN);
    return {hi, mpfr_get_d(number, MPFR_RNDN)};
  };
  Complex<Word<double>> root;
  mpfr_set_si(number, k, MPFR_RNDN);
  mpfr_cosu(number, number, n, MPFR_RNDN);
  root.real = word();
  mpfr_set_si(number, k, MPFR_RNDN);
  mpfr_sinu(number, number, n, MPFR_RNDN);
  root.imaginary = word();
  mpfr_clear(number);
  return root;
}

// e^(sign 2 pi i k / n) for all k, as products of two of some 2 sqrt(n) that MPFR has computed. Those of the k that are
// multiples of the first factor's step are MPFR's own: the multiples of a quarter turn are exact.
class RootTable {
 public:
  RootTable(std::int64_t n, bool inverse, bool in_words) : n_(n) {
    std::int64_t step = 1;
    while (step * step < n) step *= 2;
    std::vector<Complex<Word<double>>> near, far;
    LimitCheck check(/*turns=*/256);
    for (std::int64_t k = 0; k < std::min(step, n); ++k) check(), near.push_back(RootByMpfr(k, n));
    for (std::int64_t k = 0; k < n; k += step) check(), far.push_back(RootByMpfr(k, n));
    high_.resize(n);
    if (in_words) low_.resize(n);
    for (std::int64_t k = 0; k < n; ++k) {
      const bool is_exact = 4 * k % n == 0;
      Complex<Word<double>> root = k % step == 0 ? far[k / step]
                                   : k < step    ? near[k]
                                   : is_exact    ? RootByMpfr(k, n)
                                                 : far[k / step] * near[k % step];
      if (!inverse) root.imaginary = -root.imaginary;
      high_[k] = {root.real.hi, root.imaginary.hi};
      if (in_words) low_[k] = {root.real.lo, root.imaginary.lo};
    }
  }

  // Of a transform of this length with numbers of that kind.
  template <class Number>
  Complex<typename RootOf<Number>::Type> Get(std::int64_t k) const {
    const Complex<double> high = high_[k], low = low_.empty() ? Complex<double>{0, 0} : low_[k];
    return {RootOf<Number>::From(high.real, low.real), RootOf<Number>::From(high.imaginary, low.imaginary)};
  }

  std::int64_t size() const { return n_; }

 private:
  std::int64_t n_;
  std::vector<Complex<double>> high_, low_;
};

std::int64_t ConvolutionSize(std::int64_t prime) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(2 * prime - 1)));
}

// In units, of the sum of the magnitudes of n numbers. A transform of length n takes those of length n / p, times a
// root (a product), and sums of p of these times another (a product and p - 1 sums): the errors of the parts add up
// as their magnitudes do.
double UnitsOf(std::int64_t n) {
  double units = 0;
  while (n > 1) {
    const std::int64_t p = RadixOf(n);
    n /= p;
    units += kProductUnits;
    if (p <= kLargestDirectPrime) {
      units += kProductUnits + static_cast<double>(p);
      continue;
    }
    // j k = (j^2 + k^2 - (k - j)^2) / 2: the terms times the chirp (a product) are transformed, multiplied with the
    // transformed chirp (which is no larger than 2p; a product, its transform and a product), transformed back and
    // multiplied with the chirp.
    units += (4 * kProductUnits + 3 * UnitsOf(ConvolutionSize(p))) * 2 * static_cast<double>(p);
  }
  return units;
}

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
      if (p > kLargestDirectPrime && !convolutions.contains(p)) AddConvolution(p, in_words);
    }
  }
  void AddConvolution(std::int64_t p, bool in_words);

  bool inverse;
  RootTable table;
  std::map<std::int64_t, Convolution> convolutions;  // by prime
};

namespace {

using Roots = QuickFourierTransform::Roots;

// Several lines, and what is needed to transform them.
template <class Number>
struct Lines {
  using Root = Complex<typename RootOf<Number>::Type>;

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
  std::vector<Complex<Number>> in, out, terms, sums;
  std::map<std::int64_t, Lines> there, back;  // of convolutions, by prime
};

template <class Number>
ASSAY_INLINE void Combine2(Lines<Number>& lines, std::int64_t m, std::int64_t out, std::int64_t step) {
  for (std::int64_t k = 0; k < m; ++k) {
    Complex<Number>*const a = &lines.out[out + k], *const b = a + m;
    const Complex<Number> x = *a, y = *b * lines.roots.table.template Get<Number>(k * step);
    *a = x + y;
    *b = x - y;
  }
}

template <class Number>
ASSAY_INLINE void Combine4(Lines<Number>& lines, std::int64_t m, std::int64_t out, std::int64_t step) {
  const bool inverse = lines.roots.inverse;
  const RootTable& table = lines.roots.table;
  for (std::int64_t k = 0; k < m; ++k) {
    Complex<Number>* const at = &lines.out[out + k];
    const Complex<Number> a = at[0], b = at[m] * table.template Get<Number>(k * step),
                          c = at[2 * m] * table.template Get<Number>(2 * k * step),
                          d = at[3 * m] * table.template Get<Number>(3 * k * step);
    const Complex<Number> even = a + c, odd = a - c, sum = b + d, difference = Turned(b - d, inverse);
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
      Complex<Number> sum = lines.terms[0];
      for (std::int64_t r = 1; r < p; ++r) {
        sum = sum + lines.terms[r] * table.template Get<Number>(r * q % p * (lines.n / p));
      }
      lines.out[out + q * m + k] = sum;
    }
  }
}

// a[i] *= roots of the chirp, or of the transformed kernel.
template <class Number>
ASSAY_INLINE void TimesChirp(std::vector<Complex<Number>>& numbers, std::int64_t p, const RootTable& chirp) {
  for (std::int64_t j = 0; j < p; ++j) {
    // j^2 modulo 2p: p is far below 2^31 for any array that fits a memory.
    numbers[j] = numbers[j] * chirp.Get<Number>(j * j % (2 * p));
  }
}

template <class Number>
ASSAY_INLINE void TimesKernel(std::vector<Complex<Number>>& numbers, const FourierNumbers& kernel) {
  using Root = RootOf<Number>;
  const bool in_words = !kernel.real_low.empty();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Complex<typename Root::Type> factor = {
        Root::From(kernel.real[i], in_words ? kernel.real_low[i] : 0),
        Root::From(kernel.imaginary[i], in_words ? kernel.imaginary_low[i] : 0)};
    numbers[i] = numbers[i] * factor;
  }
}

template <class Number>
ASSAY_INLINE void Times(std::vector<Complex<Number>>& numbers, std::int64_t count, double factor) {
  // A power of two.
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

// One clone for each kind of numbers.
#define ASSAY_LOOPS(Number)                                                                                           \
  ASSAY_VECTOR_CLONES void Combine(Lines<Number>& lines, std::int64_t p, std::int64_t m, std::int64_t out,            \
                                   std::int64_t step) {                                                               \
    if (p == 2) return Combine2(lines, m, out, step);                                                                 \
    if (p == 4) return Combine4(lines, m, out, step);                                                                 \
    CombineAny(lines, p, m, out, step);                                                                               \
  }                                                                                                                   \
  ASSAY_VECTOR_CLONES void MultiplyByChirp(std::vector<Complex<Number>>& a, std::int64_t p, const RootTable& chirp) { \
    TimesChirp(a, p, chirp);                                                                                          \
  }                                                                                                                   \
  ASSAY_VECTOR_CLONES void MultiplyByKernel(std::vector<Complex<Number>>& a, const FourierNumbers& kernel) {          \
    TimesKernel(a, kernel);                                                                                           \
  }                                                                                                                   \
  ASSAY_VECTOR_CLONES void MultiplyBy(std::vector<Complex<Number>>& a, std::int64_t count, double factor) {           \
    Times(a, count, factor);                                                                                          \
  }

ASSAY_LOOPS(double)
ASSAY_LOOPS(Vector)
ASSAY_LOOPS(Word<double>)
ASSAY_LOOPS(Word<Vector>)

template <class Number>
void Transform(Lines<Number>& lines, std::int64_t n, std::int64_t in, std::int64_t in_stride, std::int64_t out);

template <class Number>
void Convolve(Lines<Number>& lines, std::int64_t p, std::int64_t m, std::int64_t out, std::int64_t step) {
  const Roots::Convolution& convolution = lines.roots.convolutions.at(p);
  Lines<Number>&there = lines.there.at(p), &back = lines.back.at(p);
  for (std::int64_t k = 0; k < m; ++k) {
    std::fill(there.in.begin(), there.in.end(), Complex<Number>{});
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
  if (p > kLargestDirectPrime) return Convolve(lines, p, m, out, lines.n / n);
  Combine(lines, p, m, out, lines.n / n);
}

double& Lane(double& number, std::int64_t) { return number; }
// A vector is as many doubles in memory.
double& Lane(Vector& vector, std::int64_t lane) { return reinterpret_cast<double*>(&vector)[lane]; }

template <class Number>
constexpr std::int64_t LanesOf() {
  return sizeof(Number) / sizeof(double) >= kLanes ? kLanes : 1;
}

// move(number in a line, low part or not, the place of it in `numbers`, the place of it in the lanes)
template <class Number, class Move>
void ForEachPart(FourierNumbers& numbers, std::span<const std::int64_t> firsts, std::int64_t stride,
                 std::vector<Complex<Number>>& line, const Move& move) {
  for (std::size_t j = 0; j < line.size(); ++j) {
    for (std::size_t lane = 0; lane < firsts.size(); ++lane) {
      const std::size_t at = firsts[lane] + static_cast<std::int64_t>(j) * stride;
      const auto i = static_cast<std::int64_t>(lane);
      if constexpr (requires { line[j].real.hi; }) {
        move(numbers.real[at], Lane(line[j].real.hi, i));
        move(numbers.real_low[at], Lane(line[j].real.lo, i));
        move(numbers.imaginary[at], Lane(line[j].imaginary.hi, i));
        move(numbers.imaginary_low[at], Lane(line[j].imaginary.lo, i));
      } else {
        move(numbers.real[at], Lane(line[j].real, i));
        move(numbers.imaginary[at], Lane(line[j].imaginary, i));
      }
    }
  }
}

template <class Number>
void ApplyTo(const Roots& roots, FourierNumbers& numbers, std::span<const std::int64_t> firsts, std::int64_t stride) {
  Lines<Number> lines(roots);
  constexpr std::size_t lanes = LanesOf<Number>();
  for (std::size_t i = 0; i < firsts.size(); i += lanes) {
    CheckLimits();
    const auto some = firsts.subspan(i, std::min(lanes, firsts.size() - i));
    ForEachPart(numbers, some, stride, lines.in, [](double& number, double& lane) { lane = number; });
    Transform(lines, lines.n, 0, 1, 0);
    ForEachPart(numbers, some, stride, lines.out, [](double& number, double& lane) { number = lane; });
  }
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
    const auto root = made.chirp.Get<Word<double>>(j * j % (2 * p));
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
    ApplyTo<Word<double>>(*made.there, made.kernel, first, 1);
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
    ApplyOneOrMany<Word<double>, Word<Vector>>(*roots_, numbers, firsts, stride);
  } else {
    ApplyOneOrMany<double, Vector>(*roots_, numbers, firsts, stride);
  }
}

// A hundredth more pays for errors of errors.
double QuickFourierTransform::error() const {
  return 1.01 * UnitsOf(roots_->table.size()) * (in_words_ ? 0x1p-101 : 0x1p-53);
}

}  // namespace assay
