// The choices of a run: instructions that have many lawful results far from each other, and the outputs that follow
// from them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// An output array: its index in the tuple of the devices' results, if there are several devices, then in the results.
using OutputPath = std::vector<std::size_t>;

class Choices {
 public:
  // `want`: the reference's results. All but the number of devices must outlive this object.
  Choices(const HloModule& module, const Literal& want, const Profile& profile, std::size_t devices)
      : module_(module), want_(want), profile_(profile), devices_(devices) {}

  // Records an instruction with a choice, as the reference executed it: random numbers, or a factorization whose signs
  // or bases are free. `is_sampled`: runs choose among the lawful results, so that samples judge what follows.
  void Add(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
           bool is_sampled);
  // Judges an output of one device that is the result of a choice, which follows from no other choice, by its rule;
  // nullopt for other outputs. `got` holds all outputs of the backend. A part of the result that is no output is the
  // reference's.
  std::optional<Judgement> JudgeChoice(const OutputPath& output, const Literal& got) const;
  // True if an output is the result of sampled choices, moved or put into calls that have one result each
  // (`has_one_result`): then the signs that are free change its numbers in no steps but those of signs.
  bool IsUpToSigns(const OutputPath& output, bool (*has_one_result)(const HloInstruction&)) const;
  // True if an output is random numbers, and no rounding changes the operands that they are drawn by.
  bool IsRandom(const OutputPath& output) const;
  // Returns the instruction whose value an output is, also in a call or behind a selection that took all of a choice:
  // JAX selects NaN in its place if there is none.
  const HloInstruction& Producer(const OutputPath& output) const;
  // Returns a choice from which an output follows, and which is sampled or not; null if there is none.
  const HloInstruction* FindBefore(const OutputPath& output, bool is_sampled = false) const;

 private:
  struct Made {
    std::vector<Literal> operands;
    Literal result;
    bool is_sampled;
  };
  const HloInstruction* FindBefore(const HloInstruction& value, bool is_sampled) const;
  std::function<bool(const HloInstruction*)> IsChosen() const;  // from a choice
  bool IsUpToSigns(const HloInstruction& value, bool (*has_one_result)(const HloInstruction&)) const;
  const HloInstruction& Source(const HloInstruction& output, const Literal& want) const;

  const HloModule& module_;
  const Literal& want_;
  const Profile& profile_;
  const std::size_t devices_;
  std::map<const HloInstruction*, Made> made_;
};

}  // namespace assay
