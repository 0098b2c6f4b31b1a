// The numbers of one element type in order, without NaN: the ends of accepted ranges are positions on this line.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "interpreter/acceptance/judge.h"
#include "interpreter/types/literal.h"

namespace assay {

class NumberLine {
 public:
  using Position = __int128;

  // `type` is pred, an integer type or a float type. For complex elements it is the type of the parts.
  explicit NumberLine(PrimitiveType type);

  PrimitiveType type() const { return type_; }
  Position first() const { return first_; }
  Position last() const { return last_; }
  Position Clamp(Position position) const;
  // Returns the position of a number, which must not be NaN. -0 is the position before +0. Infinities are the ends of
  // the line if the type has them.
  Position Of(std::uint64_t bits) const;
  std::uint64_t BitsAt(Position position) const;
  bool IsNan(std::uint64_t bits) const;

 private:
  PrimitiveType type_;
  Position first_, last_;
};

// Read and write the storage bits of one component of an array: a number, or a part of a complex number. The parts of
// element i are the components 2i and 2i + 1.
std::uint64_t ComponentBits(const Literal& array, std::int64_t component);
void SetComponentBits(Literal& array, std::int64_t component, std::uint64_t bits);

// A range of numbers of one component with the same verdict: LEGAL, SPEC-GAP or WEAK. If it contains the exact value,
// that value is EXACT.
struct AcceptedRange {
  std::int64_t element = 0;  // the row-major index in the array
  int part = 0;              // 1: the imaginary part of a complex number; otherwise 0
  Verdict verdict = Verdict::kLegal;
  bool is_nan = false;              // any NaN, instead of the numbers from `low` to `high`
  std::uint64_t low = 0, high = 0;  // the bits of both ends, which belong to the range
};

// The search for one component. It first probes landmarks: numbers at which verdicts are likely to change, random ones,
// and all numbers of types of at most 8 bits. Then it bisects between neighbours of different verdicts.
class ComponentSearch {
 public:
  // `want` has the bits of the exact value. `type` is not complex.
  ComponentSearch(PrimitiveType type, std::uint64_t want, std::mt19937_64& random);

  // Adds a number and its neighbours to the landmarks, because a freedom may accept this number alone.
  void AddLandmark(std::uint64_t bits);
  bool has_landmarks() const { return !landmarks_.empty(); }
  // Returns the bits of the next number to probe. Returns nothing if neighbours of different verdicts have no number
  // between them.
  std::optional<std::uint64_t> Next();
  // Takes the verdict of the number that Next returned last.
  void Take(Verdict verdict) { known_[probed_] = Counted(verdict); }

  // Returns a NaN to probe, if the type has one.
  std::optional<std::uint64_t> Nan() const;
  void TakeNan(Verdict verdict) { of_nan_ = verdict; }

  // Returns the verdict of a number that the probed numbers imply. Call it once Next() has returned nothing.
  Verdict At(std::uint64_t bits) const;
  // Draws a number: the lowest or highest of all ranges, one inside a range, or one near the exact value.
  enum class Draw { kLowest, kHighest, kInside, kAnywhere };
  std::uint64_t Random(Draw draw, std::mt19937_64& random) const;
  // Appends the ranges, except one that has the exact value only.
  void AppendRanges(std::int64_t element, int part, std::vector<AcceptedRange>& ranges) const;

 private:
  using Position = NumberLine::Position;
  struct Piece {
    Position low, high;
    Verdict verdict;
  };

  // The exact value counts as a number of the interval around it.
  static Verdict Counted(Verdict verdict) { return verdict == Verdict::kExact ? Verdict::kLegal : verdict; }
  // Returns a number whose distance to the exact one has a random order of magnitude.
  Position Near(std::mt19937_64& random) const;
  void AddLandmarks(std::mt19937_64& random);
  std::vector<Piece> Pieces() const;

  NumberLine line_;
  std::uint64_t want_;
  std::set<Position> landmarks_;
  std::map<Position, Verdict> known_;
  Position probed_ = 0;
  Verdict of_nan_ = Verdict::kFail;
};

}  // namespace assay
