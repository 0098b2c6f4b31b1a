#include "interpreter/stablehlo/quantized_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interpreter/numerics/round.h"
#include "interpreter/stablehlo/element_types.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/to_hlo_attributes.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

constexpr TypeSet kStorageTypes = TypesOf(S2, S4, S8, S16, S32, U2, U4, U8, U16, U32);

// The number of the constraints of MLIR's dialect quant on blocks, which StableHLO's specification does not have.
constexpr int kOfBlocks = 0;

// Checks one constraint after the other. `broken` is the first that does not hold.
class Constraints {
 public:
  template <class... T>
  void Require(int number, bool holds, fmt::format_string<T...> message, T&&... values) {
    if (!holds && broken_.empty()) {
      const std::string rule =
          number == kOfBlocks ? "sub-channel types of MLIR" : fmt::format("C{} of quantized types", number);
      broken_ = fmt::format("{} ({})", fmt::format(message, std::forward<T>(values)...), rule);
    }
  }
  const std::string& broken() const { return broken_; }

 private:
  std::string broken_;
};

void CheckParameters(const Quantization& type, Constraints& constraints) {
  const std::int64_t least = LeastOf(type.storage_type), largest = LargestOf(type.storage_type);
  constraints.Require(3,
                      least <= type.storage_min && type.storage_min < type.storage_max && type.storage_max <= largest,
                      "the storage range must be within {}:{}, and storage_min below storage_max, found {}:{}", least,
                      largest, type.storage_min, type.storage_max);
  const FloatFormat& format = FloatFormatOf(type.expressed_type);
  const double smallest = ToDouble(format, 1), most = ToDouble(format, format.max_finite_bits());
  for (const double scale : type.scales) {
    constraints.Require(5, scale > 0, "a scale must be positive, found {}", scale);
    constraints.Require(6, smallest <= scale && scale <= most,
                        "a scale must be a finite number of {}, in [{:e}, {:e}], found {:e}",
                        MlirTypeName(type.expressed_type), smallest, most, scale);
  }
  for (const std::int64_t zero_point : type.zero_points) {
    constraints.Require(7, type.storage_min <= zero_point && zero_point <= type.storage_max,
                        "a zero point must be in [{}, {}], found {}", type.storage_min, type.storage_max, zero_point);
  }
  constraints.Require(9, type.scales.size() == type.zero_points.size(),
                      "there must be as many zero points as scales, found {} and {}", type.zero_points.size(),
                      type.scales.size());
}

void CheckBlockSizes(const Quantization& type, const TensorType& tensor, Constraints& constraints) {
  const QuantizationBlocks& blocks = *type.blocks;
  const std::int64_t rank = std::ssize(tensor.dimensions);
  constraints.Require(kOfBlocks, std::ssize(blocks.counts) == rank,
                      "the scales must have the rank of the tensor, {}, found {}", rank, blocks.counts.size());
  std::vector<std::int64_t> sizes(rank, kDynamicSize);
  for (const auto& [dimension, size] : blocks.sizes) {
    const bool is_dimension = 0 <= dimension && dimension < rank;
    constraints.Require(kOfBlocks, is_dimension, "the dimension of blocks must be in [0, {}), found {}", rank,
                        dimension);
    constraints.Require(kOfBlocks, size > 0, "the size of a block must be positive, found {}", size);
    constraints.Require(kOfBlocks, !is_dimension || sizes[dimension] == kDynamicSize,
                        "a dimension must have one size of blocks, found dimension {} again", dimension);
    if (is_dimension) sizes[dimension] = size;
  }
  for (std::int64_t d = 0; d < rank && constraints.broken().empty(); ++d) {
    const std::int64_t size = tensor.dimensions[d], block = sizes[d] == kDynamicSize ? size : sizes[d];
    if (size == kDynamicSize && block != size) continue;
    constraints.Require(kOfBlocks, size != 0, "a tensor with blocks must not be empty, found size 0 of dimension {}",
                        d);
    constraints.Require(kOfBlocks, size == block || size % block == 0,
                        "the size of dimension {} must be a multiple of the block's, {}, found {}", d, block, size);
    const std::int64_t count = size == block ? 1 : size / block;
    constraints.Require(kOfBlocks, blocks.counts[d] == count,
                        "dimension {} must have a scale for each of its {} blocks, found {}", d, count,
                        blocks.counts[d]);
  }
}

void CheckDimension(const Quantization& type, const TensorType& tensor, Constraints& constraints) {
  if (type.blocks) return CheckBlockSizes(type, tensor, constraints);
  if (!type.dimension) {
    return constraints.Require(10, type.scales.size() == 1,
                               "without a quantization dimension it has one scale, found {}", type.scales.size());
  }
  const std::int64_t dimension = *type.dimension, rank = std::ssize(tensor.dimensions);
  constraints.Require(11, dimension >= 0, "the quantization dimension must not be negative, found {}", dimension);
  constraints.Require(12, dimension < rank, "the quantization dimension must be below the rank {}, found {}", rank,
                      dimension);
  if (dimension < 0 || dimension >= rank || tensor.dimensions[dimension] == kDynamicSize) return;
  constraints.Require(13, tensor.dimensions[dimension] == std::ssize(type.scales),
                      "dimension {} must have a scale for each of its {} slices, found {}", dimension,
                      tensor.dimensions[dimension], type.scales.size());
}

