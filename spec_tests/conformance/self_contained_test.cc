#include "conformance/judging/self_contained.h"

#include <string>

#include "conformance/cases/golden.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "spec_tests/catch.h"

namespace assay {
namespace {

// Parses arguments in the syntax of a golden's directives.
std::vector<Literal> Values(const std::string& lines) {
  const Result<GoldenFile> file =
      ParseGoldenFile("golden/add/f32.hlo", "//! clause c\n//! provenance derived\n//! oracle hand\n//! case a b\n" +
                                                lines + "//! want s32[] 0\n");
  REQUIRE(file);
  return file->cases[0].arguments;
}

// Checks that the text without parameters, parsed again, has the result of the module on its arguments. Returns it.
std::unique_ptr<HloModule> CheckSame(const std::string& text, const std::string& arguments) {
  const auto module = ParseModuleFile("m.hlo", text);
  REQUIRE(module);
  const DeviceValues values = ByDevice((*module)->device_count(), Values(arguments));
  const auto whole = SelfContained(**module, values);
  REQUIRE(whole);
  auto read = ParseModuleFile("whole.hlo", PrintHloModule(**whole, PrintOptions::Exact()));
  INFO((read ? "" : read.error().message));
  REQUIRE(read);
  CHECK((*read)->entry->Parameters().empty());
  const Result<Literal> want = EvaluateTogether(**module, values);
  const Result<Literal> got = EvaluateTogether(**read, DeviceValues(values.size()));
  REQUIRE(want);
  REQUIRE(got);
  CHECK(CompareExactly(*want, *got).verdict == Verdict::kExact);
  CHECK(got->BitwiseEqual(*want));
  return *std::move(read);
}

}  // namespace

TEST_CASE("self-contained: every bit of every type survives") {
  CheckSame(R"(HloModule m
ENTRY main { a = f32[3] parameter(0)  b = c64[1] parameter(1)  c = pred[2] parameter(2)  d = s4[2] parameter(3)
  e = u2[4] parameter(4)  f = f8e4m3fn[2] parameter(5)  g = f4e2m1fn[2] parameter(6)  h = f64[1,2] parameter(7)
  i = f6e2m3fn[2] parameter(8)
  ROOT t = (f32[3], c64[1], pred[2], s4[2], u2[4], f8e4m3fn[2], f4e2m1fn[2], f64[1,2], f6e2m3fn[2])
      tuple(a, b, c, d, e, f, g, h, i)
})",
            "//! arg f32[3] x7fc00001 x80000000 xff812345\n//! arg c64[1] -0 xffc00000\n//! arg pred[2] 1 0\n"
            "//! arg s4[2] -8 7\n//! arg u2[4] 0 1 2 3\n//! arg f8e4m3fn[2] x80 xff\n//! arg f4e2m1fn[2] x8 xf\n"
            "//! arg f64[1,2] xfff8000000000001 x8000000000000000\n//! arg f6e2m3fn[2] 1 -1\n");
}

TEST_CASE("self-contained: each device has its own row") {
  const auto whole = CheckSame(R"(HloModule m, replica_count=2, num_partitions=2
ENTRY e { a = s32[2] parameter(0)  ROOT r = s32[2] negate(a) })",
                               "//! arg s32[2] 1 2\n//! arg s32[2] 3 4\n//! arg s32[2] 5 6\n//! arg s32[2] 7 8\n");
  CHECK(whole->device_count() == 4);
}

TEST_CASE("self-contained: an empty array and a scalar") {
  CheckSame(R"(HloModule m
ENTRY e { a = f32[0] parameter(0)  b = s8[] parameter(1)  ROOT t = (f32[0], s8[]) tuple(a, b) })",
            "//! arg f32[0]\n//! arg s8[] -128\n");
}

TEST_CASE("self-contained: a value that no constant can have is an error") {
  const auto module = ParseHloModule("HloModule m\nENTRY e { a = opaque[] parameter(0) ROOT r = s32[] constant(1) }");
  REQUIRE(module);
  const auto whole = SelfContained(**module, {{Literal(ShapeUtil::MakeShape(OPAQUE_TYPE, {}))}});
  REQUIRE_FALSE(whole);
  CHECK(whole.error().message.find("opaque[]") != std::string::npos);
}

}  // namespace assay
