// Modules in text: structure, names, order, and the places of errors.
#include <string>

#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "spec_tests/catch.h"

namespace assay {
namespace {

std::string Reprint(std::string_view text, const PrintOptions& options = {}) {
  const auto module = ParseHloModule(text);
  return module.has_value() ? PrintHloModule(**module, options) : "error: " + module.error().message;
}

TEST_CASE("A module prints in XLA's form") {
  // As XLA prints it: names with %, the signature, callees first, operands before users, default layouts.
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

}  // namespace
}  // namespace assay
