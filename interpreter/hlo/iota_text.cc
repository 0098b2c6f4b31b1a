#include "interpreter/hlo/iota_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "interpreter/types/index_util.h"
#include "interpreter/types/layout.h"

namespace assay {
namespace {

// Most devices that a text may ask to be listed.
constexpr std::int64_t kMaxDevices = std::int64_t{1} << 22;

}  // namespace

Result<Int64List> IotaTile::Devices(SourceLocation location) const {
  std::int64_t count = 1;
  for (const std::int64_t size : reshape) {
    if (size <= 0) return TextParser::FailAt(location, "the dimensions of an iota are positive");
    if (__builtin_mul_overflow(count, size, &count) || count > kMaxDevices) {
      return TextParser::FailAt(location, fmt::format("an iota of more than {} devices", kMaxDevices));
    }
  }
  const std::vector<std::int64_t> strides = RowMajorStrides(reshape);
  Int64List sizes;
  std::vector<std::int64_t> steps[1];
  for (const std::int64_t dimension : permutation) {
    sizes.push_back(reshape[dimension]);
    steps[0].push_back(strides[dimension]);
  }
  Int64List devices;
  devices.reserve(count);
  StridedWalk<1>(sizes, steps).ForEach({0}, [&](const std::int64_t(&device)[1]) { devices.push_back(device[0]); });
  return devices;
}

std::string IotaTile::ToString() const {
  std::string text = fmt::format("<=[{}]", fmt::join(reshape, ","));
  if (reshape.size() > 1) text += fmt::format("T({})", fmt::join(permutation, ","));
  return text;
}

Result<IotaTile> ParseIotaTile(TextParser& parser) {
  IotaTile iota;
  ASSAY_CHECK_OK(parser.Expect("<="));
  ASSAY_TRY(iota.reshape, parser.ParseIntegers("[", "]"));
  if (iota.reshape.empty()) return parser.Fail("an iota has at least one dimension");
  if (iota.reshape.size() == 1) {
    iota.permutation = {0};
    return iota;
  }
  if (!parser.Is(TokenKind::kIdentifier) || parser.token().text != "T") {
    return parser.Expected("the permutation T(...) of an iota of several dimensions");
  }
  parser.Next();
  const SourceLocation location = parser.token().location;
  ASSAY_TRY(iota.permutation, parser.ParseIntegers("(", ")"));
  if (iota.permutation.size() != iota.reshape.size() || !LayoutUtil::IsPermutation(iota.permutation)) {
    return TextParser::FailAt(location, fmt::format("T lists each of 0 to {} once", iota.reshape.size() - 1));
  }
  return iota;
}

}  // namespace assay
