// The verdicts of a shadow, counted from its journal. The journal is written while the program runs; each line is a
// JSON object:
//
//   {"run": {"plugin": S, "version": S, "profile": S, "share": S}}        a program begins
//   {"program": S, "execution": N, "verdict": S, "reason": S, "seconds": X, "report": {...}, "finding": S}
//   {"program": S, "execution": N, "not_judged": S, "times": N}           with the reason
//   {"programs": N, "executions": N}                                      the program ends
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/types/result.h"

namespace assay::pjrt {

inline constexpr std::string_view kJournal = "journal.jsonl";

class ShadowTally {
 public:
  // Counts a line. Fails with kInput if it is not a line of a journal.
  Status Take(const nlohmann::json& line);

  bool has_failures() const { return !failures_.empty(); }
  // Returns the table of verdicts, the reasons for not judging, and the failures, each with its folder.
  std::string Text() const;

 private:
  struct Failure {
    std::string text, folder;
    std::int64_t times = 1;
  };
  struct NotJudged {
    std::int64_t times = 0;
    std::string program;  // the first program with this reason
  };

  void TakeVerdict(const nlohmann::json& line);
  std::string Table() const;
  std::int64_t CountNotJudged() const;

  std::string plugin_, profile_, share_;  // of the last run
  std::int64_t programs_ = 0, executions_ = 0;
  double seconds_ = 0;
  std::map<std::string, std::int64_t> verdicts_;
  std::map<std::string, NotJudged> not_judged_;  // by reason
  std::vector<Failure> failures_;
};

}  // namespace assay::pjrt
