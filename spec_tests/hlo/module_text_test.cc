// Modules in text: structure, names, order, and the places of errors.
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "interpreter/hlo/literal_text.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"
#include "spec_tests/catch.h"

namespace assay {
namespace {

std::string Reprint(std::string_view text, const PrintOptions& options = {}) {
  const auto module = ParseHloModule(text);
  return module.has_value() ? PrintHloModule(**module, options) : "error: " + module.error().message;
}

TEST_CASE("A module prints in XLA's form") {
  // XLA's format: names with %, the signature, callees first, operands before users, default layouts.
  CHECK(Reprint(R"(HloModule m
f { p = s32[] parameter(0)
  ROOT r = s32[] negate(p) }
ENTRY e { unused = s32[] constant(7)
  x = s32[2,3] parameter(0)
  y = s32[] call(s32[] unused), to_apply=f
  z = (s32[2,3], s32[]) tuple(x, y)
})") == R"(HloModule m, entry_computation_layout={(s32[2,3]{1,0})->(s32[2,3]{1,0}, s32[])}

%f (p: s32[]) -> s32[] {
  %p = s32[] parameter(0)
  ROOT %r = s32[] negate(%p)
}

ENTRY %e (x: s32[2,3]) -> (s32[2,3], s32[]) {
  %x = s32[2,3]{1,0} parameter(0)
  %unused = s32[] constant(7)
  %y = s32[] call(%unused), to_apply=%f
  ROOT %z = (s32[2,3]{1,0}, s32[]) tuple(%x, %y)
}

)");
}

TEST_CASE("A text of one instruction is a scheduled module whose operands are parameters") {
  CHECK(Reprint("f32[2] add(f32[2] x, f32[2])") ==
        R"(HloModule _, is_scheduled=true, entry_computation_layout={(f32[2]{0}, f32[2]{0})->f32[2]{0}}

ENTRY %_ (x: f32[2], _1: f32[2]) -> f32[2] {
  %x = f32[2]{0} parameter(0)
  %_1 = f32[2]{0} parameter(1)
  ROOT %_ = f32[2]{0} add(%x, %_1)
}

)");
}

TEST_CASE("An error says where it is and what was expected") {
  const std::string text = "HloModule m\nENTRY e {\n\tx = f32[2] parmeter(0)\n}\n";
  const auto module = ParseHloModule(text);
  REQUIRE_FALSE(module.has_value());
  CHECK(module.error().code == ErrorCode::kParse);
  CHECK(module.error().location.line == 3);
  CHECK(module.error().location.column == 13);
  CHECK(
      RenderError(module.error(), text, "m.hlo") ==
      "m.hlo:3:13: error: unknown opcode parmeter, did you mean parameter?\n\tx = f32[2] parmeter(0)\n\t           ^");
}

TEST_CASE("A sharding that says no placement is an error") {
  const auto [sharding, message] = GENERATE(table<std::string, std::string>({
      {"mesh['x'=2], unreduced=mean", "unreduced is a sum, min or max, found mean"},
      {"mesh['x'=2], [{}], unreduced=[mean]{'x'}", "unreduced is a sum, min or max, found mean"},
      {"mesh['x'=2], replicated=max", "expected '{'"},
      {"mesh['x'=2], [{}], manual=[max]{'x'}", "expected '{'"},
      {"mesh['x'=2], [{'x'}], [{}]", "expected the axes of each dimension"},
      {"mesh['x'=2], [{?, 'x'}]", "'?' must be last"},
      {"mesh['x'=2], [{'y'}]", "the mesh has no axis 'y'"},
      {"devices=[2]0,1,2", "the tiles are 2 devices, 3 are listed"},
      {"devices=[1]0", "tiles need more than one device"},
      {"replicated devices=[2]0,1", "a replicated sharding lists no devices"},
      {"shard_as 3", "a sharding of tiles lists its devices"},
      {"devices=[2]0,1 last_tile_dims={manual, manual}", "more entries than the tiles have dimensions"},
      {"{replicated}, {{replicated}}", "the sharding of a tuple is a flat list"},
  }));
  const std::string text = "HloModule m, num_partitions=2\nENTRY e {\n  ROOT p = f32[2] parameter(0), sharding={";
  CHECK(Reprint(text + sharding + "}\n}\n").find(message) != std::string::npos);
}

TEST_CASE("A comma is no literal") {
  // The elements must not be uninitialized memory.
  for (const char* text : {"s4[3] ,", "f32[] ,", "(s32[2]) (,)"}) {
    INFO(text);
    CHECK_FALSE(ParseLiteral(text).has_value());
  }
}

TEST_CASE("An async computation that swaps its parameters has the long form where text is read back") {
  const std::string module = R"(HloModule m
swap { p = s32[] parameter(0)
  q = s32[] parameter(1)
  ROOT d = s32[] subtract(q, p) }
ENTRY e { x = s32[] parameter(0)
  y = s32[] parameter(1)
  s = ((s32[], s32[]), s32[], s32[]) async-start(x, y), calls=swap
  ROOT r = s32[] async-done(s) })";
  // XLA 0.10.2 prints this; it reads back as x - y instead of y - x.
  CHECK(Reprint(module).find("subtract-start(%x, %y)") != std::string::npos);
  const std::string exact = Reprint(module, PrintOptions::Exact());
  CHECK(exact.find("async-start(%x, %y), calls=%swap") != std::string::npos);
  CHECK(Reprint(exact, PrintOptions::Exact()) == exact);
}

TEST_CASE("An async computation with an operand of its update has the long form where text is read back") {
  const std::string text = R"(HloModule m
less { p = s32[] parameter(0)
  q = s32[] parameter(1)
  ROOT r = s32[] subtract(p, q) }
ENTRY e {
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  s = ((s32[]), s32[], s32[]) async-start(x), calls=less
  u = ((s32[], s32[]), s32[], s32[]) async-update(s, y)
  ROOT r = s32[] async-done(u) })";
  const std::string exact = Reprint(text, PrintOptions::Exact());
  CHECK(exact.find("async-start(%x), calls=%less") != std::string::npos);
  CHECK(exact.find("async-update(%s, %y)") != std::string::npos);
  CHECK(Reprint(exact, PrintOptions::Exact()) == exact);
}

TEST_CASE("An async computation with a caller beside its start has the long form where text is read back") {
  const std::string module = R"(HloModule m
f { p = s32[] parameter(0)
  ROOT r = s32[] negate(p), metadata={op_name="inner"} }
g { p = s32[] parameter(0)
  ROOT r = s32[] negate(p) }
ENTRY e { x = s32[] parameter(0)
  s = ((s32[]), s32[]) async-start(x), calls=f
  y = s32[] async-done(s)
  t = ((s32[]), s32[]) async-start(y), calls=g
  z = s32[] async-done(t)
  ROOT r = s32[] call(z), to_apply=g })";
  // XLA 0.10.2 prints this, without %g.
  CHECK(Reprint(module).find("negate-start(%x)\n") != std::string::npos);
  CHECK(Reprint(module).find("%g (") == std::string::npos);
  const std::string exact = Reprint(module, PrintOptions::Exact());
  CHECK(exact.find("async-start(%x), calls=%f") != std::string::npos);
  CHECK(exact.find("async-start(%y), calls=%g") != std::string::npos);
  CHECK(Reprint(exact, PrintOptions::Exact()) == exact);
}

