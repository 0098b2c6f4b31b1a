// Seeded faults: each mutant is the reference with one rule of one op broken, in one place. A judge that passes what it
// returns has a hole, a corpus that does not notice has one too (docs/verdicts.md#how-the-checker-is-measured).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "backends/reference/reference.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay {

struct Mutant {
  std::string_view id;
  std::string_view op;    // the mnemonic
  std::string_view rule;  // the faulty one, in a sentence
  // What is broken: the op's record, its instructions (or what they call), or both.
  void (*break_op)(Op& op) = nullptr;
  void (*edit)(HloInstruction& instruction) = nullptr;
  // Not empty: the fault lies within what every profile but `exact` leaves open, and this says why.
  std::string_view open = {};
  // Not empty: no golden can hold this op, and this says why. Such a mutant is killed by tests of its own.
  std::string_view beyond_goldens = {};
  // No fault at all: a checker that kills it is wrong.
  bool is_control = false;
};

// Sorted by id.
const std::vector<Mutant>& AllMutants();
// Null when none has this id.
const Mutant* FindMutant(std::string_view id);

// The op's record as the mutant has it, which overrides the right one, and what it does to a module before it runs.
Op BrokenOp(const Mutant& mutant);
void EditModule(const Mutant& mutant, HloModule& module);

class MutantBackend final : public Backend {
 public:
  explicit MutantBackend(const Mutant& mutant);

  const BackendDescription& description() const override { return reference_.description(); }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;

 private:
  const Mutant& mutant_;
  const Op broken_;
  ReferenceBackend reference_;  // with the broken op
};

// kUsage names the known ones.
Result<std::unique_ptr<Backend>> OpenMutant(std::string_view id);

}  // namespace assay
