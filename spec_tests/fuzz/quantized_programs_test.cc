// Random quantized programs: legal, and of all operations and types.
#include "fuzz/quantized_programs.h"

#include <regex>
#include <set>

#include "fuzz/drawn_programs.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/stablehlo/to_hlo_quantized.h"
#include "spec_tests/catch.h"
#include "spec_tests/nightly.h"

namespace assay::testing {
namespace {

const std::string& TextOf(const DrawnProgram& program) { return *program.drawn.module->source->bytes; }

DrawnProgram QuantizedProgram(std::uint64_t seed, std::int64_t number) {
  return DrawProgram({.seed = seed, .kind = "quantized"}, number);
}

TEST_CASE("quantized programs are legal", "[fuzz][quantized]") {
  const std::int64_t programs = IsNightly("10,000 quantized programs are legal") ? 10'000 : 1'000;
  for (std::int64_t number = 0; number < programs; ++number) {
    const DrawnProgram program = QuantizedProgram(23, number);
    const std::vector<Error> errors = FindIllegal(*program.drawn.module);
    INFO(TextOf(program) << (errors.empty() ? "" : errors[0].message));
    CHECK(errors.empty());
    const std::vector<const HloInstruction*> parameters = program.drawn.module->entry->Parameters();
    REQUIRE(program.drawn.arguments[0].size() == parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      CHECK(ShapeUtil::Compatible(program.drawn.arguments[0][i].shape(), parameters[i]->shape));
    }
  }
}

TEST_CASE("quantized programs depend on seed and number only", "[fuzz][quantized]") {
  std::set<std::string> texts;
  for (std::int64_t number = 0; number < 50; ++number) {
    const DrawnProgram first = QuantizedProgram(1, number), second = QuantizedProgram(1, number);
    CHECK(TextOf(first) == TextOf(second));
    for (std::size_t i = 0; i < first.drawn.arguments[0].size(); ++i) {
      CHECK(first.drawn.arguments[0][i].BitwiseEqual(second.drawn.arguments[0][i]));
    }
    texts.insert(TextOf(first));
    texts.insert(TextOf(QuantizedProgram(2, number)));
  }
  CHECK(texts.size() == 100);
}

// Returns all that a group of the expression matches.
std::set<std::string> Matches(const std::string& text, const std::regex& expression) {
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match) {
    found.insert((*match)[1].str() + (match->size() > 2 ? (*match)[2].str() : ""));
  }
  return found;
}

TEST_CASE("1,500 programs have every operation, storage type, expressed type and granularity", "[fuzz][quantized]") {
  const std::regex operation("stablehlo\\.(\\w+)\""), storage("uniform<(\\w+)"), limits("uniform<(\\w+)<"),
      expressed("uniform<[^,]*?:(b?f\\d+)"), per_axis("uniform<[^,]*?f\\d+(:\\d),");
  std::set<std::string> operations, storages, with_limits, numbers, axes;
  for (std::int64_t number = 0; number < 1'500; ++number) {
    const std::string text = TextOf(QuantizedProgram(3, number));
    operations.merge(Matches(text, operation));
    storages.merge(Matches(text, storage));
    with_limits.merge(Matches(text, limits));
    numbers.merge(Matches(text, expressed));
    axes.merge(Matches(text, per_axis));
  }
  std::set<std::string> expected;
  for (const stablehlo::QuantizedRow& row : stablehlo::QuantizedRows()) expected.emplace(row.name);
  for (const NotDrawnOperation& one : QuantizedOperationsNotDrawn()) {
    INFO(one.name);
    CHECK(expected.erase(std::string(one.name)) == 1);
    CHECK(!operations.contains(std::string(one.name)));
  }
  for (const std::string& name : expected) {
    INFO(name);
    CHECK(operations.contains(name));
  }
  const std::set<std::string> all = {"i4", "i8", "i16", "i32", "u4", "u8", "u16"};
  CHECK(storages == all);
  CHECK(with_limits == all);
  CHECK(numbers == std::set<std::string>{"f16", "bf16", "f32", "f64"});
  CHECK(axes == std::set<std::string>{":0", ":1", ":2"});
}

}  // namespace
}  // namespace assay::testing