TEST_CASE("A computation that two callers share stands before both where text is read back") {
  const std::string module = R"(HloModule m
leaf { ROOT p = s32[] parameter(0) }
outer { p = s32[] parameter(0)
  ROOT r = s32[] call(p), to_apply=leaf }
ENTRY e { p = pred[] parameter(0)
  x = s32[] parameter(1)
  ROOT r = s32[] conditional(p, x, x), true_computation=outer, false_computation=leaf })";
  const std::string printed = Reprint(module);
  CHECK(printed.find("%outer (") < printed.find("%leaf ("));
  CHECK(Reprint(printed).starts_with("error"));
  const std::string exact = Reprint(module, PrintOptions::Exact());
  CHECK(exact.find("%leaf (") < exact.find("%outer ("));
  CHECK(Reprint(exact, PrintOptions::Exact()) == exact);
}

TEST_CASE("A short async form wraps one instruction with its attributes") {
  const auto module = ParseHloModule(R"(HloModule m
ENTRY e { x = s32[4] parameter(0)
  s = ((s32[4]), s32[2], s32[]) slice-start(x), slice={[1:3]}
  ROOT r = s32[2] slice-done(s) })");
  REQUIRE(module.has_value());
  const HloInstruction& done = *(*module)->entry->root;
  const HloComputation& wrapped = done.Computation("calls");
  CHECK(&wrapped == &done.operand(0).Computation("calls"));
  CHECK(wrapped.root->op->name == "slice");
  CHECK(wrapped.root->shape.ToString() == "s32[2]{0}");
  CHECK(*wrapped.root->Find<SliceConfig>("slice") == SliceConfig{{1, 3, 1}});
}

