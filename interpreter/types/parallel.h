// Loops over independent pieces of work on every hardware thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

namespace assay {

// Sets the default floating-point environment for the calling thread: round to nearest, no flushing of subnormal
// operands or results, exceptions masked. Restores the previous environment when it goes out of scope.
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
// The pieces depend on n and grain alone, so a body sees the same ranges on every machine. The pieces run in order on
// the calling thread if there is only one, inside another ParallelFor, and while another thread occupies the pool. An
// exception ends the loop early; of several, the one from the lowest range is rethrown. The limits of the calling
// thread (limits.h) hold for all pieces and are checked before each.
void ParallelFor(std::int64_t n, std::int64_t grain,
                 const std::function<void(std::int64_t begin, std::int64_t end)>& body);

// Grains of loops over elements: the least work worth a piece of its own.
inline constexpr std::int64_t kMovedPerPiece = 1 << 16;     // elements that are moved or added
inline constexpr std::int64_t kComputedPerPiece = 1 << 14;  // elements that one or a few operations compute
inline constexpr std::int64_t kDearPerPiece = 1 << 13;      // elements that take tens of operations each

// Returns the grain of a loop whose iterations each process about `elements` elements.
constexpr std::int64_t GrainOfRows(std::int64_t elements, std::int64_t per_piece) {
  return std::max<std::int64_t>(1, per_piece / std::max<std::int64_t>(1, elements));
}

// Returns the number of threads that take part in a ParallelFor, the calling one included.
int ParallelThreads();

}  // namespace assay
