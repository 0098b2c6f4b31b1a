// The reference interpreter as a backend.
#pragma once

#include "backends/backend.h"

namespace assay {

class ReferenceBackend final : public Backend {
 public:
  const BackendDescription& description() const override { return description_; }
  Result<std::vector<Literal>> Run(const HloModule& module, const std::vector<std::vector<Literal>>& inputs) override;

 private:
  BackendDescription description_{.name = "reference", .version = "0.1.0", .max_devices = 4096, .ops = {}, .types = {}};
};

}  // namespace assay
