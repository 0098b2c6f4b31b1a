// Loops of the backend simd as machine code: every op and type that has some, every number of elements, special values,
// and what a turn does with registers and memory.
#include <array>

#include "spec_tests/backends/simd_loops.h"

namespace assay::simd {
namespace {

// Returns the machine code of the loop; null if there is none.
std::shared_ptr<const CompiledTurns> CodeOf(const HloModule& module) {
  const auto program = MakeLoopProgram(LoopIn(module), BodiesOfLoops(Overrides()));
  REQUIRE(program != nullptr);
  return CompileTurns(*program, program->main);
}

// Checks the results of a loop, and that no step of its machine code is a call.
void CheckCode(const std::vector<std::string>& shapes, const std::string& body, int turns = 7,
               const std::string& computations = "") {
  const std::string text = LoopText(shapes, body, turns, computations);
  INFO(text);
  if (HasTurnCompiler()) {
    const auto module = ModuleOf(text);
    const auto code = CodeOf(*module);
    REQUIRE(code != nullptr);
    CHECK(code->called_steps == 0);
  }
  for (int n = 0; n < 3; ++n) CheckSameOnEvaluator(text);
}

const std::vector<std::string> kReals = {"f32", "f64"}, kIntegers = {"s32", "u32", "s64", "u64"};

std::vector<std::string> Numbers() {
  std::vector<std::string> types = kReals;
  types.insert(types.end(), kIntegers.begin(), kIntegers.end());
  return types;
}

// The state is three arrays of a type; n0 is the op's result.
std::string BodyOf(const std::string& op, const std::string& shape, int operands) {
  const std::string arguments = operands == 1 ? "x0" : operands == 2 ? "x0, x1" : "x1, x0, x2";
  return fmt::format("  n0 = {0} {1}({2})\n  n1 = {0} copy(x2)\n  n2 = {0} copy(x0)\n", shape, op, arguments);
}

void CheckOp(const std::string& op, int operands, const std::vector<std::string>& types) {
  for (const std::string& type : types) {
    for (const std::string dimensions : {"", "1", "2", "3", "4", "5", "7", "8", "9", "13", "16", "17", "40"}) {
      const std::string shape = fmt::format("{}[{}]", type, dimensions);
      CheckCode({shape, shape, shape}, BodyOf(op, shape, operands), 4);
    }
  }
}

TEST_CASE("machine code of element-wise ops has the evaluator's bits") {
  for (const std::string op : {"add", "subtract", "multiply", "maximum", "minimum"}) CheckOp(op, 2, Numbers());
  CheckOp("divide", 2, kReals);
  for (const std::string op : {"and", "or", "xor", "shift-left", "shift-right-logical"}) CheckOp(op, 2, kIntegers);
  CheckOp("shift-right-arithmetic", 2, {"s32", "u32"});
  CheckOp("not", 1, kIntegers);
  CheckOp("negate", 1, Numbers());
  CheckOp("abs", 1, {"f32", "f64", "s32"});
  for (const std::string op : {"sqrt", "floor", "ceil", "round-nearest-even"}) CheckOp(op, 1, kReals);
  CheckOp("clamp", 3, {"f32", "f64", "s32", "u32"});
  for (const std::string op : {"and", "or", "xor"}) CheckOp(op, 2, {"pred"});
  CheckOp("not", 1, {"pred"});
}

TEST_CASE("machine code of compare, select and convert has the evaluator's bits") {
  const std::vector<std::string> all_dimensions = {"",  "1",  "2",  "3",  "4",  "5",  "7", "8",
                                                   "9", "12", "13", "16", "17", "31", "64"};
  for (const std::string& dimensions : all_dimensions) {
    for (const std::string& type : Numbers()) {
      for (const std::string direction : {"EQ", "NE", "LT", "LE", "GT", "GE"}) {
        const std::string shape = fmt::format("{}[{}]", type, dimensions);
        CheckCode({shape, shape, fmt::format("pred[{}]", dimensions)},
                  fmt::format("  n2 = pred[{1}] compare(x0, x1), direction={2}\n"
                              "  n0 = {0} select(x2, x1, x0)\n  n1 = {0} select(n2, x1, x0)\n",
                              shape, dimensions, direction),
                  4);
      }
    }
    const auto check_convert = [&](const std::string& from, const std::string& to) {
      CheckCode({fmt::format("{}[{}]", from, dimensions), fmt::format("{}[{}]", to, dimensions)},
                fmt::format("  n1 = {1}[{2}] convert(x0)\n  n0 = {0}[{2}] copy(x0)\n", from, to, dimensions), 2);
    };
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"s32", "u32"},  {"u32", "s32"},  {"s64", "u64"},  {"u64", "s64"}, {"s32", "f32"}, {"f32", "s32"},
             {"f32", "f64"},  {"s32", "f64"},  {"s32", "s64"},  {"s32", "u64"}, {"u32", "s64"}, {"u32", "u64"},
             {"f64", "f32"},  {"s64", "s32"},  {"s64", "u32"},  {"u64", "s32"}, {"u64", "u32"}, {"pred", "f32"},
             {"pred", "s32"}, {"pred", "u32"}, {"pred", "s64"}, {"pred", "u64"}}) {
      check_convert(from, to);
    }
  }
}

