// The interface of libFuzzer's targets. Each one is a file NAME_fuzzer.cc with ASSAY_FUZZ_TARGET(NAME) and the body of
// a function of the input's `text`. No input may end the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "backends/process/temporary_folder.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/limits.h"

// libFuzzer links a program of each target with this entry point; spec_tests/fuzz/replay.cc links all targets.
#ifdef ASSAY_LIBFUZZER
#define ASSAY_FUZZ_ENTRY(name)                                                              \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {       \
    assay::fuzz_targets::name(std::string_view(reinterpret_cast<const char*>(data), size)); \
    return 0;                                                                               \
  }
#else
#define ASSAY_FUZZ_ENTRY(name)
#endif
#define ASSAY_FUZZ_TARGET(name)     \
  namespace assay::fuzz_targets {   \
  void name(std::string_view text); \
  }                                 \
  ASSAY_FUZZ_ENTRY(name)            \
  void assay::fuzz_targets::name(std::string_view text)

namespace assay {

// Ends the process if a required property does not hold.
void Require(bool holds, std::string_view what);

// Limits of memory and time for the lifetime of this object. A short text can declare an array of any size: a large one
// is an error, as on the command line. Long evaluations end with an error, too; code that ignores the time limit is
// reported as a hang.
class SmallLimits {
 public:
  static constexpr std::int64_t kBytes = std::int64_t{64} << 20;
  static constexpr double kSeconds = 2;

  SmallLimits() : arrays_(kBytes), time_(kSeconds, "the fuzzer's") {}

 private:
  ArrayLimit arrays_;
  TimeLimit time_;
};

// Returns the module of a text that the verifier accepts and that needs few devices only; null for any other text.
// Elided constants have values.
std::unique_ptr<HloModule> ReadLegalModule(std::string_view text);

// Returns the same seed for the same bytes: targets that draw start from it.
std::uint64_t SeedOf(std::string_view text);

class TargetFolder {
 public:
  TargetFolder();
  const std::string& path() const { return folder_.path(); }
  // Writes the text to a file in the folder and returns its path. Creates the file's parent folder.
  std::string Write(std::string_view name, std::string_view text) const;

 private:
  TemporaryFolder folder_;
};

}  // namespace assay
