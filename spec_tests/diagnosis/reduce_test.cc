// The results of reductions. They check sizes, never times.
#include "conformance/diagnosis/reduce.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "backends/mutant/mutant.h"
#include "fuzz/generate/instructions.h"
#include "fuzz/generate/modules.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"
#include "spec_tests/catch.h"

namespace assay::testing {
using namespace generate;
namespace {

using MakeBackend = std::function<std::unique_ptr<Backend>()>;

struct Reduced {
  Reduction reduction;
  Failure before, after;
  std::string text;
};

Reduced ReduceOn(const MakeBackend& make, const Subject& subject, int jobs = 2) {
  const EvaluationLimits limits = LimitsFor(subject, {}).value();
  const CompareOptions compare = {.profile = BuiltInProfile("exact"), .limits = limits};
  std::vector<std::unique_ptr<Backend>> backends;
  for (int i = 0; i < jobs; ++i) backends.push_back(make());
  const Failure failure = FindFailure(*backends[0], *subject.module, subject.arguments, compare).value();
  REQUIRE(failure.IsOne());
  std::vector<StillFails> workers;
  for (const auto& backend : backends) workers.push_back(FailsLike(*backend, compare, failure));
  Search search(std::move(workers), 0);
  Reduction reduction = Reduce(subject, search, limits, ReductionScope::kAll).value();
  const Subject& small = reduction.subject;
  const Failure after = FindFailure(*backends[0], *small.module, small.arguments, compare).value();
  INFO(PrintHloModule(*small.module));
  CHECK(after.IsLike(failure));
  CHECK(FindIllegal(*small.module).empty());
  CHECK(reduction.after == SizeOf(small));
  return {reduction, failure, after, TextOf(small)};
}

Subject Read(const std::string& text, std::vector<Literal> arguments) {
  std::shared_ptr<const HloModule> module = ParseHloModule(text).value();
  REQUIRE(FindIllegal(*module).empty());
  return {std::move(module), {std::move(arguments)}};
}

// Draws a module of moderate size for one device on which the mutant's result differs from the reference's.
DrawnModule DrawPlanted(MutantBackend& backend, const Op* op) {
  for (std::uint64_t seed = 32; seed < 64; ++seed) {
    Random random(seed);
    DrawnModule drawn = DrawModule(random, {.least_draws = 70, .most_draws = 70, .may_have_devices = false, .op = op});
    if (!drawn.from_host[0].empty()) continue;
    const Result<Literal> want = EvaluateTogether(*drawn.module, drawn.arguments);
    Result<PerDevice<Literal>> got = backend.Run(*drawn.module, drawn.arguments);
    const bool shows = want && got && CompareExactly(*want, OfAllDevices(*std::move(got))).verdict == Verdict::kFail;
    if (shows) return drawn;
  }
  throw std::logic_error("no module shows the fault");
}

// A compiler that replaces the root of a square by the operand's absolute value. Only the two instructions together are
// wrong.
class FoldsRootOfSquare final : public Backend {
 public:
  const BackendDescription& description() const override { return reference_.description(); }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override {
    std::unique_ptr<HloModule> changed = CloneModule(module);
    for (const auto& computation : changed->computations) {
      for (const auto& instruction : computation->instructions) {
        if (instruction->op->name != "sqrt" || instruction->operand(0).op->name != "multiply") continue;
        HloInstruction* const square = instruction->operands[0];
        if (square->operands[0] != square->operands[1]) continue;
        instruction->op = FindOp("abs");
        instruction->operands = {square->operands[0]};
      }
    }
    return reference_.Compile(std::move(changed));
  }

 private:
  ReferenceBackend reference_{"folds", {}};
};

// Two hundred instructions, the pair somewhere among them.
Subject PairAmongOthers() {
  std::string text = "HloModule m\nENTRY e {\n  v0 = f32[4,6] parameter(0)\n  w = f32[4,6] parameter(1)\n";
  const std::vector<std::string> ops = {"add", "subtract", "maximum", "minimum"};
  int last = 0;
  const auto add = [&](const std::string& line) { text += fmt::format("  v{} = f32[4,6] {}\n", ++last, line); };
  for (int i = 0; i < 120; ++i) add(fmt::format("{}(v{}, w)", ops[i % ops.size()], last));
  text += fmt::format("  big = f32[4,6] multiply(w, w)\n  root = f32[4,6] sqrt(big)\n");
  for (int i = 0; i < 80; ++i) add(fmt::format("{}(v{}, root)", ops[i % 2], last));
  text += fmt::format("  ROOT r = (f32[4,6], f32[4,6]) tuple(v{}, root)\n}}\n", last);
  Literal small(ShapeUtil::MakeShape(F32, {4, 6})), large(ShapeUtil::MakeShape(F32, {4, 6}));
  for (float& x : small.mutable_values<float>()) x = 0.5F;
  for (float& x : large.mutable_values<float>()) x = 3;
  large.mutable_values<float>()[17] = 2e19F;
  return Read(text, {small, large});
}

}  // namespace

TEST_CASE("reduce: faults planted in two hundred instructions", "[reduce]") {
  for (const std::string_view id :
       {"and_with_one", "copy_start_torn", "least_as_greatest.abs.result_signed", "low_high_exchanged.pad.padding",
        "operands_through.convolution.f32_bf16", "result_through.sqrt.f32_tf32"}) {
    const Mutant* const mutant = FindMutant(id);
    REQUIRE(mutant != nullptr);
    MutantBackend backend(*mutant);
    DrawnModule drawn = DrawPlanted(backend, FindOp(mutant->op));
    const Subject subject = {std::move(drawn.module), std::move(drawn.arguments)};
    const Reduced reduced = ReduceOn([&] { return std::make_unique<MutantBackend>(*mutant); }, subject);
    INFO(id << "\n" << PrintHloModule(*reduced.reduction.subject.module, PrintOptions::Exact()));
    CHECK(reduced.reduction.before.instructions > 150);
    CHECK(reduced.reduction.after.instructions < 8);
    CHECK(reduced.reduction.after.elements <= 16);
  }
}

TEST_CASE("reduce: the start and the end of an operation go together", "[reduce]") {
  const Subject subject = Read(R"(HloModule m
ENTRY e {
  x = s32[1] parameter(0)
  start = (s32[1], s32[1]) collective-permute-start(x), source_target_pairs={{0,0}}
  done = s32[1] collective-permute-done(start)
  ROOT r = s32[1] abs(done)
})",
                               {Literal(ShapeUtil::MakeShape(S32, {1}))});
  Subject least = subject;
  least.arguments[0][0].mutable_values<std::int32_t>()[0] = INT32_MIN;
  const Mutant* const mutant = FindMutant("least_as_greatest.abs.result_signed");
  const Reduced reduced = ReduceOn([&] { return std::make_unique<MutantBackend>(*mutant); }, least);
  CHECK(reduced.reduction.after.instructions == 2);
}

