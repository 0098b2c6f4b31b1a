// The result of a builder: a module that has passed the verifier. Evaluate runs it (evaluator/evaluator.h), other
// computations can call it, and it prints as HLO text.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {
struct HloModule;
}

namespace assay::xla {

class XlaComputation {
 public:
  // Makes a null computation; calling it is an error.
  XlaComputation() = default;
  explicit XlaComputation(std::shared_ptr<const HloModule> module) : module_(std::move(module)) {}

  bool IsNull() const { return module_ == nullptr; }
  const std::string& name() const;
  const HloModule& module() const { return *module_; }
  const std::shared_ptr<const HloModule>& shared_module() const { return module_; }

  // Returns parameters and result. Fails for a null computation.
  Result<ProgramShape> GetProgramShape() const;
  // Returns the module as HLO text, with all constants in full; empty for a null computation.
  std::string ToString() const;

  // Returns the computation itself: the example of XLA, Operation Semantics, ReduceWindow, passes it as `*max`.
  const XlaComputation& operator*() const { return *this; }

 private:
  std::shared_ptr<const HloModule> module_;
};

}  // namespace assay::xla
