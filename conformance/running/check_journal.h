// What a check has found so far, a line a file of cases, in its report folder: a check that was killed goes on from it.
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

  // Opens a file of that name in the folder, which one check alone can have open. Its first line is `run`: what was
  // asked for, of whom. To resume, that must be the same as before; without a journal there is nothing to resume, and
  // it begins. kUsage for another run's journal, or where another check has it open. `job` names one start of the
  // check, where several processes share it.
  static Result<std::unique_ptr<CheckJournal>> Open(const std::string& folder, const nlohmann::json& run, bool resume,
                                                    const std::string& name = kName, const std::string& job = "");
  ~CheckJournal();
  CheckJournal(const CheckJournal&) = delete;
  CheckJournal& operator=(const CheckJournal&) = delete;

  // How many files of cases an earlier run has ended.
  std::size_t size() const { return found_.size(); }
  // What it found in this one; null if it has not ended it.
  const std::vector<Outcome>* Find(const std::string& file) const;
  // Takes what the journal of another process of this job has, once that process has ended: kBusy until then; kNone
  // where there is none, or that of another job.
  enum class Absorbed { kNone, kBusy, kDone };
  Absorbed Absorb(const std::string& path);
  // Takes what another journal of the same run has by now, whatever its job was. What cannot be read is left out.
  void Peek(const std::string& path);

  // Adds what came of a file, all or nothing.
  Status Append(const std::string& file, const std::vector<Outcome>& outcomes);

 private:
  CheckJournal(std::string path, int descriptor, nlohmann::json run, std::string job)
      : path_(std::move(path)), descriptor_(descriptor), run_(std::move(run)), job_(std::move(job)) {}
  Status Read();
  Status Begin();
  Status AppendLine(const nlohmann::json& line);

  using Found = std::map<std::string, std::vector<Outcome>>;
  struct Contents {
    Found found;
    std::string job;  // the last one that wrote to it
  };
  // Of the whole lines of a journal, which must be of this run.
  Result<Contents> Parse(const std::string& path, std::string_view text) const;

  std::string path_;
  int descriptor_;
  nlohmann::json run_;
  std::string job_;
  Found found_;
};

}  // namespace assay