// jaxlib 0.12.0.1 prints and reads such text.
TEST_CASE("Updates of a short async form bind the operands that its start has not bound") {
  const auto text = [](std::string_view start, std::string_view more) {
    return fmt::format(R"(HloModule m
ENTRY e {{
  x = s32[] parameter(0)
  y = s32[] parameter(1)
{}
  u = ((s32[], s32[]), s32[], u32[]) subtract-update({}y)
  ROOT r = s32[] subtract-done(u) }})",
                       start, more);
  };
  const std::string one = text("  s = ((s32[]), s32[], u32[]) subtract-start(x)", "s, ");
  const std::string none = text(
      "  n = ((), s32[], u32[]) subtract-start()\n"
      "  s = ((s32[]), s32[], u32[]) subtract-update(n, x)",
      "s, ");
  for (const std::string& late : {one, none}) {
    INFO(late);
    const auto module = ParseHloModule(late);
    REQUIRE(module.has_value());
    const HloInstruction& wrapped = *(*module)->entry->root->Computation("calls").root;
    CHECK(wrapped.op->name == "subtract");
    REQUIRE(wrapped.operands.size() == 2);
    CHECK(wrapped.operand(1).parameter_number == 1);
    CHECK(wrapped.parent->instructions.back().get() == &wrapped);
    CHECK(VerifyHloModule(**module));
    // XLA's own form is the short one; the form that every version reads back has the computation.
    CHECK(Reprint(late).find("subtract-update(%s, %y)") != std::string::npos);
    CHECK(Reprint(Reprint(late)) == Reprint(late));
    const std::string exact = Reprint(late, PrintOptions::Exact());
    CHECK(exact.find("calls=%async_wrapped") != std::string::npos);
    CHECK(Reprint(exact, PrintOptions::Exact()) == exact);
  }
}

TEST_CASE("A short async form has as many operands as its op, its updates included") {
  const std::string start = "ENTRY e { x = s32[] parameter(0)\n  s = ((s32[]), s32[], u32[]) subtract-start(x)\n";
  CHECK(Reprint(start + "  ROOT r = s32[] subtract-done(s) }").find("subtract takes 2 operand(s), here are 1") !=
        std::string::npos);
  const std::string update = "  u = ((s32[], s32[], s32[]), s32[], u32[]) subtract-update(s, x, x)\n";
  CHECK(
      Reprint(start + update + "  ROOT r = s32[] subtract-done(u) }").find("subtract takes 2 operand(s), here are 3") !=
      std::string::npos);
}

