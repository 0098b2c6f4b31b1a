// Lawful noise: a backend that uses, at random, the freedoms of a profile and no other. What it returns is legal by
// construction: sums are really added in some order, functions are really so many units off. A judge that rejects it is
// wrong (docs/verdicts.md#how-the-checker-is-measured).
#pragma once

#include <cstdint>

#include "backends/backend.h"
#include "interpreter/acceptance/profile.h"

namespace assay {

class LawfulBackend final : public Backend {
 public:
  // A module with its inputs has one result for each seed.
  LawfulBackend(Profile profile, std::uint64_t seed);

  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;

 private:
  const Profile profile_;
  const std::uint64_t seed_;
  BackendDescription description_;
};

}  // namespace assay