TEST_CASE("reduce: two ops that are wrong together", "[reduce]") {
  const Subject subject = PairAmongOthers();
  CHECK(SizeOf(subject).instructions > 200);
  const Reduced reduced = ReduceOn([] { return std::make_unique<FoldsRootOfSquare>(); }, subject);
  CHECK(reduced.reduction.after.instructions == 3);  // parameter, multiply, sqrt
  CHECK(reduced.reduction.after.elements == 3);
}

TEST_CASE("reduce: a loop that has to stay keeps the elements of its state that it needs", "[reduce]") {
  const Subject subject = Read(R"(HloModule m
body { t = (s32[], f32[8], f32[8], f32[8]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  x = f32[8] get-tuple-element(t), index=1
  y = f32[8] get-tuple-element(t), index=2
  z = f32[8] get-tuple-element(t), index=3
  one = s32[] constant(1)
  j = s32[] add(i, one)
  u = f32[8] add(x, y)
  v = f32[8] multiply(z, z)
  ROOT n = (s32[], f32[8], f32[8], f32[8]) tuple(j, u, y, v) }
condition { t = (s32[], f32[8], f32[8], f32[8]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant(3)
  ROOT b = pred[] compare(i, n), direction=LT }
ENTRY e { zero = s32[] constant(0)
  a = f32[8] parameter(0)
  t = (s32[], f32[8], f32[8], f32[8]) tuple(zero, a, a, a)
  w = (s32[], f32[8], f32[8], f32[8]) while(t), condition=condition, body=body
  x = f32[8] get-tuple-element(w), index=1
  ROOT r = f32[8] negate(x) }
)",
                               {Literal(ShapeUtil::MakeShape(F32, {8}))});
  Subject ones = subject;
  for (float& x : ones.arguments[0][0].mutable_values<float>()) x = 1;
  // Some candidates terminate on the reference only.
  const auto open = [] { return OpenBackend("mutant:iteration_more.while", 0.5).value(); };
  const Reduced reduced = ReduceOn(open, ones);
  INFO(PrintHloModule(*reduced.reduction.subject.module));
  CHECK(reduced.reduction.after.elements <= 16);
  for (const auto& instruction : reduced.reduction.subject.module->entry->instructions) {
    CHECK(instruction->shape.tuple_shapes().size() <= 2);
  }
}

TEST_CASE("reduce: a candidate that reaches a limit is none, on any thread", "[reduce]") {
  const Subject subject =
      Read("HloModule m\nENTRY e { a = f32[] parameter(0)\n ROOT r = f32[] negate(a) }", {Literal()});
  const StillFails reaches_limit = [](const HloModule&, const DeviceValues&) -> Result<bool> {
    throw EvaluationError{{ErrorCode::kLimit, "time limit"}};
  };
  Search search({reaches_limit, reaches_limit}, 0);
  CHECK(!search.First(8, [&](std::size_t) { return std::optional<Subject>(subject); }));
  CHECK(!search.error());
}

TEST_CASE("reduce: a candidate whose text takes longer than the budget is none", "[reduce]") {
  const Subject subject = Read("HloModule m\nENTRY e { ROOT c = f32[4] constant({1, 2, 3, 4}) }", {});
  const StillFails fails = [](const HloModule&, const DeviceValues&) { return true; };
  Search search({fails}, 0.1);
  const auto made_too_late = [&](std::size_t) {
    while (search.Seconds() <= 0.2) {
    }
    return std::optional(subject);
  };
  CHECK_FALSE(search.First(1, made_too_late));
}

TEST_CASE("reduce: the result does not depend on how many backends work", "[reduce]") {
  const Subject subject = PairAmongOthers();
  const MakeBackend make = [] { return std::make_unique<FoldsRootOfSquare>(); };
  const Reduced alone = ReduceOn(make, subject, 1), many = ReduceOn(make, subject, 5);
  CHECK(alone.text == many.text);
  CHECK(alone.reduction.tries == many.reduction.tries);
}

}  // namespace assay::testing
