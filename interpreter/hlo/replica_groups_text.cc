#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "interpreter/hlo/attribute_text.h"
#include "interpreter/hlo/iota_text.h"

namespace assay {
namespace {

Result<ReplicaGroups> ParseGroupLists(TextParser& parser) {
  ReplicaGroups result;
  ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
    ASSAY_TRY(Int64List group, parser.ParseIntegers());
    result.groups.push_back(std::move(group));
    return {};
  }));
  return result;
}

// "[groups,size]<=[dims]T(permutation)"
Result<ReplicaGroups> ParseIotaGroups(TextParser& parser) {
  const SourceLocation location = parser.token().location;
  ASSAY_TRY(const Int64List shape, parser.ParseIntegers("[", "]"));
  if (shape.size() != 2) return TextParser::FailAt(location, "an iota replica group list is [groups,size]<=[dims]");
  ASSAY_TRY(const IotaTile iota, ParseIotaTile(parser));
  ASSAY_TRY(const Int64List devices, iota.Devices(location));
  std::int64_t product = 0;
  if (shape[0] < 0 || shape[1] < 0 || __builtin_mul_overflow(shape[0], shape[1], &product) ||
      product != static_cast<std::int64_t>(devices.size())) {
    return TextParser::FailAt(location, fmt::format("[{}] does not hold the {} devices that the iota lists",
                                                    fmt::join(shape, ","), devices.size()));
  }
  ReplicaGroups result;
  for (std::int64_t g = 0; g < shape[0]; ++g) {
    result.groups.emplace_back(devices.begin() + g * shape[1], devices.begin() + (g + 1) * shape[1]);
  }
  result.iota_text = fmt::format("[{}]{}", fmt::join(shape, ","), iota.ToString());
  return result;
}

}  // namespace

Result<ReplicaGroups> ParseReplicaGroups(TextParser& parser) {
  if (parser.At("{")) return ParseGroupLists(parser);
  if (parser.At("[")) return ParseIotaGroups(parser);
  return parser.Expected("replica groups: {{0,1},{2,3}}, [2,2]<=[4] or a mesh");
}

}  // namespace assay
