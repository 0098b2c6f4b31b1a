#include "conformance/tracing/float_event.h"

#include <fmt/format.h>

#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/number_in_text.h"

namespace assay {
namespace {

constexpr std::string_view kEventNames[] = {"nan", "inf", "subnormal", "overflow", "cancellation"};
constexpr std::string_view kPowerOfTwo = ">2^";
// 2^2098 is the ratio of the largest number of f64 to the smallest one.
constexpr int kMostCancelledBits = 2098;

bool IsSubnormalNumber(PrimitiveType type, double number) {
  return FloatFormatOf(type).has_subnormals && number != 0 && std::fabs(number) < LeastNormal(type);
}

}  // namespace

std::string TracedEvent::Name() const {
  std::string name(kEventNames[static_cast<int>(event)]);
  return event == FloatEvent::kCancellation ? fmt::format("{}{}{}", name, kPowerOfTwo, bits) : name;
}

Result<TracedEvent> ParseTracedEvent(std::string_view text) {
  for (const TracedEvent& known : AllTracedEvents()) {
    const std::string_view name = kEventNames[static_cast<int>(known.event)];
    if (text == name) return known;
    if (known.event != FloatEvent::kCancellation || !text.starts_with(name)) continue;
    std::string_view digits = text.substr(name.size());
    if (!digits.starts_with(kPowerOfTwo)) break;
    digits.remove_prefix(kPowerOfTwo.size());
    const auto bits = NumberInText<int>(digits);
    if (!bits || *bits < 0 || *bits > kMostCancelledBits) break;
    return TracedEvent{known.event, *bits};
  }
  return Error{ErrorCode::kUsage,
               fmt::format("expected nan, inf, subnormal, overflow or cancellation>2^K with K from 0 to {}, found {}",
                           kMostCancelledBits, text)};
}

std::vector<TracedEvent> AllTracedEvents() {
  return {{FloatEvent::kNan},
          {FloatEvent::kInfinity},
          {FloatEvent::kSubnormal},
          {FloatEvent::kOverflow},
          {FloatEvent::kCancellation, kStandardCancellation}};
}

bool MayBeResultOf(FloatEvent event, PrimitiveType type, double number) {
  switch (event) {
    case FloatEvent::kNan:
      return std::isnan(number);
    case FloatEvent::kInfinity:
      return std::isinf(number);
    case FloatEvent::kSubnormal:
      return IsSubnormalNumber(type, number);
    case FloatEvent::kOverflow: {
      const FloatFormat& format = FloatFormatOf(type);
      return format.has_infinity                ? std::isinf(number)
             : format.nan != NanEncoding::kNone ? std::isnan(number)
                                                : std::fabs(number) == LargestFinite(type);
    }
    case FloatEvent::kCancellation:
      break;
  }
  return false;
}

bool Brings(FloatEvent event, PrimitiveType type, double number) {
  return event == FloatEvent::kOverflow ? !std::isfinite(number) : MayBeResultOf(event, type, number);
}

bool Overflows(PrimitiveType type, double number) {
  if (!std::isfinite(number)) return false;
  // Ties round to the even significand, which for an odd largest number is the next power of two.
  const double largest = LargestFinite(type), halfway = largest / 2 + FirstBeyond(type) / 2;
  const bool is_odd = (FloatFormatOf(type).max_finite_bits() & 1) != 0;
  return is_odd ? std::fabs(number) >= halfway : std::fabs(number) > halfway;
}

}  // namespace assay
