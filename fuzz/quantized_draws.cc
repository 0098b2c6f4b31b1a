#include "fuzz/quantized_draws.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fuzz/generate/values.h"
#include "interpreter/stablehlo/quantized_types.h"

namespace assay {
using namespace generate;

using stablehlo::Quantization;
using stablehlo::TensorType;

namespace {

double DrawNumber(Random& random, std::span<const Quantization* const> types) {
  if (types.empty()) return random.Normal();
  const Quantization& type = *random.OneOf(types);
  const std::size_t slice = static_cast<std::size_t>(random.Below(std::ssize(type.scales)));
  const std::int64_t beyond = random.Between(-1, 1);
  const auto steps = static_cast<double>(DrawInteger(random, type) - type.zero_points[slice] + beyond);
  return (steps + random.OneOf({0.0, 0.25, 0.5, 0.5, 0.50390625, 0.49609375})) * type.scales[slice];
}

}  // namespace

std::string_view Take(std::string_view& text, std::string_view separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + separator.size(), text.size()));
  while (part.starts_with(' ')) part.remove_prefix(1);
  while (part.ends_with(' ')) part.remove_suffix(1);
  return part;
}

TypeSpec TypeSpec::Read(std::string_view& text) {
  TypeSpec spec;
  std::string_view name = Take(text, "[");
  spec.sizes = Take(text, "]");
  spec.name = Take(name, ":");
  if (!name.empty()) spec.dimension = name[0] - '0';
  return spec;
}

std::vector<TypeSpec> ReadSpecs(std::string_view text) {
  std::vector<TypeSpec> specs;
  while (!text.empty()) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    if (!text.empty()) specs.push_back(TypeSpec::Read(text));
  }
  return specs;
}

Quantization WholeStorage(PrimitiveType storage, PrimitiveType expressed) {
  return {.storage_type = storage,
          .storage_min = stablehlo::LeastOf(storage),
          .storage_max = stablehlo::LargestOf(storage),
          .expressed_type = expressed,
          .dimension = std::nullopt,
          .blocks = std::nullopt,
          .scales = {},
          .zero_points = {}};
}

Quantization DrawStorage(Random& random, PrimitiveType expressed) {
  const PrimitiveType type = random.OneOf({S8, S8, S8, U8, S4, S16, S32, U4, U16});
  Quantization storage = WholeStorage(type, expressed);
  if (!random.OneIn(3)) return storage;
  const std::int64_t third = (storage.storage_max - storage.storage_min) / 3;
  storage.storage_min += random.Below(third + 1);
  storage.storage_max -= random.Below(third + 1);
  return storage;
}

double DrawScale(Random& random, PrimitiveType storage) {
  const int least = std::max(1 - BitWidth(storage), std::ilogb(kLeastScale));
  const double scale = std::ldexp(1.0, static_cast<int>(random.Between(least, least + 6)));
  return random.Flip() ? scale : scale * (1 + random.Unit());
}

std::int64_t DrawInteger(Random& random, const Quantization& type) {
  const std::int64_t least = type.storage_min, most = type.storage_max;
  if (random.OneIn(8)) return random.Flip() ? least : most;
  if (random.OneIn(3)) return std::clamp<std::int64_t>(random.Between(-20, 20), least, most);
  return random.Between(least, most);
}

std::int64_t DrawZeroPoint(Random& random, const Quantization& type) {
  if (BitWidth(type.storage_type) < 32) return DrawInteger(random, type);
  return std::clamp<std::int64_t>(random.Between(-1000, 1000), type.storage_min, type.storage_max);
}

Literal DrawArgument(Random& random, const TensorType& type, std::span<const Quantization* const> types) {
  const Shape shape = ShapeUtil::MakeShape(type.element_type, type.dimensions);
  if (type.element_type == PRED) return DrawValue(random, shape, EdgeClass::kAnyBits);
  const Quantization* quantization = type.quantized.value.get();
  if (type.element_type == S32 && quantization == nullptr) return DrawIntegers(random, shape, -1, 4);
  if (quantization == nullptr && random.OneIn(16)) return DrawValue(random, shape, EdgeClass::kSpecials);
  Literal argument = Literal::Uninitialized(shape);
  const std::size_t width = StorageBytes(type.element_type);
  for (std::int64_t i = 0; i < argument.element_count(); ++i) {
    const Literal element =
        ScalarOf(type.element_type, quantization != nullptr ? static_cast<double>(DrawInteger(random, *quantization))
                                                            : DrawNumber(random, types));
    std::memcpy(argument.mutable_data() + i * width, element.data(), width);
  }
  return argument;
}

}  // namespace assay
