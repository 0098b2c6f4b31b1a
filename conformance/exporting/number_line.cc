#include "conformance/exporting/number_line.h"

#include <algorithm>
#include <cstring>

#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// Returns the bits of a number's storage, which is whole bytes.
std::uint64_t StorageMask(PrimitiveType type) {
  const int bits = 8 * StorageBytes(type);
  return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

}  // namespace

NumberLine::NumberLine(PrimitiveType type) : type_(type), first_(0), last_(1) {
  const int bits = BitWidth(type);
  if (IsFloatingPointType(type)) {
    const FloatFormat& format = FloatFormatOf(type);
    last_ = static_cast<Position>(format.max_finite_bits()) + (format.has_infinity ? 1 : 0);
    first_ = format.has_sign ? -last_ - 1 : 0;
  } else if (IsIntegralType(type)) {
    const bool is_signed = IsSignedIntegralType(type);
    last_ = (static_cast<Position>(1) << (is_signed ? bits - 1 : bits)) - 1;
    first_ = is_signed ? -last_ - 1 : 0;
  }
}

NumberLine::Position NumberLine::Clamp(Position position) const { return std::clamp(position, first_, last_); }

NumberLine::Position NumberLine::Of(std::uint64_t bits) const {
  if (IsFloatingPointType(type_)) {
    const FloatFormat& format = FloatFormatOf(type_);
    const auto magnitude = static_cast<Position>(bits & format.magnitude_mask());
    return (bits & format.sign_mask()) != 0 ? -magnitude - 1 : magnitude;
  }
  if (!IsSignedIntegralType(type_)) return static_cast<Position>(bits & StorageMask(type_));
  const int shift = 64 - 8 * StorageBytes(type_);
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

std::uint64_t NumberLine::BitsAt(Position position) const {
  if (!IsFloatingPointType(type_)) return static_cast<std::uint64_t>(position) & StorageMask(type_);
  const FloatFormat& format = FloatFormatOf(type_);
  if (position >= 0) return static_cast<std::uint64_t>(position);
  // A format whose -0 is NaN has +0 in its place.
  if (position == -1 && !format.has_negative_zero) return 0;
  return static_cast<std::uint64_t>(-position - 1) | format.sign_mask();
}

bool NumberLine::IsNan(std::uint64_t bits) const {
  return IsFloatingPointType(type_) && FloatFormatOf(type_).is_nan(bits);
}

std::uint64_t ComponentBits(const Literal& array, std::int64_t component) {
  const int size = StorageBytes(ComplexComponentType(array.element_type()));
  std::uint64_t bits = 0;
  std::memcpy(&bits, array.data() + component * size, static_cast<std::size_t>(size));
  return bits;
}

void SetComponentBits(Literal& array, std::int64_t component, std::uint64_t bits) {
  const int size = StorageBytes(ComplexComponentType(array.element_type()));
  std::memcpy(array.mutable_data() + component * size, &bits, static_cast<std::size_t>(size));
}

namespace {

constexpr int kShortLine = 256;  // numbers
constexpr int kRandomLandmarks = 12;

}  // namespace

ComponentSearch::ComponentSearch(PrimitiveType type, std::uint64_t want, std::mt19937_64& random)
    : line_(type), want_(want) {
  AddLandmarks(random);
}

ComponentSearch::Position ComponentSearch::Near(std::mt19937_64& random) const {
  const auto bits = static_cast<int>(random() % static_cast<unsigned>(BitWidth(line_.type())));
  const auto distance = static_cast<Position>(random() >> (63 - bits));
  return line_.Clamp(line_.Of(want_) + (random() % 2 == 0 ? distance : -distance));
}

void ComponentSearch::AddLandmarks(std::mt19937_64& random) {
  const auto add = [&](Position position) { landmarks_.insert(line_.Clamp(position)); };
  const Position span = line_.last() - line_.first();
  for (Position at = 0; span < kShortLine && at <= span; ++at) add(line_.first() + at);
  for (const Position end : {line_.first(), line_.first() + 1, line_.last() - 1, line_.last()}) add(end);
  for (int at = -2; at <= 1; ++at) add(at);
  if (IsFloatingPointType(line_.type())) {
    const auto least_normal = static_cast<Position>(FloatFormatOf(line_.type()).mantissa_mask()) + 1;
    for (const Position at : {least_normal - 1, least_normal}) {
      add(at);
      add(-at - 1);
    }
  }
  for (int i = 0; i < kRandomLandmarks; ++i) {
    add(i % 2 == 0 ? line_.first() + static_cast<Position>(random()) % (span + 1) : Near(random));
  }
  AddLandmark(want_);
}

void ComponentSearch::AddLandmark(std::uint64_t bits) {
  for (int step = -2; !line_.IsNan(bits) && step <= 2; ++step) landmarks_.insert(line_.Clamp(line_.Of(bits) + step));
}

std::optional<std::uint64_t> ComponentSearch::Next() {
  if (has_landmarks()) {
    probed_ = landmarks_.extract(landmarks_.begin()).value();
    return line_.BitsAt(probed_);
  }
  for (auto at = known_.begin(); std::next(at) != known_.end(); ++at) {
    const auto next = std::next(at);
    if (at->second == next->second || next->first - at->first <= 1) continue;
    probed_ = at->first + (next->first - at->first) / 2;
    return line_.BitsAt(probed_);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> ComponentSearch::Nan() const {
  if (!IsFloatingPointType(line_.type())) return std::nullopt;
  const std::uint64_t nan = FloatFormatOf(line_.type()).nan_bits(false);
  return line_.IsNan(nan) ? std::optional(nan) : std::nullopt;
}

Verdict ComponentSearch::At(std::uint64_t bits) const {
  if (line_.IsNan(bits)) return line_.IsNan(want_) ? Verdict::kExact : of_nan_;
  if (bits == want_) return Verdict::kExact;
  return std::prev(known_.upper_bound(line_.Of(bits)))->second;
}

std::vector<ComponentSearch::Piece> ComponentSearch::Pieces() const {
  std::vector<Piece> pieces;
  for (const auto& [at, verdict] : known_) {
    if (pieces.empty() || pieces.back().verdict != verdict) pieces.push_back({at, at, verdict});
    pieces.back().high = at;
  }
  std::erase_if(pieces, [](const Piece& piece) { return piece.verdict == Verdict::kFail; });
  return pieces;
}

std::uint64_t ComponentSearch::Random(Draw draw, std::mt19937_64& random) const {
  const std::vector<Piece> pieces = Pieces();
  if (draw == Draw::kAnywhere) return line_.BitsAt(Near(random));
  if (pieces.empty()) return want_;
  if (draw == Draw::kLowest) return line_.BitsAt(pieces.front().low);
  if (draw == Draw::kHighest) return line_.BitsAt(pieces.back().high);
  const Piece& piece = pieces[random() % pieces.size()];
  return line_.BitsAt(piece.low + static_cast<Position>(random()) % (piece.high - piece.low + 1));
}

void ComponentSearch::AppendRanges(std::int64_t element, int part, std::vector<AcceptedRange>& ranges) const {
  for (const Piece& piece : Pieces()) {
    const std::uint64_t low = line_.BitsAt(piece.low), high = line_.BitsAt(piece.high);
    if (low == want_ && high == want_) continue;
    ranges.push_back({element, part, piece.verdict, false, low, high});
  }
  if (of_nan_ == Verdict::kExact || of_nan_ == Verdict::kFail) return;
  ranges.push_back({element, part, of_nan_, true, 0, 0});
}

}  // namespace assay
