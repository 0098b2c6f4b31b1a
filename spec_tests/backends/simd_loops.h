// Texts of loops, and the replayed program of simd against the evaluator with the same kernels.
#pragma once

#include <cstdlib>
#include <utility>

#include "backends/simd/fuse.h"
#include "backends/simd/loops/loops.h"
#include "backends/simd/loops/machine_code.h"
#include "backends/simd/simd.h"
#include "fuzz/generate/random.h"
#include "fuzz/generate/values.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/literal_text.h"
#include "interpreter/kernels/loops/loop_program.h"
#include "spec_tests/evaluator/module.h"

namespace assay::simd {

using testing::Parsed;

// Returns a module as simd runs it.
inline std::unique_ptr<HloModule> ModuleOf(const std::string& text) {
  INFO(text);
  auto module = Parsed(text);
  Fuse(*module);
  return module;
}

// Checks that a module on simd has the results of another one, on the reference or on these kernels: equal bits, or
// both NaN.
inline void CheckSameResults(const HloModule& wanted, const HloModule& module, const std::vector<Literal>& arguments,
                             const OpOverrides& kernels = {}) {
  const Result<Literal> want = Evaluate(wanted, arguments, {}, kernels);
  const Result<Literal> got = Evaluate(module, arguments, {}, Overrides());
  REQUIRE(want);
  REQUIRE(got);
  INFO("want " << PrintLiteral(*want) << "\ngot " << PrintLiteral(*got));
  CHECK(CompareExactly(*want, *got).verdict == Verdict::kExact);
}

inline const HloInstruction& LoopIn(const HloModule& module) {
  for (const auto& instruction : module.entry->instructions) {
    if (instruction->op->name == "while") return *instruction;
  }
  FAIL("the entry has no loop");
  std::abort();
}

inline bool HasProgram(const std::string& text) {
  return MakeLoopProgram(LoopIn(*ModuleOf(text)), BodiesOfLoops(Overrides())) != nullptr;
}

// The kernels of simd, without programs of loops.
inline OpOverrides WithoutPrograms() {
  OpOverrides overrides = Overrides();
  overrides.erase(FindOp("while"));
  return overrides;
}

inline std::vector<Literal> DrawArguments(const HloModule& module, generate::Random& random,
                                          generate::EdgeClass edge_class) {
  std::vector<Literal> arguments;
  for (const HloInstruction* parameter : module.entry->Parameters()) {
    arguments.push_back(generate::DrawValue(random, parameter->shape, edge_class));
  }
  return arguments;
}

inline std::vector<Literal> DrawArguments(const HloModule& module, generate::Random& random) {
  return DrawArguments(module, random, random.OneOf(generate::AllEdgeClasses()));
}

// The time at which loops are compiled, in a scope.
class CompilationScope {
 public:
  explicit CompilationScope(Compilation compilation) { SetCompilation(compilation); }
  ~CompilationScope() { SetCompilation(Compilation::kWhenWorthwhile); }
  CompilationScope(const CompilationScope&) = delete;
  CompilationScope& operator=(const CompilationScope&) = delete;
};

// Compares the definition of `while` with the evaluator's program of a loop, which has the same bits.
inline void CheckSameOnReference(const HloModule& module, const std::vector<Literal>& arguments) {
  const Op* const definition = FindOp("while");
  const Result<Literal> want = Evaluate(module, arguments, {}, {{definition, definition}});
  const Result<Literal> got = Evaluate(module, arguments);
  REQUIRE(want);
  REQUIRE(got);
  INFO("reference: want " << PrintLiteral(*want) << "\ngot " << PrintLiteral(*got));
  CHECK(want->BitwiseEqual(*got));
}

// Compares a loop on the evaluator with its program, replayed, and as machine code. Results have equal bits, or are
// NaN.
inline void CheckSameOnEvaluator(const std::string& text, const std::vector<Literal>& arguments) {
  INFO(text);
  const auto module = ModuleOf(text);
  CheckSameOnReference(*module, arguments);
  for (const Compilation compilation : {Compilation::kNever, Compilation::kAtOnce}) {
    const CompilationScope scope(compilation);
    INFO((compilation == Compilation::kNever ? "replayed" : "as machine code"));
    CheckSameResults(*module, *module, arguments, WithoutPrograms());
  }
}

inline void CheckSameOnEvaluator(const std::string& text) {
  static generate::Random random(20);
  CheckSameOnEvaluator(text, DrawArguments(*ModuleOf(text), random));
}

// A loop of `turns` turns over a counter and arrays of these shapes; `body` computes n0, n1, ... from x0, x1, ... and
// the counter i.
inline std::string LoopText(const std::vector<std::string>& shapes, const std::string& body, int turns = 7,
                            const std::string& computations = "") {
  std::string state = "s32[]", elements, next, parameters, start;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    state += ", " + shapes[k];
    elements += fmt::format("  x{0} = {1} get-tuple-element(p), index={2}\n", k, shapes[k], k + 1);
    next += fmt::format(", n{}", k);
    parameters += fmt::format("  a{0} = {1} parameter({0})\n", k, shapes[k]);
    start += fmt::format(", a{}", k);
  }
  return fmt::format(R"(HloModule loop
{5}
below {{ p = ({0}) parameter(0)  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant({1})  ROOT l = pred[] compare(i, n), direction=LT }}
next {{ p = ({0}) parameter(0)  i = s32[] get-tuple-element(p), index=0
{2}{3}
  one = s32[] constant(1)  j = s32[] add(i, one)  ROOT t = ({0}) tuple(j{4}) }}
ENTRY e {{
{6}  zero = s32[] constant(0)
  start = ({0}) tuple(zero{7})  ROOT end = ({0}) while(start), condition=below, body=next }}
)",
                     state, turns, elements, body, next, computations, parameters, start);
}

inline void CheckProgram(const std::vector<std::string>& shapes, const std::string& body, int turns = 7,
                         const std::string& computations = "") {
  const std::string text = LoopText(shapes, body, turns, computations);
  INFO(text);
  CHECK(HasProgram(text));
  CheckSameOnEvaluator(text);
}

}  // namespace assay::simd
