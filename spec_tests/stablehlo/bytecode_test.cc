// Small artifacts and the meaning of their bytes; and artifacts with bytes that no writer produces.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/vhlo_operations.h"
#include "spec_tests/catch.h"

namespace assay::stablehlo::testing {
namespace {

// The bytecode of a gather from jaxlib 0.10.2, for StableHLO 0.9.0: version 0, attributes in a dictionary.
constexpr std::string_view kGather =
    "4d4cef5201537461626c65484c4f5f76302e392e30000117050103010305030707090b035d3b1301290b13330b0b0b0b0b1313133b0b"
    "0b0b0b0b0b131303130b2f0b0b0b0f0b2f4f03130717071717131b0713028202050d17010303030b0729092d0b290d2f0f31050f0511"
    "051305150517170105071701052717010557030d192b1b331d351f372139232b0519051b051d051f05210523170107151701090b0301"
    "1f0b110000000000000000230d1d251d2713010505031f0b1101000000000000001f1121010000000000000004000000000000001d29"
    "0511110509290509050f2905091105290305011105030703091b2903090104470501100307030105031111050703070b050313071505"
    "07251703090501030704270305060301050100a20329030b21191927232b1f13151d15051515110f0b116275696c74696e0076686c6f"
    "006d6f64756c650066756e635f7631006761746865725f76310072657475726e5f7631002d006172675f61747472730066756e637469"
    "6f6e5f74797065007265735f61747472730073796d5f6e616d650073796d5f7669736962696c69747900636f6c6c61707365645f736c"
    "6963655f64696d7300696e6465785f766563746f725f64696d00696e64696365735f6172655f736f72746564006f66667365745f6469"
    "6d7300736c6963655f73697a65730073746172745f696e6465785f6d6170006d61696e0000";
// Two operations with locations, for StableHLO 1.10.0: version 6, attributes as properties.
constexpr std::string_view kLocated =
    "4d4cef520d537461626c65484c4f5f76312e31302e3000011b0501050b01030b03090f13171b035d4707013f0b0b0b1313130f0b0f0f"
    "130f0f0b130f0b130b0f0b0f13130f0b070f0b130b03090b0b0b0b030713170702d7050f051105131701010117010303170103231d0f"
    "1105151513171d05151703190f15191f1d1b1d051717033d031d2123051917250701051b1d292b051d1d052d17031b13190531371d33"
    "35051f1f1d393b0521173d03050523030123031d251d2729031105110301030109045b050150070107044b0301050350090307043703"
    "070f03030b0005060d03010501010706270301030309042f0305060301050100460229030b0b0505171113051705130515150f110f0b"
    "116275696c74696e0076686c6f006d6f64756c650066756e635f7631006164645f7631006e65676174655f76310072657475726e5f76"
    "31002d006d6f64656c2e70790066006a69742866292f6164640067003c6d6f64756c653e006d61696e2e7079006a69742866292f6e65"
    "670061006200782e7079006d61696e00000815050501010b3f413f4345";

// A sharding with a maximum over an axis, from jaxlib 0.12.0.1 for StableHLO 1.9.0.
constexpr std::string_view kMaximum =
    "4d4cef520d537461626c65484c4f5f76312e392e3000011f070105090901030f0303130505171b03452b0701130b0b0b13130b131313"
    "030b130f23130f050f0f130b0b0b0b0b0507131707029b050f050905111701030317010507090317010707170107351701090b050315"
    "01031311230b031901031b050b01010109130103031f0d0321171d15230303011d171d19290311051103010301090445050150070107"
    "04350301090340090305500d0507041903030703030f000704110301060301050100b91b0f0b1b05050515110b0f0b09116275696c74"
    "696e007364790076686c6f006d6f64756c65006d6573680066756e635f76310072657475726e5f7631002d006d0078007364792e7368"
    "617264696e67006d61696e007075626c696300081b07050b010513030b1d23252729";

// A quantization and a requantization per axis, written in VHLO 1.13 by jaxlib 0.10.2.
constexpr std::string_view kQuantized =
    "4d4cef520d4d4c495232332e302e306769740001190501050901030b03070f131703371711010f0b13131313131303090b0b0b0b0311"
    "07131307177f134b02cd050d17010101170105031701070d1701091117010b1117010d07030123091d0f1d1109290309012903090b17"
    "11030303053d0107010101fa070500000000000000a07f00000000000000108005fa071d2903090f3103070100000000000000c07f0d"
    "f603fa03045905015003010704490301050550050307043503070f03070700030609030d030103060b0305030307040d030506030105"
    "01009913030b051511290f0b116275696c74696e0076686c6f006d6f64756c6500756e69666f726d5f7175616e74697a655f76310066"
    "756e635f76310072657475726e5f7631002d006d61696e00000815050501010b0f110f1315";

// A module with an attribute of every type of MLIR's dialect quant, written by iree-opt 3.13.0 of MLIR 24.
constexpr std::string_view kQuant =
    "4d4cef520d4d4c495232342e302e3067697400010f0501050301030b03531f25011f130b270b4f1f0b0b0b0b0b0b17130701170b070b0717"
    "171717171717030f3fcf4b1f1f533302b203030303050507010f070d0f111315170d09250b2100004843cdcccc3d000000400000803e250d"
    "0978c800000d0f0d1b0d1d0d1f0d210d112513050038251503fd1f01410b0121091b050911171b050909031b050909011b050911191b0509"
    "11231b050509071b050509050d010103098207050105050509090b0b03010303fe03fa030900000000000000c07f00000000000000a07f00"
    "000000000000e07f000000000000000080090d0101010903010300000000000000c07f0df603fa030501010301fa07030301fe03fa030703"
    "00ffffffffffff1f800000000000000000800d0305071f1d03050309191b04190501511d01010704070301010603010501004509110f0d11"
    "6275696c74696e007175616e74006d6f64756c6500782e747970657300080903050101";

std::string FromHex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

TEST_CASE("bytecode of StableHLO 0.9.0 has the attributes of the newest StableHLO", "[stablehlo]") {
  const auto program = ReadBytecode(FromHex(kGather));
  REQUIRE(program.has_value());
  CHECK(program->producer == "StableHLO_v0.9.0");
  CHECK(ToText(*program) ==
        "\"builtin.module\"() ({\n"
        "^bb0:\n"
        "  \"func.func\"() ({\n"
        "  ^bb0(%0: tensor<4x4xf32>, %1: tensor<2x1xi32>):\n"
        "    %2 = \"stablehlo.gather\"(%0, %1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], "
        "index_vector_dim = 1, offset_dims = [1], start_index_map = [0]>, indices_are_sorted = true, "
        "slice_sizes = array<i64: 1, 4>} : (tensor<4x4xf32>, tensor<2x1xi32>) -> (tensor<2x4xf32>)\n"
        "    \"func.return\"(%2) : (tensor<2x4xf32>) -> ()\n"
        "  }) {function_type = (tensor<4x4xf32>, tensor<2x1xi32>) -> (tensor<2x4xf32>), sym_name = \"main\"} : "
        "() "
        "-> ()\n"
        "}) : () -> ()\n");
}

TEST_CASE("a sharding of bytecode may be a maximum over an axis", "[stablehlo]") {
  const auto program = ReadBytecode(FromHex(kMaximum));
  REQUIRE(program.has_value());
  CHECK(ToText(*program).find("{sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{\"x\"}>}") !=
        std::string::npos);
}

std::string FrameText(const SourceFrame& frame) {
  return frame.function + "@" + frame.file + ":" + std::to_string(frame.line) + ":" + std::to_string(frame.column);
}

TEST_CASE("quantized types of bytecode have their storage limits, scales and zero points", "[stablehlo]") {
  const auto program = ReadBytecode(FromHex(kQuantized));
  REQUIRE(program.has_value());
  const Block& body = program->module.regions[0].blocks[0].operations[0].regions[0].blocks[0];
  CHECK(ToText(body.operations[0].results[0].type) == "tensor<2x!quant.uniform<i8<-127:127>:f32, 5.000000e-01:3>>");
  CHECK(ToText(body.operations[1].results[0].type) ==
        "tensor<2x!quant.uniform<u8:f32:0, {2.500000e-01:255,3.000000e+00:7}>>");
}

TEST_CASE("types in the encoding of the dialect quant are those of MLIR's text", "[stablehlo]") {
  const auto program = ReadBytecode(FromHex(kQuant));
  REQUIRE(program.has_value());
  CHECK(ToText(program->module.attributes) ==
        "{x.types = [tensor<2x4x!quant.uniform<u8<2:240>:f32:{0:1, 1:2}, {{2.000000e+02:120, 1.000000e-01:200}, "
        "{2.000000e+00, 2.500000e-01}}>>, "
        "tensor<2x4x!quant.uniform<i8:f32:1, {5.000000e-01:3,2.500000e-01,1.000000e+00,2.000000e+00}>>, "
        "!quant.uniform<i8<-127:127>:f32, 5.000000e-01:3>, !quant.any<u8:f32>, !quant.any<i8>, "
        "!quant.calibrated<f32<-1.000000e+00:2.000000e+00>>, "
        "tensor<2x4x!quant.uniform<i4:f16:{1:2}, {{5.000000e-01:-3, 5.000000e-01:-3}}>>]}");
}

TEST_CASE("an operation of bytecode has its name and the calls that led to it, innermost first", "[stablehlo]") {
  const auto program = ReadBytecode(FromHex(kLocated));
  REQUIRE(program.has_value());
  const std::vector<Operation>& operations =
      program->module.regions[0].blocks[0].operations[0].regions[0].blocks[0].operations;
  REQUIRE(operations.size() == 3);
  CHECK(operations[0].location.name == "jit(f)/add");
  REQUIRE(operations[0].location.frames.size() == 3);
  CHECK(FrameText(operations[0].location.frames[0]) == "f@model.py:12:7");
  CHECK(FrameText(operations[0].location.frames[1]) == "g@model.py:30:1");
  CHECK(FrameText(operations[0].location.frames[2]) == "<module>@main.py:3:0");
  CHECK(operations[1].location.name == "jit(f)/neg");
  REQUIRE(operations[1].location.frames.size() == 1);
  CHECK(FrameText(operations[1].location.frames[0]) == "f@model.py:13:9");
  CHECK(operations[2].location.name == "a;b");
}

TEST_CASE("any byte of an artifact that is changed, lost or doubled gives a program or an error with its offset",
          "[stablehlo]") {
  for (const std::string_view hex : {kGather, kLocated, kQuant}) {
    const std::string bytes = FromHex(hex);
    const auto check = [](const std::string& changed) {
      const auto program = ReadBytecode(changed);
      if (!program && program.error().message.starts_with("offset ")) return;
      if (!program) FAIL(program.error().message);
      ToText(*program);
    };
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      check(bytes.substr(0, i));
      check(bytes.substr(0, i) + bytes.substr(i + 1));
      check(bytes.substr(0, i) + bytes.substr(i, 1) + bytes.substr(i));
      for (const int bit : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
        std::string changed = bytes;
        changed[i] = static_cast<char>(changed[i] ^ bit);
        check(changed);
      }
    }
  }
}

TEST_CASE("an artifact that is cut anywhere is an error", "[stablehlo]") {
  const std::string bytes = FromHex(kLocated);
  for (std::size_t i = 0; i < bytes.size(); ++i) CHECK_FALSE(ReadBytecode(bytes.substr(0, i)).has_value());
}

// Writes bytecode with arbitrary contents for tests.
std::string VarintBytes(std::uint64_t value) {
  if (value < 128) return std::string(1, static_cast<char>(value << 1 | 1));
  std::string bytes(1, '\0');
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

std::string SectionBytes(int id, const std::string& data) {
  return static_cast<char>(id) + VarintBytes(data.size()) + data;
}

struct HandMade {
  int version = 6;
  std::string operation = "add_v1";
  std::vector<std::string> attributes = {};  // of vhlo; a location follows them
  std::string ir = {};                       // after the name of the operation

  // The strings are vhlo, builtin and the operation, which is the only one, outside of a module.
  std::string Bytes() const {
    const std::vector<std::string> strings = {"vhlo", "builtin", operation};
    std::string names = VarintBytes(strings.size()), text;
    for (auto name = strings.rbegin(); name != strings.rend(); ++name) names += VarintBytes(name->size() + 1);
    for (const std::string& name : strings) text += name + '\0';
    std::string dialects = VarintBytes(2) + VarintBytes(0) + VarintBytes(2) + VarintBytes(1);  // two, each unversioned
    dialects += VarintBytes(0) + VarintBytes(1) + VarintBytes(2 << 1 | 1);                     // one operation of vhlo
    std::string offsets = VarintBytes(attributes.size() + 1) + VarintBytes(1), values;
    offsets += VarintBytes(0) + VarintBytes(attributes.size());
    for (const std::string& attribute : attributes) {
      offsets += VarintBytes(attribute.size() << 1 | 1);
      values += attribute;
    }
    offsets += VarintBytes(1) + VarintBytes(1) + VarintBytes(1 << 1 | 1);  // the unknown location of builtin
    offsets += VarintBytes(0) + VarintBytes(1) + VarintBytes(1 << 1 | 1);  // the type f32 of vhlo
    values += VarintBytes(15) + VarintBytes(4);
    return "ML\xEFR" + VarintBytes(version) + "test" + '\0' + SectionBytes(0, names + text) +
           SectionBytes(1, dialects) + SectionBytes(2, values) + SectionBytes(3, offsets) +
           SectionBytes(4, VarintBytes(1 << 1) + VarintBytes(0) + ir);
  }
};

std::string ErrorOf(const HandMade& made) {
  const auto program = ReadBytecode(made.Bytes());
  return program ? "" : program.error().message;
}

// Returns the encoding of an operation with a dictionary of attributes, the first one.
std::string WithAttributes(std::size_t location) { return '\1' + VarintBytes(location) + VarintBytes(0); }

TEST_CASE("an error of bytecode names the place, the operation, the producer and the rule", "[stablehlo]") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(ErrorOf({.version = 7}), ContainsSubstring("the version of the bytecode must be in [0, 6], found 7"));
  CHECK_THAT(ErrorOf({.operation = "ad_v1"}),
             ContainsSubstring(
                 "in vhlo.ad_v1 of test: no version of VHLO up to 1.22 has the operation vhlo.ad_v1, did you mean "
                 "add_v1?"));
  CHECK_THAT(ErrorOf({.ir = std::string(1, '\4') + VarintBytes(0) + VarintBytes(1) + VarintBytes(3)}),
             ContainsSubstring("in vhlo.add_v1 of test: the index of a value must be below 0, found 3"));
  CHECK_THAT(ErrorOf({.attributes = {VarintBytes(99)}, .ir = WithAttributes(1)}),
             ContainsSubstring("attribute 99 of vhlo is not known: it is newer than StableHLO 1.22"));
  CHECK_THAT(ErrorOf({.attributes = {VarintBytes(3) + VarintBytes(6)}, .ir = WithAttributes(1)}),
             ContainsSubstring("comparison_direction must be in [0, 5], found 6"));
  CHECK_THAT(ErrorOf({.attributes = {VarintBytes(2) + VarintBytes(1)}, .ir = WithAttributes(1)}),
             ContainsSubstring("expected the index of a dictionary of attributes"));
  CHECK(ReadBytecode("HloModule m").error().message == "offset 0: expected MLIR bytecode, which begins with 4d4cef52");
}

TEST_CASE("attributes of bytecode that contain themselves or grow without end are errors", "[stablehlo]") {
  using Catch::Matchers::ContainsSubstring;
  const auto array = [](std::initializer_list<std::size_t> elements) {
    std::string bytes = VarintBytes(1) + VarintBytes(elements.size());
    for (const std::size_t element : elements) bytes += VarintBytes(element);
    return bytes;
  };
  CHECK_THAT(ErrorOf({.attributes = {array({0})}, .ir = WithAttributes(1)}), ContainsSubstring("contains itself"));
  HandMade doubling, deep;
  for (std::size_t i = 1; i <= 60; ++i) doubling.attributes.push_back(array({i, i}));
  doubling.attributes.push_back(array({}));
  doubling.ir = WithAttributes(61);
  CHECK_THAT(ErrorOf(doubling), ContainsSubstring("attributes and types must fit in"));
  for (std::size_t i = 1; i <= 1000; ++i) deep.attributes.push_back(array({i}));
  deep.attributes.push_back(array({}));
  deep.ir = WithAttributes(1001);
  CHECK_THAT(ErrorOf(deep), ContainsSubstring("nest at most 200 deep"));
}

TEST_CASE("every operation of VHLO has its attributes in alphabetical order, as properties are encoded",
          "[stablehlo]") {
  const std::vector<std::string_view> names = VhloOperationNames();
  CHECK(names.size() == 145);
  for (const std::string_view name : names) {
    const VhloOperation* operation = FindVhloOperation(name);
    REQUIRE(operation != nullptr);
    INFO(name);
    CHECK(std::ranges::is_sorted(operation->attributes, {}, &VhloAttribute::name));
  }
}

}  // namespace
}  // namespace assay::stablehlo::testing
