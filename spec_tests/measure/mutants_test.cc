// Mutants are faults: each changes a result that the goldens of its op contain, and the judge that allows nothing kills
// it. Those whose faulty values are known by hand return these values.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "backends/mutant/mutant.h"
#include "interpreter/hlo/parser.h"
#include "spec_tests/catch.h"
#include "spec_tests/measure/goldens.h"

namespace assay::testing {
namespace {

Literal Run(std::string_view id, const std::string& entry, const std::vector<std::string_view>& arguments) {
  const auto module = *ParseHloModule("HloModule m\nENTRY e {\n" + entry + "\n}\n");
  std::vector<Literal> values;
  for (const std::string_view argument : arguments) values.push_back(*ParseLiteral(argument));
  MutantBackend backend(*FindMutant(id));
  return backend.Run(*module, {std::move(values)}).value()[0];
}

TEST_CASE("each mutant has an id, an op and a rule of its own", "[mutants]") {
  std::set<std::string_view> ids;
  std::set<std::pair<std::string_view, std::string_view>> rules;
  for (const Mutant& mutant : AllMutants()) {
    INFO(mutant.id);
    CHECK(ids.insert(mutant.id).second);
    CHECK(FindOp(mutant.op) != nullptr);
    CHECK(rules.insert({mutant.op, mutant.rule}).second);
    CHECK((mutant.break_op != nullptr || mutant.edit != nullptr) != mutant.is_control);
  }
  CHECK(ids.size() >= 160);
}

// Ops in which a fault cannot show, with the reasons.
const std::map<std::string_view, std::string_view> kWithoutFaults = {
    {"add-dependency", "hands its operand on; after what, no result shows"},
    {"after-all", "its result is a token, which has no value"},
    {"domain", "hands its operand on; which side of a border it is on, no result shows"},
    {"opt-barrier", "hands its operand on; what a compiler moves past it, no result shows"},
    {"send-done", "its result is a token, which has no value"},
};

TEST_CASE("every op is broken by a mutant, or a reason says why none can", "[mutants]") {
  std::set<std::string_view> broken;
  for (const Mutant& mutant : AllMutants()) {
    if (!mutant.is_control) broken.insert(mutant.op);
  }
  for (const Op* op : AllOps()) {
    INFO(op->name);
    CHECK(broken.contains(op->name) != kWithoutFaults.contains(op->name));
  }
  for (const auto& [op, reason] : kWithoutFaults) {
    INFO(op);
    CHECK(FindOp(op) != nullptr);
    CHECK(!reason.empty());
  }
}

TEST_CASE("every mutant is killed by the goldens of its op, the control by none", "[mutants]") {
  for (const Mutant& mutant : AllMutants()) {
    if (!mutant.beyond_goldens.empty()) continue;  // transfer_mutants_test.cc has them
    const auto cases = Goldens().Of(mutant.op, 0, 0);
    const auto counts = CountKills(mutant, cases, {"exact", "xla"});
    INFO(mutant.id);
    CHECK(!cases.empty());
    CHECK((counts.at("exact").changed > 0) != mutant.is_control);
    CHECK(counts.at("exact").is_killed() != mutant.is_control);
    CHECK((counts.at("xla").is_killed() || !counts.at("xla").hidden.empty()) != mutant.is_control);
  }
}

TEST_CASE("mutants return the faulty values that their rules name", "[mutants]") {
  const std::string unary = "a = f32[2] parameter(0)\nROOT r = f32[2] ";
  const Literal floors = Run("floor_truncates", unary + "floor(a)", {"f32[2] {-1.5, 1.5}"});
  CHECK(floors.values<float>()[0] == -1);
  CHECK(floors.values<float>()[1] == 1);
  const Literal rounded = Run("round_afz_is_even", unary + "round-nearest-afz(a)", {"f32[2] {2.5, -0.5}"});
  CHECK(rounded.values<float>()[0] == 2);
  CHECK(rounded.values<float>()[1] == 0);
  const Literal reversed = Run("reverse_first_dim_only",
                               "a = s32[2,2] parameter(0)\nROOT r = s32[2,2] reverse(a), "
                               "dimensions={0,1}",
                               {"s32[2,2] {{1, 2}, {3, 4}}"});
  CHECK(std::ranges::equal(reversed.values<int>(), std::vector<int>{3, 4, 1, 2}));
  const Literal remainder = Run("int_rem_is_euclid",
                                "a = s32[] parameter(0)\nb = s32[] parameter(1)\nROOT r = "
                                "s32[] remainder(a, b)",
                                {"s32[] -7", "s32[] -2"});
  CHECK(remainder.values<int>()[0] == 1);
}

TEST_CASE("an edit that leaves the module as it is does not count as one", "[mutants]") {
  const auto exclusive = [](std::string_view direction) {
    return *ParseHloModule(
        "HloModule m\nadd {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n"
        "  s = s32[] add(x, y)\n  ROOT r = (s32[], s32[]) tuple(s, s)\n}\nENTRY e {\n"
        "  a = s32[3] parameter(0)\n  i = s32[] parameter(1)\n"
        "  ROOT r = (s32[3], s32[]) scan(a, i), dimensions={0}, num_carries=1, to_apply=add" +
        std::string(direction) + "\n}\n");
  };
  std::unique_ptr<HloModule> forward = exclusive(""), reverse = exclusive(", is_reverse=true");
  CHECK_FALSE(EditModule(*FindMutant("scan_ignores_direction"), forward));
  CHECK(EditModule(*FindMutant("scan_ignores_direction"), reverse));
}

TEST_CASE("a fault shows in called computations too", "[mutants]") {
  const auto module = *ParseHloModule(R"(HloModule m
larger {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] maximum(x, y)
}
ENTRY e {
  a = f32[2] parameter(0)
  s = f32[] parameter(1)
  ROOT r = f32[] reduce(a, s), dimensions={0}, to_apply=larger
})");
  MutantBackend backend(*FindMutant("max_drops_nan"));
  const auto result = backend.Run(*module, {{*ParseLiteral("f32[2] {nan, 1}"), *ParseLiteral("f32[] 0")}});
  CHECK((*result)[0].values<float>()[0] == 1);
}

TEST_CASE("an unknown mutant is an error that names the known ones", "[mutants]") {
  const auto backend = OpenMutant("floor_rounds");
  REQUIRE(!backend);
  CHECK(backend.error().code == ErrorCode::kUsage);
  CHECK(backend.error().message.find("floor_truncates") != std::string::npos);
}

}  // namespace
}  // namespace assay::testing
