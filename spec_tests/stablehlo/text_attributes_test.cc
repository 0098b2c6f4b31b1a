// Types, attributes, aliases, resources and locations of StableHLO text. The expected values are those of MLIR's
// language reference and of StableHLO's definition of each attribute, written by hand.
#include <fmt/format.h>

#include "interpreter/stablehlo/print.h"
#include "spec_tests/catch.h"
#include "spec_tests/stablehlo/program_dump.h"

namespace assay::stablehlo {
namespace {

std::string ErrorText(const Error& error) {
  return fmt::format("{}:{}: {}", error.location.line, error.location.column, error.message);
}

// Returns the dump of a module's attribute.
std::string AttributeOf(std::string_view text, std::string_view definitions = "") {
  const auto program = ParseText(fmt::format("module attributes {{a = {}}} {{}}\n{}", text, definitions));
  if (!program) return ErrorText(program.error());
  return DumpAttribute(*program->module.attributes.Find("a"));
}

std::string LocationOf(std::string_view text, std::string_view definitions = "") {
  const auto program = ParseText(fmt::format("module {{}} loc({})\n{}", text, definitions));
  if (!program) return ErrorText(program.error());
  std::string frames;
  for (const SourceFrame& frame : program->module.location.frames) {
    frames += fmt::format(" {}@{}:{}:{}", frame.function, frame.file, frame.line, frame.column);
  }
  return program->module.location.name + frames;
}

TEST_CASE("every type of StableHLO is read") {
  CHECK(AttributeOf("tensor<f32>") == "tensor f32[]");
  CHECK(AttributeOf("tensor<0x4x?xi1>") == "tensor pred[0, 4, -1]");
  CHECK(AttributeOf("tensor<?x5xbf16, #stablehlo.bounds<3, ?>>") == "tensor bf16[-1, 5] bounds [3, -1]");
  CHECK(AttributeOf("tensor<?xf32, #stablehlo.type_extensions<bounds = [3]>>") == "tensor f32[-1] bounds [3]");
  CHECK(AttributeOf("tensor<2xcomplex<f64>>") == "tensor c128[2]");
  CHECK(AttributeOf("tensor<1xindex>") == "tensor s64[1]");
  CHECK(AttributeOf("tuple<tensor<si8>, tuple<>, !stablehlo.token>") == "tuple(tensor s8[], tuple(), token)");
  CHECK(AttributeOf("(tensor<f32>, i32) -> ()") == "(tensor f32[], s32) -> ()");
  CHECK(AttributeOf("() -> tensor<f32>") == "() -> (tensor f32[])");
  CHECK(AttributeOf("!quant.any<i8:f32>") == "other <!quant.any<i8:f32>>");
  CHECK(AttributeOf("tensor<*xf32>") == "other <tensor<*xf32>>");
  CHECK(AttributeOf("!t", "!t = tensor<2xui4>") == "tensor u4[2]");
}

TEST_CASE("a quantized type is printed as MLIR does, and reads back") {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"i8:f32, 1.0:17", "i8:f32, 1.000000e+00:17"},
      {"u4 < 0 : 15 > : bf16 , 0.5", "u4:bf16, 5.000000e-01"},
      {"ui16<1:65535>:f64, 0.003918810451731963:0", "u16<1:65535>:f64, 0.003918810451731963"},
      {"i2:f16:1, {0.5, 2.0:-1}", "i2:f16:1, {5.000000e-01,2.000000e+00:-1}"},
      {"u8<2:240>:f32:{0:1,1:2}, {{2.0e+02:120,0.1:-56}, {2.0,0.25}}",
       "u8<2:240>:f32:{0:1, 1:2}, {{2.000000e+02:120, 1.000000e-01:200}, {2.000000e+00, 2.500000e-01}}"},
      {"i8:f16:{ }, {{5.0e-01:-3}}", "i8:f16:{}, {{5.000000e-01:-3}}"},
      {"i8:f64:{1:2,0:1}, {{1.0e-01:-3, 3.0}}", "i8:f64:{1:2, 0:1}, {{1.000000e-01:-3, 3.000000e+00}}"},
      {"i8:bf16:{0:1}, {0.25, 3.0}", "i8:bf16:{0:1}, {2.500000e-01, 3.000000e+00}"},
      {"i32:f32:0, {123456789.0}", "i32:f32:0, {123456789}"},
  };
  for (const auto& [text, printed] : kTypes) {
    CAPTURE(text);
    const std::string type = fmt::format("!quant.uniform<{}>", printed);
    CHECK(AttributeOf(fmt::format("!quant.uniform<{}>", text)) == type);
    CHECK(AttributeOf(type) == type);
  }
  CHECK(AttributeOf("tensor<4x!quant.uniform<u8:f32, 0.5>>") == "tensor u8[4] of !quant.uniform<u8:f32, 5.000000e-01>");
  CHECK(AttributeOf("tensor<?x!t>", "!t = !quant.uniform<i8:f32, 0.5>") ==
        "tensor s8[-1] of !quant.uniform<i8:f32, 5.000000e-01>");
}

