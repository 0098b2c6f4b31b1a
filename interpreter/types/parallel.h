// Loops over independent pieces of work on every hardware thread.
#pragma once

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

// Threads that take part in a ParallelFor, the calling one included.
int ParallelThreads();

}  // namespace assay
