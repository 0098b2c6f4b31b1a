// The answers of a backend to the modules of a check, recorded to be judged again later.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "backends/backend.h"

namespace assay {

// Answers by the digest of the module's text and its inputs. A module that ran several times on the same inputs has
// several answers, in order. Add and Take are thread-safe.
class RecordedRuns {
 public:
  // Returns the SHA-256 of the module's text followed by the JSON of the inputs.
  static std::string Key(const HloModule& module, const DeviceValues& inputs);

  void Add(const std::string& key, const Result<PerDevice<Literal>>& answer);
  // Returns the next answer, or the last one again. Fails with kBackend if there is none, with kInput if the answer has
  // no result of the root's shape for each device, and with the recorded error if the run failed.
  Result<PerDevice<Literal>> Take(const HloModule& module, const std::string& key);

  // Returns a line of JSON for each answer (docs/export.md#recorded-runs).
  std::string ToText() const;
  // Adds the answers of such a text. Fails with kInput for a line that is not an object with a key.
  Status Read(const std::string& text);

 private:
  std::mutex mutex_;
  std::map<std::string, std::deque<std::string>> lines_;  // of JSON, by key
  std::map<std::string, std::int64_t> repeated_;          // how often the last line of a key was the answer again
};

// A backend that passes modules to another one and records its answers. It has no host, so cases with infeed or outfeed
// are UNSUPPORTED.
class RecordingBackend : public Backend {
 public:
  // Both arguments must outlive this object.
  RecordingBackend(Backend& backend, RecordedRuns& runs);
  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;

 private:
  Backend& backend_;
  RecordedRuns& runs_;
  BackendDescription description_;
};

// A backend that returns recorded answers.
class ReplayingBackend : public Backend {
 public:
  // `runs` must outlive this object.
  ReplayingBackend(BackendDescription description, RecordedRuns& runs)
      : description_(std::move(description)), runs_(runs) {}
  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;

 private:
  const BackendDescription description_;
  RecordedRuns& runs_;
};

}  // namespace assay
