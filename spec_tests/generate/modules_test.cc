// Drawn modules are legal, small and connected, cover all ops, and can be evaluated.
#include "fuzz/generate/modules.h"

#include <set>
#include <string>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "spec_tests/catch.h"
#include "spec_tests/generate/full_text.h"

namespace assay::testing {
using namespace generate;
namespace {

TEST_CASE("large modules are legal, whatever becomes of their dimensions", "[generate]") {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    INFO(seed);
    CHECK(FindIllegal(*DrawLargeModule(random).module).empty());
  }
}

TEST_CASE("drawn modules are legal, read back, and are evaluated", "[generate]") {
  Random random(11);
  std::set<std::string_view> ops;
  int with_devices = 0, connected = 0;
  for (int i = 0; i < 300; ++i) {
    const DrawnModule drawn = DrawModule(random);
    const std::string text = FullText(*drawn.module);
    INFO(text);
    CHECK(FindIllegal(*drawn.module).empty());
    const auto again = ParseHloModule(text);
    REQUIRE(again);
    CHECK(FullText(**again) == text);
    EvaluationOptions options;
    options.from_host = drawn.from_host;
    const Result<Literal> value = EvaluateTogether(*drawn.module, drawn.arguments, options);
    INFO((value ? "" : value.error().message));
    CHECK(value);
    with_devices += drawn.module->device_count() > 1 ? 1 : 0;
    bool uses_a_result = false;
    for (const auto& instruction : drawn.module->entry->instructions) {
      ops.insert(instruction->op->name);
      for (const HloInstruction* operand : instruction->operands) {
        uses_a_result |= !instruction->IsRoot() && instruction->op->evaluation.kernel != nullptr &&
                         operand->op->role != OpRole::kParameter;
      }
    }
    connected += uses_a_result ? 1 : 0;
  }
  CHECK(with_devices > 30);
  CHECK(connected > 150);
  CHECK(ops.size() > 120);
}

TEST_CASE("modules have the requested size", "[generate]") {
  Random random(12);
  for (int i = 0; i < 50; ++i) {
    const DrawnModule drawn =
        DrawModule(random, {.least_draws = 1, .most_draws = 1, .most_elements = 4, .may_have_devices = false});
    INFO(FullText(*drawn.module));
    CHECK(drawn.module->device_count() == 1);
    std::size_t computing = 0;
    for (const auto& instruction : drawn.module->entry->instructions) {
      computing += instruction->op->evaluation.kernel != nullptr ? 1 : 0;
    }
    CHECK(computing <= 1);
  }
}

TEST_CASE("the same seed draws the same modules and inputs", "[generate]") {
  const auto draw = [](std::uint64_t seed) {
    Random random(seed);
    return DrawModule(random);
  };
  const DrawnModule one = draw(3), again = draw(3);
  CHECK(FullText(*one.module) == FullText(*again.module));
  CHECK(FullText(*one.module) != FullText(*draw(4).module));
  const std::vector<Literal> arguments = Flat(one.arguments), arguments_again = Flat(again.arguments);
  REQUIRE(arguments.size() == arguments_again.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) CHECK(arguments[i].BitwiseEqual(arguments_again[i]));
}

}  // namespace
}  // namespace assay::testing
