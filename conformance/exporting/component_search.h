// The search for the accepted numbers of one component of a result: a number, or a part of a complex number.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "conformance/exporting/number_line.h"
#include "interpreter/acceptance/judge.h"

namespace assay {

// Numbers of one component with the same verdict: LEGAL, SPEC-GAP or WEAK. The exact value may be among them; it is
// EXACT.
struct AcceptedRange {
  std::int64_t element = 0;
  int part = 0;  // 1: the imaginary part
  Verdict verdict = Verdict::kLegal;
  bool is_nan = false;              // any NaN, instead of the numbers from `low` to `high`
  std::uint64_t low = 0, high = 0;  // bits
};

// Probes landmarks first: numbers at which verdicts are likely to change, random ones, and all of a short line. Then
// it bisects between neighbours of different verdicts.
class ComponentSearch {
 public:
  ComponentSearch(PrimitiveType type, std::uint64_t want, std::mt19937_64& random);

  // Adds a number, and those next to it, to the landmarks: one that a freedom accepts by itself.
  void AddLandmark(std::uint64_t bits);
  bool has_landmarks() const { return !landmarks_.empty(); }
  // Returns the bits of the next number to probe; nothing if every two neighbours have the same verdict, or no number
  // between them.
  std::optional<std::uint64_t> Next();
  // Takes the verdict of the number that Next returned last.
  void Take(Verdict verdict) { known_[probed_] = Counted(verdict); }

  // Returns a NaN to probe, if the type has one.
  std::optional<std::uint64_t> Nan() const;
  void TakeNan(Verdict verdict) { of_nan_ = verdict; }

  // Returns the verdict that the known ones imply.
  Verdict At(std::uint64_t bits) const;
  // Draws a number of the ranges, or an end of all of them.
  enum class Draw { kLowest, kHighest, kInside, kAnywhere };
  std::uint64_t Random(Draw draw, std::mt19937_64& random) const;
  // Appends the ranges. The exact value alone is none.
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
