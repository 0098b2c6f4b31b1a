// The memory of a loop's arrays. The state has one buffer per array. A step writes there directly if the turn no longer
// needs the old array, and else to a buffer of its own, from which the end of the turn copies.
#include <algorithm>
#include <climits>
#include <utility>
#include <vector>

#include "interpreter/kernels/loops/loop_program.h"
#include "interpreter/kernels/loops/movements.h"

namespace assay {
namespace {

// Beyond this, a turn would not stay in the second-level cache.
constexpr std::int64_t kMostMemory = 1 << 20;
constexpr int kNever = -1, kAlways = INT_MAX;

// The work between two checks of the limits, in units of some 100 ns at most.
constexpr std::int64_t kWorkBetweenChecks = 4096;

std::int64_t WorkOf(const ReplayStep& step) {
  if (step.loop != nullptr) return 1 + step.count / 256;
  return step.kernel != nullptr ? 4 + step.count / 16 : kWorkBetweenChecks;
}

int TurnsBetweenChecks(const LoopBlock& block) {
  std::int64_t work = 1;
  for (const ReplayStep& step : block.condition) work += WorkOf(step);
  for (const ReplayStep& step : block.body) work += WorkOf(step);
  return static_cast<int>(std::clamp<std::int64_t>(kWorkBetweenChecks / work, 1, 1024));
}

class BufferAssignment {
 public:
  explicit BufferAssignment(LoopProgram& program) : program_(program) {}

  bool Assign() {
    LoopBlock& main = program_.main;
    for (std::size_t i = 0; i < main.state.size(); ++i) {
      LoopArray& array = ArrayAt(main.state[i]);
      LoopBuffer buffer;
      if (array.IsSmall()) buffer.offset = NewMemory(array);
      if (main.Keeps(i) || !array.IsSmall()) buffer.state = static_cast<int>(i);
      array.buffer = NewBuffer(buffer);
    }
    for (LoopArray& array : program_.arrays) {
      if (array.constant == nullptr) continue;
      array.buffer = NewBuffer({.offset = array.IsSmall() ? NewMemory(array) : -1, .constant = array.constant});
    }
    return AssignBlock(main) && program_.memory_bytes <= kMostMemory;
  }

 private:
  LoopArray& ArrayAt(ArrayId id) { return program_.arrays[id]; }

