// Checks that a program makes of its own values: the calls and the dialect of StableHLO's tests. A check that fails
// ends the evaluation.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/ffi_attributes.h"
#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/hlo/device.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

// The bounds of a call without a backend_config, as StableHLO's interpreter has them.
constexpr std::uint64_t kCloseUlps = 3;
constexpr double kAlmostTolerance = 1e-3, kEqTolerance = 1e-4;

Status CheckOfTwo(const HloInstruction& call) {
  const bool are_two = call.operands.size() == 2 && call.operand(0).shape.IsArray() &&
                       ShapeUtil::Compatible(call.operand(0).shape, call.operand(1).shape);
  if (!are_two) return BadCall(call, "operands must be two arrays of one shape");
  const bool is_predicate = call.shape.IsScalar() && call.shape.element_type() == PRED;
  if (is_predicate || (call.shape.IsTuple() && call.shape.tuple_shapes().empty())) return {};
  return BadCall(call, "the result must be () or pred[], found {}", call.shape.ToStringWithoutLayout());
}

std::uint64_t BitsAt(const Literal& array, std::int64_t component) {
  const int bytes = StorageBytes(ComplexComponentType(array.element_type()));
  std::uint64_t bits = 0;
  std::memcpy(&bits, array.data() + component * bytes, static_cast<std::size_t>(bytes));
  return bits;
}

// Counts the numbers between two finite ones; 0 between NaNs, and the most between any others that differ.
std::uint64_t UlpsBetween(const FloatFormat& format, std::uint64_t a, std::uint64_t b) {
  const double x = ToDouble(format, a), y = ToDouble(format, b);
  if (a == b || (std::isnan(x) && std::isnan(y))) return 0;
  if (!std::isfinite(x) || !std::isfinite(y)) return std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t p = a & format.magnitude_mask(), q = b & format.magnitude_mask();
  return std::signbit(x) != std::signbit(y) ? p + q : p > q ? p - q : q - p;
}

enum class Measure { kEqual, kDifference, kUlps };

// The differences that a check allows: as such, or in units in the last place between two ends.
struct Allowed {
  Measure measure = Measure::kEqual;
  double difference = 0;
  std::uint64_t least_ulps = 0, most_ulps = 0;
};

template <class Number>
Number ConfigOr(const HloInstruction& call, std::string_view key, Number fallback) {
  const Result<std::string> text = FfiAttribute(call, key);
  if (!text) return fallback;
  Number number = 0;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), number);
  return read.ec == std::errc() && read.ptr == text->data() + text->size() ? number : fallback;
}

Allowed AllowedBy(const HloInstruction& call) {
  const std::string_view target = call.String("custom_call_target");
  const bool is_real = IsInexactType(call.operand(0).shape.element_type());
  if (target == "check.expect_close") {
    return {.measure = Measure::kUlps,
            .least_ulps = ConfigOr(call, "min_ulp_difference", std::uint64_t{0}),
            .most_ulps = ConfigOr(call, "max_ulp_difference", kCloseUlps)};
  }
  if (target == "check.expect_almost_eq") return {Measure::kDifference, ConfigOr(call, "tolerance", kAlmostTolerance)};
  return target == "check.eq" && is_real ? Allowed{Measure::kDifference, kEqTolerance} : Allowed{};
}

bool IsWithin(const Allowed& allowed, const Literal& actual, const Literal& expected, std::int64_t component) {
  const std::uint64_t a = BitsAt(actual, component), b = BitsAt(expected, component);
  if (!IsInexactType(actual.element_type())) return a == b;
  const FloatFormat& format = FloatFormatOf(ComplexComponentType(actual.element_type()));
  const double x = ToDouble(format, a), y = ToDouble(format, b);
  if (allowed.measure == Measure::kEqual) return x == y;
  if (allowed.measure == Measure::kUlps) {
    const std::uint64_t ulps = UlpsBetween(format, a, b);
    return ulps >= allowed.least_ulps && ulps <= allowed.most_ulps;
  }
  return x == y || (std::isnan(x) && std::isnan(y)) || std::fabs(x - y) <= allowed.difference;
}

std::string ElementText(const Literal& array, std::int64_t offset) {
  if (!IsInexactType(array.element_type())) return fmt::format("{}", array.IntegerAt(offset));
  const FloatFormat& format = FloatFormatOf(ComplexComponentType(array.element_type()));
  const int parts = ComponentCount(array.element_type());
  const int digits = format.precision() > 24 ? 17 : 9;  // which tell any two numbers apart
  std::vector<std::string> numbers;
  for (int part = 0; part < parts; ++part) {
    numbers.push_back(fmt::format("{:.{}g}", ToDouble(format, BitsAt(array, offset * parts + part)), digits));
  }
  return parts == 1 ? numbers[0] : fmt::format("({})", JoinText(numbers, ", "));
}

