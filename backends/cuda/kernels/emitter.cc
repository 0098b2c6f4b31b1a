#include "backends/cuda/kernels/emitter.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/applied.h"
#include "backends/cuda/kernels/element_wise.h"
#include "backends/cuda/kernels/text.h"

namespace assay::cuda {
namespace {

constexpr std::string_view kMovements[] = {"bitcast", "broadcast",   "copy",     "dynamic-slice",
                                           "gather",  "concatenate", "pad",      "reshape",
                                           "reverse", "slice",       "transpose"};

bool IsRowMajor(const Shape& shape) {
  if (!shape.has_layout()) return true;
  const Layout& layout = shape.layout();
  return LayoutUtil::IsMonotonicWithDim0Major(layout) && layout.tiles.empty() && layout.padded_dimensions.empty();
}

// True if the instruction returns the operand's elements in order with other dimensions.
bool IsReshape(const HloInstruction& instruction) {
  return instruction.op->name == "reshape" || instruction.op->name == "bitcast";
}

bool HasOwnTypes(const HloInstruction& instruction) {
  const PrimitiveType type = instruction.shape.element_type();
  const bool is_pad = instruction.op->name == "pad";
  const std::size_t count = instruction.op->name == "concatenate" ? instruction.operands.size() : is_pad ? 2 : 1;
  return std::all_of(instruction.operands.begin(), instruction.operands.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](const HloInstruction* operand) { return operand->shape.element_type() == type; });
}

bool IsReinterpretation(const HloInstruction& instruction) {
  return instruction.op->name == "bitcast-convert" && !IsComplexType(instruction.shape.element_type());
}

bool HasStaticShapes(const HloInstruction& instruction) {
  const auto is_static = [](const Shape& shape) { return shape.IsArray() && !shape.IsDynamic(); };
  return is_static(instruction.shape) && std::ranges::all_of(instruction.operands, [&](const HloInstruction* operand) {
           return is_static(operand->shape);
         });
}

std::string KeyOf(const HloInstruction& instruction, const IndexText& index) {
  return fmt::format("{} {}", static_cast<const void*>(&instruction), index.Key());
}

IndexText OfScalar() { return IndexText::AtOffset("0"); }

// Returns the sizes other than one.
Dimensions WithoutOnes(const Dimensions& dimensions) {
  Dimensions sizes;
  std::ranges::copy_if(dimensions, std::back_inserter(sizes), [](std::int64_t size) { return size != 1; });
  return sizes;
}

// True if the map applies a computation that has a text, without converting arguments or the result.
bool IsApplication(const HloInstruction& map) {
  const HloComputation& applied = map.Computation("to_apply");
  if (!HasAppliedText(applied) || ResultTypes(applied) != std::vector{map.shape.element_type()}) return false;
  const std::vector<const HloInstruction*> parameters = applied.Parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i]->shape.element_type() != map.operands[i]->shape.element_type()) return false;
  }
  return true;
}

}  // namespace

bool IsMovement(const HloInstruction& instruction) {
  if (std::ranges::find(kMovements, instruction.op->name) == std::end(kMovements)) return false;
  if (!instruction.shape.IsArray() || !HasOwnTypes(instruction)) return false;
  // A bitcast between other layouts would depend on an order in memory that elements do not have here.
  if (instruction.op->name != "bitcast") return true;
  const Shape& operand = instruction.operand(0).shape;
  return IsRowMajor(operand) && IsRowMajor(instruction.shape) &&
         ShapeUtil::ElementsIn(operand) == ShapeUtil::ElementsIn(instruction.shape);
}

bool HasElementText(const HloInstruction& instruction) {
  if (!HasStaticShapes(instruction)) return false;
  const std::string_view op = instruction.op->name;
  if (op == "iota") return true;
  if (op == "constant") return instruction.shape.IsScalar();
  if (op == "map") return IsApplication(instruction);
  return IsElementWise(instruction) || IsMovement(instruction) || IsReinterpretation(instruction);
}

bool HasExactText(const HloInstruction& instruction) {
  if (!HasElementText(instruction)) return false;
  if (instruction.op->name != "map") return !IsElementWise(instruction) || IsRoundedOnce(instruction);
  return std::ranges::all_of(instruction.Computation("to_apply").instructions, [](const auto& applied) {
    return applied->op->role == OpRole::kParameter || HasExactText(*applied);
  });
}

bool ChangesIndex(const HloInstruction& instruction, std::size_t i) {
  if (instruction.op->name == "copy" || IsReshape(instruction)) return false;
  return IsMovement(instruction) || !ShapeUtil::SameDimensions(instruction.shape, instruction.operands[i]->shape);
}

std::vector<std::string_view> OpsWithElementText() {
  std::vector<std::string_view> ops = ElementWiseOps();
  ops.insert(ops.end(), std::begin(kMovements), std::end(kMovements));
  ops.emplace_back("iota");
  ops.emplace_back("map");
  return ops;
}

void ElementEmitter::Bind(const HloInstruction& scalar, const std::string& name) { Bind(scalar, OfScalar(), name); }

void ElementEmitter::Bind(const HloInstruction& instruction, const IndexText& index, const std::string& name) {
  AddType(instruction.shape.element_type());
  body_.Keep(KeyOf(instruction, index), name);
}

