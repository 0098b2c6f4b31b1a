// A message of jaxlib's and the meaning of its bytes, messages that violate a rule, and limits on their memory.
#include <string>
#include <string_view>

#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/proto/hlo_proto.h"
#include "interpreter/proto/message.h"
#include "interpreter/proto/values.h"
#include "spec_tests/catch.h"

namespace assay::proto::testing {
namespace {

// The message of the text below from jaxlib 0.10.2.
constexpr std::string_view kNegate =
    "0a016d1201651adb010a016512440a016b1208636f6e7374616e741a1010151a01032a060a01008001013201003a0042180a1010151a"
    "01032a060a0100800101320100aa010308070f980201a20400920500122b0a01611209706172616d657465721a13100b1a0202032a07"
    "0a020001800101320200003a00a2040092050012320a017212066e65676174651a13100b1a0202032a070a020100800101320200003a"
    "0312016e980202a2020100a20400920500222d0a13100b1a0202032a070a020001800101320200001213100b1a0202032a070a020100"
    "800101320200001a01613002222e0a13100b1a0202032a070a020001800101320200001213100b1a0202032a070a0201008001013202"
    "00001a02703042009201009a0100";
constexpr std::string_view kNegateText = R"(HloModule m, entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{1,0}}

ENTRY %e (a: f32[2,3]) -> f32[2,3] {
  %k = s4[3]{0} constant({-8, 7, -1})
  %a = f32[2,3]{0,1} parameter(0)
  ROOT %r = f32[2,3]{1,0} negate(%a), metadata={op_name="n"}
}

)";

std::string BytesOfHex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

std::string ErrorOf(std::string_view bytes) {
  const auto module = ReadHloModuleProto(bytes);
  return module ? "none" : module.error().message;
}

// Returns the message of a text with one piece of its bytes replaced by another of the same length.
std::string Changed(std::string_view text, std::string_view from, std::string_view to) {
  const auto module = ParseHloModule(text);
  REQUIRE(module.has_value());
  std::string bytes = WriteHloModuleProto(**module);
  const std::size_t at = bytes.find(from);
  REQUIRE(at != bytes.npos);
  return bytes.replace(at, from.size(), to);
}

constexpr std::string_view kAdd = "ENTRY e { a = f32[2] parameter(0) ROOT sum = f32[2] add(a, a) }";

TEST_CASE("a message of jaxlib is the module of its text", "[proto]") {
  const auto module = ReadHloModuleProto(BytesOfHex(kNegate));
  REQUIRE(module.has_value());
  CHECK(PrintHloModule(**module) == kNegateText);
}

TEST_CASE("a message that is cut anywhere is an error or a smaller message, not the end", "[proto]") {
  const std::string bytes = BytesOfHex(kNegate);
  int errors = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    errors += ReadHloModuleProto(std::string_view(bytes).substr(0, size)).has_value() ? 0 : 1;
  }
  CHECK(errors > 200);
  CHECK(ErrorOf(std::string_view(bytes).substr(0, 100)).starts_with("byte 6: HloModuleProto: the message is cut off"));
}

TEST_CASE("a changed byte is an error or another module, not the end", "[proto]") {
  std::string bytes = BytesOfHex(kNegate);
  for (char& byte : bytes) {
    const char before = byte;
    for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
      byte = static_cast<char>(value);
      if (const auto module = ReadHloModuleProto(bytes)) PrintHloModule(**module, PrintOptions::Exact());
    }
    byte = before;
  }
}

TEST_CASE("errors name the instruction, the rule, and what was found", "[proto]") {
  CHECK(ErrorOf(Changed(kAdd, "add", "abd")) ==
        "instruction sum of computation e: unknown opcode \"abd\", did you mean abs?");
  CHECK(ErrorOf(Changed(kAdd, std::string("\xa2\x02\x02\x00\x00", 5), std::string("\xa2\x02\x02\x00\x07", 5))) ==
        "instruction sum of computation e: the operand of id 7 must be an earlier instruction of its computation");
  CHECK(ErrorOf(Changed(kAdd, std::string("\xa2\x02\x02\x00\x00", 5), std::string("\xa2\x02\x02\x00\x01", 5)))
            .find("the operand of id 1 must be an earlier instruction") != std::string::npos);
  CHECK(ErrorOf(Changed(kAdd, "\x10\x0b\x1a", "\x10\x7f\x1a")) ==
        "instruction a of computation e: there is no element type 127: expected a number below 37");
  CHECK(ErrorOf(Changed("HloModule m\n" + std::string(kAdd),
                        "\x12\x01"
                        "e",
                        "\x12\x01"
                        "f")) == "none");
  CHECK(ErrorOf(Changed("ENTRY e { x = f32[4] parameter(0) ROOT y = c64[3] fft(x), fft_type=RFFT, fft_length={4} }",
                        "\xf8\x01\x02", "\xf8\x01\x09")) ==
        "instruction y of computation e: fft_type: unknown fft_type 9");
}

