// Lawful noise: a backend that uses, at random, the freedoms of a profile and no others. Its results are legal by
// construction: it really adds in some order, and its functions really are off by so many units. A judge that rejects a
// result is wrong (docs/judging.md#how-the-checker-is-measured).
#pragma once

#include <cstdint>

#include "backends/backend.h"
#include "interpreter/acceptance/profile.h"

namespace assay {

class LawfulBackend final : public Backend {
 public:
  // Each seed determines one result of a module with its inputs.
  LawfulBackend(Profile profile, std::uint64_t seed);

  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;

 private:
  const Profile profile_;
  const std::uint64_t seed_;
  BackendDescription description_;
};

}  // namespace assay
