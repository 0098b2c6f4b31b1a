#include "fuzz/drawn_programs.h"

#include "fuzz/float_programs.h"
#include "fuzz/miscompilations.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

DrawnProgram DrawModuleOfOps(Random& random, const ProgramWishes& wishes) {
  ModuleWishes module_wishes;
  module_wishes.may_have_devices = wishes.may_have_devices;
  // The more there are, the likelier is one that a backend does not have.
  module_wishes.most_draws = 8;
  if (!wishes.ops.empty()) module_wishes.op = random.OneOf(wishes.ops);
  return {DrawModule(random, module_wishes), "ops"};
}

DrawnProgram DrawBait(Random& random) {
  const auto of_numbers = MiscompiledNumbers(), of_places = MiscompiledPlaces();
  const auto chosen = static_cast<std::size_t>(random.Below(std::ssize(of_numbers) + std::ssize(of_places)));
  const Miscompilation& bait = chosen < of_numbers.size() ? of_numbers[chosen] : of_places[chosen - of_numbers.size()];
  return {DrawRightProgram(bait, random.Bits()), std::string(bait.name)};
}

}  // namespace

DrawnProgram DrawProgram(const ProgramWishes& wishes, std::int64_t number) {
  Random random(SplitMix(wishes.seed * kSplitMixStep + static_cast<std::uint64_t>(number)));
  if (!wishes.ops.empty() || number % 4 == 0) return DrawModuleOfOps(random, wishes);
  if (number % 4 == 1) return {DrawFloatProgram(random), "floats"};
  return DrawBait(random);
}

}  // namespace assay