Literal EvaluateCheck(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const Allowed allowed = AllowedBy(call);
  const Literal &actual = operands[0], &expected = operands[1];
  const int parts = ComponentCount(actual.element_type());
  for (std::int64_t i = 0; i < actual.element_count() * parts; ++i) {
    if (IsWithin(allowed, actual, expected, i)) continue;
    const std::int64_t offset = i / parts;
    throw EvaluationError{{ErrorCode::kCheck,
                           fmt::format("{}: element {} of {} is {}, expected {}", call.String("custom_call_target"),
                                       offset, actual.shape().ToStringWithoutLayout(), ElementText(actual, offset),
                                       ElementText(expected, offset)),
                           call.location}};
  }
  if (call.shape.IsTuple()) return Literal();
  Literal holds(call.shape);
  *holds.mutable_data() = std::byte{1};
  return holds;
}

// Returns which value of a probe a check compares, counted from 0.
Result<std::int64_t> IterationOf(const HloInstruction& call) {
  return FfiAttribute(call, "iteration") ? FfiInteger(call, "iteration") : 0;
}

Status CheckProbe(const HloInstruction& call) {
  const bool is_array = call.operands.size() == 1 && call.operand(0).shape.IsArray();
  if (!is_array) return BadCall(call, "it must have one array as its operand");
  ASSAY_TRY(const std::string probe, FfiAttribute(call, "probe_id"));
  ASSAY_TRY(const std::int64_t iteration, IterationOf(call));
  if (iteration < 0) return BadCall(call, "iteration must not be negative, found {}", iteration);
  const bool is_probe = call.String("custom_call_target") == "interpreter.probe";
  const Shape result = is_probe ? call.operand(0).shape : ShapeUtil::MakeTupleShape({});
  if (ShapeUtil::Compatible(call.shape, result)) return {};
  return BadCall(call, "the result must be {}, found {}", result.ToStringWithoutLayout(),
                 call.shape.ToStringWithoutLayout());
}

Literal EvaluateProbe(const HloInstruction& call, std::span<Literal> operands, Evaluation& evaluation) {
  evaluation.device().Recorded(*FfiAttribute(call, "probe_id")).push_back(operands[0]);
  return std::move(operands[0]);
}

Literal EvaluateCheckOfProbe(const HloInstruction& call, std::span<Literal> operands, Evaluation& evaluation) {
  const std::string probe = *FfiAttribute(call, "probe_id");
  const std::vector<Literal>& values = evaluation.device().Recorded(probe);
  const auto iteration = static_cast<std::size_t>(*IterationOf(call));
  if (iteration < values.size() && ShapeUtil::Compatible(values[iteration].shape(), operands[0].shape())) {
    Literal pair[] = {values[iteration], std::move(operands[0])};
    return EvaluateCheck(call, pair, evaluation);
  }
  throw EvaluationError{{ErrorCode::kCheck,
                         fmt::format("{}: the probe {} must have recorded a value {} of shape {}, found {} values",
                                     call.String("custom_call_target"), probe, iteration,
                                     operands[0].shape().ToStringWithoutLayout(), values.size()),
                         call.location}};
}

Status CheckInfeedValues(const HloInstruction& call) {
  const auto is_array = [](const HloInstruction* operand) { return operand->shape.IsArray(); };
  if (std::ranges::all_of(call.operands, is_array) && ShapeUtil::Compatible(call.shape, ShapeUtil::MakeTupleShape({})))
    return {};
  return BadCall(call, "operands must be arrays, and the result ()");
}

Literal EvaluateInfeedValues(const HloInstruction&, std::span<Literal> operands, Evaluation& evaluation) {
  for (Literal& value : operands) evaluation.device().AddFromHost(Literal::MakeTuple({std::move(value)}));
  return Literal();
}

const CustomCallTarget kCheckTargets[] = {
    {
        .names = {"check.expect_eq", "check.expect_close", "check.expect_almost_eq", "check.eq"},
        .meaning = "Ends the evaluation unless two arrays are equal, or as near as the call allows.",
        .check = CheckOfTwo,
        .evaluate = EvaluateCheck,
    },
    {
        .names = {"check.expect_serialized_eq"},
        .meaning = "Ends the evaluation unless value `iteration` of the probe `probe_id` is equal to an array.",
        .check = CheckProbe,
        .evaluate = EvaluateCheckOfProbe,
    },
    {
        .names = {"interpreter.infeed"},
        .meaning = "Adds the operands to the values that the host has for the device.",
        .check = CheckInfeedValues,
        .evaluate = EvaluateInfeedValues,
    },
    {
        .names = {"interpreter.probe"},
        .meaning = "Returns its operand, and records it under `probe_id`.",
        .check = CheckProbe,
        .evaluate = EvaluateProbe,
    },
};

}  // namespace

const TargetFamily targets_checks = kCheckTargets;

}  // namespace assay
