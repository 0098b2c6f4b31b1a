// The parts of modules besides instructions: devices, aliases, shardings, places in the source; and errors.
#include <fmt/format.h>

#include <string>

#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/stablehlo/to_hlo.h"
#include "spec_tests/catch.h"

namespace assay::stablehlo {
namespace {

std::unique_ptr<HloModule> Translated(const std::string& text) {
  const auto program = ParseText(text);
  INFO((program ? "" : program.error().message));
  REQUIRE(program);
  auto module = ToHlo(*program);
  INFO((module ? "" : module.error().message));
  REQUIRE(module);
  CHECK(VerifyHloModule(**module));
  return *std::move(module);
}

Error TranslationError(const std::string& text) {
  const auto program = ParseText(text);
  INFO((program ? "" : program.error().message));
  REQUIRE(program);
  const auto module = ToHlo(*program);
  REQUIRE(!module);
  return module.error();
}

std::string Printed(const HloModule& module) {
  PrintOptions options;
  options.percent = options.program_shape = false;
  return PrintHloModule(module, options);
}

// Checks that the text of a program's module has these parts.
void CheckParts(const std::string& program, const std::vector<std::string_view>& parts) {
  const std::string text = Printed(*Translated(program));
  for (const std::string_view part : parts) {
    INFO(part << "\n" << text);
    CHECK(text.find(part) != text.npos);
  }
}

TEST_CASE("the header of a module has its devices, aliases and donors", "[stablehlo]") {
  const auto module =
      Translated(R"(module @jit_f attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 3 : i32,
      mhlo.frontend_attributes = {a = "b"}} {
    func.func @main(%x: tensor<2xf32> {tf.aliasing_output = 1 : i32}, %y: tensor<f32> {jax.buffer_donor = true})
        -> (tensor<f32>, tensor<2xf32>) {
      return %y, %x : tensor<f32>, tensor<2xf32>
    }
  })");
  CHECK(Printed(*module).starts_with(
      "HloModule jit_f, input_output_alias={ {1}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }, "
      "entry_computation_layout={(f32[2]{0}, f32[])->(f32[], f32[2]{0})}, replica_count=2, num_partitions=3, "
      "frontend_attributes={a=\"b\"}\n"));
}

TEST_CASE("places in the source become metadata and stack frames", "[stablehlo]") {
  CheckParts(R"(module { func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.negate %x : tensor<f32> loc("jit(f)/neg"(callsite("f"("f.py":2:3) at "<module>"("m.py":9:1))))
      %1 = stablehlo.abs %0 : tensor<f32> loc("g.py":4:5)
      return %1 : tensor<f32>
    } })",
             {"neg = f32[] negate(Arg_0), metadata={op_name=\"jit(f)/neg\" stack_frame_id=2}\n",
              "abs = f32[] abs(neg), metadata={source_file=\"g.py\" source_line=4 source_end_line=4 "
              "source_column=5 source_end_column=5}\n",
              "1 {file_location_id=1 parent_frame_id=1}\n2 {file_location_id=2 parent_frame_id=2}\n",
              "FileNames\n1 \"m.py\"\n2 \"f.py\"\n"});
}

TEST_CASE("a complex constant of which only the real part is NaN becomes two constants", "[stablehlo]") {
  CheckParts(
      R"(module { func.func @main() -> (tensor<complex<f32>>, tensor<2xcomplex<f32>>) {
      %0 = stablehlo.constant dense<(0x7FC00000, 1.0)> : tensor<complex<f32>>
      %1 = stablehlo.constant dense<[(0x7FC00000, 0x7FC00000), (1.0, 0x7FC00000)]> : tensor<2xcomplex<f32>>
      return %0, %1 : tensor<complex<f32>>, tensor<2xcomplex<f32>>
    } })",
      {"constant = f32[] constant(nan)\n", "constant.1 = f32[] constant(1)\n",
       "complex = c64[] complex(constant, constant.1)\n", "constant.2 = c64[2]{0} constant({(nan, nan), (1, nan)})\n"});
}

