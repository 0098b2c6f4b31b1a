// A base of passes that add instructions to a computation before their users.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "backends/lawful/algorithms/rewrites.h"
#include "backends/lawful/noise.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"

namespace assay {

// Visits the instructions of a computation in order. Instructions made on a visit precede the visited one.
class Rewriter {
 public:
  Rewriter(HloComputation& computation, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings)
      : computation_(computation), freedom_(freedom), noise_(noise), widenings_(widenings) {}
  virtual ~Rewriter() = default;
  void Rewrite();
  // Implements RewritePass for a class of rewriters.
  template <class Pass>
  static void ApplyTo(HloModule& module, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings);

 protected:
  virtual void Visit(HloInstruction& instruction) = 0;
  HloInstruction& Make(std::string_view op, const Shape& shape, std::vector<HloInstruction*> operands);
  // Makes the same operation on other operands, in another element type.
  HloInstruction& MakeLike(const HloInstruction& instruction, PrimitiveType type,
                           std::vector<HloInstruction*> operands);
  HloInstruction& Converted(HloInstruction& value, PrimitiveType type);
  // Makes an array of one real number.
  HloInstruction& Number(double number, const Shape& shape);
  // Converts an operand to a wider type for `user`, an instruction of the program that computes in that type.
  HloInstruction& Widened(HloInstruction& operand, PrimitiveType type, const HloInstruction& user);
  // Turns the instruction into a conversion of another value to its own type.
  static void BecomeConversionOf(HloInstruction& instruction, HloInstruction& value);

  // True if the freedom that the rewriter uses is open for an op.
  bool IsOpenFor(std::string_view op) const { return freedom_.IsOpenFor(op); }
  const Profile& profile() const { return freedom_.profile; }
  Noise& noise() { return noise_; }

 private:
  bool FlushesOperandsOf(const HloInstruction& user);
  HloInstruction& Keep(std::unique_ptr<HloInstruction> made);

  HloComputation& computation_;
  const RewritingFreedom freedom_;
  Noise& noise_;
  Widenings& widenings_;
  std::map<const HloInstruction*, bool> flushes_;  // the draw for each user of widenings
  std::vector<std::unique_ptr<HloInstruction>> kept_;
};

// Returns the entry and the computations that it calls, including those of loops and branches, but not those that folds
// apply.
std::vector<HloComputation*> StraightComputations(HloModule& module);

template <class Pass>
void Rewriter::ApplyTo(HloModule& module, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings) {
  for (HloComputation* computation : StraightComputations(module)) {
    Pass(*computation, freedom, noise, widenings).Rewrite();
  }
}

// True for an array without run-time sizes.
bool IsPlainArray(const Shape& shape);

}  // namespace assay
