#include "conformance/sweeps/error_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "interpreter/acceptance/elements.h"
#include "interpreter/hlo/op.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

using nlohmann::json;

constexpr int kColumnBits = 8;

bool IsInfinity(RealElement element) { return FloatFormatOf(element.type).is_infinity(element.bits); }

bool SameValue(RealElement a, RealElement b) { return a.bits == b.bits || (IsNan(a) && IsNan(b)); }

bool IsFlushed(RealElement want, RealElement got) {
  return IsSubnormal(want) && IsZero(got) && HasSign(want) == HasSign(got);
}

// Classifies an error. `allowance` is the operation's in ULP. An error within it is a rounding error, even if flushing
// explains it too.
ErrorClass ClassOf(RealElement want, RealElement flushed, RealElement got, double allowance) {
  const auto is_within = [&](RealElement number) {
    const bool are_numbers = !IsNan(number) && !IsNan(got) && IsInfinity(number) == IsInfinity(got);
    return allowance > 0 && are_numbers && UlpDistance(number, got) <= allowance;
  };
  const bool is_of_flushed = SameValue(flushed, got) || IsFlushed(flushed, got) || is_within(flushed);
  if (IsFlushed(want, got) || (is_of_flushed && !is_within(want))) return ErrorClass::kFlushed;
  if (IsNan(want) != IsNan(got)) return ErrorClass::kNan;
  if (IsInfinity(want) || IsInfinity(got)) return ErrorClass::kInfinity;
  if (IsZero(want) && IsZero(got)) return ErrorClass::kZeroSign;
  return ErrorClass::kDistance;
}

// Returns the position of the pattern on the number line, from the most negative pattern to the most positive one.
std::size_t ColumnOf(RealElement element) {
  const FloatFormat& format = FloatFormatOf(element.type);
  const std::uint64_t magnitude = element.bits & format.magnitude_mask();
  const std::uint64_t half = format.sign_mask();
  const std::uint64_t position = HasSign(element) ? half - 1 - magnitude : half + magnitude;
  return position >> std::max(0, format.bits() - kColumnBits);
}

// Returns the least b with distance <= 2^(b - 1); 0 for distance 0.
int BucketOf(double ulps) {
  if (ulps < 1) return 0;
  int exponent;
  const double fraction = std::frexp(ulps, &exponent);
  return fraction == 0.5 ? exponent : exponent + 1;
}

// Returns |got - want| in units of the last place of |want|.
double NormDistance(const Literal& want, const Literal& got, std::int64_t offset) {
  const FloatFormat& format = FloatFormatOf(ComplexComponentType(want.element_type()));
  long double norm = 0, distance = 0;
  for (int part = 0; part < 2; ++part) {
    const long double a = ToDouble(format, ComponentAt(want, 2 * offset + part).bits);
    const long double b = ToDouble(format, ComponentAt(got, 2 * offset + part).bits);
    norm = std::hypot(norm, a);
    distance = std::hypot(distance, a - b);
  }
  const int exponent = norm == 0 ? format.min_exponent() : std::max(std::ilogb(norm), format.min_exponent());
  return static_cast<double>(std::ldexp(distance, format.mantissa_bits - exponent));
}

ErrorExample ExampleOf(std::span<const Literal> operands, const Literal& want, const Literal& got, std::int64_t offset,
                       std::int64_t first, double ulps) {
  ErrorExample example{first + offset, ulps, {}, DescribeElement(got, offset), DescribeElement(want, offset)};
  for (const Literal& operand : operands) example.operands.push_back(DescribeElement(operand, offset));
  return example;
}

// True if `a` has the larger error. Equal errors are ordered by input, so that the order of merges does not matter.
bool IsWorse(const ErrorExample& a, const ErrorExample& b) {
  if (a.input < 0 || b.input < 0) return a.input >= 0;
  return a.ulps > b.ulps || (a.ulps == b.ulps && a.input < b.input);
}

json ToJson(const ErrorExample& example) {
  json result = {
      {"input", example.input}, {"operands", example.operands}, {"got", example.got}, {"want", example.want}};
  // JSON has no infinity. A number against NaN has no distance.
  if (std::isfinite(example.ulps)) result["ulps"] = example.ulps;
  return result;
}

ErrorExample ExampleFrom(const json& from) {
  return {from.at("input"), from.contains("ulps") ? from["ulps"].get<double>() : INFINITY, from.at("operands"),
          from.at("got"), from.at("want")};
}