  std::int64_t NewMemory(const LoopArray& array) {
    const std::int64_t offset = program_.memory_bytes;
    program_.memory_bytes += (array.padded_bytes() + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
    return offset;
  }

  int NewBuffer(LoopBuffer buffer) {
    program_.buffers.push_back(buffer);
    return static_cast<int>(program_.buffers.size()) - 1;
  }

  // Gives an array a buffer of its own. Returns false if the array is large.
  bool AssignOwn(ArrayId id) {
    LoopArray& array = ArrayAt(id);
    if (!array.IsSmall()) return false;
    array.buffer = NewBuffer({.offset = NewMemory(array)});
    return true;
  }

  // Assigns all buffers but those of the state.
  bool AssignBlock(LoopBlock& block) {
    const bool fits = AssignSteps(block.entry, {}) && AssignSteps(block.condition, {}) &&
                      AssignSteps(block.body, &block) && AppendCopies(block);
    block.turns_between_checks = TurnsBetweenChecks(block);
    return fits;
  }

  // Returns the last step of a list that reads each array. A list without a block keeps all arrays. The body of a block
  // may overwrite the state and its own arrays once it has read them.
  std::vector<int> LastReads(const std::vector<ReplayStep>& steps, const LoopBlock* block) const {
    std::vector<int> last_read(program_.arrays.size(), kAlways);
    if (block == nullptr) return last_read;
    for (const ArrayId id : block->state) last_read[id] = kNever;
    for (std::size_t p = 0; p < steps.size(); ++p) {
      for (const ArrayId id : steps[p].operands) {
        if (last_read[id] != kAlways) last_read[id] = static_cast<int>(p);
      }
      for (const ArrayId id : steps[p].results) {
        // An inner loop returns the operands that it keeps.
        if (std::ranges::find(steps[p].operands, id) == steps[p].operands.end()) last_read[id] = kNever;
      }
    }
    for (const ArrayId id : block->next) last_read[id] = kAlways;
    return last_read;
  }

  bool AssignSteps(std::vector<ReplayStep>& steps, const LoopBlock* block) {
    const std::vector<int> last_read = LastReads(steps, block);
    // The last step that reads each buffer.
    std::vector<int> busy_until(program_.buffers.size(), kAlways);
    if (block != nullptr) {
      for (const ArrayId id : block->state) busy_until[ArrayAt(id).buffer] = last_read[id];
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      ReplayStep& step = steps[i];
      const auto p = static_cast<int>(i);
      if (step.inner != nullptr && !AssignInner(step, p, busy_until)) return false;
      for (const ArrayId id : step.results) {
        if (step.inner == nullptr && !AssignResult(step, p, id, block, busy_until)) return false;
        busy_until.resize(program_.buffers.size(), kAlways);
        busy_until[ArrayAt(id).buffer] = last_read[id];
      }
    }
    return true;
  }

  bool AssignResult(const ReplayStep& step, int p, ArrayId id, const LoopBlock* block,
                    const std::vector<int>& busy_until) {
    if (step.overwrites == Overwrites::kFirstOperand && IsLastUse(step, 0, p, busy_until)) {
      ArrayAt(id).buffer = ArrayAt(step.operands[0]).buffer;
      return true;
    }
    if (!ArrayAt(id).IsSmall()) return false;
    for (std::size_t i = 0; block != nullptr && i < block->next.size(); ++i) {
      const int home = ArrayAt(block->state[i]).buffer;
      const bool may_be_read = step.overwrites == Overwrites::kAnyOperand;
      if (block->next[i] == id && (busy_until[home] < p || (may_be_read && busy_until[home] == p))) {
        ArrayAt(id).buffer = home;
        return true;
      }
    }
    return AssignOwn(id);
  }

  // True if nothing reads the i-th operand of step p after it, or as another operand of it.
  bool IsLastUse(const ReplayStep& step, std::size_t i, int p, const std::vector<int>& busy_until) {
    const ArrayId id = step.operands[i];
    return busy_until[ArrayAt(id).buffer] <= p && std::ranges::count(step.operands, id) == 1;
  }

  // Assigns the buffers of an inner loop. Its state is where its operand is, if the inner loop does not change it or
  // the outer one does not need it afterwards; and else a copy.
  bool AssignInner(ReplayStep& step, int p, const std::vector<int>& busy_until) {
    LoopBlock& inner = *step.inner;
    std::vector<ReplayStep> copies;
    for (std::size_t i = 0; i < inner.state.size(); ++i) {
      const ArrayId operand = step.operands[i];
      LoopArray& state = ArrayAt(inner.state[i]);
      if (inner.Keeps(i) || IsLastUse(step, i, p, busy_until)) {
        state.buffer = ArrayAt(operand).buffer;
      } else {
        if (!AssignOwn(inner.state[i])) return false;
        copies.push_back(Copy(operand, inner.state[i]));
      }
      ArrayAt(step.results[i]).buffer = state.buffer;
    }
    if (!AssignBlock(inner)) return false;
    inner.entry.insert(inner.entry.begin(), copies.begin(), copies.end());
    return true;
  }

  ReplayStep Copy(ArrayId from, ArrayId to) {
    return {.loop = CopyLoop(ArrayAt(from).padded_bytes()),
            .name = kCopyStep,
            .operands = {from},
            .results = {to},
            .count = ArrayAt(from).padded_bytes()};
  }

  // Appends the copies at the end of a turn. An array of the old state that becomes another one is copied first, before
  // a copy overwrites it.
  bool AppendCopies(LoopBlock& block) {
    std::vector<std::pair<ArrayId, ArrayId>> moves;
    for (std::size_t i = 0; i < block.state.size(); ++i) {
      if (ArrayAt(block.next[i]).buffer != ArrayAt(block.state[i]).buffer)
        moves.emplace_back(block.next[i], block.state[i]);
    }
    std::vector<ReplayStep> copies;
    for (auto& [from, to] : moves) {
      if (!ArrayAt(from).IsSmall()) return false;
      const bool is_overwritten = std::ranges::any_of(
          moves, [&, from = from](const auto& move) { return ArrayAt(move.second).buffer == ArrayAt(from).buffer; });
      if (is_overwritten) {
        const LoopArray array = ArrayAt(from);
        program_.arrays.push_back({.type = array.type, .count = array.count});
        const auto staged = static_cast<ArrayId>(program_.arrays.size()) - 1;
        AssignOwn(staged);
        block.body.push_back(Copy(from, staged));
        from = staged;
      }
      copies.push_back(Copy(from, to));
    }
    block.body.insert(block.body.end(), copies.begin(), copies.end());
    return true;
  }

  LoopProgram& program_;
};

}  // namespace

bool AssignBuffers(LoopProgram& program) { return BufferAssignment(program).Assign(); }

}  // namespace assay
