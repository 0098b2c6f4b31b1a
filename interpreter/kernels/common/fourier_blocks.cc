#include "interpreter/kernels/common/fourier_blocks.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "interpreter/numerics/exact_sum.h"
#include "interpreter/numerics/fourier.h"
#include "interpreter/numerics/parts.h"
#include "interpreter/numerics/quick_fourier.h"
#include "interpreter/numerics/round.h"
#include "interpreter/numerics/transform_element.h"
#include "interpreter/numerics/transform_parts.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// The numbers that one thread transforms at a time. If that is fewer blocks than a vector has lanes, it takes as many
// blocks as lanes.
constexpr std::int64_t kNumbersAtATime = 8192;

std::int64_t BlocksAtATime(std::int64_t blocks, std::int64_t size) {
  const std::int64_t of_thread = (blocks - 1) / ParallelThreads() + 1;
  return std::max(kNumbersAtATime / size, std::min(lanes::kLanes, of_thread));
}

// A block with more undecided parts than this is transformed again as a whole.
constexpr int kMostUndecided = 16;

// Adds up element k of a transform, if all roots in it are 1, i, -1 and -i. turns(j) is the number of quarter turns of
// term j.
template <class Turns>
void AddQuarterTurns(std::span<const double> parts, bool is_real, bool imaginary, const Turns& turns, ExactSum& sum) {
  const std::int64_t step = is_real ? 1 : 2;
  for (std::int64_t j = 0; j < static_cast<std::int64_t>(parts.size()) / step; ++j) {
    // The real part of x i^t is x, -y, -x, y; the imaginary part is that of x i^(t - 1).
    const std::int64_t t = (turns(j) + (imaginary ? 3 : 0)) % 4;
    if (is_real && t % 2 == 1) continue;
    const double part = parts[j * step + t % 2];
    sum.Add(t == 1 || t == 2 ? -part : part);
  }
}

// Returns the start of a line of numbers that are `stride` apart.
std::int64_t FirstOfLine(std::int64_t line, std::int64_t length, std::int64_t stride) {
  return line / stride * stride * length + line % stride;
}

}  // namespace

FourierBlocks::FourierBlocks(std::string_view fft_type, std::vector<std::int64_t> lengths, PrimitiveType result)
    : lengths_(std::move(lengths)),
      result_(result),
      inverse_(fft_type == "IFFT" || fft_type == "IRFFT"),
      is_real_operand_(fft_type == "RFFT"),
      is_real_result_(fft_type == "IRFFT"),
      operand_row_(is_real_result_ ? lengths_.back() / 2 + 1 : lengths_.back()),
      result_row_(is_real_operand_ ? lengths_.back() / 2 + 1 : lengths_.back()),
      size_(Product(lengths_)),
      operand_parts_(size_ / lengths_.back() * operand_row_ * (is_real_operand_ ? 1 : 2)),
      result_parts_(size_ / lengths_.back() * result_row_ * (is_real_result_ ? 1 : 2)) {}

template <class Complete, class Apply>
void FourierBlocks::ForEachAxis(const Complete& complete, const Apply& apply) const {
  std::int64_t stride = size_;
  for (std::size_t axis = 0; axis < lengths_.size(); ++axis) {
    stride /= lengths_[axis];
    if (axis + 1 == lengths_.size() && is_real_result_) complete();
    apply(axis, stride);
  }
}

template <class Real, class Mirror>
void FourierBlocks::ForEachMirrorImage(std::int64_t count, const Real& real, const Mirror& mirror) const {
  const std::int64_t length = lengths_.back();
  for (std::int64_t row = 0; row < count; row += length) {
    real(row);
    if (length % 2 == 0) real(row + length / 2);
    for (std::int64_t k = 1; 2 * k < length; ++k) mirror(row + k, row + length - k);
  }
}

