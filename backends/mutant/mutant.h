// Seeded faults: each mutant is the reference with one rule of one op broken, in one place. A judge that passes what it
// returns has a hole, a corpus that does not notice has one too (docs/verdicts.md#how-the-checker-is-measured).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "backends/reference/reference.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay {

struct Mutant {
  std::string id;
  std::string_view op;  // the mnemonic
  std::string rule;     // the faulty one, in a sentence
  // What is broken: the op's record, its instructions (or what they call), or both.
  void (*break_op)(Op& op) = nullptr;
  void (*edit)(HloInstruction& instruction) = nullptr;
  // Not empty: the fault lies within what every profile but `exact` leaves open, and this says why.
  std::string_view open = {};
  // Not empty: no golden can hold this op, or so large an array, and this says why. Such mutants by hand are killed by
  // tests of their own.
  std::string_view beyond_goldens = {};
  // No fault at all: a checker that kills it is wrong.
  bool is_control = false;
  // Of a mutant that an operator has made (operators/operators.h): the operator's name.
  std::string_view made_by = {};
  // What is done to each instruction of the op, and may look at its operands. False: it does not apply to this one.
  std::function<bool(HloInstruction&)> rewrite = {};
  // Not empty: no result can differ, and this says why.
  std::string_view equivalent = {};
};

// Those written by hand, sorted by id.
const std::vector<Mutant>& AllMutants();
// Those that rewrite two instructions, each of which alone stays right, as a faulty pass does it; by hand, sorted too.
const std::vector<Mutant>& PairMutants();
// Null when none has this id.
const Mutant* FindMutant(std::string_view id);

// The op's record as the mutant has it, which overrides the right one, and what it does to a module before it runs.
Op BrokenOp(const Mutant& mutant);
// The second gives how many instructions have changed: none where the changed module would not be legal.
std::int64_t EditModule(const Mutant& mutant, std::unique_ptr<HloModule>& module);

class MutantBackend final : public Backend {
 public:
  explicit MutantBackend(const Mutant& mutant);

  const BackendDescription& description() const override { return reference_.description(); }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;

 private:
  const Mutant& mutant_;
  const Op broken_;
  const OpOverrides overrides_;
  ReferenceBackend reference_;  // with the broken op
};

// kUsage names the known ones.
Result<std::unique_ptr<Backend>> OpenMutant(std::string_view id);

}  // namespace assay
