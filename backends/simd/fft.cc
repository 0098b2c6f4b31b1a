#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "backends/simd/fft_parts.h"
#include "backends/simd/libraries.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay::simd {
namespace {

// FFTW's names for a precision.
template <class T>
struct Fftw;
template <>
struct Fftw<float> {
  using Complex = fftwf_complex;
  using Plan = fftwf_plan;
  static constexpr auto kPlan = fftwf_plan_dft;
  static constexpr auto kPlanFromReal = fftwf_plan_dft_r2c;
  static constexpr auto kPlanToReal = fftwf_plan_dft_c2r;
  static constexpr auto kExecute = fftwf_execute_dft;
  static constexpr auto kExecuteFromReal = fftwf_execute_dft_r2c;
  static constexpr auto kExecuteToReal = fftwf_execute_dft_c2r;
  static constexpr auto kDestroy = fftwf_destroy_plan;
  static constexpr auto kAllocate = fftwf_malloc;
  static constexpr auto kFree = fftwf_free;
  static constexpr auto kAlignmentOf = fftwf_alignment_of;
};
template <>
struct Fftw<double> {
  using Complex = fftw_complex;
  using Plan = fftw_plan;
  static constexpr auto kPlan = fftw_plan_dft;
  static constexpr auto kPlanFromReal = fftw_plan_dft_r2c;
  static constexpr auto kPlanToReal = fftw_plan_dft_c2r;
  static constexpr auto kExecute = fftw_execute_dft;
  static constexpr auto kExecuteFromReal = fftw_execute_dft_r2c;
  static constexpr auto kExecuteToReal = fftw_execute_dft_c2r;
  static constexpr auto kDestroy = fftw_destroy_plan;
  static constexpr auto kAllocate = fftw_malloc;
  static constexpr auto kFree = fftw_free;
  static constexpr auto kAlignmentOf = fftw_alignment_of;
};

// Guards planning, which is not thread-safe, unlike running a plan.
std::mutex planning;

// The transforms of one size. FFTW allocates all buffers, so that they are aligned alike and use the same code path.
template <class T>
class Transform {
  using Api = Fftw<T>;
  using Complex = typename Api::Complex;

