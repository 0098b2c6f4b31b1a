// The answers of a backend to every module that a check gave it, so that anybody can judge them again.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "backends/backend.h"

namespace assay {

// Answers by the digest of the module's text and its inputs. A question that was asked several times has several
// answers, in order. Thread-safe.
class RecordedRuns {
 public:
  static std::string Key(const HloModule& module, const DeviceValues& inputs);

  void Add(const std::string& key, const Result<PerDevice<Literal>>& answer);
  // Returns the next answer, or the last one again. Fails with kBackend if there is none.
  Result<PerDevice<Literal>> Take(const HloModule& module, const std::string& key);

  // The text has a line of JSON for each answer (docs/export.md#recorded-runs).
  std::string ToText() const;
  // Fails with kInput for a line that is no answer.
  Status Read(const std::string& text);

 private:
  std::mutex mutex_;
  std::map<std::string, std::deque<std::string>> lines_;  // of JSON, by key
  std::map<std::string, std::int64_t> repeated_;          // how often the last line of a key was the answer again
};

// A backend whose answers are recorded. Its evaluator has no host, so cases with infeed are UNSUPPORTED.
class RecordingBackend : public Backend {
 public:
  // Both arguments must outlive this.
  RecordingBackend(Backend& backend, RecordedRuns& runs);
  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;

 private:
  Backend& backend_;
  RecordedRuns& runs_;
  BackendDescription description_;
};

// A backend that gives recorded answers.
class ReplayingBackend : public Backend {
 public:
  // `runs` must outlive this.
  ReplayingBackend(BackendDescription description, RecordedRuns& runs)
      : description_(std::move(description)), runs_(runs) {}
  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;

 private:
  const BackendDescription description_;
  RecordedRuns& runs_;
};

}  // namespace assay
