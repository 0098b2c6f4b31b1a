// Drawn instructions cover every op and every attribute; they are legal, the same for a seed, and can be parsed again.
#include "fuzz/generate/instructions.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/generate/families.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/attribute_text.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "spec_tests/catch.h"
#include "spec_tests/generate/full_text.h"

namespace assay::testing {
using namespace generate;
namespace {

constexpr int kDrawsOfAnOp = 120;

// Attributes with the same value in all drawn instructions, with the reason.
const std::map<std::pair<std::string_view, std::string_view>, std::string_view> kOneValue = {
    {{"async-update", "output_to_operand_aliasing"}, "says again what its start says"},
    {{"call", "output_to_operand_aliasing"}, "a call has none: it is read, and refused"},
    {{"convolution", "block_scaling_config"}, "not evaluated"},
    {{"convolution", "sparsity_config"}, "XLA's evaluator alone has it: spec_tests/tools/intake_hlo_cases.py"},
    {{"dot", "block_scaling_config"}, "not evaluated"},
    {{"dot", "sparsity_config"}, "not evaluated"},
    {{"shuffle", "mode"}, "there is one"},
};

// Returns an attribute of an instruction as text, computations with their bodies.
std::string ValueOf(const HloInstruction& instruction, const AttributeSpec& spec) {
  for (const Attribute& attribute : instruction.attributes) {
    if (attribute.name != spec.name) continue;
    const auto body = [](const HloComputation& computation) {
      std::string text;
      for (const auto& inner : computation.instructions) {
        text += PrintInstruction(*inner, {.large_constants = true}) + "\n";
      }
      return text;
    };
    return PrintAttributeValue(spec, attribute.value, body, /*is_exact=*/true);
  }
  return "none";
}

// Many draws of every op, made once.
struct Sample {
  std::map<const Op*, int> refused;
  std::vector<std::pair<const Op*, DrawnInstruction>> drawn;
};

const Sample& Drawn() {
  static const Sample sample = [] {
    Sample made;
    Random random(8);
    for (const Op* op : DrawableOps()) {
      for (int i = 0; i < kDrawsOfAnOp; ++i) {
        Result<DrawnInstruction> drawn = TryDrawInstruction(random, *op);
        if (drawn)
          made.drawn.emplace_back(op, *std::move(drawn));
        else
          ++made.refused[op];
      }
    }
    return made;
  }();
  return sample;
}

TEST_CASE("every evaluated op is drawn, and no other", "[generate]") {
  const auto drawable = DrawableOps();
  for (const Op* op : AllOps()) {
    INFO(op->name);
    CHECK((std::ranges::find(drawable, op) != drawable.end()) == op->IsEvaluated());
  }
}

TEST_CASE("drawn instructions are legal, and few draws are refused", "[generate]") {
  std::size_t refused = 0;
  for (const Op* op : DrawableOps()) {
    INFO(op->name);
    const auto at = Drawn().refused.find(op);
    const int count = at == Drawn().refused.end() ? 0 : at->second;
    CHECK(count <= kDrawsOfAnOp * 0.2);
    refused += static_cast<std::size_t>(count);
  }
  CHECK(refused < Drawn().drawn.size() / 50);
  CHECK(Drawn().drawn.size() > 10'000);
  for (const auto& [op, drawn] : Drawn().drawn) {
    INFO(FullText(*drawn.module));
    CHECK(FindIllegal(*drawn.module).empty());
    CHECK(drawn.drawn->op == op);
    CHECK(drawn.drawn->parent == drawn.module->entry);
  }
}

TEST_CASE("every attribute takes several values", "[generate]") {
  std::map<const Op*, std::map<std::string_view, std::set<std::string>>> values;
  for (const auto& [op, drawn] : Drawn().drawn) {
    for (const AttributeSpec& spec : op->syntax.attributes) values[op][spec.name].insert(ValueOf(*drawn.drawn, spec));
  }
  int count = 0;
  for (const Op* op : DrawableOps()) {
    for (const AttributeSpec& spec : op->syntax.attributes) {
      if (spec.print == PrintRule::kNever) continue;  // read and dropped
      INFO(op->name << " " << spec.name.text());
      CHECK((values[op][spec.name].size() >= 2) != kOneValue.contains({op->name, spec.name.text()}));
      ++count;
    }
  }
  CHECK(count > 130);
}

TEST_CASE("a requested class of an attribute's values is drawn, except those that are listed", "[generate]") {
  constexpr int kDraws = 30;
  Random random(4);
  int classes = 0;
  for (const Op* op : DrawableOps()) {
    for (const AttributeClass& wished : ClassesOfRecord(*op)) {
      int drawn = 0;
      for (int i = 0; i < kDraws; ++i) {
        const DrawConstraints constraints = {.optional_attributes_one_in = 2, .attribute_class = wished};
        drawn += IsOf(*DrawInstruction(random, *op, constraints).drawn, wished) ? 1 : 0;
      }
      INFO(op->name << " " << wished.attribute->name.text() << " " << wished.name << ": " << drawn);
      const bool is_drawn = std::ranges::any_of(ClassesDrawn(*op), [&](const AttributeClass& one) {
        return one.attribute == wished.attribute && one.name == wished.name;
      });
      CHECK((is_drawn ? drawn >= kDraws / 6 : drawn <= kDraws / 10));
      classes += is_drawn ? 1 : 0;
    }
  }
  CHECK(classes > 500);
}

TEST_CASE("every element type of an element-wise op is drawn", "[generate]") {
  Random random(3);
  for (const std::string_view name : {"add", "tanh", "and", "compare", "select"}) {
    const Op& op = *FindOp(name);
    std::set<PrimitiveType> types, results;
    for (int i = 0; i < 600; ++i) {
      const DrawnInstruction drawn = DrawInstruction(random, op);
      types.insert(drawn.drawn->operands.back()->shape.element_type());
      results.insert(drawn.drawn->shape.element_type());
    }
    INFO(name);
    const auto legal = std::ranges::count_if(
        ArrayTypes(), [&](PrimitiveType type) { return name == "select" || op.legality.types.contains(type); });
    CHECK(static_cast<std::ptrdiff_t>(types.size()) == legal);
    CHECK((results.size() == 1) == (name == "compare"));
  }
}

TEST_CASE("the same seed draws the same, another one something else", "[generate]") {
  const auto text = [](std::uint64_t seed) {
    Random random(seed);
    std::string all;
    for (const Op* op : DrawableOps()) all += FullText(*DrawInstruction(random, *op).module);
    return all;
  };
  CHECK(text(1) == text(1));
  CHECK(text(1) != text(2));
}

TEST_CASE("drawn instructions print and read back", "[generate]") {
  for (const auto& [op, drawn] : Drawn().drawn) {
    const std::string text = FullText(*drawn.module);
    INFO(text);
    const auto again = ParseHloModule(text);
    REQUIRE(again);
    CHECK(FullText(**again) == text);
    CHECK(FindIllegal(**again).empty());
  }
}

TEST_CASE("the reference evaluates drawn instructions", "[generate]") {
  for (const auto& [op, drawn] : Drawn().drawn) {
    EvaluationOptions options;
    options.from_host = drawn.from_host;
    const Result<Literal> value = EvaluateTogether(*drawn.module, drawn.operands, options);
    INFO(FullText(*drawn.module) << (value ? "" : value.error().message));
    CHECK(value);
  }
}

TEST_CASE("drawn instructions meet the constraints", "[generate]") {
  Random random(5);
  const std::vector<Shape> at_hand = {ShapeUtil::MakeShape(F16, {3, 5})};
  int fitting = 0;
  for (int i = 0; i < 200; ++i) {
    const DrawnInstruction few =
        DrawInstruction(random, *FindOp("multiply"), {.types = TypesOf(BF16, S8), .most_elements = 9});
    const Shape& shape = few.drawn->shape;
    CHECK((shape.element_type() == BF16 || shape.element_type() == S8));
    CHECK(ShapeUtil::ElementsIn(shape) <= 9);
    const DrawnInstruction near = DrawInstruction(random, *FindOp("multiply"), {.at_hand = at_hand});
    fitting += ShapeUtil::Compatible(near.drawn->shape, at_hand[0]) ? 1 : 0;
    const DrawnInstruction two =
        DrawInstruction(random, *FindOp("all-reduce"), {.replica_count = 2, .num_partitions = 1});
    CHECK(two.module->replica_count == 2);
    CHECK(two.operands.size() == 2);
    const DrawnInstruction bare = DrawInstruction(random, *FindOp("dot"), {.draws_optional_attributes = false});
    CHECK(!bare.drawn->Has("algorithm"));
  }
  CHECK(fitting > 100);
}

TEST_CASE("a family's instruction is the root, on its operands", "[generate]") {
  Random random(9);
  CHECK(FamilyNames().size() == 13);
  for (const std::string_view family : FamilyNames()) {
    for (int i = 0; i < 20; ++i) {
      const DrawnInstruction drawn = DrawOfFamily(random, family, 256);
      INFO(family);
      CHECK(drawn.module->entry->root == drawn.drawn);
      CHECK(drawn.operands[0].size() == drawn.drawn->operands.size());
      CHECK(std::ranges::all_of(drawn.drawn->operands,
                                [](const HloInstruction* operand) { return operand->op->role == OpRole::kParameter; }));
    }
  }
  CHECK(DrawAsInFamily(random, *FindOp("cosine")));
  CHECK(!DrawAsInFamily(random, *FindOp("while")));
}

}  // namespace
}  // namespace assay::testing