TEST_CASE("every element type of HLO has its name in MLIR") {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"i1", "pred"},
      {"i2", "s2"},
      {"i4", "s4"},
      {"i8", "s8"},
      {"i16", "s16"},
      {"i32", "s32"},
      {"i64", "s64"},
      {"ui2", "u2"},
      {"ui4", "u4"},
      {"ui8", "u8"},
      {"ui16", "u16"},
      {"ui32", "u32"},
      {"ui64", "u64"},
      {"f16", "f16"},
      {"bf16", "bf16"},
      {"f32", "f32"},
      {"f64", "f64"},
      {"f4E2M1FN", "f4e2m1fn"},
      {"f6E2M3FN", "f6e2m3fn"},
      {"f6E3M2FN", "f6e3m2fn"},
      {"f8E3M4", "f8e3m4"},
      {"f8E4M3", "f8e4m3"},
      {"f8E4M3FN", "f8e4m3fn"},
      {"f8E4M3FNUZ", "f8e4m3fnuz"},
      {"f8E4M3B11FNUZ", "f8e4m3b11fnuz"},
      {"f8E5M2", "f8e5m2"},
      {"f8E5M2FNUZ", "f8e5m2fnuz"},
      {"f8E8M0FNU", "f8e8m0fnu"},
      {"complex<f32>", "c64"},
      {"complex<f64>", "c128"},
  };
  for (const auto& [mlir, hlo] : kNames)
    CHECK(AttributeOf(fmt::format("tensor<{}>", mlir)) == fmt::format("tensor {}[]", hlo));
}

TEST_CASE("numbers, strings, symbols and collections are read") {
  CHECK(AttributeOf("-3") == "s64 -3");
  CHECK(AttributeOf("255 : i8") == "s8 -1");
  CHECK(AttributeOf("0xFF : ui8") == "u8 255");
  CHECK(AttributeOf("18446744073709551615 : ui64") == "u64 -1");
  CHECK(AttributeOf("1 : i1") == "true");
  CHECK(AttributeOf("1.5") == "f64 bits 3ff8000000000000");
  CHECK(AttributeOf("-1.5e1 : f16") == "f16 bits c02e000000000000");
  CHECK(AttributeOf("0x3F800000 : f32") == "f32 bits 3ff0000000000000");
  CHECK(AttributeOf(R"("a\22\\\0A\n")") == "\"a\"\\\n\n\"");
  CHECK(AttributeOf("@a::@\"b c\"") == "@a::@b c");
  CHECK(AttributeOf("[unit, true, [], {b, a = 1 : i32}]") == "[unit, true, [], {a = s32 1, b = unit}]");
  CHECK(AttributeOf("array<i64>") == "array s64 []");
  CHECK(AttributeOf("array<i8: -1, 2>") == "array s8 [-1, 2]");
  CHECK(AttributeOf("array<i1: true, false>") == "array pred [1, 0]");
}