// Returns ":{0:1, 1:2}, {{0.5, 0.25}, {1.0, 2.0}}>": the parameters in lists that nest as the dimensions do.
std::string BlocksText(const QuantizationBlocks& blocks, std::vector<std::string> parameters) {
  std::vector<std::string> sizes;
  for (const auto& [dimension, size] : blocks.sizes) sizes.push_back(fmt::format("{}:{}", dimension, size));
  for (auto count = blocks.counts.rbegin(); count != blocks.counts.rend(); ++count) {
    std::vector<std::string> lists;
    for (auto part = parameters.begin(); part != parameters.end(); part += *count) {
      lists.push_back(fmt::format("{{{}}}", JoinText(std::vector<std::string>(part, part + *count), ", ")));
    }
    parameters = std::move(lists);
  }
  return fmt::format(":{{{}}}, {}>", JoinText(sizes, ", "), JoinText(parameters, ", "));
}

}  // namespace

std::int64_t LeastOf(PrimitiveType storage_type) {
  return IsSignedIntegralType(storage_type) ? -(std::int64_t{1} << (BitWidth(storage_type) - 1)) : 0;
}

std::int64_t LargestOf(PrimitiveType storage_type) {
  return (std::int64_t{1} << (BitWidth(storage_type) - (IsSignedIntegralType(storage_type) ? 1 : 0))) - 1;
}

PrimitiveType StorageTypeOf(std::string_view name) {
  const bool is_short = name.starts_with('u') && !name.starts_with("ui");
  const std::optional<PrimitiveType> type = TypeOfMlirName(is_short ? "ui" + std::string(name.substr(1)) : name);
  return type && kStorageTypes.contains(*type) ? *type : PRIMITIVE_TYPE_INVALID;
}

bool SetElementType(const Type& element, TensorType& tensor) {
  const auto* scalar = std::get_if<ScalarType>(&element.value);
  if (scalar != nullptr) tensor.element_type = scalar->element_type;
  const auto* quantized = std::get_if<QuantizedType>(&element.value);
  if (quantized == nullptr) return scalar != nullptr;
  tensor.element_type = quantized->value->storage_type;
  tensor.quantized = *quantized;
  return true;
}

const Quantization* QuantizationOf(const Type& type) {
  const auto* tensor = std::get_if<TensorType>(&type.value);
  return tensor == nullptr ? nullptr : tensor->quantized.value.get();
}

bool AreElementsOf(const TensorType& elements, const TensorType& type) {
  const PrimitiveType element_type = elements.element_type;
  const bool is_signless = type.quantized.value != nullptr && IsSignedIntegralType(element_type) &&
                           BitWidth(element_type) == BitWidth(type.element_type);
  return (element_type == type.element_type || is_signless) && elements.dimensions == type.dimensions;
}

std::optional<DenseElements> StoredElements(const DenseElements& elements, const Operation& constant) {
  const Quantization* quantization = constant.results.size() == 1 ? QuantizationOf(constant.results[0].type) : nullptr;
  if (quantization == nullptr || elements.type.element_type == quantization->storage_type ||
      !AreElementsOf(elements.type, std::get<TensorType>(constant.results[0].type.value))) {
    return std::nullopt;
  }
  DenseElements stored = elements;
  stored.type.element_type = quantization->storage_type;
  const int bits = BitWidth(quantization->storage_type);
  for (char& byte : stored.bytes) {
    if (bits < 8) byte = static_cast<char>(byte & ((1 << bits) - 1));
  }
  return stored;
}

std::vector<std::int64_t> ScaleCounts(const Quantization& type, std::size_t rank) {
  if (type.blocks) return type.blocks->counts;
  std::vector<std::int64_t> counts(rank, 1);
  if (type.dimension && static_cast<std::size_t>(*type.dimension) < rank) {
    counts[*type.dimension] = std::ssize(type.scales);
  }
  return counts;
}

void WrapZeroPoints(Quantization& type) {
  const std::int64_t end = LargestOf(type.storage_type) + 1;
  for (std::int64_t& zero_point : type.zero_points) {
    if (LeastOf(type.storage_type) == 0 && zero_point < 0 && zero_point >= -end / 2) zero_point += end;
  }
}

std::string ToText(const Quantization& quantization) {
  const PrimitiveType storage = quantization.storage_type;
  std::string text = fmt::format("!quant.uniform<{}{}", IsSignedIntegralType(storage) ? "i" : "u", BitWidth(storage));
  if (quantization.storage_min != LeastOf(storage) || quantization.storage_max != LargestOf(storage)) {
    text += fmt::format("<{}:{}>", quantization.storage_min, quantization.storage_max);
  }
  text += fmt::format(":{}", MlirTypeName(quantization.expressed_type));
  if (quantization.dimension) text += fmt::format(":{}", *quantization.dimension);
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < quantization.scales.size(); ++i) {
    const std::int64_t zero_point = i < quantization.zero_points.size() ? quantization.zero_points[i] : 0;
    parameters.push_back(FloatText(quantization.scales[i], quantization.blocks ? quantization.expressed_type : F64) +
                         (zero_point == 0 ? "" : fmt::format(":{}", zero_point)));
  }
  if (quantization.blocks) return text + BlocksText(*quantization.blocks, std::move(parameters));
  const std::string joined = JoinText(parameters, ",");
  return text + (quantization.dimension ? fmt::format(", {{{}}}>", joined) : fmt::format(", {}>", joined));
}

Status CheckQuantization(const Operation& operation, const TensorType& type) {
  Constraints constraints;
  CheckParameters(*type.quantized.value, constraints);
  CheckDimension(*type.quantized.value, type, constraints);
  if (constraints.broken().empty()) return {};
  return IllegalAt(operation, fmt::format("{} is not a type: {}", ToText(Type{type}), constraints.broken()));
}

}  // namespace assay::stablehlo