TEST_CASE("places have their ends, and names their types", "[stablehlo]") {
  CheckParts(R"(module { func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.negate %x : tensor<f32> loc("f"(callsite("f"("f.py":2:3 to 4:5) at "g"("f.py":6:7 to :8))))
      %1 = stablehlo.abs %0 : tensor<f32> loc("g.py":4:5 to :9)
      %2 = stablehlo.floor %1 : tensor<f32> loc(fused["t:", "a@b", "u:", "c"])
      %3 = stablehlo.ceil %2 : tensor<f32> loc("v:"("d"))
      return %3 : tensor<f32>
    } })",
             {"1 {file_name_id=1 function_name_id=1 line=6 end_line=6 column=7 end_column=8}\n"
              "2 {file_name_id=1 function_name_id=2 line=2 end_line=4 column=3 end_column=5}\n",
              "metadata={source_file=\"g.py\" source_line=4 source_end_line=4 source_column=5 "
              "source_end_column=9}\n",
              "metadata={op_type=\"t\" op_name=\"a;c\"}\n", "metadata={op_type=\"v\" op_name=\"d\"}\n"});
}

TEST_CASE("shardings of XLA are in their normal form", "[stablehlo]") {
  CheckParts(R"(module attributes {mhlo.num_partitions = 4 : i32} {
    func.func @main(%x: tensor<4x2xf32> {mhlo.sharding = "{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}"})
        -> (tensor<4x2xf32> {mhlo.sharding = "{replicated}"}) {
      %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<4x2xf32>) ->
        tensor<4x2xf32>
      return %0 : tensor<4x2xf32>
    } })",
             {"Arg_0 = f32[4,2]{1,0} parameter(0), sharding={devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}\n",
              "tuple = (f32[4,2]{1,0}) tuple(custom-call), sharding={{devices=[4,1]<=[4]}}\n",
              "ROOT get-tuple-element = f32[4,2]{1,0} get-tuple-element(tuple), index=0, sharding={replicated}\n"});
}

TEST_CASE("shardings of Shardy become XLA's, and stay as frontend attributes", "[stablehlo]") {
  // By hand: the parts of the axes are 2 (x), 2 and 2 (y); rows are over the first part of y, columns over x.
  CheckParts(R"(module attributes {mhlo.num_partitions = 8 : i32} {
    sdy.mesh @mesh = <["x"=2, "y"=4]>
    func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2}, {"x"}]>})
        -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {?}]>}) {
      %0 = sdy.sharding_constraint %x <@mesh, [{}, {}]> : tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    } })",
             {"frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<[\"x\"=2, \"y\"=4]>}}",
              "parameter(0), sharding={devices=[2,2,2]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}, "
              "frontend_attributes={xla.sdy.sharding=\"#sdy.sharding<@mesh, [{\\\"y\\\":(1)2}, {\\\"x\\\"}]>\"}",
              "custom_call_target=\"Sharding\", sharding={replicated}, "
              "frontend_attributes={xla.sdy.sharding=\"#sdy.sharding_per_value<[<@mesh, [{}, {}]>]>\"}",
              "custom_call_target=\"xla.sdy.FuncResultSharding\", custom_call_has_side_effect=true",
              "ROOT get-tuple-element = f32[8,4]{1,0} get-tuple-element(tuple), index=0, "
              "sharding={devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"});
}

// By hand: device 2 follows device 0 along y, so those that differ along x are 0 and 1.
TEST_CASE("a mesh may be an attribute of StableHLO's own", "[stablehlo]") {
  CheckParts(R"(module attributes {mhlo.num_partitions = 4 : i32} {
    "sdy.mesh"() {sym_name = "grid", stablehlo.mesh = {axes = [{name = "x", size = 2 : i64},
      {name = "y", size = 2 : i64}], device_ids = dense<[0, 2, 1, 3]> : tensor<4xi64>}} : () -> ()
    func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
      %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1,
        type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @grid, axes =
        [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    } })",
             {"replica_groups={{0,1},{2,3}}"});
}

