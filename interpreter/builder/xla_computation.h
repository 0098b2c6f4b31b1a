// What a builder builds: a module that has passed the verifier. It runs through Evaluate (evaluator/evaluator.h),
// prints as HLO text, and can be called from other computations.
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
  // No computation: what calls it is an error.
  XlaComputation() = default;
  explicit XlaComputation(std::shared_ptr<const HloModule> module) : module_(std::move(module)) {}

  bool IsNull() const { return module_ == nullptr; }
  const std::string& name() const;
  const HloModule& module() const { return *module_; }
  const std::shared_ptr<const HloModule>& shared_module() const { return module_; }

  // Parameters and result. An error when there is no computation.
  Result<ProgramShape> GetProgramShape() const;
  // The module as HLO text, constants in full. Empty when there is no computation.
  std::string ToString() const;

  // The specification's example of ReduceWindow passes its computation as *max.
  const XlaComputation& operator*() const { return *this; }

 private:
  std::shared_ptr<const HloModule> module_;
};

}  // namespace assay::xla
