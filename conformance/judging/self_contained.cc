#include "conformance/judging/self_contained.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include "interpreter/builder/xla_builder.h"
#include "interpreter/hlo/clone.h"

namespace assay {
using namespace xla;
namespace {

// Returns the integer type with as many bits as a float type; nothing for 6-bit formats.
std::optional<PrimitiveType> BitsOf(PrimitiveType type) {
  for (const PrimitiveType bits : {U4, U8, U16, U32, U64}) {
    if (BitWidth(bits) == BitWidth(type)) return bits;
  }
  return std::nullopt;
}

class Caller {
 public:
  explicit Caller(const HloModule& module) : module_(module), builder_(module.name) {}

  Result<std::unique_ptr<HloModule>> Call(const DeviceValues& arguments) {
    std::vector<XlaOp> operands;
    for (std::size_t i = 0; i < arguments[0].size(); ++i) {
      std::vector<const Literal*> of_devices;
      for (const std::vector<Literal>& device : arguments) of_devices.push_back(&device[i]);
      ASSAY_TRY(const XlaOp operand, Value(of_devices));
      operands.push_back(OptimizationBarrier(operand));
    }
    std::unique_ptr<HloModule> called = CloneModule(module_);
    // XLA's conversion to StableHLO keeps the name main for the entry.
    for (const auto& computation : called->computations) {
      if (computation->name == "main") computation->name = fmt::format("{}.main", module_.name);
    }
    assay::Call(&builder_, XlaComputation(std::shared_ptr<const HloModule>(std::move(called))), operands);
    ASSAY_TRY(const XlaComputation built, builder_.Build());
    std::unique_ptr<HloModule> whole = CloneModule(built.module());
    whole->replica_count = module_.replica_count;
    whole->num_partitions = module_.num_partitions;
    return whole;
  }

 private:
  Result<XlaOp> Value(const std::vector<const Literal*>& of_devices) {
    const Literal& first = *of_devices[0];
    if (first.shape().IsToken()) return CreateToken(&builder_);
    if (first.shape().IsTuple()) {
      std::vector<XlaOp> elements;
      for (std::size_t i = 0; i < first.elements().size(); ++i) {
        std::vector<const Literal*> element;
        for (const Literal* device : of_devices) element.push_back(&device->elements()[i]);
        ASSAY_TRY(elements.emplace_back(), Value(element));
      }
      return Tuple(&builder_, elements);
    }
    if (!first.shape().IsArray()) {
      return Error{ErrorCode::kUnsupported, fmt::format("no constant has the shape {}", first.shape().ToString())};
    }
    XlaOp value = Array(of_devices);
    for (std::int64_t d = 0; d < first.shape().rank(); ++d) {
      if (!first.shape().is_dynamic_dimension(d)) continue;
      std::vector<Literal> sizes;
      for (const Literal* device : of_devices) {
        sizes.push_back(LiteralUtil::CreateR0<std::int32_t>(static_cast<std::int32_t>(device->dynamic_size(d))));
      }
      std::vector<const Literal*> pointers;
      for (const Literal& size : sizes) pointers.push_back(&size);
      value = SetDimensionSize(value, Array(pointers), d);
    }
    return value;
  }

  // Returns an array with the sizes of the bounds, if it is dynamic.
  XlaOp Array(const std::vector<const Literal*>& of_devices) {
    const Literal& first = *of_devices[0];
    // A row for each device, and one more with other bits: the compiler does not know which row is used.
    std::vector<std::byte> rows;
    for (const Literal* device : of_devices)
      rows.insert(rows.end(), device->data(), device->data() + device->byte_size());
    const bool is_signed = CategoryOf(first.element_type()) == TypeCategory::kSigned;
    const std::byte flipped{static_cast<unsigned char>(is_signed ? 0xff : 1)};
    std::transform(first.data(), first.data() + first.byte_size(), std::back_inserter(rows),
                   [&](std::byte byte) { return byte ^ flipped; });
    const std::vector<std::int64_t> dimensions(first.shape().dimensions().begin(), first.shape().dimensions().end());
    std::vector<std::int64_t> stacked = dimensions, sizes = dimensions;
    stacked.insert(stacked.begin(), static_cast<std::int64_t>(of_devices.size()) + 1);
    sizes.insert(sizes.begin(), 1);
    std::vector<XlaOp> starts = {DeviceNumber()};
    starts.resize(sizes.size(), ConstantR0<std::uint32_t>(&builder_, 0));
    return Bits(rows, stacked, first.element_type(),
                [&](XlaOp all) { return Reshape(DynamicSlice(all, starts, sizes), dimensions); });
  }

  XlaOp DeviceNumber() {
    if (module_.num_partitions == 1) return ReplicaId(&builder_);
    if (module_.replica_count == 1) return PartitionId(&builder_);
    const auto partitions = static_cast<std::uint32_t>(module_.num_partitions);
    return Add(Mul(ReplicaId(&builder_), ConstantR0<std::uint32_t>(&builder_, partitions)), PartitionId(&builder_));
  }

  XlaOp Constant(std::span<const std::byte> bytes, const std::vector<std::int64_t>& dimensions, PrimitiveType type) {
    Literal literal(ShapeUtil::MakeShape(type, dimensions));
    std::ranges::copy(bytes, literal.mutable_data());  // an array without elements has none
    return ConstantLiteral(&builder_, literal);
  }

  // Returns an array with these bits. `choose` selects the device's row.
  XlaOp Bits(std::span<const std::byte> bytes, const std::vector<std::int64_t>& dimensions, PrimitiveType type,
             const std::function<XlaOp(XlaOp)>& choose) {
    if (IsComplexType(type)) {
      const PrimitiveType part = type == C64 ? F32 : F64;
      const auto size = static_cast<std::size_t>(StorageBytes(part));
      std::vector<std::byte> real, imaginary;
      for (std::size_t at = 0; at < bytes.size(); at += 2 * size) {
        real.insert(real.end(), bytes.data() + at, bytes.data() + at + size);
        imaginary.insert(imaginary.end(), bytes.data() + at + size, bytes.data() + at + 2 * size);
      }
      return Complex(Bits(real, dimensions, part, choose), Bits(imaginary, dimensions, part, choose));
    }
    const auto bits = BitsOf(type);
    if (!IsFloatingPointType(type) || !bits) return choose(Constant(bytes, dimensions, type));
    return BitcastConvertType(choose(Constant(bytes, dimensions, *bits)), type);
  }

  const HloModule& module_;
  XlaBuilder builder_;
};

}  // namespace

Result<std::unique_ptr<HloModule>> SelfContained(const HloModule& module, const DeviceValues& arguments) {
  return Caller(module).Call(arguments);
}

}  // namespace assay