TEST_CASE("collectives of Shardy keep the elements of whole arrays", "[stablehlo]") {
  const auto module = Translated(R"(module attributes {mhlo.num_partitions = 8 : i32} {
    sdy.mesh @mesh = <["x"=2, "y"=4]>
    func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %0 = sdy.all_slice [{"x"}, {"y"}] %a out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
      %1 = sdy.all_to_all [{"y"}: 1->0] %0 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
      %2 = sdy.collective_permute %1 out_sharding=<@mesh, [{"y", "x"}, {}]> : tensor<8x8xf32>
      %3 = sdy.all_gather [{"x"}, {}] %2 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
      %4 = sdy.replicated_to_unreduced {"x"} %3 out_sharding=<@mesh, [{"y"}, {}], unreduced={"x"}> : tensor<8x8xf32>
      %5 = sdy.all_reduce {"x"} %4 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
      %6 = sdy.sharded_to_unreduced [{"y"}, {}] %5 out_sharding=<@mesh, [{}, {}], unreduced={"y"}> : tensor<8x8xf32>
      %7 = sdy.reduce_scatter [{}, {"y"}] %6 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
      return %7 : tensor<8x8xf32>
    } })");
  const HloInstruction* instruction = module->entry->root;
  int count = 0;
  for (; instruction->op->name == "custom-call"; instruction = instruction->operands[0], ++count) {
    CHECK(instruction->String("custom_call_target") == "Sharding");
    CHECK(instruction->shape == instruction->operands[0]->shape);
  }
  CHECK(instruction->op->name == "parameter");
  CHECK(count == 8);
  // By hand: the last sharding has columns over y, and a copy on each of the two places along x.
  CHECK(Printed(*module).find("sharding={devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}, "
                              "frontend_attributes={xla.sdy.sharding=\"#sdy.sharding_per_value<[<@mesh, [{}, "
                              "{\\\"y\\\"}]>]>\"}") != std::string::npos);
}

TEST_CASE("a computation with a name is called, and edges of data flow are copies", "[stablehlo]") {
  CheckParts(R"(module {
    func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = sdy.constant dense<1.0> : tensor<2xf32>
      %1 = sdy.named_computation<"block">(%a) (%b: tensor<2xf32>) {
        %5 = stablehlo.negate %b : tensor<2xf32>
        sdy.return %5 : tensor<2xf32>
      } : (tensor<2xf32>) -> tensor<2xf32>
      %2 = stablehlo.add %0, %1 : tensor<2xf32>
      %3 = sdy.data_flow_edge %2 : tensor<2xf32>
      return %3 : tensor<2xf32>
    } })",
             {"negate = f32[2]{0} negate(", "call = f32[2]{0} call(Arg_0), to_apply=region",
              "ROOT copy = f32[2]{0} copy(add)"});
}

TEST_CASE("a manual computation becomes the calls that take tiles and join them", "[stablehlo]") {
  CheckParts(R"(module attributes {mhlo.num_partitions = 2 : i32} {
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
          manual_axes={"x"} (%y: tensor<2xf32>) {
        %1 = stablehlo.negate %y : tensor<2xf32>
        sdy.return %1 : tensor<2xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    } })",
             {"custom-call = f32[2]{0} custom-call(Arg_0), custom_call_target=\"xla.sdy.GlobalToLocalShape\", "
              "custom_call_has_side_effect=true, frontend_attributes={xla.sdy.in_shardings=\"#sdy.sharding_per_value<"
              "[<@mesh, [{\\\"x\\\"}]>]>\",xla.sdy.manual_axes=\"#sdy<manual_axes{\\\"x\\\"}>\"}",
              "call = f32[2]{0} call(custom-call), to_apply=xla.sdy.manual_computation_body, "
              "frontend_attributes={inlineable=\"false\"}",
              "ROOT custom-call.1 = f32[4]{0} custom-call(call), custom_call_target=\"xla.sdy.LocalToGlobalShape\""});
}

