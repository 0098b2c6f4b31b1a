#include "conformance/reports/repro_expected.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "backends/json/array_json.h"
#include "backends/json/json_text.h"
#include "conformance/exporting/accepted_values.h"
#include "conformance/exporting/number_line.h"
#include "conformance/exporting/result_judge.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

using nlohmann::json;

// The seconds for finding the ranges. Without ranges the script compares less.
constexpr double kSearchSeconds = 20;

// Returns [mask, low, high]: the masked bits of each NaN of a format are in this range; null if it has none.
json NanRange(const FloatFormat& format) {
  const std::uint64_t magnitude = format.magnitude_mask();
  switch (format.nan) {
    case NanEncoding::kIeee:
      return {magnitude, magnitude - format.mantissa_mask() + 1, magnitude};
    case NanEncoding::kAllOnes:
      return {magnitude, magnitude, magnitude};
    case NanEncoding::kNegativeZero:
      return {magnitude | format.sign_mask(), format.sign_mask(), format.sign_mask()};
    case NanEncoding::kNone:
      break;
  }
  return nullptr;
}

json PositionToJson(NumberLine::Position position) {
  return position < 0 ? json(static_cast<std::int64_t>(position)) : json(static_cast<std::uint64_t>(position));
}

// Describes how to read the numbers of an array.
json ArrayToCompare(const Literal& want) {
  const PrimitiveType type = ComplexComponentType(want.element_type());
  json array = ArrayToJson(want);
  array["part_bytes"] = StorageBytes(type);
  array["parts"] = ComponentCount(want.element_type());
  array["is_signed"] = IsSignedIntegralType(type);
  array["sign_bit"] = array["magnitude"] = array["nan"] = nullptr;
  if (IsFloatingPointType(type)) {
    const FloatFormat& format = FloatFormatOf(type);
    array["sign_bit"] = format.sign_mask();
    array["magnitude"] = format.magnitude_mask();
    array["nan"] = NanRange(format);
  }
  array["accept"] = json::object();
  array["compared"] = nullptr;  // every element
  return array;
}

// Adds the accepted ranges of an array: for a number of the array its pairs of positions, or "nan".
void AddRanges(const Literal& want, const std::vector<AcceptedRange>& ranges, json& array) {
  const NumberLine line(ComplexComponentType(want.element_type()));
  const int parts = ComponentCount(want.element_type());
  for (const AcceptedRange& range : ranges) {
    json& accepted = array["accept"][std::to_string(range.element * parts + range.part)];
    if (range.is_nan) {
      accepted.push_back("nan");
    } else {
      accepted.push_back({PositionToJson(line.Of(range.low)), PositionToJson(line.Of(range.high))});
    }
  }
}

using Ranges = std::vector<std::vector<AcceptedRange>>;  // by array

// Returns no ranges if they cannot express the verdicts, or do not exclude the result of the backend.
Ranges FindRanges(const ReproSubject& subject, const ReproFinding& finding, const Profile& profile) {
  const TimeLimit time(kSearchSeconds, "the ranges of repro.py");
  const Result<Ranges> ranges = WithoutThrowing([&]() -> Result<Ranges> {
    ASSAY_TRY(const AcceptedValues accepted,
              FindAcceptedValues(*subject.module, subject.arguments, subject.exact, profile, {}));
    ResultJudge judge(*subject.module, subject.arguments, subject.exact, profile, {});
    const std::vector<Verdict> verdicts = judge.Judge(*finding.got);
    return std::ranges::count(verdicts, Verdict::kFail) > 0 ? accepted.arrays : Ranges();
  });
  return ranges ? *ranges : Ranges();
}

// Returns the numbers of the elements of an array that failed.
json FailedIn(const Literal& array, const ReproSubject& subject, const ReproFinding& finding) {
  json numbers = json::array();
  for (const Place& place : finding.failed) {
    if (&place.LeafOf(subject.exact.want) == &array) numbers.push_back(place.offset);
  }
  return numbers;
}

}  // namespace

std::string ExpectedText(const ReproSubject& subject, const ReproFinding& finding, const Profile& profile) {
  const Ranges ranges = FindRanges(subject, finding, profile);
  const Literal& want = subject.exact.want;
  const std::int64_t devices = subject.module->device_count();
  json outputs = json::array();
  std::size_t number = 0;
  for (std::int64_t device = 0; device < devices; ++device) {
    json arrays = json::array();
    for (const Literal* leaf : ArraysIn(devices > 1 ? want.elements()[static_cast<std::size_t>(device)] : want)) {
      json array = ArrayToCompare(*leaf);
      if (number < ranges.size()) AddRanges(*leaf, ranges[number], array);
      if (ranges.empty()) array["compared"] = FailedIn(*leaf, subject, finding);
      arrays.push_back(std::move(array));
      ++number;
    }
    outputs.push_back(std::move(arrays));
  }
  return JsonText({{"outputs_per_device", std::move(outputs)}}) + "\n";
}

}  // namespace assay
