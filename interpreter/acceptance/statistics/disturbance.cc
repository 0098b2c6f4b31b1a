#include "interpreter/acceptance/statistics/disturbance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

// Calls body(first, numbers) for the real components of an array, in blocks.
template <class Body>
void ForBlocks(const Literal& value, const Body& body) {
  const PrimitiveType type = ComplexComponentType(value.element_type());
  const std::int64_t count = value.element_count() * ComponentCount(value.element_type());
  ParallelFor(count, kComputedPerPiece, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> numbers(end - begin);
    LoadReals(type, value.data() + begin * StorageBytes(type), numbers.data(), end - begin);
    body(begin, numbers);
  });
}

// Adds an error to a finite number. The largest of a type stays if it may be a mask: one that programs use in place of
// an infinity is no sum near an overflow. Another largest number becomes smaller, not infinite.
void Move(double& number, double error, double largest, bool keeps_largest = true) {
  const bool is_largest = std::fabs(number) == largest;
  if (is_largest && keeps_largest) return;
  const double moved = is_largest ? number - std::copysign(error, number) : number + error;
  if (std::isfinite(moved)) number = moved;
}

// Returns the noise at a place of a stream, in [-1, 1).
double NoiseAt(std::uint64_t stream, std::int64_t place) {
  const std::uint64_t z = SplitMix(stream + static_cast<std::uint64_t>(place) * kSplitMixStep);
  return static_cast<double>(static_cast<std::int64_t>(z)) * 0x1p-63;
}

}  // namespace

bool IsRealArray(const Literal& value) { return value.shape().IsArray() && IsInexactType(value.element_type()); }

double LargestMagnitude(const Literal& value) { return IsRealArray(value) ? LargestValue(value) : 0; }

template <class Bound>
void Disturbance::AddUpTo(Literal& array, const Bound& bound, Kind kind) {
  if (!IsRealArray(array) || array.element_count() == 0) return;
  const PrimitiveType type = ComplexComponentType(array.element_type());
  const bool is_complex = IsComplexType(array.element_type());
  const double largest = LargestFinite(type);
  const std::uint64_t stream = stream_ += 0xD1B54A32D192ED03;
  const bool has_common = errors_ == Errors::kBiased && kind.source != Source::kRounding;
  const bool are_alike = are_alike_ && kind.source != Source::kSums;
  const double bias = has_common ? NoiseAt(stream, -1) / 2 : 0, share = has_common ? 0.5 : 1;
  std::byte* data = array.mutable_data();
  ForBlocks(array, [&](std::int64_t first, std::vector<double>& numbers) {
    double norm = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double x = numbers[i];
      // Blocks begin with a real part.
      if (!is_complex || kind.source == Source::kRounding) {
        norm = std::fabs(x);
      } else if (i % 2 == 0) {
        norm = std::max(std::fabs(x), std::fabs(numbers[i + 1]));
      }
      const std::int64_t place = first + static_cast<std::int64_t>(i);
      const double own = NoiseAt(stream, are_alike ? std::bit_cast<std::int64_t>(x) : place);
      const double noise = bias + share * own, most = bound(norm, place);
      // The sign of the noise must not decide: the errors would have a bias.
      if (kind.keeps_small && std::fabs(x) <= most && NoiseAt(~stream, place) < 0) continue;
      const double error = most * (kind.is_away_from_zero ? std::copysign(noise, x * noise) : noise);
      Move(numbers[i], error, largest, kind.keeps_largest);
    }
    StoreReals(type, numbers.data(), data + first * StorageBytes(type), static_cast<std::int64_t>(numbers.size()));
  });
}

void Disturbance::Add(Literal& value, double ulps, double terms) {
  for (Literal& element : value.mutable_elements()) Add(element, ulps, terms);
  if (!IsRealArray(value)) return;
  const double unit = 2 * UnitRoundoff(ComplexComponentType(value.element_type()));
  const double absolute = terms > 0 ? unit * std::max(terms, kUlpsOfNorm * LargestMagnitude(value)) : 0;
  if (std::isinf(absolute)) return SeeChoice();  // the terms may overflow
  // Below the normal numbers all units in the last place are equal.
  const double least = LeastNormal(ComplexComponentType(value.element_type()));
  // The terms may be those of another element, while those of this one are as small as it is: half of the numbers that
  // are smaller than their error stay.
  AddUpTo(value, [=](double norm, std::int64_t) { return ulps * unit * std::max(norm, least) + absolute; },
          {.source = absolute > 0 ? Source::kSums : Source::kFunction, .keeps_small = absolute > 0});
}

void Disturbance::AddOfFunction(Literal& value, double ulps) {
  for (Literal& element : value.mutable_elements()) AddOfFunction(element, ulps);
  if (!IsRealArray(value)) return;
  const PrimitiveType type = ComplexComponentType(value.element_type());
  const double unit = 2 * UnitRoundoff(type), least = LeastNormal(type);
  AddUpTo(value, [=](double norm, std::int64_t) { return ulps * unit * std::max(norm, least); },
          {.source = Source::kFunction, .keeps_largest = false});
}

void Disturbance::AddOfRounding(Literal& value) {
  for (Literal& element : value.mutable_elements()) AddOfRounding(element);
  if (!IsRealArray(value)) return;
  const PrimitiveType type = ComplexComponentType(value.element_type());
  const double unit = 2 * UnitRoundoff(type), least = LeastNormal(type);
  AddUpTo(value, [=](double norm, std::int64_t) { return unit * std::max(norm, least); },
          {.source = Source::kRounding});
}

void Disturbance::AddRelative(Literal& array, double share, double least) {
  AddUpTo(array, [=](double norm, std::int64_t) { return std::max(share * norm, least); }, {.is_away_from_zero = true});
}

void Disturbance::AddUpToEach(Literal& array, const Literal& bound) {
  const std::span<const double> bounds = bound.values<double>();
  AddUpTo(array, [=](double, std::int64_t place) { return bounds[place]; }, {.keeps_small = true});
}

void Disturbance::AddWithin(Literal& value, const Literal& bound, Sizes sizes) {
  for (std::size_t i = 0; i < value.elements().size(); ++i) {
    AddWithin(value.mutable_elements()[i], bound.elements()[i], sizes);
  }
  if (!IsRealArray(value) || value.element_count() == 0) return;
  const std::span<const double> bounds = bound.values<double>();
  saw_choices_ |= !std::ranges::all_of(bounds, [](double b) { return std::isfinite(b); });
  const PrimitiveType type = ComplexComponentType(value.element_type());
  const double largest = LargestFinite(type);
  const std::uint64_t stream = stream_ += 0xD1B54A32D192ED03;
  std::byte* data = value.mutable_data();
  ForBlocks(value, [&](std::int64_t first, std::vector<double>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::int64_t place = first + static_cast<std::int64_t>(i);
      const double noise = NoiseAt(stream, place);
      Move(numbers[i], bounds[place] * (sizes == Sizes::kAny ? noise : std::copysign(1, noise)), largest);
    }
    StoreReals(type, numbers.data(), data + first * StorageBytes(type), static_cast<std::int64_t>(numbers.size()));
  });
}

}  // namespace assay
