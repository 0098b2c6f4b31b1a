#include "tools/array_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>

#include "backends/files.h"
#include "backends/json/array_json.h"
#include "conformance/cases/npy.h"
#include "interpreter/hlo/literal_text.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/lane_sum.h"
#include "interpreter/numerics/round.h"

namespace assay {
namespace {

constexpr std::int64_t kBlock = 8192;
constexpr std::size_t kDistinctCounted = 1000;

TextSink Into(std::FILE* file) {
  return [file](std::string_view text) { std::fwrite(text.data(), 1, text.size(), file); };
}

// Returns the number of elements, counting each empty row as one.
std::int64_t PlacesIn(const Shape& shape) {
  std::int64_t places = 1;
  for (std::int64_t size : shape.dimensions()) {
    if (size == 0) break;
    places *= size;
  }
  return places;
}

// Statistics of an array's elements, read in one pass.
class Summary {
 public:
  explicit Summary(const Literal& array) : array_(array), parts_(ComponentCount(array.element_type())) {
    const PrimitiveType type = array.element_type();
    const int bytes = StorageBytes(type);
    double parts[2 * kBlock];
    for (std::int64_t begin = 0; begin < array.element_count(); begin += kBlock) {
      const std::int64_t count = std::min(kBlock, array.element_count() - begin);
      const std::byte* const elements = array.data() + begin * bytes;
      if (IsIntegralType(type) || type == PRED) {
        for (std::int64_t i = 0; i < count; ++i) {
          const std::int64_t element = array.IntegerAt(begin + i);
          parts[i] =
              type == U64 ? static_cast<double>(static_cast<std::uint64_t>(element)) : static_cast<double>(element);
        }
      } else {
        LoadReals(ComplexComponentType(type), elements, parts, count * parts_);
      }
      for (std::int64_t i = 0; i < count; ++i) Add(begin + i, parts + i * parts_, elements + i * bytes);
    }
  }

  std::string ToText() const {
    std::string text = fmt::format("{}: {} elements", array_.shape().ToStringWithoutLayout(), array_.element_count());
    if (least_ >= 0) {
      text += fmt::format(", minimum {}, maximum {}", PrintElement(array_, least_), PrintElement(array_, greatest_));
    }
    if (array_.element_count() > 0) {
      text += parts_ == 2 ? fmt::format(", mean ({:.6g}, {:.6g})", Mean(0), Mean(1))
                          : fmt::format(", mean {:.6g}", Mean(0));
      text += distinct_.size() > kDistinctCounted
                  ? fmt::format(", more than {} distinct values", kDistinctCounted)
                  : fmt::format(", {} distinct value{}", distinct_.size(), distinct_.size() == 1 ? "" : "s");
    }
    return nans_ > 0 ? text + fmt::format(", {} NaN", nans_) : text;
  }

 private:
  void Add(std::int64_t i, const double* parts, const std::byte* element) {
    const int bytes = StorageBytes(array_.element_type());
    const bool is_known = i > 0 && std::memcmp(element, element - bytes, bytes) == 0;
    if (!is_known && distinct_.size() <= kDistinctCounted) {
      distinct_.emplace(reinterpret_cast<const char*>(element), bytes);
    }
    for (int part = 0; part < parts_; ++part) sums_.AddTo(part, parts[part]);
    if (std::isnan(parts[0]) || std::isnan(parts[parts_ - 1])) {
      ++nans_;
    } else if (parts_ == 1) {
      if (least_ < 0 || parts[0] < least_value_) least_ = i, least_value_ = parts[0];
      if (greatest_ < 0 || parts[0] > greatest_value_) greatest_ = i, greatest_value_ = parts[0];
    }
  }

  // If the sum overflows, the mean is not finite either.
  double Mean(int part) const {
    const LaneSum sum = sums_.lane(part);
    const double total = std::isfinite(sum.high) ? sum.high + sum.low : sum.high;
    return total / static_cast<double>(array_.element_count());
  }

  const Literal& array_;
  const int parts_;
  LaneSums sums_{2};
  std::unordered_set<std::string> distinct_;
  std::int64_t nans_ = 0;
  std::int64_t least_ = -1, greatest_ = -1;  // offsets of the first least and greatest elements
  double least_value_ = 0, greatest_value_ = 0;
};

void PrintValue(const Literal& value, bool in_full, const TextSink& sink) {
  if (value.shape().IsTuple()) {
    sink("( ");
    for (std::size_t i = 0; i < value.elements().size(); ++i) {
      if (i > 0) sink(", ");
      PrintValue(value.elements()[i], in_full, sink);
    }
    return sink(" )");
  }
  if (in_full || !value.shape().IsArray() || PlacesIn(value.shape()) <= kElementsPrinted)
    return PrintLiteral(value, sink);
  sink(fmt::format("{{...}} /*{}*/", Summary(value).ToText()));
}

}  // namespace

void PrintOutput(const Literal& output, bool in_full, std::FILE* file) {
  PrintValue(output, in_full, Into(file));
  std::fputc('\n', file);
}

void PrintOutputsAsJson(const PerDevice<Literal>& outputs, double seconds, std::FILE* file) {
  const TextSink sink = Into(file);
  sink("{\"outputs\":[");
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (i > 0) sink(",");
    WriteArrayJson(outputs[i], sink);
  }
  sink(fmt::format("],\"seconds\":{}}}\n", nlohmann::json(seconds).dump()));
}

Status WriteOutput(const Literal& output, const std::string& name) {
  if (output.shape().IsTuple()) {
    for (std::size_t i = 0; i < output.elements().size(); ++i) {
      ASSAY_CHECK_OK(WriteOutput(output.elements()[i], fmt::format("{}.{}", name, i)));
    }
    return {};
  }
  if (output.shape().IsArray() && NpyCanHold(output.element_type())) {
    return WriteFileAtomically(name + ".npy", [&](const TextSink& sink) { WriteNpy(output, sink); });
  }
  return WriteFileAtomically(name + ".json", [&](const TextSink& sink) {
    WriteArrayJson(output, sink);
    sink("\n");
  });
}

}  // namespace assay