 public:
  Transform(std::string_view type, std::span<const std::int64_t> lengths)
      : rank_(lengths.size()),
        from_real_(type == "RFFT"),
        to_real_(type == "IRFFT"),
        is_inverse_(type.starts_with('I')) {
    std::vector<int> sizes;
    for (const std::int64_t length : lengths) {
      sizes.push_back(static_cast<int>(length));
      count_ *= length;
    }
    const std::int64_t half = count_ / lengths.back() * (lengths.back() / 2 + 1);
    in_parts_ = from_real_ ? count_ : 2 * (to_real_ ? half : count_);
    out_parts_ = to_real_ ? count_ : 2 * (from_real_ ? half : count_);
    const Buffer in = Allocate(in_parts_), out = Allocate(out_parts_);
    const std::lock_guard lock(planning);
    const int rank = static_cast<int>(sizes.size());
    if (from_real_) {
      plan_ = Api::kPlanFromReal(rank, sizes.data(), in.get(), AsComplex(out.get()), FFTW_ESTIMATE);
    } else if (to_real_) {
      plan_ = Api::kPlanToReal(rank, sizes.data(), AsComplex(in.get()), out.get(), FFTW_ESTIMATE);
    } else {
      plan_ = Api::kPlan(rank, sizes.data(), AsComplex(in.get()), AsComplex(out.get()),
                         is_inverse_ ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
    }
  }
  ~Transform() {
    const std::lock_guard lock(planning);
    Api::kDestroy(plan_);
  }
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;

  std::int64_t in_parts() const { return in_parts_; }

  // Runs all transforms of an array. A transform with an element that is not finite becomes NaN throughout.
  void RunAll(const T* in, std::int64_t transforms, T* out) const {
    ParallelFor(transforms, std::max<std::int64_t>(1, (1 << 14) / count_), [&](std::int64_t begin, std::int64_t end) {
      const Buffer from = Allocate(in_parts_), to = Allocate(out_parts_);
      for (std::int64_t i = begin; i < end; ++i) {
        CheckLimits();
        RunOne(in + i * in_parts_, from.get(), to.get(), out + i * out_parts_);
      }
    });
  }

 private:
  // Runs one transform, in the buffers where the arrays themselves do not serve.
  void RunOne(const T* in, T* from, T* to, T* result) const {
    T largest = LargestMagnitude(in, in_parts_);
    if (!std::isfinite(largest)) {
      std::fill_n(result, out_parts_, std::numeric_limits<T>::quiet_NaN());
      return;
    }
    // A transform to real numbers overwrites its operand, and others do not.
    T* source = const_cast<T*>(in);
    if (to_real_ || !IsAligned(in)) source = std::copy_n(in, in_parts_, from) - in_parts_;
    if (to_real_) largest = WithoutIgnored(source);
    const int exponent = ExponentOf(largest);
    if (exponent != 0) {
      std::transform(source, source + in_parts_, from, [=](T part) { return std::ldexp(part, -exponent); });
      source = from;
    }
    T* const target = IsAligned(result) ? result : to;
    Execute(source, target);
    if (is_inverse_) DivideAll(target, out_parts_, static_cast<T>(count_));
    if (exponent != 0) {
      std::transform(target, target + out_parts_, target, [=](T part) { return std::ldexp(part, exponent); });
    }
    if (target != result) std::copy_n(target, out_parts_, result);
  }

  // True if FFTW uses the same code for this array as for those of Allocate.
  static bool IsAligned(const T* parts) { return Api::kAlignmentOf(const_cast<T*>(parts)) == 0; }

  // Clears the imaginary parts that IRFFT ignores, those of elements that are their own mirror images. Returns the
  // largest magnitude of the others. In several dimensions, such elements are known only during the transform.
  T WithoutIgnored(T* parts) const {
    if (rank_ == 1) {
      parts[1] = 0;
      if (count_ % 2 == 0) parts[in_parts_ - 1] = 0;
    }
    return LargestMagnitude(parts, in_parts_);
  }
  // Returns the exponent of a power of two that scales numbers near the ends of the range, given the largest magnitude;
  // 0 for all others. Without scaling, an intermediate sum might overflow although the result is finite, or lose bits
  // to subnormal numbers.
  static int ExponentOf(T largest) {
    constexpr int kFar = std::numeric_limits<T>::max_exponent / 2;
    const int exponent = largest > 0 ? std::ilogb(largest) : 0;
    return std::abs(exponent) > kFar ? exponent : 0;
  }

  struct Free {
    void operator()(T* buffer) const { Api::kFree(buffer); }
  };
  using Buffer = std::unique_ptr<T, Free>;

  static Buffer Allocate(std::int64_t parts) {
    Buffer buffer(static_cast<T*>(Api::kAllocate(parts * sizeof(T))));
    if (buffer == nullptr) throw std::bad_alloc();
    return buffer;
  }
  static Complex* AsComplex(T* parts) { return reinterpret_cast<Complex*>(parts); }

  void Execute(T* from, T* to) const {
    if (from_real_)
      Api::kExecuteFromReal(plan_, from, AsComplex(to));
    else if (to_real_)
      Api::kExecuteToReal(plan_, AsComplex(from), to);
    else
      Api::kExecute(plan_, AsComplex(from), AsComplex(to));
  }

  const std::size_t rank_;
  const bool from_real_, to_real_, is_inverse_;
  std::int64_t count_ = 1;
  std::int64_t in_parts_ = 0, out_parts_ = 0;
  typename Api::Plan plan_ = nullptr;
};

// True if the innermost dimensions of the operand are those of the transform, and not empty.
bool FitsLengths(const HloInstruction& fft, const Shape& operand, std::span<const std::int64_t> lengths) {
  const auto dimensions = std::span(operand.dimensions()).last(lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const bool is_half = i + 1 == lengths.size() && fft.String("fft_type") == "IRFFT";
    if (lengths[i] <= 0 || lengths[i] > INT32_MAX || dimensions[i] != (is_half ? lengths[i] / 2 + 1 : lengths[i])) {
      return false;
    }
  }
  return true;
}

// A transform that is planned when it first runs.
template <class T>
class PlannedOnce {
 public:
  const Transform<T>& For(const HloInstruction& fft) {
    std::call_once(once_, [&] { transform_.emplace(fft.String("fft_type"), fft.Int64s("fft_length")); });
    return *transform_;
  }

 private:
  std::once_flag once_;
  std::optional<Transform<T>> transform_;
};

// Returns the function of an instruction, which uses one plan for all evaluations.
template <class T>
PreparedFunction PrepareFor(const HloInstruction& fft) {
  return [&fft, planned = std::make_shared<PlannedOnce<T>>()](std::span<Literal> operands, Evaluation&) {
    const Transform<T>& transform = planned->For(fft);
    const Literal& operand = operands[0];
    Literal result = Literal::Uninitialized(fft.shape);
    const std::int64_t parts = operand.byte_size() / static_cast<std::int64_t>(sizeof(T));
    transform.RunAll(reinterpret_cast<const T*>(operand.data()), parts / transform.in_parts(),
                     reinterpret_cast<T*>(result.mutable_data()));
    return result;
  };
}

PreparedFunction Prepare(const HloInstruction& fft, const OpOverrides&) {
  const Shape& operand = fft.operand(0).shape;
  const bool fits = operand.IsFixedArray() && ShapeUtil::ElementsIn(operand) > 0 &&
                    FitsLengths(fft, operand, fft.Int64s("fft_length"));
  if (!fits) return {};
  return ComplexComponentType(operand.element_type()) == F64 ? PrepareFor<double>(fft) : PrepareFor<float>(fft);
}

constexpr std::string_view kNames[] = {"fft"};

}  // namespace

const Family kFft = {.ops = kNames, .prepare = Prepare};

}  // namespace assay::simd
