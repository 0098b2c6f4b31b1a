// Profiles: the freedoms of each, with a value just inside and one just outside; and errors in profile files.
#include "interpreter/acceptance/profile.h"

#include "spec_tests/acceptance/judged.h"

namespace assay::testing {
namespace {

std::string ErrorOf(const std::string& text) {
  const Result<Profile> profile = Profile::Parse(text, "p.json");
  return profile ? "" : profile.error().message;
}

const Profile& XlaCpu() { return BuiltInProfile("xla-cpu"); }

std::string WithRow(const std::string& row) { return R"({"name": "p", "meaning": "m", "allowances": [)" + row + "]}"; }

TEST_CASE("the built-in profiles open what their names say", "[profile]") {
  struct Opened {
    const char* name;
    bool flush, reassociation, zero_sign, not_finite;
  };
  for (const Opened& opened : {Opened{"exact", false, false, false, false}, Opened{"ieee", false, true, false, false},
                               Opened{"xla", true, true, false, false}, Opened{"xla-cpu", true, true, false, false},
                               Opened{"ftz", true, true, false, false}, Opened{"fast", true, true, true, true}}) {
    const Profile& profile = BuiltInProfile(opened.name);
    INFO(opened.name);
    CHECK(profile.name() == opened.name);
    CHECK(profile.Allows(Freedom::kFlush) == opened.flush);
    CHECK(profile.Allows(Freedom::kReassociation) == opened.reassociation);
    CHECK(profile.Allows(Freedom::kZeroSign) == opened.zero_sign);
    CHECK(profile.Allows(Freedom::kNotFinite) == opened.not_finite);
  }
}

TEST_CASE("allowances are by op and type", "[profile]") {
  CHECK(XlaProfile().AllowanceOf("tanh", F32).ulp == 5);
  CHECK(XlaProfile().AllowanceOf("tanh", F16).ulp == 1);
  CHECK(XlaProfile().AllowanceOf("tanh", C64).ulp == 57);
  CHECK(XlaProfile().AllowanceOf("tanh", C128).ulp == 29);
  CHECK(XlaCpu().AllowanceOf("tanh", F32).ulp == 6);
  CHECK(XlaCpu().AllowanceOf("tanh", F64).ulp == 7);
  CHECK(XlaCpu().AllowanceOf("tanh", F16).ulp == 1);
  CHECK(XlaCpu().AllowanceOf("tanh", C64).ulp == 12);
  CHECK(XlaProfile().AllowanceOf("sqrt", F32).ulp == 0);
  CHECK(XlaProfile().AllowanceOf("add", F32).ulp == 0);
  CHECK(BuiltInProfile("fast").AllowanceOf("sqrt", F32).ulp == 3);
  CHECK(BuiltInProfile("fast").AllowanceOf("tanh", F32).ulp == 5);
  CHECK(BuiltInProfile("ieee").AllowanceOf("tanh", F32).ulp == 0);
  CHECK(ExactProfile().AllowanceOf("multiply", C64).ulp == 0);
}

TEST_CASE("xla is a contract, xla-cpu what was measured", "[profile]") {
  for (const Op* op : AllOps()) {
    for (const PrimitiveType type : {BF16, F16, F32, F64, C64, C128}) {
      INFO(op->name << " " << PrimitiveTypeName(type));
      const Allowance& contract = XlaProfile().AllowanceOf(op->name, type);
      const Allowance& measured = XlaCpu().AllowanceOf(op->name, type);
      CHECK(contract.source.find("measured") == std::string::npos);
      const bool is_own = measured.ulp != contract.ulp || measured.source != contract.source;
      CHECK(is_own == measured.source.starts_with("XLA:CPU measured (20"));
    }
  }
}

TEST_CASE("a profile extends another", "[profile]") {
  const Result<Profile> profile = Profile::Parse(
      R"({"name": "mine", "extends": "xla", "meaning": "m", "freedoms": {"flush": null, "zero_sign": "because"},
          "allowances": [{"op": "tanh", "types": ["f32", "complex"], "ulp": 1.5, "source": "a paper"}]})",
      "mine.json");
  REQUIRE(profile);
  CHECK(profile->name() == "mine");
  CHECK_FALSE(profile->Allows(Freedom::kFlush));
  CHECK(profile->Allows(Freedom::kReassociation));
  CHECK(profile->SourceOf(Freedom::kZeroSign) == "because");
  CHECK(profile->AllowanceOf("tanh", F32).ulp == 1.5);
  CHECK(profile->AllowanceOf("tanh", F32).source == "a paper");
  CHECK(profile->AllowanceOf("tanh", C128).ulp == 1.5);
  CHECK(profile->AllowanceOf("tanh", F64).ulp == 5);
  CHECK(profile->AllowanceOf("erf", F32).ulp == 16);
}