// The transforms at the precision that their results need.
class FourierBlocks::Exact {
 public:
  Exact(const FourierBlocks& of, std::span<const double> parts)
      : of_(of), place_(FourierPrecisionOf(parts)), numbers_(of.size_, place_.bits) {
    LimitCheck check;
    const std::int64_t step = of.is_real_operand_ ? 1 : 2;
    for (std::int64_t i = 0; i < of.operand_parts_ / step; ++i) {
      check();
      const std::int64_t at = of.PlaceOf(i, of.operand_row_);
      mpfr_set_d(numbers_.real(at), parts[step * i], MPFR_RNDN);
      if (!of.is_real_operand_) mpfr_set_d(numbers_.imaginary(at), parts[2 * i + 1], MPFR_RNDN);
    }
  }

  void Transform() {
    const auto apply = [&](std::size_t axis, std::int64_t stride) {
      const std::int64_t length = of_.lengths_[axis];
      FourierTransform transform(length, of_.inverse_, place_.bits);
      for (std::int64_t line = 0; line < of_.size_ / length; ++line) {
        transform.Apply(numbers_, FirstOfLine(line, length, stride), stride);
      }
    };
    of_.ForEachAxis([&] { CompleteRows(); }, apply);
  }

  void Store(std::byte* out, std::int64_t first) {
    const FloatFormat& format = FloatFormatOf(ComplexComponentType(of_.result_));
    std::int64_t part = first;
    LimitCheck check;
    const auto round = [&](mpfr_ptr number) {
      check();
      RoundToPlace(number, place_.last_place);
      const int ternary = of_.inverse_ ? mpfr_div_ui(number, number, of_.size_, MPFR_RNDN) : 0;
      StorePart(of_.result_, out, part++, RoundMpfr(format, number, ternary));
    };
    for (std::int64_t i = 0; i < of_.size_ / of_.lengths_.back() * of_.result_row_; ++i) {
      const std::int64_t at = of_.PlaceOf(i, of_.result_row_);
      round(numbers_.real(at));
      if (!of_.is_real_result_) round(numbers_.imaginary(at));
    }
  }

 private:
  void CompleteRows() {
    const auto mirror = [&](std::int64_t from, std::int64_t to) {
      numbers_.Copy(to, numbers_, from);
      mpfr_neg(numbers_.imaginary(to), numbers_.imaginary(to), MPFR_RNDN);
    };
    of_.ForEachMirrorImage(
        numbers_.size(), [&](std::int64_t i) { mpfr_set_zero(numbers_.imaginary(i), 1); }, mirror);
  }

  const FourierBlocks& of_;
  FourierPrecision place_;
  BigComplexArray numbers_;
};

// The transforms with an error bound, which decides the rounding of most results.
class FourierBlocks::Quick {
 public:
  Quick(const FourierBlocks& of, bool in_words) : of_(of), in_words_(in_words) {
    for (const std::int64_t length : of.lengths_) {
      axes_.push_back(QuickFourierTransform::Get(length, of.inverse_, in_words));
      error_ += axes_.back()->error();
    }
    // An inverse transform of half a spectrum completes rows, which doubles them.
    if (of.is_real_result_) error_ *= 2;
  }

