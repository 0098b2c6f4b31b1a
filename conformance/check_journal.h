// What a check has found so far, a line a file of cases, in its report folder: a check that was killed goes on from it.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/outcome.h"

namespace assay {

class CheckJournal {
 public:
  // Opens FOLDER/journal.jsonl, which one check alone can have open. Its first line is `run`: what was asked for, of
  // whom. To resume, that must be the same as before; without a journal there is nothing to resume, and it begins.
  // kUsage for another run's journal, or where another check has it open.
  static Result<std::unique_ptr<CheckJournal>> Open(const std::string& folder, const nlohmann::json& run, bool resume);
  ~CheckJournal();
  CheckJournal(const CheckJournal&) = delete;
  CheckJournal& operator=(const CheckJournal&) = delete;

  // How many files of cases an earlier run has ended.
  std::size_t size() const { return found_.size(); }
  // What it found in this one; null if it has not ended it.
  const std::vector<Outcome>* Find(const std::string& file) const;
  // Adds what came of a file, all or nothing.
  Status Append(const std::string& file, const std::vector<Outcome>& outcomes);

 private:
  CheckJournal(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  Status Read(const nlohmann::json& run);
  Status Begin(const nlohmann::json& run);
  Status AppendLine(const nlohmann::json& line);

  std::string path_;
  int descriptor_;
  std::map<std::string, std::vector<Outcome>> found_;
};

}  // namespace assay
