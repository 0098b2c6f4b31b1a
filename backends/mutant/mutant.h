// Seeded faults: each mutant is the reference with one rule of one op broken, in one place. A judge that passes its
// results has a hole; so has a corpus that does not notice it (docs/judging.md#how-the-checker-is-measured).
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
  std::string_view op;  // the mnemonic; empty for a fault of a whole backend
  std::string rule;     // the faulty rule, in a sentence
  // Break the op's record, its instructions (or the computations that they call), or both.
  void (*break_op)(Op& op) = nullptr;
  void (*edit)(HloInstruction& instruction) = nullptr;
  // If not empty, says why every profile but `exact` permits the faulty results.
  std::string_view open = {};
  // If not empty, says why no golden can hold this op, or so large an array. Handwritten mutants of this kind have
  // their own tests.
  std::string_view beyond_goldens = {};
  // True for a control, which has no fault: a checker that kills it is wrong.
  bool is_control = false;
  // The name of the operator that made the mutant (operators/operators.h); empty for handwritten ones.
  std::string_view made_by = {};
  // Changes an instruction of the op, and may look at its operands. Returns false if it does not apply.
  std::function<bool(HloInstruction&)> rewrite = {};
  // Damages the right results of a whole module, on all devices. Such a mutant has no op.
  std::function<void(PerDevice<Literal>&)> damage = {};
  // If not empty, says why no result can differ.
  std::string_view equivalent = {};
};

// Returns the handwritten mutants of one op, sorted by id.
const std::vector<Mutant>& AllMutants();
// Returns the handwritten mutants that rewrite two instructions as a faulty pass does, sorted by id. Each instruction
// alone stays right.
const std::vector<Mutant>& PairMutants();
// Returns the faults of quantization and dequantization, sorted by id. They rewrite several instructions: programs
// detect them, such as those of golden/quantized.
const std::vector<Mutant>& QuantizationMutants();
// Returns the faults of a whole backend that show only in large results or on other devices. A corpus of small arrays
// notices none of them.
const std::vector<Mutant>& DamageMutants();
// Returns a sample: the handwritten mutants of one op, and of every operator `each` or more, at even distances.
std::vector<const Mutant*> SampleOfMutants(std::size_t each);
// Returns the lists of all mutants that are written by hand.
std::vector<const std::vector<Mutant>*> HandwrittenMutants();
// Returns the mutant with this id; null if there is none.
const Mutant* FindMutant(std::string_view id);

// Returns the op's record with the fault, which overrides the right one.
Op BrokenOp(const Mutant& mutant);
// Changes the module as the mutant requires. Returns false if this leaves the module as it is, or would make it
// illegal.
bool EditModule(const Mutant& mutant, std::unique_ptr<HloModule>& module);

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

// Opens a mutant. Fails with kUsage for an unknown id; the message lists all but those that operators make.
Result<std::unique_ptr<Backend>> OpenMutant(std::string_view id);

}  // namespace assay
