// The numbers that a trace looks for: NaN, infinities, subnormal numbers, overflow, cancellation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/types/primitive_type.h"
#include "interpreter/types/result.h"

namespace assay {

enum class FloatEvent {
  kNan,
  kInfinity,
  kSubnormal,
  kOverflow,      // the result of finite operands is too large for its type
  kCancellation,  // the largest term of a sum exceeds 2^bits times the exact sum
};

struct TracedEvent {
  FloatEvent event = FloatEvent::kNan;
  int bits = 0;  // of kCancellation

  // "nan", "inf", "subnormal", "overflow", "cancellation>2^10".
  std::string Name() const;
};

// The number of bits of kCancellation if none is given.
inline constexpr int kStandardCancellation = 10;

// Parses a name of TracedEvent::Name; "cancellation" alone has kStandardCancellation bits. Fails with kUsage.
Result<TracedEvent> ParseTracedEvent(std::string_view text);
// Returns every event, with kStandardCancellation.
std::vector<TracedEvent> AllTracedEvents();

// True if a number of a float type may be the event's result. For kOverflow: an infinity; NaN in a type without
// infinities; the largest finite number in a type without NaN. False for kCancellation, which no single number shows.
bool MayBeResultOf(FloatEvent event, PrimitiveType float_type, double number);
// True if a number of a float type, as an operand, has brought the event with it: the result then only passes it on.
bool Brings(FloatEvent event, PrimitiveType float_type, double number);

// True if a number becomes an infinity, NaN or the largest finite number by rounding to a float type, because it is too
// large. Infinities and NaN themselves do not overflow.
bool Overflows(PrimitiveType float_type, double number);

}  // namespace assay
