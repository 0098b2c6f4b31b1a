// The reference with changed bits in its results.
#pragma once

#include <cstdint>
#include <memory>

#include "backends/backend.h"
#include "fuzz/generate/random.h"
#include "interpreter/types/literal.h"

namespace assay {

// Changes up to three elements of each array to others of its type.
void Disturb(Literal& value, generate::Random& random);

// A backend that disturbs every result, or none.
class DisturbedBackend final : public Backend {
 public:
  DisturbedBackend(std::uint64_t seed, bool is_exact);

  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;

 private:
  friend class DisturbedExecutable;

  generate::Random random_;
  const bool is_exact_;
  BackendDescription description_;
};

}  // namespace assay
