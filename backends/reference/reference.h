// The reference interpreter as a backend.
#pragma once

#include "backends/backend.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {

class ReferenceBackend final : public Backend {
 public:
  // Creates the reference, with other bodies for some ops. The records of `overrides` must outlive the backend.
  // `accelerated_ops` goes into the description.
  explicit ReferenceBackend(std::string name = "reference", OpOverrides overrides = {},
                            std::optional<std::vector<std::string>> accelerated_ops = {});

  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;
  // As above, of a module that the executable owns.
  Result<std::unique_ptr<Executable>> Compile(std::unique_ptr<const HloModule> module);

 private:
  BackendDescription description_;
  OpOverrides overrides_;
};

}  // namespace assay
