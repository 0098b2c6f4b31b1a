// Repeated runs of the cases of a check, which show whether a backend always returns the same bits.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "conformance/running/outcome.h"

namespace assay {

// Runs cases again and compares the bits of their results with those of the first of these runs. A run that fails has
// its error as result. Random numbers (ops judged by their distribution), cases with a host and modules that must be
// refused are not repeated. Thread-safe.
class Repeats {
 public:
  // Compiles each case of a file anew and runs it `runs` times.
  void Run(Backend& backend, const CaseFile& file, const CaseOptions& options, std::int64_t runs);

  // Returns the cases that had several results, by name.
  std::map<std::string, Flips> Found() const;
  // Returns a line, "1200 further runs of 60 cases"; nothing if there were none.
  std::string ToString() const;

 private:
  // The results of a case so far.
  struct Seen {
    Result<Literal> first;
    Flips flips;
  };

  void Repeat(Backend& backend, const std::string& name, const HloModule& module, const DeviceValues& arguments,
              std::int64_t runs);
  void Add(const std::string& name, Result<Literal> result);

  mutable std::mutex mutex_;
  std::map<std::string, Seen> seen_;  // by name
};

}  // namespace assay
