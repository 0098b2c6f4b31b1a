#include <cmath>
#include <numbers>
#include <vector>

#include "backends/lawful/algorithms/algorithms.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

using Signal = std::vector<ComplexNumber>;

// Returns exp(2 pi i k / n), or its conjugate unless `inverse`.
ComplexNumber RootOfUnity(const Arithmetic& arithmetic, std::int64_t k, std::int64_t n, bool inverse) {
  const long double angle = (inverse ? 2 : -2) * std::numbers::pi_v<long double> * (k % n) / n;
  return {arithmetic.Round(static_cast<double>(std::cos(angle))),
          arithmetic.Round(static_cast<double>(std::sin(angle)))};
}

Signal Transformed(const Signal& x, bool inverse, const Arithmetic& arithmetic) {
  const auto n = static_cast<std::int64_t>(x.size());
  Signal result(x.size());
  if (n % 2 == 0) {
    Signal even, odd;
    for (std::int64_t i = 0; i < n; i += 2) {
      even.push_back(x[i]);
      odd.push_back(x[i + 1]);
    }
    even = Transformed(even, inverse, arithmetic);
    odd = Transformed(odd, inverse, arithmetic);
    for (std::int64_t k = 0; k < n / 2; ++k) {
      const ComplexNumber turned = Multiply(arithmetic, RootOfUnity(arithmetic, k, n, inverse), odd[k]);
      result[k] = Add(arithmetic, even[k], turned);
      result[k + n / 2] = Subtract(arithmetic, even[k], turned);
    }
    return result;
  }
  for (std::int64_t k = 0; k < n; ++k) {
    result[k] = x[0];
    for (std::int64_t i = 1; i < n; ++i) {
      result[k] = Add(arithmetic, result[k], Multiply(arithmetic, RootOfUnity(arithmetic, i * k, n, inverse), x[i]));
    }
  }
  return result;
}

// The transform of all axes of one block, the innermost last.
class BlockTransform {
 public:
  BlockTransform(const HloInstruction& fft, const Arithmetic& arithmetic)
      : arithmetic_(arithmetic),
        lengths_(fft.Int64s("fft_length").begin(), fft.Int64s("fft_length").end()),
        completes_rows_(fft.String("fft_type") == "IRFFT"),
        is_inverse_(fft.String("fft_type") == "IFFT" || completes_rows_) {}

  // Transforms a block. Its rows have `from` numbers before and `to` after the transform, and the full length in
  // between.
  Signal Apply(std::span<const ComplexNumber> block, std::int64_t from, std::int64_t to) const {
    const std::int64_t length = lengths_.back(), rows = Product(lengths_) / length;
    Signal numbers(rows * length);
    for (std::int64_t i = 0; i < rows * from; ++i) numbers[i / from * length + i % from] = block[i];
    std::int64_t stride = rows * length;
    for (std::size_t axis = 0; axis < lengths_.size(); ++axis) {
      stride /= lengths_[axis];
      if (completes_rows_ && axis + 1 == lengths_.size()) CompleteRows(numbers);
      TransformLines(numbers, lengths_[axis], stride);
    }
    Signal result;
    for (std::int64_t i = 0; i < rows * to; ++i) result.push_back(Scaled(numbers[i / to * length + i % to]));
    return result;
  }

 private:
  void TransformLines(Signal& numbers, std::int64_t length, std::int64_t stride) const {
    const auto lines = static_cast<std::int64_t>(numbers.size()) / length;
    for (std::int64_t line = 0; line < lines; ++line) {
      const std::int64_t first = line / stride * stride * length + line % stride;
      Signal values;
      for (std::int64_t i = 0; i < length; ++i) values.push_back(numbers[first + i * stride]);
      values = Transformed(values, is_inverse_, arithmetic_);
      for (std::int64_t i = 0; i < length; ++i) numbers[first + i * stride] = values[i];
    }
  }

  // Fills in the second halves of Hermitian rows.
  void CompleteRows(Signal& numbers) const {
    const std::int64_t length = lengths_.back();
    for (std::size_t row = 0; row < numbers.size(); row += length) {
      numbers[row].imaginary = 0;
      if (length % 2 == 0) numbers[row + length / 2].imaginary = 0;
      for (std::int64_t k = 1; 2 * k < length; ++k) {
        numbers[row + length - k] = {numbers[row + k].real, -numbers[row + k].imaginary};
      }
    }
  }

  ComplexNumber Scaled(ComplexNumber number) const {
    if (!is_inverse_) return number;
    const auto count = static_cast<double>(Product(lengths_));
    return {arithmetic_.Divide(number.real, count), arithmetic_.Divide(number.imaginary, count)};
  }

  const Arithmetic& arithmetic_;
  const std::vector<std::int64_t> lengths_;
  const bool completes_rows_;
  const bool is_inverse_;
};

}  // namespace

Literal FourierTransform(const HloInstruction& fft, std::span<const Literal> operands, const Arithmetic& arithmetic,
                         Noise&) {
  const Signal numbers = ComplexNumbers(operands[0]);
  const auto axes = fft.Int64s("fft_length").size();
  const auto size_in = Product(std::span(operands[0].shape().dimensions()).last(axes));
  const std::int64_t from = operands[0].shape().dimensions().back(), to = fft.shape.dimensions().back();
  const BlockTransform transform(fft, arithmetic);
  Signal result;
  for (std::size_t first = 0; first + size_in <= numbers.size() && size_in > 0; first += size_in) {
    const Signal block = transform.Apply(std::span(numbers).subspan(first, size_in), from, to);
    result.insert(result.end(), block.begin(), block.end());
  }
  return ArrayOf(fft.shape, result);
}

}  // namespace assay
