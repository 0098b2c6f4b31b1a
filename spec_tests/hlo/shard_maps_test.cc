#include "interpreter/hlo/shard_maps.h"

#include "interpreter/hlo/printer.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

std::string ShardOf(std::string_view result, std::string_view operand, std::string_view axis = R"(\"x\")") {
  return std::string(result) + " custom-call(" + std::string(operand) +
         R"(), custom_call_target="xla.sdy.GlobalToLocalShape", custom_call_has_side_effect=true, )"
         R"(frontend_attributes={xla.sdy.in_shardings="#sdy.sharding_per_value<[<@mesh, [{)" +
         std::string(axis) +
         R"(}]>]>",)"
         R"(xla.sdy.manual_axes="#sdy<manual_axes{\"x\"}>"})";
}

TEST_CASE("an error leaves a module as it was", "[hlo]") {
  // The second shard begins at 2^31, which s32 does not have; the call before it could be replaced.
  const auto module = Parsed(R"(HloModule m, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["x"=2]>}}
ENTRY e {
  a = u8[8] parameter(0)
  b = u8[4294967296] parameter(1)
  small = )" + ShardOf("u8[4]", "a") +
                             "\n  large = " + ShardOf("u8[2147483648]", "b") +
                             "\n  ROOT r = (u8[4], u8[2147483648]) tuple(small, large)\n}\n");
  const std::string before = PrintHloModule(*module);
  const auto partitions = SpellOutShardMaps(*module, /*may_set_partitions=*/true);
  REQUIRE(!partitions);
  CHECK(partitions.error().message.find("xla.sdy.GlobalToLocalShape large (line 6): ") == 0);
  CHECK(PrintHloModule(*module) == before);
  CHECK(module->num_partitions == 1);
}

TEST_CASE("a part of an axis divides it, whatever numbers it has", "[hlo]") {
  // The product of 2^32 and 2^32 has no bit among the lowest 64.
  const auto module = Parsed(R"(HloModule m, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["x"=2]>}}
ENTRY e {
  a = u8[8] parameter(0)
  ROOT r = )" + ShardOf("u8[4]", "a", R"(\"x\":(4294967296)4294967296)") +
                             "\n}\n");
  const auto partitions = SpellOutShardMaps(*module, /*may_set_partitions=*/true);
  REQUIRE(!partitions);
  CHECK(partitions.error().message.find("a part of the axis before") != std::string::npos);
}

}  // namespace
}  // namespace assay::testing