TEST_CASE("Numbers of attributes have six digits for people, and all of theirs for programs") {
  const std::string module =
      "ENTRY e {\n  x = f32[2,2] parameter(0)\n  s = f32[2] parameter(1)\n  o = f32[2] parameter(2)\n"
      "  b = (f32[2,2], f32[2], f32[2]) batch-norm-training(x, s, o), epsilon=0.0012345678, feature_index=1\n"
      "  y = f32[2,2] get-tuple-element(b), index=0\n"
      "  ROOT t = f32[2,2] tanh(y), result_accuracy={tolerance={atol=0.123456789,rtol=0,ulps=2}}\n}\n";
  const std::string shown = Reprint(module, PrintOptions());
  CHECK(shown.find("epsilon=0.00123457,") != std::string::npos);
  CHECK(shown.find("atol=0.123457,") != std::string::npos);
  const std::string exact = Reprint(module, PrintOptions::Exact());
  CHECK(exact.find("epsilon=0.0012345678,") != std::string::npos);
  CHECK(exact.find("atol=0.123456789,") != std::string::npos);
}

TEST_CASE("Text that nests too deep, ends early or holds bytes of no token is an error") {
  CHECK_FALSE(ParseHloModule(std::string(100000, '{')).has_value());
  CHECK_FALSE(ParseHloModule(std::string(100000, '(')).has_value());
  std::string nested = "ENTRY e { x = f32[] parameter(0) ROOT r = f32[] ";
  for (int i = 0; i < 100000; ++i) nested += "negate(";
  CHECK_FALSE(ParseHloModule(nested).has_value());
  const std::string whole = "HloModule m\nENTRY e {\n  ROOT x = f32[2]{0} constant({1, nan(0x1)})\n}";
  REQUIRE(ParseHloModule(whole).has_value());
  for (std::size_t n = 0; n < whole.size(); ++n) CHECK_FALSE(ParseHloModule(whole.substr(0, n)).has_value());
  for (std::size_t n = 0; n < whole.size(); ++n) {
    std::string broken = whole;
    broken[n] = '\0';
    CHECK_FALSE(ParseHloModule(broken).has_value());
  }
}

TEST_CASE("An operand written in place may have blanks and a comment in front of its parentheses") {
  const auto with = [](std::string_view space) {
    return Reprint(
        fmt::format("HloModule m\nENTRY e {{ a = f32[] parameter(0) ROOT r = f32[] negate(abs{}(a)) }}", space));
  };
  CHECK(with("").find("abs(%a)") != std::string::npos);
  CHECK(with(" ") == with(""));
  CHECK(with("/* a comment */") == with(""));
  CHECK(with(" // a comment\n") == with(""));
}

TEST_CASE("Numbers in a row are read as the longest token") {
  CHECK(Reprint("HloModule m\nENTRY e { ROOT c = s32[3] constant({1,-2,30}) }").find("{1, -2, 30}") !=
        std::string::npos);
  CHECK(Reprint("HloModule m\nENTRY e { ROOT c = f32[3] constant({1.5, 2e3, 4}) }").find("{1.5, 2000, 4}") !=
        std::string::npos);
}

TEST_CASE("Literals take the value that is written, in range of their type") {
  const auto values = ParseLiteral("f32[2] {1, -inf}");
  REQUIRE(values.has_value());
  CHECK(values->values<float>()[0] == 1.0F);
  CHECK(PrintLiteral(*values) == "{1, -inf}");
  // f32 bits 0x7f800001 and, for -0, 0x80000000.
  CHECK(ParseLiteral("f32[] nan(0x1)")->values<std::uint32_t>()[0] == 0x7f800001U);
  CHECK(ParseLiteral("f32[] -0")->values<std::uint32_t>()[0] == 0x80000000U);
  CHECK(PrintLiteral(*ParseLiteral("f32[] -0"), {.exact_negative_zero = true}) == "-0.0");
  CHECK(ParseLiteral("u64[] 18446744073709551615").has_value());
  CHECK(ParseLiteral("s4[] -8").has_value());
  CHECK_FALSE(ParseLiteral("s4[] 8").has_value());
  CHECK_FALSE(ParseLiteral("u8[] -1").has_value());
  CHECK_FALSE(ParseLiteral("f16[] 65520").has_value());
  CHECK(ParseLiteral("f8e4m3fn[] 460").has_value());  // rounds to 448, the largest
  CHECK_FALSE(ParseLiteral("f8e4m3fn[] 465").has_value());
  CHECK_FALSE(ParseLiteral("f32[3] {1, 2}").has_value());
  CHECK_FALSE(ParseLiteral("f32[3] 1").has_value());
  CHECK_FALSE(ParseLiteral("u64[] -1").has_value());
  CHECK_FALSE(ParseLiteral("s64[] 18446744073709551615").has_value());
  CHECK(ParseLiteral("u64[] -0").has_value());
  CHECK_FALSE(ParseLiteral("f32[1000000000000,1000000000000] {1}").has_value());
  CHECK(PrintLiteral(*ParseLiteral("s32[<=4] {1, 2}")) == "{1, 2}");
  CHECK(PrintLiteral(*ParseLiteral("(s32[], pred[2]) (1, {true, 0})")) == "( 1, {1, 0} )");
}

