// Construction of new modules from parts of another one.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "interpreter/hlo/module.h"

namespace assay {

// Returns a module whose entry applies each of the instructions to parameters of its own: the first instruction's
// operands are the first parameters, and so on. An instruction that completes an asynchronous pair is copied with its
// start, whose operands become the parameters. The root is the instruction itself if there is only one; otherwise a
// tuple of them. Called computations are copied. `retype` maps the element type of each array. Control predecessors and
// annotations are dropped, except result_accuracy and a backend_config that is an argument. The module has the devices
// of the old one if an instruction depends on them; otherwise one device.
std::unique_ptr<HloModule> ExtractInstructions(std::span<const HloInstruction* const> instructions,
                                               const std::function<PrimitiveType(PrimitiveType)>& retype = {});

// A leaf of a value: an array of a tuple, or the array itself.
struct Leaf {
  const HloInstruction* instruction = nullptr;
  std::vector<std::int64_t> tuple_index;

  bool operator==(const Leaf&) const = default;
  const Literal& Of(const Literal& value) const;
};
// Returns every array of a value, in the order of its shape.
std::vector<Leaf> LeavesOf(const HloInstruction& instruction);

// Instructions of a computation as a module of their own, with their connections.
struct Region {
  std::unique_ptr<HloModule> module;
  std::vector<Leaf> parameters;                // the leaves of the computation that the module's parameters replace
  std::vector<const HloInstruction*> results;  // returned: a tuple of all their leaves, or the one result itself
};

// Returns a module that computes `computed`, including the constants and tuples among their operands; their other
// operands become parameters. The module returns `results`, or, if that is empty, the instructions of `computed` that
// no other of them uses. Annotations are dropped, except result_accuracy and a backend_config that is an argument.
Region ExtractRegion(const HloComputation& computation, const std::set<const HloInstruction*>& computed,
                     std::vector<const HloInstruction*> results = {});

}  // namespace assay
