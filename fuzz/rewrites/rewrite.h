// Rewrites of a module that preserve its results: a backend must return the same for both modules. Each one follows
// from the specification alone, so they judge a backend without a second implementation, and at sizes for which the
// reference is too slow.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/diagnosis/subject.h"
#include "fuzz/generate/random.h"
#include "interpreter/hlo/module.h"

namespace assay {

// The starting point of a rewrite: an instruction whose value is an array of fixed size, or a call. New instructions
// are inserted after it.
class Site {
 public:
  Site(Candidate& candidate, HloInstruction& at, generate::Random& random);

  HloInstruction& at() { return at_; }
  const Shape& shape() const { return at_.shape; }
  PrimitiveType type() const { return shape().element_type(); }
  std::int64_t rank() const { return shape().rank(); }
  generate::Random& random() { return random_; }
  Candidate& candidate() { return candidate_; }

  // Adds an instruction. Its shape is inferred if `shape` is absent. An illegal instruction makes the whole rewrite
  // fail later.
  HloInstruction* Add(std::string_view op, std::vector<HloInstruction*> operands,
                      std::vector<Attribute> attributes = {}, std::optional<Shape> shape = std::nullopt);
  // Repeats the instruction, on other operands.
  HloInstruction* Again(std::vector<HloInstruction*> operands, const Shape& shape);
  HloInstruction* Again() { return Again(at_.operands, at_.shape); }
  HloInstruction* Constant(Literal literal);
  // Adds a constant of a number that the type can represent.
  HloInstruction* Scalar(PrimitiveType type, double number);
  HloInstruction* Filled(const Shape& shape, double number);
  // Adds a slice of [start, limit) in one dimension.
  HloInstruction* Slice(HloInstruction* value, std::int64_t dimension, std::int64_t start, std::int64_t limit,
                        std::int64_t stride = 1);
  // Adds the instructions of a computation, with its parameters replaced by `arguments`. Returns the copy of the root.
  HloInstruction& Inline(const HloComputation& callee, const std::vector<HloInstruction*>& arguments);
  // Does the same for the entry of another module, whose other computations join the module.
  HloInstruction& Inline(std::unique_ptr<HloModule> other, const std::vector<HloInstruction*>& arguments);
  // Adds a computation with these parameters before that of the instruction.
  HloComputation& NewComputation(std::string_view name, const std::vector<Shape>& parameters);
  // Adds a computation that applies the instruction to its parameters.
  HloComputation& Outlined();

  bool has_failed() const { return has_failed_; }

 private:
  HloInstruction* Place(std::unique_ptr<HloInstruction> instruction);

  Candidate& candidate_;
  HloInstruction& at_;
  generate::Random& random_;
  std::size_t added_ = 0;
  bool has_failed_ = false;
};

// True if the instruction's result is an array that depends on its operands only, and it has no side effect: a copy of
// it has the same value.
bool IsRepeatable(const HloInstruction& instruction);

// Returns the inverse permutation.
Int64List InverseOf(const Int64List& permutation);

struct Rewrite {
  std::string_view name;
  // Returns an instruction with the same value; null if the rewrite does not apply to the site.
  HloInstruction* (*same)(Site& site);
};

enum class Applied { kYes, kNowhere, kFailed };

// Applies a rewrite to the first of the sites, in random order, to which it applies: replaces all uses of the site's
// value, or one of three times a single one. kFailed leaves an illegal candidate.
Applied Apply(Candidate& candidate, generate::Random& random, const Rewrite& rewrite);

std::span<const Rewrite> RewritesOfPlaces();        // move elements and move them back
std::span<const Rewrite> RewritesOfNumbers();       // change numbers and change them back
std::span<const Rewrite> RewritesOfInstructions();  // compute the same by other instructions
std::span<const Rewrite> RewritesOfCalls();  // change computations, loops, conditionals, and the sources of values
std::vector<Rewrite> AllRewrites();

struct Rewritten {
  Subject subject;
  std::vector<std::string_view> rewrites;  // in the order of their application
};

// Returns the subject after up to `count` rewrites at places of the entry and of the computations that it calls;
// nothing if none applies.
std::optional<Rewritten> RewriteSome(const Subject& subject, generate::Random& random, std::int64_t count,
                                     std::span<const Rewrite> rewrites);

}  // namespace assay