  // Writes the results of the blocks that are decided, and returns the other blocks.
  std::vector<std::int64_t> Transform(std::span<const double> parts, std::span<const std::int64_t> blocks,
                                      std::byte* out) const {
    FourierNumbers numbers(static_cast<std::int64_t>(blocks.size()) * of_.size_, in_words_);
    std::vector<Scale> scales;
    for (std::size_t b = 0; b < blocks.size(); ++b) scales.push_back(Load(PartsOf(parts, blocks[b]), numbers, b));
    const auto apply = [&](std::size_t axis, std::int64_t stride) {
      const std::int64_t length = of_.lengths_[axis];
      std::vector<std::int64_t> firsts;
      for (std::int64_t line = 0; line < static_cast<std::int64_t>(numbers.real.size()) / length; ++line) {
        firsts.push_back(FirstOfLine(line, length, stride));
      }
      axes_[axis]->Apply(numbers, firsts, stride);
    };
    of_.ForEachAxis([&] { CompleteRows(numbers); }, apply);
    std::vector<std::int64_t> in_doubt;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (!Store(PartsOf(parts, blocks[b]), numbers, b, scales[b], out, blocks[b] * of_.result_parts_)) {
        in_doubt.push_back(blocks[b]);
      }
    }
    return in_doubt;
  }

 private:
  // The scale of a block. Numbers are computed times 2^exponent, so that the largest is near 1. `magnitude` is the sum
  // of all their parts.
  struct Scale {
    int exponent = 0;
    double magnitude = 0;
  };

  std::span<const double> PartsOf(std::span<const double> parts, std::int64_t block) const {
    return parts.subspan(block * of_.operand_parts_, of_.operand_parts_);
  }

  Scale Load(std::span<const double> parts, FourierNumbers& numbers, std::size_t b) const {
    Scale scale;
    const double largest = LargestMagnitude(parts);
    if (largest == 0) return scale;
    scale.exponent = -std::ilogb(largest);
    // 2^1074 exceeds the range of double.
    const double half = std::ldexp(1.0, scale.exponent / 2),
                 rest = std::ldexp(1.0, scale.exponent - scale.exponent / 2);
    const std::int64_t step = of_.is_real_operand_ ? 1 : 2, row = of_.lengths_.back();
    for (std::int64_t r = 0; r < of_.size_ / row; ++r) {
      const auto to_row = [&](std::vector<double>& all) {
        return std::span(all).subspan(b * of_.size_ + r * row, of_.operand_row_);
      };
      const double* const from = &parts[r * of_.operand_row_ * step];
      scale.magnitude += LoadScaled(from, step, half, rest, to_row(numbers.real));
      if (step == 2) scale.magnitude += LoadScaled(from + 1, step, half, rest, to_row(numbers.imaginary));
    }
    return scale;
  }

  void CompleteRows(FourierNumbers& numbers) const {
    const auto complete = [&](std::vector<double>& real, std::vector<double>& imaginary) {
      const auto mirror = [&](std::int64_t from, std::int64_t to) {
        real[to] = real[from];
        imaginary[to] = -imaginary[from];
      };
      of_.ForEachMirrorImage(
          static_cast<std::int64_t>(real.size()), [&](std::int64_t i) { imaginary[i] = 0; }, mirror);
    };
    complete(numbers.real, numbers.imaginary);
    complete(numbers.real_low, numbers.imaginary_low);
  }

  // Stores the results of a block. Returns false if one is undecided.
  bool Store(std::span<const double> parts, const FourierNumbers& numbers, std::size_t b, const Scale& scale,
             std::byte* out, std::int64_t first_part) const {
    const FloatFormat& format = FloatFormatOf(ComplexComponentType(of_.result_));
    const std::vector<std::int64_t> undecided = in_words_ || scale.magnitude == 0
                                                    ? StoreParts(numbers, b, scale, out, first_part)
                                                    : StoreSingles(numbers, b, scale, out, first_part);
    const std::int64_t step = of_.is_real_result_ ? 1 : 2;
    // A sum of pairs of complex conjugates is real.
    const bool is_symmetric = !undecided.empty() && IsConjugateSymmetric(parts);
    int in_words = 0;
    for (const std::int64_t part : undecided) {
      const std::int64_t i = part / step;
      const bool imaginary = part % step == 1;
      std::optional<std::uint64_t> bits;
      if (imaginary && is_symmetric) bits = 0;
      if (!bits) bits = RoundedQuarterTurns(format, parts, i, imaginary);
      if (!bits && ++in_words <= kMostUndecided) bits = RoundedElement(format, parts, i, imaginary);
      if (!bits) return false;
      StorePart(of_.result_, out, first_part + part, *bits);
    }
    return true;
  }

  // Stores the results of a block in double words, or of zeros. Returns the parts that are undecided.
  std::vector<std::int64_t> StoreParts(const FourierNumbers& numbers, std::size_t b, const Scale& scale, std::byte* out,
                                       std::int64_t first_part) const {
    const FloatFormat& format = FloatFormatOf(ComplexComponentType(of_.result_));
    const double error = ErrorOf(scale);
    const std::int64_t step = of_.is_real_result_ ? 1 : 2;
    std::vector<std::int64_t> undecided;
    for (std::int64_t part = 0; part < of_.result_parts_; ++part) {
      const auto at = static_cast<std::int64_t>(b) * of_.size_ + of_.PlaceOf(part / step, of_.result_row_);
      std::optional<std::uint64_t> bits = 0;
      if (scale.magnitude != 0) {
        const WordScale word_scale = {of_.inverse_ ? of_.size_ : 1, error, scale.exponent};
        bits = part % step == 1 ? RoundedWord(format, {numbers.imaginary[at], numbers.imaginary_low[at]}, word_scale)
                                : RoundedWord(format, {numbers.real[at], numbers.real_low[at]}, word_scale);
      }
      if (bits) StorePart(of_.result_, out, first_part + part, *bits);
      if (!bits) undecided.push_back(part);
    }
    return undecided;
  }

  // Stores the results of a block in doubles, as f32 numbers. Returns the parts that are undecided.
  std::vector<std::int64_t> StoreSingles(const FourierNumbers& numbers, std::size_t b, const Scale& scale,
                                         std::byte* out, std::int64_t first_part) const {
    const double divisor = of_.inverse_ ? static_cast<double>(of_.size_) : 1;
    const RoundingScale rounding = {divisor, ErrorOf(scale) / divisor, std::ldexp(1.0, -scale.exponent)};
    const std::int64_t row = of_.lengths_.back(), parts_of_row = of_.result_row_ * (of_.is_real_result_ ? 1 : 2);
    std::vector<std::int64_t> undecided;
    for (std::int64_t r = 0; r < of_.size_ / row; ++r) {
      const auto of_row = [&](const std::vector<double>& all) {
        return std::span(all).subspan(b * of_.size_ + r * row, of_.result_row_);
      };
      const std::span to(reinterpret_cast<float*>(out) + first_part + r * parts_of_row, parts_of_row);
      const std::size_t known = undecided.size();
      if (of_.is_real_result_) {
        RoundToF32(of_row(numbers.real), rounding, to, undecided);
      } else {
        RoundPairsToF32(of_row(numbers.real), of_row(numbers.imaginary), rounding, to, undecided);
      }
      for (std::size_t i = known; i < undecided.size(); ++i) undecided[i] += r * parts_of_row;
    }
    return undecided;
  }

  double ErrorOf(const Scale& scale) const { return error_ * scale.magnitude + 0x1p-1000; }

  // Returns the rounding of one part, from a sum in double words; nullopt if that leaves it undecided.
  std::optional<std::uint64_t> RoundedElement(const FloatFormat& format, std::span<const double> parts, std::int64_t i,
                                              bool imaginary) const {
    if (in_words_ || of_.lengths_.size() > 1) return std::nullopt;
    const auto in_words = QuickFourierTransform::Get(of_.size_, of_.inverse_, true);
    FourierNumbers numbers(of_.size_, false);
    const Scale scale = Load(parts, numbers, 0);
    // A completed row has twice the magnitude at most.
    const double magnitude = of_.is_real_result_ ? 2 * scale.magnitude : scale.magnitude;
    if (of_.is_real_result_) CompleteRows(numbers);
    const auto element = TransformElement(numbers.real, numbers.imaginary, in_words->roots(), i);
    const double error = TransformElementError(of_.size_) * magnitude + 0x1p-1000;
    return RoundedWord(format, imaginary ? element.imaginary : element.real,
                       {of_.inverse_ ? of_.size_ : 1, error, scale.exponent});
  }

  // True if element -j of the block is the conjugate of element j, for every j.
  bool IsConjugateSymmetric(std::span<const double> parts) const {
    if (of_.is_real_operand_ || of_.is_real_result_) return false;
    for (std::int64_t j = 0; j < of_.size_; ++j) {
      std::int64_t mirror = 0;
      for (std::int64_t d = 0, inner = of_.size_, rest = j; d < static_cast<std::int64_t>(of_.lengths_.size()); ++d) {
        inner /= of_.lengths_[d];
        mirror += (of_.lengths_[d] - rest / inner) % of_.lengths_[d] * inner;
        rest %= inner;
      }
      if (parts[2 * j] != parts[2 * mirror] || parts[2 * j + 1] != -parts[2 * mirror + 1]) return false;
    }
    return true;
  }

  // Returns the rounded value of a sum without irrational roots; nullopt for other sums. Quotients, and sums over half
  // a spectrum, need the exact transform.
  std::optional<std::uint64_t> RoundedQuarterTurns(const FloatFormat& format, std::span<const double> parts,
                                                   std::int64_t i, bool imaginary) const {
    if (of_.inverse_) return std::nullopt;
    const auto axes = static_cast<std::int64_t>(of_.lengths_.size());
    std::vector<std::int64_t> quarters(axes);  // of a step along the axis
    for (std::int64_t d = axes - 1, rest = of_.PlaceOf(i, of_.result_row_); d >= 0; rest /= of_.lengths_[d--]) {
      const std::int64_t four_k = 4 * (rest % of_.lengths_[d]);
      if (four_k % of_.lengths_[d] != 0) return std::nullopt;
      quarters[d] = (4 - four_k / of_.lengths_[d] % 4) % 4;  // forward: clockwise
    }
    const bool is_real = of_.is_real_operand_ && std::ranges::all_of(quarters, [](auto q) { return q % 2 == 0; });
    if (is_real && imaginary) return 0;
    ExactSum sum;
    sum.Add(0);  // a sum of zero is +0
    AddQuarterTurns(
        parts, of_.is_real_operand_, imaginary,
        [&](std::int64_t j) {
          std::int64_t turns = 0;
          for (std::int64_t d = axes - 1; d >= 0; j /= of_.lengths_[d--]) turns += j % of_.lengths_[d] * quarters[d];
          return turns % 4;
        },
        sum);
    return sum.RoundTo(format);
  }

  const FourierBlocks& of_;
  bool in_words_;
  std::vector<std::shared_ptr<const QuickFourierTransform>> axes_;
  double error_ = 0;
};

