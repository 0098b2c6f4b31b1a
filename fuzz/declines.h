// The kinds of programs that a backend declines, learnt from its answers, so that fewer of them are drawn
// (docs/fuzzing.md#what-a-backend-declines).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>

#include "fuzz/answers.h"

namespace assay {

// Learns from the programs of a run in blocks. A program is drawn by what the blocks before the previous one have
// shown, so the programs of a run depend on its seed and on the answers, not on the number of threads. A run that
// continues from a state draws the programs that a run without a break would draw.
class DeclineLearner {
 public:
  // `first` is the number of the first program.
  explicit DeclineLearner(std::int64_t first = 0) : first_(first) {}
  // Returns the learner of a state. Throws nlohmann::json::exception if that is not one of StateAt(next).
  static std::unique_ptr<DeclineLearner> FromJson(const nlohmann::json& state, std::int64_t next);

  // Returns the features to avoid in drawing a program. Waits for the answers to the blocks before the previous one.
  // Returns null if Stop() ends this wait.
  std::shared_ptr<const DeclinedFeatures> Before(std::int64_t program);
  // Adds the answer to a program. Every program needs one call, unless the run stops.
  void Add(std::int64_t program, AnsweredProgram answered);
  // Ends all waits. No further program may be judged.
  void Stop();
  // Returns the features learnt from all complete blocks.
  DeclinedFeatures Known();
  // Forgets what is only needed to draw programs before `next`, all of which have been added: a long run keeps little.
  void Record(std::int64_t next);
  // Returns the state after the programs before `next`, all of which have been added. `next` may not be less than in an
  // earlier call of this or Record.
  nlohmann::json StateAt(std::int64_t next);

 private:
  using Block = std::map<std::int64_t, AnsweredProgram>;

  // The number of blocks from which known_.back() is learnt.
  std::int64_t complete() const { return known_from_ + std::ssize(known_) - 1; }
  void LearnFromCompleteBlocks();
  void RecordBlocks(std::int64_t next);

  const std::int64_t first_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::int64_t, Block> blocks_;  // by number; those that recorded_ does not have
  Answers answers_;                       // of the complete blocks
  // Element k is learnt from the first known_from_ + k blocks.
  std::deque<std::shared_ptr<const DeclinedFeatures>> known_ = {std::make_shared<DeclinedFeatures>()};
  std::int64_t known_from_ = 0;
  // The answers to the blocks that end before `next` of the last call of Record or StateAt.
  Answers recorded_;
  std::int64_t recorded_blocks_ = 0;
  bool is_stopped_ = false;
};

}  // namespace assay