TEST_CASE("an algorithm without a specification is refused by its name", "[proto]") {
  // The numbers are those of the descriptor of xla_data.proto in jaxlib 0.12.0.1.
  const auto error_of = [](std::string_view number) {
    return ErrorOf(
        Changed("ENTRY e { a = f32[2] parameter(0) ROOT d = f32[] dot(a, a), lhs_contracting_dims={0}, "
                "rhs_contracting_dims={0}, algorithm=dot_bf16_bf16_f32_x9 }",
                "\x10\x0d", number));
  };
  CHECK(error_of("\x10\x0d") == "none");
  CHECK(error_of("\x10\x0e").ends_with("found \"dot_bf16_bf16_fp8x3\""));
  CHECK(error_of("\x10\x0f").ends_with("found \"dot_bf16_bf16_fp8x4\""));
  CHECK(error_of("\x10\x10").ends_with("algorithm: unknown algorithm 16"));
}

TEST_CASE("topk keeps the order of equal elements unless its text says otherwise", "[proto]") {
  // is_stable is field 60 of HloInstructionProto; without it XLA's compilers may exchange equal elements.
  constexpr std::string_view kStable = "\xe0\x03\x01";
  const auto module_of = [](const std::string& attribute) {
    return ParseHloModule("ENTRY e { a = s32[8] parameter(0) ROOT r = (s32[3], s32[3]) topk(a), k=3, largest=true" +
                          attribute + " }");
  };
  for (const std::string attribute : {"", ", is_stable=true"}) {
    const auto module = module_of(attribute);
    REQUIRE(module.has_value());
    CHECK(WriteHloModuleProto(**module).find(kStable) != std::string::npos);
    CHECK(PrintHloModule(**module).find("is_stable") == std::string::npos);
  }
  const auto unstable = module_of(", is_stable=false");
  REQUIRE(unstable.has_value());
  CHECK(WriteHloModuleProto(**unstable).find(kStable) == std::string::npos);
  CHECK(PrintHloModule(**unstable).find("is_stable=false") != std::string::npos);
}

TEST_CASE("a key that text cannot say is an error", "[proto]") {
  CHECK(
      ErrorOf(Changed("ENTRY e { ROOT a = f32[2] parameter(0), frontend_attributes={key=\"value\"} }", "key", "k y")) ==
      "instruction a of computation e: frontend_attributes: expected a name for a key, found \"k y\"");
}

TEST_CASE("a field that would change the meaning of a product and is not read is an error", "[proto]") {
  // frontend_attributes, 68, becomes block_scaling_config, 101.
  CHECK(ErrorOf(Changed("ENTRY e { a = f32[2] parameter(0) ROOT d = f32[] dot(a, a), lhs_contracting_dims={0}, "
                        "rhs_contracting_dims={0}, frontend_attributes={a=\"b\"} }",
                        "\xa2\x04", "\xaa\x06"))
            .find("block_scaling_config is not read") != std::string::npos);
}

TEST_CASE("a literal must have its elements before memory is taken for them", "[proto]") {
  MessageWriter shape, literal;
  shape.Integer(fields::ShapeProto::element_type, F32);
  shape.Integers(fields::ShapeProto::dimensions, Int64List{1 << 30, 1 << 30});
  literal.Sub(fields::LiteralProto::shape, shape);
  literal.AddText(fields::LiteralProto::f32s, "1234");
  const auto read = ReadLiteral(Message(literal.bytes()));
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().message ==
        "the literal f32[1073741824,1073741824]: expected 4 byte(s) for each of 1152921504606846976 elements, found 4 "
        "in all");
}