// Every pair of these numbers meets in some turn of some loop.
TEST_CASE("machine code of NaN, infinities, zeros, subnormals and large numbers has the evaluator's bits") {
  const std::vector<std::string> numbers = {"nan",         "-nan",   "inf",  "-inf",  "0",    "-0",
                                            "1e-310",      "-1e-45", "3e38", "-3e38", "-0.5", "2147483648",
                                            "-2147483904", "2.5",    "-1",   "1.5"};
  for (const std::string& type : kReals) {
    for (std::size_t turn = 0; turn < numbers.size(); ++turn) {
      std::vector<Literal> arguments;
      for (const std::size_t first : {std::size_t{0}, turn}) {
        std::string elements;
        for (std::size_t k = 0; k < numbers.size(); ++k) {
          elements += (k == 0 ? "" : ", ") + numbers[(first + k) % numbers.size()];
        }
        arguments.push_back(ParseLiteral(fmt::format("{}[16] {{{}}}", type, elements)).value());
      }
      const auto check = [&](const std::string& body) {
        CheckSameOnEvaluator(LoopText({type + "[16]", type + "[16]"}, body, 1), arguments);
      };
      for (const std::string op : {"add", "subtract", "multiply", "divide", "maximum", "minimum"}) {
        check(fmt::format("  n0 = {0}[16] {1}(x0, x1)\n  n1 = {0}[16] {1}(x1, x0)\n", type, op));
      }
      for (const std::string op : {"abs", "negate", "sqrt", "floor", "ceil", "round-nearest-even"}) {
        check(fmt::format("  n0 = {0}[16] {1}(x0)\n  n1 = {0}[16] clamp(x0, x1, x0)\n", type, op));
      }
      for (const std::string direction : {"EQ", "NE", "LT", "LE", "GT", "GE"}) {
        check(
            fmt::format("  c = pred[16] compare(x0, x1), direction={1}\n  n0 = {0}[16] select(c, x0, x1)\n"
                        "  n1 = {0}[16] copy(x1)\n",
                        type, direction));
      }
      check(
          fmt::format("  a = s32[16] convert(x0)\n  n0 = {0}[16] convert(a)\n  b = {1}[16] convert(x1)\n"
                      "  n1 = {0}[16] convert(b)\n",
                      type, type == "f32" ? "f64" : "f32"));
    }
  }
}

TEST_CASE("machine code of a slice or an update clamps its start indices, of every type") {
  for (const std::string type : {"f32", "f64", "s32", "u64"}) {
    for (const int width : {1, 2, 3, 4, 5, 6, 7, 8, 11, 16}) {
      for (const std::string index : {"s32", "u32", "s64", "u64"}) {
        CheckCode({fmt::format("{}[9,{}]", type, width), fmt::format("{}[1,{}]", type, width), index + "[]"},
                  fmt::format(R"(  seven = {2}[] constant(7)  turn = {2}[] convert(i)
  n1 = {0}[1,{1}] dynamic-slice(x0, x2, seven), dynamic_slice_sizes={{1,{1}}}
  s = {0}[1,{1}] add(x1, n1)  n0 = {0}[9,{1}] dynamic-update-slice(x0, s, turn, seven)  k = {2}[] constant(5)
  n2 = {2}[] multiply(x2, k))",
                              type, width, index),
                  12);
      }
    }
  }
  // Runs of several rows, and of a part of a row, at constants on both sides of the array.
  CheckCode({"f32[6,4]", "f32[2,4]", "f32[1,3]"}, R"(  below = s64[] constant(-9)
  large = u64[] constant(18446744073709551000)  turn = u64[] convert(i)  turns = s64[] convert(i)
  n1 = f32[2,4] dynamic-slice(x0, turns, below), dynamic_slice_sizes={2,4}
  n2 = f32[1,3] dynamic-slice(x0, turn, large), dynamic_slice_sizes={1,3}
  u = f32[6,4] dynamic-update-slice(x0, x1, large, turn)  n0 = f32[6,4] dynamic-update-slice(u, x2, below, turns))");
}