TEST_CASE("dense elements are little-endian bytes, equal ones a splat") {
  CHECK(AttributeOf("dense<[1, -2]> : tensor<2xi16>") == "dense tensor s16[2] 0100feff");
  CHECK(AttributeOf("dense<[[1, 2], [3, 4]]> : tensor<2x2xui8>") == "dense tensor u8[2, 2] 01020304");
  CHECK(AttributeOf("dense<[7, 7]> : tensor<2xi8>") == "dense tensor s8[2] splat 07");
  CHECK(AttributeOf("dense<7> : tensor<2x5xi8>") == "dense tensor s8[2, 5] splat 07");
  CHECK(AttributeOf("dense<> : tensor<0x2xf32>") == "dense tensor f32[0, 2] ");
  CHECK(AttributeOf("dense<true> : tensor<2xi1>") == "dense tensor pred[2] splat 01");
  CHECK(AttributeOf("dense<[-8, 7]> : tensor<2xi4>") == "dense tensor s4[2] f807");
  CHECK(AttributeOf("dense<[1.0, 0x7FC00001]> : tensor<2xf32>") == "dense tensor f32[2] 0000803f0100c07f");
  CHECK(AttributeOf("dense<(1.0, -0.0)> : tensor<complex<f32>>") == "dense tensor c64[] splat 0000803f00000080");
  // 0.1 is 0x2E66 in f16.
  CHECK(AttributeOf("dense<[0.1, 1.0]> : tensor<2xf16>") == "dense tensor f16[2] 662e003c");
  CHECK(AttributeOf("dense<\"0x01020304\"> : tensor<2xi16>") == "dense tensor s16[2] 01020304");
  CHECK(AttributeOf("dense<\"0xF80F\"> : tensor<2xi4>") == "dense tensor s4[2] f8ff");
  // Elements of one bit are packed: 0x2D is 1, 0, 1, 1, 0, 1.
  CHECK(AttributeOf("dense<\"0x2D\"> : tensor<6xi1>") == "dense tensor pred[6] 010001010001");
  CHECK(AttributeOf("dense_resource<blob> : tensor<2xi16>",
                    "{-# dialect_resources: {builtin: {blob: \"0x0400000001000200\"}} #-}") ==
        "dense tensor s16[2] 01000200");
}

TEST_CASE("attributes of dialects have named fields") {
  CHECK(AttributeOf("#stablehlo<precision HIGH>") == "#stablehlo.precision{value = \"HIGH\"}");
  CHECK(AttributeOf("#stablehlo.precision<HIGH>") == "#stablehlo.precision{value = \"HIGH\"}");
  CHECK(AttributeOf("#stablehlo.gather<offset_dims = [1, 2], index_vector_dim = 1>") ==
        "#stablehlo.gather{index_vector_dim = s64 1, offset_dims = array s64 [1, 2]}");
  CHECK(AttributeOf("#stablehlo.dot<>") == "#stablehlo.dot{}");
  CHECK(AttributeOf("#stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>") ==
        "#stablehlo.result_accuracy{atol = f64 bits 3ff0000000000000, "
        "mode = #stablehlo.result_accuracy_mode{value = \"TOLERANCE\"}}");
  CHECK(AttributeOf("#stablehlo.dot_algorithm<lhs_precision_type = tf32, accumulation_type = f32>") ==
        "#stablehlo.dot_algorithm{accumulation_type = f32, lhs_precision_type = other <tf32>}");
  const std::string numbers =
      "#stablehlo.conv{input_batch_dimension = s64 0, input_feature_dimension = s64 3, "
      "input_spatial_dimensions = array s64 [2, 1], kernel_input_feature_dimension = s64 1, "
      "kernel_output_feature_dimension = s64 0, kernel_spatial_dimensions = array s64 [2, 3], "
      "output_batch_dimension = s64 0, output_feature_dimension = s64 1, "
      "output_spatial_dimensions = array s64 [2, 3]}";
  CHECK(AttributeOf("#stablehlo.conv<[b, 1, 0, f]x[o, i, 0, 1]->[b, f, 0, 1]>") == numbers);
  CHECK(AttributeOf("#stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, "
                    "input_spatial_dimensions = [2, 1], kernel_input_feature_dimension = 1, "
                    "kernel_output_feature_dimension = 0, kernel_spatial_dimensions = [2, 3], output_batch_dimension = "
                    "0, output_feature_dimension = 1, output_spatial_dimensions = [2, 3]>") == numbers);
  CHECK(AttributeOf("#sdy<op_sharding_rule<([i])->([i]) {i=2}>>") ==
        "#sdy.op_sharding_rule{text = \"([i])->([i]) {i=2}\"}");
  CHECK(AttributeOf("#tf.shape<2x?>") == "#tf.shape{text = \"2x?\"}");
}

