// New modules made of pieces of another one.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "interpreter/hlo/module.h"

namespace assay {

// A module whose entry applies each of the instructions to parameters of its own: the first instruction's operands are
// the first parameters, and so on. What ends an asynchronous pair comes with its start, whose operands count. The root
// is the instruction itself when there is one, a tuple of them otherwise.
// Called computations are copied. `retype` gives the element type that each array of the copy has. Control predecessors
// and annotations stay behind, but for result_accuracy and a backend_config that is an argument. The module has the
// devices of the old one where an instruction depends on them, else one.
std::unique_ptr<HloModule> ExtractInstructions(std::span<const HloInstruction* const> instructions,
                                               const std::function<PrimitiveType(PrimitiveType)>& retype = {});

// A part of a value: an array of a tuple, or the array itself.
struct Leaf {
  const HloInstruction* instruction = nullptr;
  std::vector<std::int64_t> tuple_index;

  bool operator==(const Leaf&) const = default;
  const Literal& Of(const Literal& value) const;
};
// Every array of a value, in the order in which they stand in its shape.
std::vector<Leaf> LeavesOf(const HloInstruction& instruction);

// Some instructions of a computation as a module of their own, still connected.
struct Region {
  std::unique_ptr<HloModule> module;
  std::vector<Leaf> parameters;                // of the computation: what the module's parameters stand for
  std::vector<const HloInstruction*> results;  // what it returns: a tuple of all their leaves, or the one result itself
};

// The module computes `computed`, and constants and tuples that these take; what else they take are its parameters. It
// returns `results`; where there are none, those of `computed` that no other of them uses. Annotations stay behind, but
// for result_accuracy and a backend_config that is an argument.
Region ExtractRegion(const HloComputation& computation, const std::set<const HloInstruction*>& computed,
                     std::vector<const HloInstruction*> results = {});

}  // namespace assay
