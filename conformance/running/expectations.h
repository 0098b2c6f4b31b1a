// Verdicts of a backend that are known, each with its reason (docs/formats.md#expectations).
#pragma once

#include <string>
#include <vector>

#include "interpreter/types/result.h"

namespace assay {

// The field of a file of expectations that accepts deaths that do not happen again, with the reason.
inline constexpr const char* kDiedOnce = "died_once";

class Expectations {
 public:
  // Without a path nothing is expected but success.
  static Result<Expectations> Read(const std::string& path);

  // The names of the verdicts that the first fitting entry expects of a case; empty when none fits.
  std::vector<std::string> Of(const std::string& name) const;
  // True if the backend is known to die of cases that it does not die of alone, as one does that damages its memory.
  bool accept_single_deaths() const { return accept_single_deaths_; }
  // The names of the entries that fit none of these cases: what they are about is not there any more.
  std::vector<std::string> FittingNone(const std::vector<std::string>& cases) const;

 private:
  struct Entry {
    std::string name;
    std::vector<std::string> verdicts;
  };
  std::vector<Entry> entries_;
  bool accept_single_deaths_ = false;
};

}  // namespace assay