Verdict VerdictNamed(std::string_view name) {
  int verdict = 0;
  while (verdict < static_cast<int>(Verdict::kCrash) && VerdictName(Verdict(verdict)) != name) ++verdict;
  return Verdict(verdict);
}

}  // namespace

std::string_view ErrorClassName(ErrorClass error_class) {
  static constexpr std::array<std::string_view, kErrorClasses> kNames = {"flushed", "nan", "infinity", "zero_sign",
                                                                         "distance"};
  return kNames[static_cast<int>(error_class)];
}

std::string ErrorSurvey::BucketName(int bucket) {
  if (bucket < 3) return fmt::format("{}", bucket);
  const uint128 half = uint128{1} << (bucket - 2);
  return fmt::format("{} to {}", half + 1, 2 * half);
}

ErrorSurvey::ErrorSurvey(PrimitiveType type)
    : type_(type),
      components_(ComponentCount(type)),
      columns_(std::size_t{1} << std::min(kColumnBits, FloatFormatOf(ComplexComponentType(type)).bits())) {}

std::int64_t ErrorSurvey::not_exact() const {
  std::int64_t sum = 0;
  for (const std::int64_t count : classes_) sum += count;
  return sum;
}

double ErrorSurvey::mean_ulps() const {
  const std::int64_t counted = elements_ - not_exact() + count(ErrorClass::kDistance);
  return counted > 0 ? ulp_sum_ / static_cast<double>(counted) : 0;
}

void ErrorSurvey::Add(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
                      const Literal& flushed, const Literal& got, std::int64_t first, const Profile& profile) {
  elements_ += want.element_count() * components_;
  histogram_[0] += want.element_count() * components_;
  if (want.BitwiseEqual(got)) return;
  allowance_ = profile.AllowanceOf(instruction.op->name, operands[0].element_type()).ulp;
  const int bytes = StorageBytes(want.element_type());
  for (std::int64_t i = 0; i < want.element_count(); ++i) {
    if (std::memcmp(want.data() + i * bytes, got.data() + i * bytes, bytes) == 0) continue;
    AddElement(operands, want, flushed, got, i, first);
  }
  const Judgement judgement = JudgeInstruction(instruction, operands, want, got, profile);
  if (judgement.verdict <= Verdict::kExact) return;
  for (const Tally& tally : judgement.tallies) outside_ += tally.verdict == Verdict::kFail ? tally.elements : 0;
  TakeVerdict(judgement.verdict, judgement.reason,
              ExampleOf(operands, want, got, judgement.worst.offset, first, judgement.worst.ulps.value_or(INFINITY)),
              judgement.worst.share);
}

void ErrorSurvey::TakeVerdict(Verdict verdict, const std::string& reason, const ErrorExample& worst, double share) {
  if (verdict < verdict_ || (verdict == verdict_ && !IsWorse(worst, worst_))) return;
  verdict_ = verdict;
  reason_ = reason;
  worst_ = worst;
  share_ = share;
}

void ErrorSurvey::AddElement(std::span<const Literal> operands, const Literal& want, const Literal& flushed,
                             const Literal& got, std::int64_t offset, std::int64_t first) {
  bool has_distance = true;
  for (std::int64_t part = offset * components_; part < (offset + 1) * components_; ++part) {
    if (SameValue(ComponentAt(want, part), ComponentAt(got, part))) continue;
    has_distance &= AddPart(operands, want, flushed, got, part, first) == ErrorClass::kDistance;
  }
  if (components_ == 1 || !has_distance) return;
  const double ulps = NormDistance(want, got, offset);
  if (std::isfinite(ulps) && ulps > norm_.ulps) norm_ = ExampleOf(operands, want, got, offset, first, ulps);
}

ErrorClass ErrorSurvey::AddPart(std::span<const Literal> operands, const Literal& want, const Literal& flushed,
                                const Literal& got, std::int64_t part, std::int64_t first) {
  const RealElement wanted = ComponentAt(want, part), found = ComponentAt(got, part);
  const std::int64_t offset = part / components_;
  const ErrorClass error_class = ClassOf(wanted, ComponentAt(flushed, part), found, allowance_);
  ++classes_[static_cast<int>(error_class)];
  --histogram_[0];
  Column& column = columns_[ColumnOf(ComponentAt(operands[0], offset * ComponentCount(operands[0].element_type())))];
  ++column.not_exact;
  double ulps = 0;
  if (error_class == ErrorClass::kDistance) {
    ulps = UlpDistance(wanted, found);
    ulp_sum_ += ulps;
    ++histogram_[BucketOf(ulps)];
    column.most_ulps = std::max(column.most_ulps, ulps);
  } else if (error_class != ErrorClass::kFlushed) {
    ++column.wrong_specials;
  }
  ErrorExample& example = examples_[static_cast<int>(error_class)];
  if (example.input < 0 || ulps > example.ulps) example = ExampleOf(operands, want, got, offset, first, ulps);
  return error_class;
}

