// The elements of a fold in other orders than the reference's.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// True for a fold by a computation of several instructions. The rules of sums and products allow any order themselves.
bool FoldsInSteps(const JudgedInstruction& judged);

// Calls `test` with the operands of a fold in other orders of the elements that a result combines, until it returns
// true; returns false if it never does. The opposite order comes first. Rotations, and the elements at even places
// before the others, follow: the results of two orders may agree by chance. There are fewer of them for large arrays,
// and no order for windows that overlap, because an element has another place in each.
bool AnyOtherOrder(const HloInstruction& fold, std::span<const Literal> operands,
                   const std::function<bool(std::vector<Literal>)>& test);

}  // namespace assay
