// Rewrites of a module that leave its results what they are: two modules of which a backend must make the same. Each
// follows from the specification alone, so they judge a backend where there is no second implementation, and at sizes
// at which the reference is too slow.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/subject.h"
#include "generate/random.h"
#include "interpreter/hlo/module.h"

namespace assay {

// An instruction with a fixed array as its value, or one that calls something, where a rewrite begins. What is added
// stands behind it.
class Site {
 public:
  Site(Candidate& candidate, HloInstruction& at, generate::Random& random);

  HloInstruction& at() { return at_; }
  const Shape& shape() const { return at_.shape; }
  PrimitiveType type() const { return shape().element_type(); }
  std::int64_t rank() const { return shape().rank(); }
  generate::Random& random() { return random_; }
  Candidate& candidate() { return candidate_; }

  // Adds an instruction. Its shape is inferred where none is given. What is illegal makes the whole rewrite fail later.
  HloInstruction* Add(std::string_view op, std::vector<HloInstruction*> operands,
                      std::vector<Attribute> attributes = {}, std::optional<Shape> shape = std::nullopt);
  // The instruction once more, on other operands.
  HloInstruction* Again(std::vector<HloInstruction*> operands, const Shape& shape);
  HloInstruction* Again() { return Again(at_.operands, at_.shape); }
  HloInstruction* Constant(Literal literal);
  // A number that the type has.
  HloInstruction* Scalar(PrimitiveType type, double number);
  HloInstruction* Filled(const Shape& shape, double number);
  // [start, limit) of one dimension.
  HloInstruction* Slice(HloInstruction* value, std::int64_t dimension, std::int64_t start, std::int64_t limit,
                        std::int64_t stride = 1);
  // A computation in front of that of the instruction; it has the parameters.
  HloComputation& NewComputation(std::string_view name, const std::vector<Shape>& parameters);
  // One that does to its parameters what the instruction does to its operands.
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

// Whether the instruction gives an array that depends on its operands alone, and does nothing else: another one like it
// has the same value.
bool IsRepeatable(const HloInstruction& instruction);

// The permutation that undoes another one.
Int64List InverseOf(const Int64List& permutation);

struct Rewrite {
  std::string_view name;
  // An instruction with the same value; null where the rewrite has nothing to do with the site.
  HloInstruction* (*same)(Site& site);
};

std::span<const Rewrite> RewritesOfPlaces();        // elements go away and come back
std::span<const Rewrite> RewritesOfNumbers();       // numbers do
std::span<const Rewrite> RewritesOfInstructions();  // the same by other instructions
std::span<const Rewrite> RewritesOfCalls();         // computations, loops, choices, and where values come from
std::vector<Rewrite> AllRewrites();

struct Rewritten {
  Subject subject;
  std::vector<std::string_view> rewrites;  // in their order
};

// The subject after up to `count` rewrites at places of the entry and of what it calls; nothing where none applies.
std::optional<Rewritten> RewriteSome(const Subject& subject, generate::Random& random, std::int64_t count,
                                     std::span<const Rewrite> rewrites);

}  // namespace assay
