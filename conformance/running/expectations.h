// The expected verdicts of a backend, each with its reason (docs/formats.md#expectations).
#pragma once

#include <string>
#include <vector>

#include "interpreter/types/result.h"

namespace assay {

class CheckReport;

// The field of an expectations file that accepts crashes that do not happen again. Its value is the reason.
inline constexpr const char* kDiedOnce = "died_once";

class Expectations {
 public:
  // Reads a file of expectations. An empty path expects nothing but success.
  static Result<Expectations> Read(const std::string& path);

  // Returns the names of the verdicts in the first entry that matches a case; empty if none matches.
  std::vector<std::string> Of(const std::string& name) const;
  // True if the backend is known to crash on cases that succeed alone, for example because it damages its memory.
  bool accept_single_deaths() const { return accept_single_deaths_; }
  // Returns the names of the entries that match none of these cases, because the cases no longer exist.
  std::vector<std::string> FittingNone(const std::vector<std::string>& cases) const;

 private:
  struct Entry {
    std::string name;
    std::vector<std::string> verdicts;
  };
  std::vector<Entry> entries_;
  bool accept_single_deaths_ = false;
};

// Rewrites the file or creates it. A failed case gets an entry whose reason begins with "not examined: ". If an entry
// is wrong about a case, an entry for that case alone is inserted before it, removed, or changed to the new verdict.
// Entries that match no case are removed if `has_run_all`. All others stay unchanged. Returns a line with the numbers
// of changes. Fails if the file cannot be read or written; it is written atomically.
Result<std::string> UpdateExpectations(const std::string& path, const CheckReport& report, bool has_run_all);

}  // namespace assay
