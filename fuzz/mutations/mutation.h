// Mutations of programs: each makes another program of about the same structure. The verifier decides whether a mutant
// is legal.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/diagnosis/subject.h"
#include "fuzz/generate/random.h"
#include "fuzz/rewrites/rewrite.h"

namespace assay {

struct NamedSubject {
  std::string name;
  Subject subject;
};

// A program under mutation.
struct ProgramMutant {
  Candidate candidate;
  generate::Random& random;
  std::span<const NamedSubject> others;  // programs that may join it
};

struct Mutation {
  std::string_view name;
  Applied (*apply)(ProgramMutant& mutant);
};

// A mutation that replaces the value at one site by another value of its shape; null if it does not apply there.
using Replacement = HloInstruction* (*)(Site& site);

template <Replacement kReplacement>
Applied AtSomeSite(ProgramMutant& mutant) {
  return Apply(mutant.candidate, mutant.random, {"", kReplacement});
}

std::span<const Mutation> MutationsOfInstructions();  // another op, operand, attribute or instruction; none
std::span<const Mutation> MutationsOfShapes();        // sizes, element types, annotations
std::span<const Mutation> MutationsOfValues();        // arguments and constants
std::span<const Mutation> MutationsOfStructure();     // calls, conditionals, loops, another root, another program
std::vector<Mutation> AllMutations();

// Returns a value of the shape, computed from `value`: converted, cut off and filled up with zeros. Null if one of them
// is no array of fixed sizes.
HloInstruction* Adapted(Site& site, HloInstruction* value, const Shape& shape);

// Returns an instruction before the site, in its computation, that `fits`; null if there is none.
template <class Fits>
HloInstruction* AnyBefore(Site& site, const Fits& fits) {
  std::vector<HloInstruction*> found;
  for (const auto& instruction : site.at().parent->instructions) {
    if (instruction.get() == &site.at()) break;
    if (fits(*instruction)) found.push_back(instruction.get());
  }
  return found.empty() ? nullptr : site.random().OneOf(found);
}

// True if the instruction may be the counter of a loop. Such instructions are not changed: most changed loops never
// end.
bool MayCount(const HloInstruction& instruction);

struct Mutated {
  Subject subject;
  std::vector<std::string_view> mutations;  // in the order of their application
  std::int64_t refused = 0;                 // illegal mutants, in whose place others were drawn
};

// Returns the legal subject after up to `count` mutations.
Mutated Mutate(const Subject& subject, std::span<const NamedSubject> others, generate::Random& random,
               std::int64_t count);

}  // namespace assay