TEST_CASE("a freedom may be open for some ops only", "[profile]") {
  const Result<Profile> profile = Profile::Parse(
      R"({"name": "mine", "meaning": "m", "freedoms": {"zero_sign": {"ops": ["negate"], "source": "because"}}})",
      "mine");
  REQUIRE(profile);
  CHECK(profile->Allows(Freedom::kZeroSign, "negate"));
  CHECK_FALSE(profile->Allows(Freedom::kZeroSign, "sign"));
  CHECK_FALSE(profile->Allows(Freedom::kZeroSign));
  CHECK(profile->AllowsAnything());
  CHECK_FALSE(ExactProfile().AllowsAnything());
  CHECK(Unary("negate", "f32[]", "f32[] 0").Is("f32[] 0", *profile) == Verdict::kLegal);
  CHECK(Unary("sign", "f32[]", "f32[] 0").Is("f32[] -0", *profile) == Verdict::kFail);
  for (const char* op : {"maximum", "minimum", "clamp"}) CHECK(XlaProfile().Allows(Freedom::kEitherZero, op));
  CHECK_FALSE(XlaProfile().Allows(Freedom::kEitherZero, "select"));
}

TEST_CASE("a profile in a file opens and closes precisions", "[profile]") {
  const std::string head = R"({"name": "mine", "meaning": "of a test", )";
  const auto opened = Profile::Parse(head + R"("extends": "exact", "precisions": [
      {"types": ["f32"], "levels": ["default"], "operand_error": 0.25, "source": "a manual"},
      {"types": ["bf16", "f16"], "accumulator_roundoff": 0.125, "source": "another one"}]})",
                                     "test");
  REQUIRE(opened);
  REQUIRE(opened->PrecisionOf(F32, "default") != nullptr);
  CHECK(opened->PrecisionOf(F32, "default")->algorithm.operand_error == 0.25);
  CHECK(opened->PrecisionOf(F32, "high") == nullptr);
  CHECK(opened->PrecisionOf(F64, "default") == nullptr);
  REQUIRE(opened->PrecisionOf(F16, "highest") != nullptr);
  CHECK(opened->PrecisionOf(F16, "highest")->algorithm.accumulator_roundoff == 0.125);
  CHECK(opened->PrecisionOf(F16, "highest")->source == "another one");
  const auto closed = Profile::Parse(head + R"("extends": "xla-gpu", "precisions": null})", "test");
  REQUIRE(closed);
  CHECK(closed->PrecisionOf(F32, "default") == nullptr);
}

