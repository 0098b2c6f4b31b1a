// Loops over independent pieces of work on every hardware thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

namespace assay {

// Puts the calling thread into the default floating-point environment (round to nearest, no flushing of subnormal
// operands or results, exceptions masked) and restores what it found when it goes out of scope.
class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment();
  ~DefaultFloatEnvironment();
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
  unsigned saved_;
};

// Calls body(begin, end) for the pieces [0, grain), [grain, 2 * grain), ... of [0, n), in any order and on any of the
// threads of the process' pool, in the default floating-point environment. Returns when all have finished.
//
// The pieces depend on n and grain alone, so a body sees the same ranges on every machine. With a single piece, inside
// another ParallelFor, or while another thread occupies the pool, they run one after the other on the calling thread.
// An exception ends the loop early; of several, the one from the lowest range is rethrown. The limits of the calling
// thread (limits.h) hold for all of them and are looked at before each piece.
void ParallelFor(std::int64_t n, std::int64_t grain,
                 const std::function<void(std::int64_t begin, std::int64_t end)>& body);

// Grains of loops over elements: the least work that is worth a piece of its own.
inline constexpr std::int64_t kMovedPerPiece = 1 << 16;     // elements that are moved or added
inline constexpr std::int64_t kComputedPerPiece = 1 << 14;  // elements that one or a few operations compute
inline constexpr std::int64_t kDearPerPiece = 1 << 13;      // elements that take tens of operations

// The grain of a loop each of whose turns is about `elements` elements.
constexpr std::int64_t GrainOfRows(std::int64_t elements, std::int64_t per_piece) {
  return std::max<std::int64_t>(1, per_piece / std::max<std::int64_t>(1, elements));
}

// Threads that take part in a ParallelFor, the calling one included.
int ParallelThreads();

}  // namespace assay