TEST_CASE("machine code of a product of matrices has the sums of the kernel") {
  for (const std::string type : {"f32", "f64"}) {
    for (const auto& [m, k, n] : std::vector<std::array<int, 3>>{
             {1, 16, 16}, {1, 3, 2}, {1, 5, 3}, {1, 16, 7}, {2, 3, 8}, {1, 1, 12}, {1, 30, 9}, {2, 7, 4}}) {
      if (m > 1 && n * (type == "f32" ? 4 : 8) % 32 != 0) continue;
      CheckCode({fmt::format("{}[{},{}]", type, m, k), fmt::format("{}[{},{}]", type, k, n),
                 fmt::format("{}[{},{}]", type, m, n)},
                fmt::format("  d = {0}[{1},{3}] dot(x0, x1), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n"
                            "  n2 = {0}[{1},{3}] add(x2, d)\n"
                            "  n0 = {0}[{1},{2}] negate(x0)\n  zero = s32[] constant(0)\n"
                            "  r = {0}[1,{3}] dynamic-slice(d, i, zero), dynamic_slice_sizes={{1,{3}}}\n"
                            "  n1 = {0}[{2},{3}] dynamic-update-slice(x1, r, i, zero)\n",
                            type, m, k, n));
    }
  }
  // The sum of terms that are all -0 is -0.
  const std::string text = LoopText({"f32[1,2]", "f32[2,8]", "f32[1,8]"}, R"(  n0 = f32[1,2] add(x0, x0)
  n1 = f32[2,8] add(x1, x1)  n2 = f32[1,8] dot(x0, x1), lhs_contracting_dims={1}, rhs_contracting_dims={0})",
                                    2);
  CheckSameOnEvaluator(text, {ParseLiteral("f32[1,2] {{-0, -1}}").value(),
                              ParseLiteral("f32[2,8] {{0,0,0,0,0,0,0,0},{0,0,0,0,0,0,0,0}}").value(),
                              ParseLiteral("f32[1,8] {{1,1,1,1,1,1,1,1}}").value()});
}

TEST_CASE("called steps between those in machine code see and change the same arrays") {
  // tanh, reverse and sort read what registers have, and their results go to registers.
  for (const int width : {1, 3, 8, 16}) {
    const std::string shape = fmt::format("f32[{}]", width);
    CheckProgram({shape, shape, "f32[]"},
                 fmt::format(R"(  a = {0} add(x0, x1)  h = {0} tanh(a)  r = {0} reverse(h), dimensions={{0}}
  b = {0} multiply(r, a)  s = {0} sort(b), dimensions={{0}}, to_apply=LT_f32
  n0 = {0} subtract(s, h)  n1 = {0} negate(x0)  z = f32[] constant(-0)
  f = f32[] reduce(n0, z), dimensions={{0}}, to_apply=add_f32
  n2 = f32[] add(f, x2))",
                             shape));
  }
  // An update in place of an array that steps in registers read and write too.
  CheckProgram({"f32[8]", "f32[8]"}, R"(  e = f32[8] add(x0, x1)
  a = f32[3] dynamic-slice(e, i), dynamic_slice_sizes={3}
  u = f32[8] dynamic-update-slice(e, a, i)  n0 = f32[8] subtract(u, x1)  n1 = f32[8] sine(n0))");
}