TEST_CASE("errors name the operation, its place, what is found and what is expected", "[stablehlo]") {
  struct Wrong {
    std::string_view program;
    ErrorCode code;
    int line;
    std::string_view message;
  };
  constexpr Wrong kWrong[] = {
      {"module { }", ErrorCode::kIllegal, 1,
       "builtin.module: a program starts at its function @main, or at its only public one: found none"},
      {"func.func @g() {\n return }\nfunc.func @f() {\n return }", ErrorCode::kIllegal, 1,
       "builtin.module: a program starts at its function @main, or at its only public one: found @g, @f; name one of "
       "them by --function NAME"},
      {"func.func @main(%x: tensor<?xf32>) {\n return }", ErrorCode::kUnsupported, 1,
       "func.func: a dimension needs a size or a bound, found tensor<?xf32>"},
      {"func.func @main(%x: tensor<*xf32>) {\n return }", ErrorCode::kUnsupported, 1,
       "func.func: HLO has no type tensor<*xf32>"},
      {"func.func @main(%x: tensor<f32>) {\n%0 = call @f(%x) : (tensor<f32>) -> tensor<f32>\n return }",
       ErrorCode::kIllegal, 2, "func.call: there is no function @f"},
      {"func.func @main(%x: tensor<f32>) {\n call @main(%x) : (tensor<f32>) -> ()\n return }", ErrorCode::kUnsupported,
       2, "func.call: @main calls itself, which HLO does not allow"},
      {"func.func @main(%x: tensor<f32>) {\n %0 = \"stablehlo.uniform_quantize\"(%x) : (tensor<f32>) -> "
       "tensor<f32>\n return }",
       ErrorCode::kIllegal, 2, "stablehlo.uniform_quantize: the operand or the result must be a quantized tensor"},
      {"func.func @main(%x: tensor<4xf32>) {\n%0 = \"stablehlo.iota\"() : () -> tensor<4xf32>\n return }",
       ErrorCode::kIllegal, 2, "stablehlo.iota: the attribute iota_dimension is missing: expected a whole number"},
      {"func.func @main(%x: tensor<4xf32>) {\n"
       "%0 = stablehlo.broadcast_in_dim %x, dims = [2] : (tensor<4xf32>) -> tensor<2x4xf32>\n return }",
       ErrorCode::kIllegal, 2,
       "stablehlo.broadcast_in_dim: broadcast_dimensions must be different numbers below 2, found 2"},
      {"func.func @main(%x: tensor<4xf32>, %n: tensor<1xi32>) {\n"
       "%0 = \"stablehlo.dynamic_gather\"(%x, %n, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [0]>}> : "
       "(tensor<4xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>\n return }",
       ErrorCode::kUnsupported, 2,
       "stablehlo.dynamic_gather: operand 2 must be a constant: HLO has no run-time value there"},
      {"func.func @main(%x: tensor<4xf32>, %s: tensor<f32>) {\n%0 = \"stablehlo.all_reduce\"(%x) <{replica_groups = "
       "dense<0> : tensor<1x1xi64>}> ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n %1 = stablehlo.add %a, %s : "
       "tensor<f32>\n"
       "stablehlo.return %1 : tensor<f32> }) : (tensor<4xf32>) -> tensor<4xf32>\n return }",
       ErrorCode::kUnsupported, 4,
       "stablehlo.add: an operand is defined outside of the region that uses it, which may use constants only: make it "
       "an operand"},
  };
  for (const Wrong& wrong : kWrong) {
    INFO(wrong.program);
    const Error error = TranslationError(std::string(wrong.program));
    CHECK(error.message == wrong.message);
    CHECK(error.code == wrong.code);
    CHECK(error.location.line == wrong.line);
  }
}

// StableHLO, rng C3, dynamic_iota, dynamic_reshape and dynamic_broadcast_in_dim: shape(result) = the operand of sizes.
TEST_CASE("a constant operand of sizes must be the sizes of the result", "[stablehlo]") {
  struct Case {
    std::string_view operation;
    int index;
  };
  constexpr Case kCases[] = {
      {"stablehlo.rng %s, %s, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, ", 2},
      {"stablehlo.dynamic_iota %n, dim = 0 : (", 0},
      {"stablehlo.dynamic_reshape %x, %n : (tensor<4xf32>, ", 1},
      {"stablehlo.dynamic_broadcast_in_dim %s, %n, dims = [] : (tensor<f32>, ", 1},
  };
  constexpr std::string_view kConstant = "%n = stablehlo.constant dense<{}> : tensor<{}xi64>";
  for (const Case& tested : kCases) {
    const auto program = [&](const std::string& n, int rank, const std::string& parameter = "") {
      return fmt::format(
          "func.func @main(%x: tensor<4xf32>, %s: tensor<f32>{}) -> tensor<4xf32> {{\n{}\n%0 = {}tensor<{}xi64>) -> "
          "tensor<4xf32>\n return %0 : tensor<4xf32> }}",
          parameter, n, tested.operation, rank);
    };
    Translated(program(fmt::format(kConstant, "4", 1), 1));
    Translated(program("", 1, ", %n: tensor<1xi64>"));
    for (const auto& [n, rank, found] : {std::tuple("3", 1, "3"), {"[4, 1]", 2, "4,1"}}) {
      const Error error = TranslationError(program(fmt::format(kConstant, n, rank), rank));
      CHECK(error.code == ErrorCode::kIllegal);
      CHECK_THAT(error.message,
                 Catch::Matchers::EndsWith(fmt::format(
                     "operand {} must be the sizes of the result, {{4}}, found {{{}}}", tested.index, found)));
    }
  }
}

}  // namespace
}  // namespace assay::stablehlo