TEST_CASE("meshes and shardings of Shardy have named fields") {
  CHECK(AttributeOf("#sdy.mesh<[\"x\"=2], device_ids=[1, 0]>") ==
        "#sdy.mesh{axes = [#sdy.mesh_axis{name = \"x\", size = s64 2}], device_ids = array s64 [1, 0]}");
  CHECK(AttributeOf("#sdy.sharding<@mesh, [{\"x\":(1)2, ?}p3, {}], replicated={\"y\"}>") ==
        "#sdy.sharding{dim_shardings = [#sdy.dimension_sharding{axes = [#sdy.axis_ref{name = \"x\", pre_size = s64 1, "
        "size = s64 2}], is_closed = false, priority = s64 3}, #sdy.dimension_sharding{axes = [], is_closed = true}], "
        "mesh_or_ref = @mesh, replicated_axes = [#sdy.axis_ref{name = \"y\"}]}");
  CHECK(AttributeOf("#sdy.sharding_per_value<[<mesh<[]>, []>]>") ==
        "#sdy.sharding_per_value{shardings = [#sdy.sharding{dim_shardings = [], mesh_or_ref = #sdy.mesh{axes = []}}]}");
  CHECK(AttributeOf("#sdy<manual_axes{\"x\", \"y\"}>") == "#sdy.manual_axes{value = [\"x\", \"y\"]}");
  CHECK(AttributeOf("#sdy<axis_ref_list{\"x\"}>") == "#sdy.axis_ref_list{value = [#sdy.axis_ref{name = \"x\"}]}");
  CHECK(AttributeOf("#sdy<list_of_axis_ref_lists[{\"x\"}, {}]>") ==
        "#sdy.list_of_axis_ref_lists{value = [[#sdy.axis_ref{name = \"x\"}], []]}");
  CHECK(AttributeOf("#sdy<all_to_all_param_list[{\"x\"}: 0->2]>") ==
        "#sdy.all_to_all_param_list{value = [[[#sdy.axis_ref{name = \"x\"}], s64 0, s64 2]]}");
}

TEST_CASE("lists and shardings of Shardy are printed as they are read") {
  for (const std::string_view text :
       {R"(#sdy<manual_axes{"x", "y"}>)", R"(#sdy<axis_ref_list{"x", "y":(2)4}>)",
        R"(#sdy<list_of_axis_ref_lists[{"x", "y", "z"}, {}, {"w":(1)2}]>)", "#sdy<list_of_axis_ref_lists[]>",
        R"(#sdy<all_to_all_param_list[{"x"}: 0->2, {"y", "z":(1)2}: 1->3]>)",
        R"(#sdy.sharding<@mesh, [{"x"}], unreduced={"y"}>)", R"(#sdy.sharding<@mesh, [{}], unreduced=max{"y"}>)"}) {
    const auto program = ParseText(fmt::format("module attributes {{a = {}}} {{}}", text));
    REQUIRE(program.has_value());
    CHECK(ToText(*program->module.attributes.Find("a")) == text);
  }
}

