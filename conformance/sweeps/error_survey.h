// The errors of a backend over many inputs of one element-wise operation: how large, how many, where.
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

// One input whose result stands for others.
struct ErrorExample {
  std::int64_t input = -1;  // its number in the sweep; -1: there is none
  double ulps = 0;
  std::vector<std::string> operands;
  std::string got;
  std::string want;
};

// Results that are not exact, of complex numbers their parts, are of one of these classes, the first that fits.
enum class ErrorClass {
  kFlushed,   // what the operation gives when subnormal operands or results count as zeros, beyond the op's allowance
  kNan,       // NaN against a number
  kInfinity,  // an infinity against another number
  kZeroSign,  // zeros of different signs
  kDistance,  // numbers, counted in steps of the format from the correctly rounded one
};
inline constexpr int kErrorClasses = 5;
// "flushed", "nan", "infinity", "zero_sign", "distance".
std::string_view ErrorClassName(ErrorClass error_class);

class ErrorSurvey {
 public:
  // Parts of the range of operand 0 along the number line, for the plot.
  struct Column {
    double most_ulps = 0;
    std::int64_t not_exact = 0;
    std::int64_t wrong_specials = 0;  // NaN, infinity, sign of zero
  };
  // Distance 0, 1, 2, 3 to 4, 5 to 8, ...
  static constexpr int kBuckets = 66;
  static std::string BucketName(int bucket);

  // Of results of a float or complex type. Complex ones count as two results each, but for norm() and outside().
  explicit ErrorSurvey(PrimitiveType type);

  // Results for the inputs first, first + 1, ...; `flushed` is the exact result on operands whose subnormals are zeros.
  void Add(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
           const Literal& flushed, const Literal& got, std::int64_t first, const Profile& profile);
  void Merge(const ErrorSurvey& other);

  std::int64_t elements() const { return elements_; }
  std::int64_t not_exact() const;
  std::int64_t count(ErrorClass error_class) const { return classes_[static_cast<int>(error_class)]; }
  const ErrorExample& example(ErrorClass error_class) const { return examples_[static_cast<int>(error_class)]; }
  double most_ulps() const { return example(ErrorClass::kDistance).ulps; }
  // Over all elements that are no wrong special and not flushed.
  double mean_ulps() const;
  // The complex number that is farthest off, |got - want| in units of the last place of |want|; where both parts are
  // numbers and none is flushed.
  const ErrorExample& norm() const { return norm_; }
  std::span<const std::int64_t> histogram() const { return histogram_; }
  std::span<const Column> columns() const { return columns_; }
  PrimitiveType type() const { return type_; }

  // By the profile: the worst of the elements, the first element that is so bad and how much of its allowance it uses,
  // and how many elements are outside of what the profile allows.
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
  double allowance_ = 0;  // of the operation that is surveyed, in ULP
  int components_;
  std::int64_t elements_ = 0;
  std::array<std::int64_t, kErrorClasses> classes_ = {};
  std::array<ErrorExample, kErrorClasses> examples_;
  double ulp_sum_ = 0;  // of integers: exact up to 2^53
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
