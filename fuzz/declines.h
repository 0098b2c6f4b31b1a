// The kinds of programs that a backend declines, learnt from its answers, so that fewer of them are drawn
// (docs/fuzzing.md#what-a-backend-declines).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "interpreter/hlo/module.h"

namespace assay {

// Returns the features of a module that may be a reason to decline it, sorted: "shuffle", "add f4e2m1fn", "pad padding
// negative", "type s1", "select of one value", "several devices".
std::vector<std::string> FeaturesOf(const HloModule& module);

// The features for which a backend declines programs.
struct DeclinedFeatures {
  std::set<std::string> names;

  bool HasOneOf(const std::vector<std::string>& features) const;
};

enum class Answer { kNone, kAccepted, kDeclined };

// The features of a program, and the backend's answer.
struct AnsweredProgram {
  std::vector<std::string> features;
  Answer answer = Answer::kNone;
  std::string reason;  // why the backend declined it
};

// The answers of a backend, and the features that explain the declined programs.
class Answers {
 public:
  void Add(const AnsweredProgram& program);

  // Returns few features that explain as many declined programs as possible. For the programs that were declined for
  // one reason, it takes the feature that most of them share, unless accepted programs have it too or it may be shared
  // by chance. It repeats this for the programs without that feature. After many accepted programs, an op that none of
  // them has explains a declined program alone.
  DeclinedFeatures Learn() const;

 private:
  using Ids = std::vector<std::size_t>;

  Ids IdsOf(const std::vector<std::string>& features);
  // Learns from the programs of one reason that no learnt feature explains.
  void LearnFrom(std::vector<const Ids*> unexplained, std::set<std::size_t>& learnt) const;
  // Learns the op of a program that nothing explains, if it is the only one that no accepted program has.
  void Suspect(const Ids& declined, std::set<std::size_t>& learnt) const;
  bool IsMoreGeneral(std::size_t a, std::size_t b) const { return names_[a].size() < names_[b].size(); }

  std::unordered_map<std::string, std::size_t> ids_;
  std::vector<std::string> names_;                    // by id
  std::vector<std::int64_t> accepted_, rejected_;     // the programs that have the feature, by id
  std::map<std::string, std::vector<Ids>> declined_;  // the features of the declined programs, by reason
  std::int64_t accepted_programs_ = 0;
};

// Learns from the programs of a run in blocks. A program is drawn by what the blocks before the previous one have
// shown, so the programs of a run depend on its seed and on the answers, not on the number of threads.
class DeclineLearner {
 public:
  // Returns the features to avoid in drawing a program. Waits for the answers to the blocks before the previous one, or
  // for Stop().
  std::shared_ptr<const DeclinedFeatures> Before(std::int64_t program);
  // Adds the answer to a program. Every program needs one call, unless the run stops.
  void Add(std::int64_t program, AnsweredProgram answered);
  // Ends all waits. No further program may be judged.
  void Stop();
  // Returns the features learnt from all complete blocks.
  DeclinedFeatures Known();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::int64_t, AnsweredProgram> waiting_;  // of blocks that are not complete
  Answers answers_;                                  // of the complete blocks
  // Element k is learnt from the first k blocks.
  std::vector<std::shared_ptr<const DeclinedFeatures>> known_ = {std::make_shared<DeclinedFeatures>()};
  bool is_stopped_ = false;
};

}  // namespace assay