TEST_CASE("a location has the name of the operation and the frames of the source, innermost first") {
  CHECK(LocationOf("unknown").empty());
  CHECK(LocationOf("\"add\"") == "add");
  CHECK(LocationOf("\"f.py\":3:5") == " @f.py:3:5");
  CHECK(LocationOf("\"f.py\":3:5 to 4:9") == " @f.py:3:5");
  CHECK(LocationOf("\"add\"(\"f.py\":3:5 to :9)") == "add @f.py:3:5");
  CHECK(LocationOf("\"add\"(\"g\"(\"f.py\":3:5))") == "add g@f.py:3:5");
  CHECK(LocationOf("\"add\"(callsite(\"g\"(\"f.py\":3:5) at callsite(\"h\"(\"f.py\":7:1) at \"main.py\":9:1)))") ==
        "add g@f.py:3:5 h@f.py:7:1 @main.py:9:1");
  CHECK(LocationOf("fused<\"pass\">[\"add\"(\"f.py\":3:5), unknown, \"mul\"(\"f.py\":4:5)]") == "add;mul @f.py:3:5");
  CHECK(LocationOf("#loc", "#loc = loc(\"add\"(#loc2))\n#loc2 = loc(\"g\"(\"f.py\":3:5))") == "add g@f.py:3:5");
}

TEST_CASE("an attribute that cannot be read is an error with its place") {
  CHECK(AttributeOf("128 : ui4") == "1:24: cannot read 128 as a number of u4");
  CHECK(AttributeOf("dense<[1, 2]> : tensor<3xi8>") == "1:30: expected 3 elements in dimension 0, found 2");
  CHECK(AttributeOf("dense<[1, 200]> : tensor<2xf32>") ==
        "1:31: cannot read 1 as an element of f32: expected a decimal such as 1.0, or the bits after 0x");
  CHECK(AttributeOf("dense<\"0x00\"> : tensor<2xf32>") == "1:30: expected 8 bytes of 2 elements, found 1");
  CHECK(AttributeOf("dense<[[1]]> : tensor<1xi8>") == "1:31: expected a number, found '['");
  CHECK(AttributeOf("dense<1> : tensor<?xi8>") == "1:35: expected the type of a tensor of static shape");
  CHECK(AttributeOf("dense_resource<b> : tensor<i8>") ==
        "1:39: the section {-# dialect_resources #-} has no resource b");
  CHECK(AttributeOf("#a") == "1:24: the alias #a has no definition");
  CHECK(AttributeOf("#a", "#a = [#a]") == "2:7: the alias #a contains itself");
  CHECK(AttributeOf("#a", "#a = 1\n#a = 2") == "3:1: the alias #a is defined twice");
  CHECK(AttributeOf("#a", "#a = 1\n#a") == "3:1: expected an operation, found '#a'");
  CHECK(AttributeOf("{b = 1, b = 2}") == "1:24: the attribute b is given twice");
  CHECK(AttributeOf("tensor<4 x ? x f32>") == AttributeOf("tensor<4x?xf32>"));
  CHECK(AttributeOf("tensor<4yf32>") == "1:32: expected 'x' behind the size of a dimension");
  CHECK(AttributeOf("\"a\\q\"") ==
        "1:24: a bad escape in this string: expected \\n, \\t, \\\\, \\\" or \\ and two hexadecimal digits");
  CHECK(AttributeOf("#sdy<all_to_all_param_list[{\"x\"}: 0]>") == "1:59: expected '->', found ']'");
  CHECK(AttributeOf("#sdy<list_of_axis_ref_lists{\"x\"}>") == "1:51: expected '[', found '{'");
  CHECK(AttributeOf("#stablehlo.conv<[b, 0, 0, f]x[0, i, o]->[b, 0, f]>") == "1:47: dimension 0 is given twice");
}

}  // namespace
}  // namespace assay::stablehlo