TEST_CASE("a literal without elements does not stand for a billion empty rows", "[proto]") {
  MessageWriter shape, literal;
  shape.Integer(fields::ShapeProto::element_type, F32);
  shape.Integers(fields::ShapeProto::dimensions, Int64List{1'000'000'000, 0});
  literal.Sub(fields::LiteralProto::shape, shape);
  const auto read = ReadLiteral(Message(literal.bytes()));
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().message ==
        "the literal f32[1000000000,0]: an array without elements may consist of 65536 empty arrays at most");
}

TEST_CASE("numbers may be packed or stand alone, and messages may come in parts", "[proto]") {
  // dimensions 2 and 3 alone, then 4 packed; the element type occurs twice.
  const std::string bytes("\x18\x02\x18\x03\x1a\x01\x04\x10\x01\x10\x0b", 11);
  REQUIRE(CheckMessage(bytes, MessageType::ShapeProto).has_value());
  const auto shape = ReadShape(Message(bytes));
  REQUIRE(shape.has_value());
  CHECK(shape->ToString() == "f32[2,3,4]{2,1,0}");
  // A tile's layout in two parts: minor_to_major in one, memory_space in the other.
  const std::string layout("\x10\x0b\x1a\x01\x05\x2a\x03\x0a\x01\x00\x2a\x02\x40\x03", 14);
  REQUIRE(CheckMessage(layout, MessageType::ShapeProto).has_value());
  CHECK(ReadShape(Message(layout))->ToString() == "f32[5]{0:S(3)}");
}

TEST_CASE("a field of another wire type is an error with its byte and name", "[proto]") {
  const Status checked = CheckMessage("\x12\x01x", MessageType::ShapeProto);
  REQUIRE_FALSE(checked.has_value());
  CHECK(checked.error().message == "byte 0: ShapeProto: field element_type must have wire type 0, found 2");
  // A field number that the table lacks is skipped.
  CHECK(CheckMessage(std::string("\xfa\x3f\x02hi\x10\x0b", 7), MessageType::ShapeProto).has_value());
}

TEST_CASE("instructions whose operands have larger ids are read in post order", "[proto]") {
  // The operand's id is above its user's, as in instructions that passes add.
  const std::string_view text = "ENTRY e { a = f32[2] parameter(0) b = f32[2] negate(a) ROOT c = f32[2] abs(b) }";
  std::string bytes = Changed(text, std::string("\x98\x02\x01", 3), std::string("\x98\x02\x09", 3));
  const std::string operand("\xa2\x02\x01\x01", 4);
  bytes.replace(bytes.find(operand), operand.size(), std::string("\xa2\x02\x01\x09", 4));
  const auto module = ReadHloModuleProto(bytes);
  REQUIRE(module.has_value());
  const auto expected = ParseHloModule(text);
  CHECK(PrintHloModule(**module) == PrintHloModule(**expected));
}

TEST_CASE("an axis of a mesh may have any name", "[proto]") {
  const auto module = ParseHloModule(R"(HloModule m, num_partitions=4
add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }
ENTRY e {
  a = f32[2] parameter(0)
  ROOT r = f32[2] all-reduce(a), replica_groups=mesh['\''=2,'a\\"b'=2] {'\''}, channel_id=1, use_global_device_ids=true, to_apply=add
})");
  REQUIRE(module.has_value());
  const std::string printed = PrintHloModule(**module);
  CHECK(printed.find(R"(replica_groups=mesh['\''=2,'a\\\"b'=2] {'\''})") != printed.npos);
  CHECK(ParseHloModule(printed).has_value());
  const auto read = ReadHloModuleProto(WriteHloModuleProto(**module));
  REQUIRE(read.has_value());
  CHECK(PrintHloModule(**read) == printed);
}

TEST_CASE("a snapshot has the arguments and the result of a run", "[proto]") {
  const auto module = ParseHloModule(kAdd);
  REQUIRE(module.has_value());
  const auto argument = ParseLiteral("f32[2] {1, -inf}"), result = ParseLiteral("f32[2] {2, -inf}");
  MessageWriter hlo, snapshot, inner;
  hlo.AddText(fields::HloProto::hlo_module, WriteHloModuleProto(**module));
  snapshot.Sub(fields::HloSnapshot::hlo, hlo);
  snapshot.Sub(fields::HloSnapshot::arguments, WriteLiteral(*argument));
  snapshot.Sub(fields::HloSnapshot::result, WriteLiteral(*result));
  CHECK(IsHloMessage(snapshot.bytes()));
  const auto read = ReadHloSnapshot(snapshot.bytes());
  REQUIRE(read.has_value());
  REQUIRE(read->arguments_per_device.size() == 1);
  CHECK(read->arguments_per_device[0][0].BitwiseEqual(*argument));
  CHECK(read->result->BitwiseEqual(*result));
  CHECK_FALSE(IsHloMessage(kAdd));
  CHECK_FALSE(IsHloMessage("HloModule m"));
}

}  // namespace
}  // namespace assay::proto::testing
