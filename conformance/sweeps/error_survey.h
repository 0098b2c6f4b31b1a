// Statistics of a backend's errors over many inputs of one element-wise operation.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// One input whose result represents others.
struct ErrorExample {
  std::int64_t input = -1;  // its number in the sweep; -1: there is none
  double ulps = 0;
  std::vector<std::string> operands;
  std::string got;
  std::string want;
};

// The class of a result that is not exact, or of a part of a complex result: the first one that fits.
enum class ErrorClass {
  kFlushed,   // equals the result with subnormal operands or results as zeros, and differs by more than the op's
              // allowance
  kNan,       // NaN against a number
  kInfinity,  // an infinity against another number
  kZeroSign,  // zeros of different signs
  kDistance,  // numbers; the distance counts steps of the format from the correctly rounded result
};
inline constexpr int kErrorClasses = 5;
// "flushed", "nan", "infinity", "zero_sign", "distance".
std::string_view ErrorClassName(ErrorClass error_class);

class ErrorSurvey {
 public:
  // A part of the range of operand 0 on the number line, for the plot.
  struct Column {
    double most_ulps = 0;
    std::int64_t not_exact = 0;
    std::int64_t wrong_specials = 0;  // NaN, infinity, sign of zero
  };
  // The buckets are distance 0, 1, 2, 3 to 4, 5 to 8, ...
  static constexpr int kBuckets = 66;
  static std::string BucketName(int bucket);

  // `type` is a float or complex result type. A complex result counts as two, except in norm() and outside().
  explicit ErrorSurvey(PrimitiveType type);

  // Adds the results for the inputs first, first + 1, ...; `flushed` is the exact result on operands with subnormals as
  // zeros.
  void Add(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
           const Literal& flushed, const Literal& got, std::int64_t first, const Profile& profile);
  void Merge(const ErrorSurvey& other);

  std::int64_t elements() const { return elements_; }
  std::int64_t not_exact() const;
  std::int64_t count(ErrorClass error_class) const { return classes_[static_cast<int>(error_class)]; }
  const ErrorExample& example(ErrorClass error_class) const { return examples_[static_cast<int>(error_class)]; }
  double most_ulps() const { return example(ErrorClass::kDistance).ulps; }
  // The mean over all elements, except wrong specials and flushed ones.
  double mean_ulps() const;
  // The complex result with the largest |got - want| in units of the last place of |want|. Both parts must be numbers
  // and not flushed.
  const ErrorExample& norm() const { return norm_; }
  std::span<const std::int64_t> histogram() const { return histogram_; }
  std::span<const Column> columns() const { return columns_; }
  PrimitiveType type() const { return type_; }

  // The verdict under the profile is that of the worst element. share() is the part of its allowance that the first
  // such element uses; outside() is the number of elements beyond the allowance of the profile.
  Verdict verdict() const { return verdict_; }
  const std::string& reason() const { return reason_; }
  const ErrorExample& worst() const { return worst_; }
  double share() const { return share_; }
  std::int64_t outside() const { return outside_; }

  nlohmann::json ToJson() const;
  static Result<ErrorSurvey> FromJson(PrimitiveType type, const nlohmann::json& json);

 private:
  void AddElement(std::span<const Literal> operands, const Literal& want, const Literal& flushed, const Literal& got,
                  std::int64_t offset, std::int64_t first);
  ErrorClass AddPart(std::span<const Literal> operands, const Literal& want, const Literal& flushed, const Literal& got,
                     std::int64_t part, std::int64_t first);
  void TakeVerdict(Verdict verdict, const std::string& reason, const ErrorExample& worst, double share);

  PrimitiveType type_;
  double allowance_ = 0;  // of the surveyed operation, in ULP
  int components_;
  std::int64_t elements_ = 0;
  std::array<std::int64_t, kErrorClasses> classes_ = {};
  std::array<ErrorExample, kErrorClasses> examples_;
  double ulp_sum_ = 0;  // a sum of integers: exact up to 2^53
  std::array<std::int64_t, kBuckets> histogram_ = {};
  std::vector<Column> columns_;
  Verdict verdict_ = Verdict::kExact;
  std::string reason_;
  ErrorExample worst_;
  double share_ = 0;
  std::int64_t outside_ = 0;
  ErrorExample norm_;
};

}  // namespace assay
