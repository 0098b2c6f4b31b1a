#include "backends/json/array_json.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "interpreter/evaluator/run_time_sizes.h"
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

// The folder that a data_file must be in. Null: any folder, because the path is the user's own. Otherwise the path
// comes from a peer.
using Folder = const std::string*;

// A regular file, open for reading. Opening anything else may block or have side effects of its driver.
class DataFile {
 public:
  static Result<DataFile> Open(const std::string& path, Folder folder) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (folder != nullptr && (folder->empty() || !fs::equivalent(fs::path(path).parent_path(), *folder, error))) {
      return Bad(fmt::format("data_file {} is not in the folder of the request's arrays", path));
    }
    DataFile file;
    file.descriptor_ = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | (folder != nullptr ? O_NOFOLLOW : 0));
    if (file.descriptor_ < 0) return Bad(fmt::format("data_file {} cannot be read: {}", path, std::strerror(errno)));
    struct stat status = {};
    if (fstat(file.descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      return Bad(fmt::format("data_file {} is not a regular file", path));
    }
    file.size_ = status.st_size;
    return file;
  }
  DataFile(DataFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}
  DataFile& operator=(DataFile&&) = delete;
  ~DataFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  std::int64_t size() const { return size_; }

  Status ReadInto(Literal& value, const std::string& path) const {
    for (std::int64_t done = 0; done < size_;) {
      const ssize_t n = read(descriptor_, value.mutable_data() + done, size_ - done);
      if (n <= 0) return Bad(fmt::format("data_file {} cannot be read", path));
      done += n;
    }
    return {};
  }

 private:
  DataFile() = default;

  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

Result<Literal> FromFile(const std::string& path, const Shape& shape, std::int64_t bytes, Folder folder) {
  ASSAY_TRY(const DataFile file, DataFile::Open(path, folder));
  if (file.size() != bytes) {
    return Bad(fmt::format("data_file {} must have {} bytes, found {}", path, bytes, file.size()));
  }
  Literal value = Literal::Uninitialized(shape);
  ASSAY_CHECK_OK(file.ReadInto(value, path));
  return value;
}

// Decodes the digits. The length is checked before the allocation: a short text must not cause a huge array.
Result<Literal> FromHex(const std::string& hex, const Shape& shape, std::int64_t bytes) {
  if (static_cast<std::int64_t>(hex.size()) != bytes * 2) {
    return Bad(fmt::format("data_hex of {} must have {} digits, found {}", shape.ToStringWithoutLayout(), bytes * 2,
                           hex.size()));
  }
  Literal value = Literal::Uninitialized(shape);
  std::byte* out = value.mutable_data();
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = HexDigit(hex[i]), low = HexDigit(hex[i + 1]);
    if (high < 0 || low < 0) return Bad(fmt::format("data_hex has a character that is not a hex digit, at {}", i));
    out[i / 2] = static_cast<std::byte>(high << 4 | low);
  }
  return value;
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

Result<Literal> Parse(const nlohmann::json& json, Folder folder) {
  if (!json.is_object()) return Bad("a value must be an object with shape and data_hex, tuple, or token");
  if (json.contains("token")) return Literal::MakeToken();
  if (json.contains("tuple")) {
    if (!json["tuple"].is_array()) return Bad("the field tuple must be a list of values");
    std::vector<Literal> elements;
    for (const nlohmann::json& element : json["tuple"]) {
      ASSAY_TRY(Literal value, Parse(element, folder));
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
  Result<Literal> value =
      has_hex ? FromHex(json["data_hex"], *shape, bytes) : FromFile(json["data_file"], *shape, bytes, folder);
  if (value) ASSAY_CHECK_OK(CheckStoredRange(*value));
  return value;
}

// True if the sizes of the value are within the bounds of the shape.
bool IsWithinBounds(const Shape& shape, const Literal& value) {
  if (!shape.IsTuple() || !value.shape().IsTuple()) {
    Literal fitted = value;
    return FitArgument(shape, fitted);
  }
  return std::ranges::equal(shape.tuple_shapes(), value.elements(), IsWithinBounds);
}

}  // namespace

Result<Literal> ArrayFromJson(const nlohmann::json& json) {
  return WithoutThrowing([&] { return Parse(json, nullptr); });
}

Result<Literal> ArrayFromJson(const nlohmann::json& json, const Shape& shape, const std::string& folder) {
  ASSAY_TRY(Literal value, WithoutThrowing([&] { return Parse(json, &folder); }));
  if (ShapeUtil::Compatible(value.shape(), shape)) return std::move(value).WithShape(shape);
  if (IsWithinBounds(shape, value)) return value;
  return Bad(fmt::format("expected a value of shape {}, found {}", shape.ToStringWithoutLayout(),
                         value.shape().ToStringWithoutLayout()));
}

}  // namespace assay
