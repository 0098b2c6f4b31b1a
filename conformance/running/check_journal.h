// The journal of a check in its report folder: the results so far, one line for each file of cases, and one for each
// round of a repeated case that returned other bits. A check that was killed resumes from it.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/running/outcome.h"

namespace assay {

class CheckJournal {
 public:
  static constexpr const char* kName = "journal.jsonl";

  // Opens a journal of that name in the folder; only one check can have it open. Its first line is `run`: the options
  // of the check and its backend. To resume, `run` must equal the journal's; without a journal the check starts from
  // the beginning. Fails with kUsage for another run's journal, or if another check has it open. `job` identifies one
  // start of the check if several processes share it.
  static Result<std::unique_ptr<CheckJournal>> Open(const std::string& folder, const nlohmann::json& run, bool resume,
                                                    const std::string& name = kName, const std::string& job = "");
  ~CheckJournal();
  CheckJournal(const CheckJournal&) = delete;
  CheckJournal& operator=(const CheckJournal&) = delete;

  // Returns the number of case files that an earlier run has completed.
  std::size_t size() const { return found_.size(); }
  // Returns the outcomes of a completed file; null if it is not completed.
  const std::vector<Outcome>* Find(const std::string& file) const;
  // Merges the journal of another process of this job, once that process has ended. kBusy: it still runs. kNone: there
  // is no journal, or it is another job's.
  enum class Absorbed { kNone, kBusy, kDone };
  Absorbed Absorb(const std::string& path);
  // Merges the current contents of another journal of the same run, of whatever job. Ignores unreadable journals.
  void Peek(const std::string& path);

  // Returns the flips that earlier runs have found, by the name of the case.
  const std::map<std::string, Flips>& flips() const { return flips_; }

  // Appends the outcomes of a file, all or nothing.
  Status Append(const std::string& file, const std::vector<Outcome>& outcomes);
  // Appends all flips of a case so far, which replace those of earlier lines.
  Status AppendFlips(const std::string& name, const Flips& flips);

 private:
  CheckJournal(std::string path, int descriptor, nlohmann::json run, std::string job)
      : path_(std::move(path)), descriptor_(descriptor), run_(std::move(run)), job_(std::move(job)) {}
  Status Read();
  Status Begin();
  Status AppendLine(const nlohmann::json& line);

  using Found = std::map<std::string, std::vector<Outcome>>;
  struct Contents {
    Found found;
    std::map<std::string, Flips> flips;
    std::string job;  // the last job that wrote to the journal
  };
  // Parses the complete lines of a journal, which must be of this run.
  Result<Contents> Parse(const std::string& path, std::string_view text) const;

  std::string path_;
  int descriptor_;
  nlohmann::json run_;
  std::string job_;
  Found found_;
  std::map<std::string, Flips> flips_;
};

}  // namespace assay