TEST_CASE("machine code keeps more values than the machine has registers") {
  for (const std::string type : {"f32", "f64", "s64"}) {
    std::string body;
    const std::string shape = type + "[16]";
    for (int k = 0; k < 40; ++k) {
      body += fmt::format("  v{1} = {0} add(x{2}, {3})\n", shape, k, k % 3, k == 0 ? "x1" : fmt::format("v{}", k - 1));
    }
    for (int k = 0; k < 40; ++k) {
      body += fmt::format("  w{1} = {0} subtract({2}, v{3})\n", shape, k, k == 0 ? "x0" : fmt::format("w{}", k - 1),
                          39 - k);
    }
    body += fmt::format("  n0 = {0} multiply(w39, v7)\n  n1 = {0} copy(w20)\n  n2 = {0} copy(v39)\n", shape);
    CheckCode({shape, shape, shape}, body);
  }
}

TEST_CASE("a step that fails ends machine code with its error") {
  // The inner loop never ends, so the outer one's machine code calls a step that meets the limit.
  const std::string inner =
      "forever { p = (f32[4]) parameter(0) ROOT l = pred[] constant(true) }\n"
      "turn { p = (f32[4]) parameter(0) x = f32[4] get-tuple-element(p), index=0 "
      "y = f32[4] add(x, x) ROOT t = (f32[4]) tuple(y) }";
  const auto module = ModuleOf(LoopText({"f32[4]"}, R"(  a = f32[4] negate(x0)  s = (f32[4]) tuple(a)
  w = (f32[4]) while(s), condition=forever, body=turn
  n0 = f32[4] get-tuple-element(w), index=0)",
                                        7, inner));
  generate::Random random(3);
  for (const Compilation compilation : {Compilation::kAtOnce, Compilation::kWhenWorthwhile}) {
    const CompilationScope scope(compilation);
    for (int n = 0; n < 2; ++n) {
      const auto got = Evaluate(*module, DrawArguments(*module, random), {.limits = {.seconds = 0.05}}, Overrides());
      REQUIRE(!got);
      CHECK(got.error().code == ErrorCode::kLimit);
    }
  }
}

TEST_CASE("a step that fails in machine code has the error of the replay") {
  // The call of sort needs memory, for which there is none below some limit.
  const auto module = ModuleOf(LoopText(
      {"f32[900]", "f32[4]"}, "  n0 = f32[900] sort(x0), dimensions={0}, to_apply=LT_f32\n  n1 = f32[4] negate(x1)\n"));
  generate::Random random(3);
  const auto arguments = DrawArguments(*module, random);
  int failures = 0;
  for (std::int64_t bytes = 1000; bytes < 30000; bytes += 500) {
    const auto succeeds = [&](Compilation compilation) {
      const CompilationScope scope(compilation);
      return Evaluate(*module, arguments, {.limits = {.array_bytes = bytes}}, Overrides()).has_value();
    };
    const bool wanted = succeeds(Compilation::kNever);
    CHECK(succeeds(Compilation::kAtOnce) == wanted);
    failures += wanted ? 0 : 1;
  }
  CHECK(failures > 10);
}

TEST_CASE("a loop is compiled once it has run for long") {
  if (!HasTurnCompiler()) return;
  const auto module = ModuleOf(LoopText({"f32[]"}, "  n0 = f32[] negate(x0)\n"));
  const auto program = MakeLoopProgram(LoopIn(*module), BodiesOfLoops(Overrides()));
  REQUIRE(program != nullptr);
  OwnTurns& code = *program->main.code;
  CHECK(code.Get(*program, program->main) == nullptr);
  code.AddTurns(100);
  CHECK(code.Get(*program, program->main) == nullptr);
  code.AddTurns(100000);
  CHECK(code.Get(*program, program->main) != nullptr);
}

TEST_CASE("a loop is compiled in the middle of its turns") {
  for (const int turns : {100, 1024, 4096, 5000, 6000, 100000}) {
    const auto module = ModuleOf(LoopText({"f32[]", "s32[4]"}, R"(  f = f32[] convert(i)  h = f32[] constant(0.5)
  m = f32[] multiply(x0, h)  n0 = f32[] add(m, f)  is = s32[4] broadcast(i), dimensions={}
  n1 = s32[4] xor(x1, is))",
                                          turns));
    generate::Random random(5);
    const auto arguments = DrawArguments(*module, random);
    CheckSameResults(*module, *module, arguments, WithoutPrograms());
  }
}

}  // namespace
}  // namespace assay::simd
