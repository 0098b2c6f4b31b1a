#include "backends/process/values.h"

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "backends/json/array_json.h"

namespace assay {
namespace {

using nlohmann::json;

constexpr std::int64_t kLargestInMessage = 1 << 16;

}  // namespace

json ValueJson(const Literal& value, const ArrayWriter& write) {
  if (value.shape().IsTuple()) {
    json elements = json::array();
    for (const Literal& element : value.elements()) elements.push_back(ValueJson(element, write));
    return {{"tuple", std::move(elements)}};
  }
  if (write && value.byte_size() > kLargestInMessage) {
    if (const auto file = write(value)) {
      return {{"shape", value.shape().ToStringWithoutLayout()}, {"data_file", *file}};
    }
  }
  return ArrayToJson(value);
}

bool WriteElements(const std::string& path, const Literal& array) {
  // Mode "x" creates a new file: it overwrites nothing and follows no link.
  std::FILE* const file = std::fopen(path.c_str(), "wbxe");
  if (file == nullptr) return false;
  const auto bytes = static_cast<std::size_t>(array.byte_size());
  const bool is_whole = std::fwrite(array.data(), 1, bytes, file) == bytes;
  return std::fclose(file) == 0 && is_whole;
}

}  // namespace assay
