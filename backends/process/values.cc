#include "backends/process/values.h"

#include <cstdint>
#include <fstream>
#include <utility>

#include "backends/json/array_json.h"

namespace assay {
namespace {

using nlohmann::json;

constexpr std::int64_t kLargestInMessage = 1 << 20;

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
  std::ofstream stream(path, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(array.data()), array.byte_size());
  stream.close();
  return static_cast<bool>(stream);
}

}  // namespace assay
