// The interface of the targets of libFuzzer: each is one file NAME_fuzzer.cc with ASSAY_FUZZ_TARGET(NAME) and the body
// of a function of `data` and `size`, for which no bytes may end the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/types/limits.h"

// libFuzzer makes a program of each target and calls this name in it; spec_tests/fuzz/replay.cc has all targets.
#ifdef ASSAY_LIBFUZZER
#define ASSAY_FUZZ_TARGET(name) extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
#else
#define ASSAY_DECLARE_FUZZ_TARGET(name)                 \
  namespace assay::fuzz_targets {                       \
  int name(const std::uint8_t* data, std::size_t size); \
  }
#define ASSAY_FUZZ_TARGET(name)   \
  ASSAY_DECLARE_FUZZ_TARGET(name) \
  int assay::fuzz_targets::name(const std::uint8_t* data, std::size_t size)
#endif

namespace assay {

inline std::string_view TextOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the process where what must hold does not.
void Require(bool holds, std::string_view what);

// A short text may ask for an array of any size: while this lives, one that is too large is an error, as it is on the
// command line. What takes long is ended too: a hang is what does not heed that.
class SmallLimits {
 public:
  static constexpr std::int64_t kBytes = std::int64_t{64} << 20;
  static constexpr double kSeconds = 2;

  SmallLimits() : arrays_(kBytes), time_(kSeconds, "the fuzzer's") {}

 private:
  ArrayLimit arrays_;
  TimeLimit time_;
};

// The module of a text that the verifier accepts and that runs on a few devices only; null for any other text. Elided
// constants have values.
std::unique_ptr<HloModule> ReadLegalModule(std::string_view text);

// The same for the same bytes: where a target draws, it starts here.
std::uint64_t SeedOf(std::string_view text);

}  // namespace assay
