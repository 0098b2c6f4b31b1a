// The reference interpreter as a backend.
#pragma once

#include "backends/backend.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {

class ReferenceBackend final : public Backend {
 public:
  // With overrides it is the reference with other bodies for some ops; their records must outlive it.
  // `accelerated_ops` are for the description.
  explicit ReferenceBackend(std::string name = "reference", OpOverrides overrides = {},
                            std::optional<std::vector<std::string>> accelerated_ops = {});

  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;
  // The same of a module that the executable keeps.
  Result<std::unique_ptr<Executable>> Compile(std::unique_ptr<const HloModule> module);

 private:
  BackendDescription description_;
  OpOverrides overrides_;
};

}  // namespace assay