TEST_CASE("Tuples without an array read back") {
  for (const char* text : {"()", "(())", "((), ())", "((()), ())", "() ()", "(()) (())"}) {
    INFO(text);
    const auto literal = ParseLiteral(text);
    REQUIRE(literal.has_value());
    const auto again = ParseLiteral(PrintTypedLiteral(*literal));
    REQUIRE(again.has_value());
    CHECK(again->BitwiseEqual(*literal));
  }
  CHECK(ParseLiteral("((), ())")->elements().size() == 2);
  CHECK_FALSE(ParseLiteral("(()) ()").has_value());
}

TEST_CASE("A literal has a size in every dimension") {
  for (const char* text : {"f32[?] {}", "f32[4,?] {}"}) CHECK_FALSE(ParseLiteral(text).has_value());
  const auto literal = ParseLiteral("f32[0,?] {}");
  REQUIRE_FALSE(literal.has_value());
  CHECK(literal.error().message == "f32[0,?] has a dimension without a size: dimension 1");
  CHECK(literal.error().location.column == 10);
}

TEST_CASE("The parts of a complex number are kept apart, but in a constant") {
  // XLA 0.10.2 reads (nan, 0.1) as two NaNs.
  CHECK(PrintLiteral(*ParseLiteral("c64[] (nan, 0.1)")) == "(nan, 0.1)");
}

TEST_CASE("A number cannot stand for an array that is empty or too large") {
  CHECK(Reprint("f32[0,2] constant(1)").starts_with("error: expected '{'"));
  CHECK(Reprint("f32[1000000,1000000] constant(1)").find("takes more than") != std::string::npos);
  CHECK(Reprint("f32[1000000000000,1000000000000] constant(1)").starts_with("error"));
}

TEST_CASE("Newer spellings read as those of XLA 0.10.2") {
  const std::string text = Reprint(R"(ENTRY e { t = (f32[2], s32[2]) parameter(0)
  c = pred[2] compare(t#0, t#0), direction=LT, order=TOTAL
  d = pred[2] compare(t#1, t#1), direction=LT, order=TOTAL
  ROOT r = (pred[2], pred[2]) tuple(c, d) })");
  CHECK(text.find("%t_0 = f32[2]{0} get-tuple-element(%t), index=0") != std::string::npos);
  CHECK(text.find("compare(%t_0, %t_0), direction=LT, type=TOTALORDER\n") != std::string::npos);
  CHECK(text.find("compare(%t_1, %t_1), direction=LT\n") != std::string::npos);
}

TEST_CASE("a shape is not inferred from an operand with an illegal one", "[hlo]") {
  const auto module = ParseHloModule(
      "HloModule m\nENTRY e {\n  a = f32[2,3]{0,2} parameter(0)\n  ROOT t = transpose(a), dimensions={1,0}\n}\n");
  REQUIRE_FALSE(module.has_value());
  CHECK(module.error().message.starts_with("cannot infer the shape: a: "));
}

TEST_CASE("the shape of a custom call is not inferred", "[hlo]") {
  const auto module = ParseHloModule(
      "HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n  ROOT c = custom-call(a), "
      "custom_call_target=\"Sharding\"\n}\n");
  REQUIRE_FALSE(module.has_value());
  CHECK(module.error().message == "cannot infer the shape of custom-call; it must be written");
}

}  // namespace
}  // namespace assay