std::string ElementEmitter::Element(const HloInstruction& instruction, const IndexText& index) {
  AddType(instruction.shape.element_type());
  const std::string key = KeyOf(instruction, index);
  if (std::string known = body_.Find(key); !known.empty()) return known;
  std::string name = Computed(instruction, index);
  body_.Keep(key, name);
  return name;
}

std::string ElementEmitter::Computed(const HloInstruction& instruction, const IndexText& index) {
  const PrimitiveType type = instruction.shape.element_type();
  const std::string_view op = instruction.op->name;
  if (op == "parameter") {
    return body_.Name(TypeText(type), fmt::format("p{}[{}]", instruction.parameter_number,
                                                  body_.OffsetOf(index, instruction.shape.dimensions())));
  }
  if (op == "constant") return body_.Name(TypeText(type), ElementText(type, instruction.literal->data()));
  if (op == "iota") {
    const auto at = body_.PlacesOf(index, instruction.shape.dimensions());
    return body_.Name(TypeText(type), fmt::format("To<{}>::of(({}){})", TypeText(type), body_.index_type(),
                                                  at[static_cast<std::size_t>(instruction.Int64("iota_dimension"))]));
  }
  if (IsMovement(instruction)) return Moved(instruction, index);
  if (op != "map" && !IsElementWise(instruction)) return Reinterpreted(instruction, index);
  std::vector<std::string> operands;
  for (const HloInstruction* operand : instruction.operands) {
    const bool is_repeated = operand->shape.IsScalar() && !instruction.shape.IsScalar();
    operands.push_back(Element(*operand, is_repeated ? OfScalar() : index));
  }
  if (op == "map") return Applied(instruction.Computation("to_apply"), operands, body_, *this)[0];
  return body_.Name(TypeText(type), ElementWiseText(instruction, operands));
}

std::string ElementEmitter::Moved(const HloInstruction& instruction, const IndexText& index) {
  const std::string_view op = instruction.op->name;
  const HloInstruction& operand = instruction.operand(0);
  const Dimensions& sizes = instruction.shape.dimensions();
  const Dimensions& operand_sizes = operand.shape.dimensions();
  if (op == "copy") return Element(operand, index);
  if (op == "concatenate") return Concatenated(instruction, index);
  if (op == "pad") return Padded(instruction, index);
  if (op == "gather") return Gathered(instruction, index);
  if (op == "dynamic-slice") return Sliced(instruction, index);
  if (ShapeUtil::ElementsIn(operand.shape) == 1) return Element(operand, OfScalar());
  if (IsReshape(instruction)) {
    if (index.offset.empty() && WithoutOnes(sizes) == WithoutOnes(operand_sizes)) {
      IndexText from;
      std::size_t d = 0;
      for (const std::int64_t size : operand_sizes) {
        while (size != 1 && sizes[d] == 1) ++d;
        from.at.push_back(size == 1 ? "0" : index.at[d++]);
      }
      return Element(operand, from);
    }
    return Element(operand, IndexText::AtOffset(body_.OffsetOf(index, sizes)));
  }
  const std::vector<std::string> at = body_.PlacesOf(index, sizes);
  IndexText from;
  from.at.resize(operand_sizes.size());
  for (std::size_t d = 0; d < operand_sizes.size(); ++d) {
    if (op == "broadcast") {
      from.at[d] = at[static_cast<std::size_t>(instruction.Int64s("dimensions")[d])];
    } else if (op == "transpose") {
      from.at[static_cast<std::size_t>(instruction.Int64s("dimensions")[d])] = at[d];
    } else if (op == "reverse") {
      const bool is_reversed = std::ranges::count(instruction.Int64s("dimensions"), static_cast<std::int64_t>(d)) > 0;
      from.at[d] = is_reversed ? body_.Difference(operand_sizes[d] - 1, at[d]) : at[d];
    } else {
      const SliceDimension& slice = (*instruction.Find<SliceConfig>("slice"))[d];
      from.at[d] = body_.Sum(body_.Product(at[d], slice.stride), slice.start);
    }
  }
  return Element(operand, from);
}

std::string ElementEmitter::Reinterpreted(const HloInstruction& convert, const IndexText& index) {
  const PrimitiveType to = convert.shape.element_type();
  const HloInstruction& operand = convert.operand(0);
  const int from_bits = BitWidth(operand.shape.element_type()), to_bits = BitWidth(to);
  IndexText from;
  from.at = body_.PlacesOf(index, convert.shape.dimensions());
  std::string bits;
  if (from_bits > to_bits) {
    const std::string part = from.at.back();
    from.at.pop_back();
    bits = fmt::format("bits_of({}) >> ({} * {}) & {:#x}ull", Element(operand, from), part, to_bits,
                       ~std::uint64_t{0} >> (64 - to_bits));
  } else {
    // The first of several parts has the lowest bits.
    for (int part = 0; part * from_bits < to_bits; ++part) {
      IndexText of_part = from;
      of_part.at.push_back(fmt::format("{}", part));
      bits +=
          fmt::format("{}(u64)bits_of({}) << {}", part == 0 ? "" : " | ", Element(operand, of_part), part * from_bits);
    }
  }
  return body_.Name(TypeText(to), fmt::format("To<{}>::of_bits({})", TypeText(to), bits));
}

}  // namespace assay::cuda