TEST_CASE("the error of a profile names the wrong field", "[profile]") {
  using Catch::Matchers::ContainsSubstring;
  CHECK(ErrorOf(WithRow(R"({"op": "tanh", "ulp": 1, "source": "s"})")).empty());
  CHECK_THAT(ErrorOf("{"), ContainsSubstring("profile p.json") && ContainsSubstring("JSON object"));
  CHECK_THAT(ErrorOf("[]"), ContainsSubstring("JSON object"));
  CHECK_THAT(ErrorOf(R"({"meaning": "m"})"), ContainsSubstring("a name and a meaning"));
  CHECK_THAT(ErrorOf(R"({"name": "p", "meaning": ""})"), ContainsSubstring("meaning must be a text"));
  CHECK_THAT(ErrorOf(R"({"name": "p", "meaning": "m", "extends": "tpu"})"),
             ContainsSubstring("no built-in profile tpu"));
  CHECK_THAT(ErrorOf(R"({"name": "p", "meaning": "m", "freedoms": {"flash": "s"}})"),
             ContainsSubstring("no freedom flash"));
  CHECK_THAT(ErrorOf(R"({"name": "p", "meaning": "m", "freedoms": {"flush": true}})"),
             ContainsSubstring("flush must be a text"));
  CHECK_THAT(ErrorOf(R"({"name": "p", "meaning": "m", "freedoms": {"flush": {"source": "s"}}})"),
             ContainsSubstring("ops must be a list"));
  CHECK_THAT(ErrorOf(R"({"name": "p", "meaning": "m", "freedoms": {"flush": {"ops": ["tahn"], "source": "s"}}})"),
             ContainsSubstring("no op \"tahn\""));
  CHECK_THAT(ErrorOf(R"({"name": "p", "meaning": "m", "ulps": 3})"), ContainsSubstring("no member ulps"));
  CHECK_THAT(ErrorOf(WithRow(R"({"op": "tanh", "ulp": 1})")), ContainsSubstring("source must be a text"));
  CHECK_THAT(ErrorOf(WithRow(R"({"op": "tanh", "ulp": -1, "source": "s"})")), ContainsSubstring("not negative"));
  CHECK_THAT(ErrorOf(WithRow(R"({"op": "tanh", "source": "s"})")), ContainsSubstring("ulp must be a number"));
  CHECK_THAT(ErrorOf(WithRow(R"({"op": "tahn", "ulp": 1, "source": "s"})")), ContainsSubstring("no op tahn"));
  CHECK_THAT(ErrorOf(WithRow(R"({"op": "add", "ulp": 1, "source": "s"})")), ContainsSubstring("is not judged by ULP"));
  CHECK_THAT(ErrorOf(WithRow(R"({"op": "tanh", "types": ["s32"], "ulp": 1, "source": "s"})")),
             ContainsSubstring("not a floating-point type"));
  const auto precision = [](const std::string& row) {
    return ErrorOf(R"({"name": "p", "meaning": "m", "precisions": [)" + row + "]}");
  };
  CHECK(precision(R"({"types": ["f32"], "levels": ["high"], "operand_error": 0.001, "source": "s"})").empty());
  CHECK_THAT(precision(R"({"types": ["f32"]})"), ContainsSubstring("source must be a text"));
  CHECK_THAT(precision(R"({"types": ["s8"], "source": "s"})"), ContainsSubstring("not a floating-point type"));
  CHECK_THAT(precision(R"({"levels": ["best"], "source": "s"})"), ContainsSubstring("\"best\" is not a level"));
  CHECK_THAT(precision(R"({"levels": 3, "source": "s"})"), ContainsSubstring("3 is not a level"));
  CHECK_THAT(precision(R"({"operand_error": 1, "source": "s"})"),
             ContainsSubstring("operand_error must be a number in [0, 1)"));
  CHECK_THAT(precision(R"({"accumulator_roundoff": "s", "source": "s"})"),
             ContainsSubstring("accumulator_roundoff must be"));
  CHECK_THAT(precision(R"({"error": 0.1, "source": "s"})"), ContainsSubstring("has no member error"));
  CHECK_THAT(ErrorOf(R"({"name": "p", "meaning": "m", "precisions": {}})"),
             ContainsSubstring("precisions must be a list"));
  const auto order = [](const std::string& fields) {
    return ErrorOf(R"({"name": "p", "meaning": "m", "orders": [{"source": "s", )" + fields + "}]}");
  };
  CHECK(order(R"("op": "dot", "levels": [[-8, 4], [1, 0]], "accumulator": "f32", "fused": true, "terms": 9)").empty());
  CHECK_THAT(order(R"("levels": [[1, 0]])"), ContainsSubstring("op must be a text"));
  CHECK_THAT(order(R"("op": "tanh", "levels": [[1, 0]])"), ContainsSubstring("tanh is not an op that adds"));
  CHECK_THAT(order(R"("op": "dot", "types": ["c64"])"), ContainsSubstring("orders are of real types"));
  CHECK_THAT(order(R"("op": "dot", "levels": [[1, 0]])"),
             ContainsSubstring("accumulator must be a floating-point type"));
  CHECK_THAT(order(R"("op": "dot", "levels": [[1, 0]], "accumulator": 32)"), ContainsSubstring("accumulator must be"));
  CHECK_THAT(order(R"("op": "dot", "levels": [[1, 0]], "accumulator": "f32", "terms": -1)"),
             ContainsSubstring("terms must be a number"));
  CHECK(order(R"("op": "dot", "levels": [[1, 0]], "accumulator": "f32", "operands": [[1, 0], [0, 1]])").empty());
  for (const std::string operands : {"3", "[3]", "[[-1]]", "[[1.5]]"}) {
    CHECK_THAT(order(R"("op": "dot", "levels": [[1, 0]], "accumulator": "f32", "operands": )" + operands),
               ContainsSubstring("operands must be a list of lists of sizes"));
  }
  for (const std::string levels :
       {"[]", "3", "[[1]]", "[[0, 2]]", "[[1, -2]]", "[[1, 0], [2, 0]]", "[[1, 1e30]]", "[[1, 99999999999]]"}) {
    CHECK_THAT(order(R"("op": "dot", "accumulator": "f32", "levels": )" + levels),
               ContainsSubstring("levels must be a list of [distance, count]"));
  }
  CHECK_THAT(ErrorOf(R"({"name": "p", "meaning": "m", "orders": {}})"), ContainsSubstring("orders must be a list"));
}

}  // namespace
}  // namespace assay::testing
