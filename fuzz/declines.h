// The programs that a backend declines, learnt from its answers, so that fewer of them are drawn (docs/fuzzing.md).
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

// The parts of a module for which a backend may decline it, sorted: "shuffle", "add f4e2m1fn", "pad padding negative",
// "type s1", "select of one value", "several devices".
std::vector<std::string> FeaturesOf(const HloModule& module);

// The features for which a backend declines programs.
struct DeclinedFeatures {
  std::set<std::string> names;

  bool HasOneOf(const std::vector<std::string>& features) const;
};

enum class Answer { kNone, kAccepted, kDeclined };

// A program, and what the backend answered.
struct AnsweredProgram {
  std::vector<std::string> features;
  Answer answer = Answer::kNone;
  std::string reason;  // of a declined one
};

// The answers of a backend, and the features that explain the declined programs.
class Answers {
 public:
  void Add(const AnsweredProgram& program);

  // Returns few features that explain as many declined programs as possible. Among the programs that were declined for
  // one reason it takes the feature that most of them share, if hardly any accepted program has it and chance does not
  // explain it, then the feature that most of the others share. Once many programs were accepted, an op that is in none
  // of them explains a declined program by itself.
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
  // Returns the knowledge by which a program is drawn. Waits for the answers that it rests on, or for Stop().
  std::shared_ptr<const DeclinedFeatures> Before(std::int64_t program);
  // Adds the answer to a program. Every program needs one call, unless the run stops.
  void Add(std::int64_t program, AnsweredProgram answered);
  // Ends all waiting: no further program is judged.
  void Stop();
  // Returns what the backend is now known to decline.
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
