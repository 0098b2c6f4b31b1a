#include "backends/array_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <span>

#include "interpreter/hlo/parser.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

std::string HexOf(std::span<const std::byte> bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex(bytes.size() * 2, '0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned>(bytes[i]);
    hex[2 * i] = kDigits[byte >> 4];
    hex[2 * i + 1] = kDigits[byte & 15];
  }
  return hex;
}

std::span<const std::byte> BytesOf(const Literal& array) {
  return {array.data(), static_cast<std::size_t>(array.byte_size())};
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Error Bad(std::string message) { return {ErrorCode::kInput, std::move(message)}; }

Status FillFromHex(const std::string& hex, Literal& value) {
  if (static_cast<std::int64_t>(hex.size()) != value.byte_size() * 2) {
    return Bad(fmt::format("data_hex of {} must have {} digits, found {}", value.shape().ToStringWithoutLayout(),
                           value.byte_size() * 2, hex.size()));
  }
  std::byte* out = value.mutable_data();
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = HexDigit(hex[i]), low = HexDigit(hex[i + 1]);
    if (high < 0 || low < 0) return Bad(fmt::format("data_hex has a character that is no hex digit, at {}", i));
    out[i / 2] = static_cast<std::byte>(high << 4 | low);
  }
  return {};
}

Status FillFromFile(const std::string& path, Literal& value) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return Bad(fmt::format("data_file {} cannot be read", path));
  if (file.tellg() != value.byte_size()) {
    return Bad(fmt::format("data_file {} must have {} bytes, found {}", path, value.byte_size(),
                           static_cast<std::int64_t>(file.tellg())));
  }
  file.seekg(0);
  file.read(reinterpret_cast<char*>(value.mutable_data()), value.byte_size());
  return {};
}

}  // namespace

Status CheckStoredRange(const Literal& value) {
  const PrimitiveType type = value.element_type();
  const int width = type == PRED ? 1 : BitWidth(type);
  if (width >= 8) return {};
  const bool is_signed = IsSignedIntegralType(type);
  const int low = is_signed ? -(1 << (width - 1)) : 0;
  const int high = is_signed ? (1 << (width - 1)) - 1 : (1 << width) - 1;
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    const auto byte = value.values<std::uint8_t>()[i];
    const int element = is_signed ? static_cast<std::int8_t>(byte) : byte;
    if (element < low || element > high) {
      return Bad(fmt::format("element {} of {} is {}, outside [{}, {}]", i, value.shape().ToStringWithoutLayout(),
                             element, low, high));
    }
  }
  return {};
}

nlohmann::json ArrayToJson(const Literal& value) {
  if (value.shape().IsToken()) return {{"token", true}};
  if (value.shape().IsTuple()) {
    nlohmann::json elements = nlohmann::json::array();
    for (const Literal& element : value.elements()) elements.push_back(ArrayToJson(element));
    return {{"tuple", std::move(elements)}};
  }
  return {{"shape", value.shape().ToStringWithoutLayout()}, {"data_hex", HexOf(BytesOf(value))}};
}

void WriteArrayJson(const Literal& value, const TextSink& sink) {
  if (value.shape().IsToken()) return sink(R"({"token":true})");
  if (value.shape().IsTuple()) {
    sink(R"({"tuple":[)");
    for (std::size_t i = 0; i < value.elements().size(); ++i) {
      if (i > 0) sink(",");
      WriteArrayJson(value.elements()[i], sink);
    }
    return sink("]}");
  }
  constexpr std::size_t kBytesTogether = 1 << 16;
  sink(R"({"data_hex":")");
  for (std::span<const std::byte> rest = BytesOf(value); !rest.empty();) {
    const std::size_t count = std::min(rest.size(), kBytesTogether);
    sink(HexOf(rest.first(count)));
    rest = rest.subspan(count);
  }
  sink(fmt::format(R"(","shape":"{}"}})", value.shape().ToStringWithoutLayout()));
}

namespace {

Result<Literal> Parse(const nlohmann::json& json) {
  if (!json.is_object()) return Bad("a value must be an object with shape and data_hex, tuple, or token");
  if (json.contains("token")) return Literal::MakeToken();
  if (json.contains("tuple")) {
    if (!json["tuple"].is_array()) return Bad("the field tuple must be a list of values");
    std::vector<Literal> elements;
    for (const nlohmann::json& element : json["tuple"]) {
      ASSAY_TRY(Literal value, Parse(element));
      elements.push_back(std::move(value));
    }
    return Literal::MakeTuple(std::move(elements));
  }
  if (!json.contains("shape") || !json["shape"].is_string())
    return Bad("a value must have a field shape with a string");
  const std::string shape_text = json["shape"];
  Result<Shape> shape = ParseShape(shape_text);
  if (!shape) return Bad(fmt::format("the shape {} of a value: {}", shape_text, shape.error().message));
  if (!shape->IsArray() || shape->IsUnboundedDynamic()) {
    return Bad(fmt::format("the shape {} of a value must be an array's", shape_text));
  }
  ASSAY_TRY(const std::int64_t bytes, ShapeUtil::CheckedByteSizeOf(*shape));
  const bool has_hex = json.contains("data_hex") && json["data_hex"].is_string();
  const bool has_file = json.contains("data_file") && json["data_file"].is_string();
  if (has_hex == has_file) return Bad(fmt::format("the value {} must have data_hex or data_file", shape_text));
  // Before the array is made: a short text must not ask for a huge array.
  if (has_hex && static_cast<std::int64_t>(json["data_hex"].get_ref<const std::string&>().size()) != bytes * 2) {
    return Bad(fmt::format("data_hex of {} must have {} digits, found {}", shape_text, bytes * 2,
                           json["data_hex"].get_ref<const std::string&>().size()));
  }
  Literal value = Literal::Uninitialized(*shape);
  ASSAY_CHECK_OK(has_hex ? FillFromHex(json["data_hex"], value) : FillFromFile(json["data_file"], value));
  ASSAY_CHECK_OK(CheckStoredRange(value));
  return value;
}

}  // namespace

Result<Literal> ArrayFromJson(const nlohmann::json& json) {
  return WithoutThrowing([&] { return Parse(json); });
}

Result<Literal> ArrayFromJson(const nlohmann::json& json, const Shape& shape) {
  ASSAY_TRY(Literal value, ArrayFromJson(json));
  if (!ShapeUtil::Compatible(value.shape(), shape)) {
    return Bad(fmt::format("expected a value of shape {}, found {}", shape.ToStringWithoutLayout(),
                           value.shape().ToStringWithoutLayout()));
  }
  return std::move(value).WithShape(shape);
}

}  // namespace assay