void FourierBlocks::Transform(std::span<const double> parts, std::byte* out) const {
  const FloatFormat& format = FloatFormatOf(ComplexComponentType(result_));
  const std::int64_t count = static_cast<std::int64_t>(parts.size()) / operand_parts_;
  // Transforms in doubles first, where their errors are far below a last place of the results; then the remaining
  // blocks in double words.
  std::once_flag is_made[2];
  std::unique_ptr<Quick> quick[2];
  const auto transform_quickly = [&](bool in_words, std::vector<std::int64_t>& blocks) {
    if (blocks.empty()) return;
    std::call_once(is_made[in_words], [&] { quick[in_words] = std::make_unique<Quick>(*this, in_words); });
    blocks = quick[in_words]->Transform(parts, blocks, out);
  };
  ParallelFor(count, BlocksAtATime(count, size_), [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> blocks;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<const double> block = parts.subspan(i * operand_parts_, operand_parts_);
      if (AreFinite(block)) {
        blocks.push_back(i);
        continue;
      }
      for (std::int64_t part = i * result_parts_; part < (i + 1) * result_parts_; ++part) {
        StorePart(result_, out, part, format.nan_bits(false));
      }
    }
    if (&format == &FloatFormatOf(F32)) transform_quickly(false, blocks);
    transform_quickly(true, blocks);
    for (const std::int64_t i : blocks) TransformExactly(parts, i, out);
  });
}

void FourierBlocks::TransformExactly(std::span<const double> parts, std::int64_t i, std::byte* out) const {
  Exact exact(*this, parts.subspan(i * operand_parts_, operand_parts_));
  exact.Transform();
  exact.Store(out, i * result_parts_);
}

}  // namespace assay