void ErrorSurvey::Merge(const ErrorSurvey& other) {
  elements_ += other.elements_;
  ulp_sum_ += other.ulp_sum_;
  for (int i = 0; i < kErrorClasses; ++i) {
    classes_[i] += other.classes_[i];
    if (IsWorse(other.examples_[i], examples_[i])) examples_[i] = other.examples_[i];
  }
  for (int i = 0; i < kBuckets; ++i) histogram_[i] += other.histogram_[i];
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].most_ulps = std::max(columns_[i].most_ulps, other.columns_[i].most_ulps);
    columns_[i].not_exact += other.columns_[i].not_exact;
    columns_[i].wrong_specials += other.columns_[i].wrong_specials;
  }
  outside_ += other.outside_;
  if (IsWorse(other.norm_, norm_)) norm_ = other.norm_;
  TakeVerdict(other.verdict_, other.reason_, other.worst_, other.share_);
}

json ErrorSurvey::ToJson() const {
  json classes = json::object(), histogram = json::array(), columns = json::array();
  for (int i = 0; i < kErrorClasses; ++i) {
    json entry = {{"count", classes_[i]}};
    if (examples_[i].input >= 0) entry["example"] = assay::ToJson(examples_[i]);
    classes[std::string(ErrorClassName(ErrorClass(i)))] = std::move(entry);
  }
  for (int i = 0; i < kBuckets; ++i) {
    if (histogram_[i] > 0) histogram.push_back({{"bucket", i}, {"ulps", BucketName(i)}, {"count", histogram_[i]}});
  }
  for (const Column& column : columns_) {
    columns.push_back({column.most_ulps, column.not_exact, column.wrong_specials});
  }
  json result = {{"verdict", VerdictName(verdict_)},
                 {"reason", reason_},
                 {"elements", elements_},
                 {"not_exact", not_exact()},
                 {"outside", outside_},
                 {"max_ulps", most_ulps()},
                 {"mean_ulps", mean_ulps()},
                 {"ulp_sum", ulp_sum_},
                 {"classes", std::move(classes)},
                 {"histogram", std::move(histogram)},
                 {"columns", std::move(columns)}};
  if (worst_.input >= 0) result["worst"] = assay::ToJson(worst_);
  if (std::isfinite(share_) && share_ > 0) result["share"] = share_;
  if (norm_.input >= 0) result["norm"] = assay::ToJson(norm_);
  return result;
}

Result<ErrorSurvey> ErrorSurvey::FromJson(PrimitiveType type, const json& from) {
  ErrorSurvey survey(type);
  try {
    survey.verdict_ = VerdictNamed(from.at("verdict").get<std::string>());
    survey.reason_ = from.at("reason");
    survey.elements_ = from.at("elements");
    survey.ulp_sum_ = from.at("ulp_sum");
    survey.outside_ = from.at("outside");
    if (from.contains("worst")) survey.worst_ = ExampleFrom(from["worst"]);
    if (from.contains("norm")) survey.norm_ = ExampleFrom(from["norm"]);
    survey.share_ = from.value("share", 0.0);
    for (int i = 0; i < kErrorClasses; ++i) {
      const json& entry = from.at("classes").at(std::string(ErrorClassName(ErrorClass(i))));
      survey.classes_[i] = entry.at("count");
      if (entry.contains("example")) survey.examples_[i] = ExampleFrom(entry["example"]);
    }
    for (const json& entry : from.at("histogram")) survey.histogram_.at(entry.at("bucket")) = entry.at("count");
    const json& columns = from.at("columns");
    for (std::size_t i = 0; i < survey.columns_.size(); ++i) {
      survey.columns_[i] = {columns.at(i).at(0), columns.at(i).at(1), columns.at(i).at(2)};
    }
  } catch (const std::exception& error) {
    return Error{ErrorCode::kInput, fmt::format("no survey of errors: {}", error.what())};
  }
  return survey;
}

}  // namespace assay
