// Mutants are faults: each changes a result that the goldens of its op contain, and the judge that allows nothing kills
// it. Those whose faulty values are known by hand return these values.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "backends/mutant/mutant.h"
#include "backends/mutant/operators/operators.h"
#include "fuzz/measure/mutation_score.h"
#include "spec_tests/evaluator/module.h"
#include "spec_tests/measure/goldens.h"

namespace assay::testing {
namespace {

Literal Run(std::string_view id, const std::string& entry, const std::vector<std::string_view>& arguments) {
  MutantBackend backend(*FindMutant(id));
  return backend.Run(*Parsed(entry), {Values(arguments)}).value()[0];
}

TEST_CASE("each mutant has an id, an op and a rule of its own", "[mutants]") {
  std::set<std::string_view> ids;
  std::set<std::pair<std::string_view, std::string_view>> rules;
  for (const Mutant& mutant : AllMutants()) {
    INFO(mutant.id);
    CHECK(ids.insert(mutant.id).second);
    CHECK(FindOp(mutant.op) != nullptr);
    CHECK(rules.insert({mutant.op, mutant.rule}).second);
    CHECK((mutant.break_op != nullptr || mutant.edit != nullptr || mutant.rewrite) != mutant.is_control);
  }
  CHECK(ids.size() >= 39);
}

// Ops whose faults no golden shows, with the reasons.
const std::map<std::string_view, std::string_view> kWithoutFaults = {
    {"after-all", "its result is a token, which has no value"},
    {"infeed", "transfer_mutants_test.cc has it"},
    {"outfeed", "transfer_mutants_test.cc has it"},
    {"recv", "transfer_mutants_test.cc has it"},
    {"send-done", "its result is a token, which has no value"},
};

TEST_CASE("the goldens of every op kill a mutant of it, or a reason says why they cannot", "[mutants]") {
  std::map<std::string_view, std::vector<const Mutant*>> by_op;
  for (const std::vector<Mutant>* mutants : {&AllMutants(), &OperatorMutants()}) {
    for (const Mutant& mutant : *mutants) by_op[mutant.op].push_back(&mutant);
  }
  for (const Op* op : AllOps()) {
    const auto cases = Goldens().OfBySize(op->name);
    const bool is_broken = std::ranges::any_of(by_op[op->name], [&](const Mutant* mutant) {
      return ScoreOf(*mutant, cases, {{.profile = "exact"}})[0].status == MutantStatus::kKilled;
    });
    INFO(op->name);
    CHECK(is_broken != kWithoutFaults.contains(op->name));
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
    const auto cases = Goldens().OfBySize(mutant.op);
    const std::vector<MutantScore> scores =
        ScoreOf(mutant, cases, {{.profile = "exact", .doubts_judge = true}, {.profile = "xla", .doubts_judge = true}});
    const MutantScore &exact = scores[0], &xla = scores[1];
    INFO(mutant.id);
    CHECK(!cases.empty());
    CHECK((exact.changed > 0) != mutant.is_control);
    CHECK((exact.status == MutantStatus::kKilled) != mutant.is_control);
    CHECK((xla.status == MutantStatus::kKilled || xla.status == MutantStatus::kOpen) != mutant.is_control);
  }
}

TEST_CASE("mutants return the faulty values that their rules name", "[mutants]") {
  const std::string unary = "a = f32[2] parameter(0)\nROOT r = f32[2] ";
  const Literal floors = Run("floor_truncates", unary + "floor(a)", {"f32[2] {-1.5, 1.5}"});
  CHECK(floors.values<float>()[0] == -1);
  CHECK(floors.values<float>()[1] == 1);
  const Literal early = Run("tanh_saturates_early", unary + "tanh(a)", {"f32[2] {4, -5}"});
  CHECK(early.values<float>()[0] == 1);
  CHECK(early.values<float>()[1] == -1);
  const Literal least = Run("convert_nan_to_least", "a = f32[] parameter(0)\nROOT r = s8[] convert(a)", {"f32[] nan"});
  CHECK(least.IntegerAt(0) == -128);
  const Literal joined = Run("concat_order",
                             "a = s32[2] parameter(0)\nb = s32[1] parameter(1)\n"
                             "ROOT r = s32[3] concatenate(a, b), dimensions={0}",
                             {"s32[2] {1, 2}", "s32[1] {3}"});
  CHECK(std::ranges::equal(joined.values<int>(), std::vector<int>{3, 1, 2}));
  const Literal sum = Run("reduce_skips_last",
                          "a = s32[9] iota(), iota_dimension=0\nz = s32[] parameter(0)\n"
                          "ROOT r = s32[] reduce(a, z), dimensions={0}, to_apply=add_s32",
                          {"s32[] 100"});
  CHECK(sum.values<int>()[0] == 128);
}

TEST_CASE("an edit that leaves the module as it is does not count as one", "[mutants]") {
  const auto exclusive = [](std::string_view direction) {
    return Parsed(
        "add {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n"
        "  s = s32[] add(x, y)\n  ROOT r = (s32[], s32[]) tuple(s, s)\n}\nENTRY e {\n"
        "  a = s32[3] parameter(0)\n  i = s32[] parameter(1)\n"
        "  ROOT r = (s32[3], s32[]) scan(a, i), dimensions={0}, num_carries=1, to_apply=add" +
        std::string(direction) + "\n}\n");
  };
  std::unique_ptr<HloModule> forward = exclusive(""), reverse = exclusive(", is_reverse=true");
  CHECK_FALSE(EditModule(*FindMutant("ignored.scan.is_reverse"), forward));
  CHECK(EditModule(*FindMutant("ignored.scan.is_reverse"), reverse));
}

TEST_CASE("a fault shows in called computations too", "[mutants]") {
  const auto module = Parsed(R"(a = f32[2] parameter(0)
  s = f32[] parameter(1)
  ROOT r = f32[] reduce(a, s), dimensions={0}, to_apply=maximum_f32)");
  MutantBackend backend(*FindMutant("max_drops_nan"));
  const auto result = backend.Run(*module, {Values({"f32[2] {nan, 1}", "f32[] 0"})});
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
