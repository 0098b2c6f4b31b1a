
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/from_hlo.h"
#include "interpreter/stablehlo/from_hlo_rows.h"

namespace assay::stablehlo {
namespace {

// Computations that call each other twice have exponentially many copies.
constexpr std::size_t kMostValues = std::size_t{1} << 20;

Error UnsupportedAt(const HloInstruction& instruction, std::string_view message) {
  return {ErrorCode::kUnsupported, fmt::format("{}: {}", instruction.op->name, message), instruction.location};
}

// False for HLO's one-bit integers: MLIR's i1 is pred.
bool HasType(PrimitiveType type) { return IsArrayType(type) && (type == PRED || BitWidth(type) > 1); }

// Appends the types of the leaves.
Status AddTypes(const HloInstruction& user, const Shape& shape, std::vector<Type>& types) {
  if (shape.IsTuple()) {
    for (const Shape& element : shape.tuple_shapes()) ASSAY_CHECK_OK(AddTypes(user, element, types));
    return {};
  }
  if (shape.element_type() == TOKEN) {
    types.push_back({TokenType()});
    return {};
  }
  if (!shape.IsArray() || !HasType(shape.element_type())) {
    return UnsupportedAt(user, fmt::format("StableHLO has no type {}", PrimitiveTypeName(shape.element_type())));
  }
  TensorType type = {shape.element_type(), {}, {}};
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    const bool is_dynamic = shape.is_dynamic_dimension(d);
    type.dimensions.push_back(is_dynamic ? kDynamicSize : shape.dimensions(d));
    if (shape.IsDynamic()) type.bounds.push_back(is_dynamic ? shape.dimensions(d) : kDynamicSize);
  }
  types.push_back({std::move(type)});
  return {};
}

}  // namespace

Result<std::vector<Value>> Raiser::NewValues(const HloInstruction& user, const Shape& shape) {
  std::vector<Type> types;
  ASSAY_CHECK_OK(AddTypes(user, shape, types));
  if (types_.size() + types.size() > kMostValues) {
    return Error{ErrorCode::kLimit,
                 fmt::format("the program has more than {} values: each use of a computation in control flow is a copy",
                             kMostValues),
                 user.location};
  }
  std::vector<Value> values;
  for (Type& type : types) {
    types_.push_back(type);
    values.push_back({next_++, std::move(type)});
  }
  return values;
}

Status Raiser::RaiseInstruction(const HloInstruction& instruction) {
  const std::optional<HloRow> row = FindHloRow(instruction.op->name);
  if (!row) return UnsupportedAt(instruction, "StableHLO has no such operation");
  Leaves operands;
  for (const HloInstruction* operand : instruction.operands) {
    const Leaves& leaves = LeavesOf(*operand);
    // The start of an asynchronous operation has the leaves of its result alone.
    if (std::ssize(leaves) != ShapeUtil::LeafCount(operand->shape) && row->raise != RaiseFirstOperand) {
      return UnsupportedAt(instruction, "StableHLO has no asynchronous values");
    }
    operands.insert(operands.end(), leaves.begin(), leaves.end());
  }
  return row->raise({*this, instruction, *row, std::move(operands)});
}

Result<Leaves> Raiser::Fill(Block& block, const HloComputation& computation, Values values, std::string_view end) {
  Block* const outer_block = std::exchange(block_, &block);
  Values* const outer_values = std::exchange(values_, &values);
  Status raised;
  for (const auto& instruction : computation.instructions) {
    if (instruction->op->role == OpRole::kParameter) continue;
    raised = RaiseInstruction(*instruction);
    if (!raised) break;
  }
  const Leaves leaves = raised ? LeavesOf(*computation.root) : Leaves();
  block_ = outer_block;
  values_ = outer_values;
  ASSAY_CHECK_OK(raised);
  Operation terminator;
  terminator.name = end;
  // A caller of the program cannot receive a token.
  const bool is_main = computation.module->entry == &computation && end == "func.return";
  for (const ValueId leaf : leaves) {
    if (is_main && std::holds_alternative<TokenType>(types_[leaf].value)) continue;
    terminator.operands.push_back(leaf);
  }
  Leaves returned = terminator.operands;
  block.operations.push_back(std::move(terminator));
  return returned;
}

Result<std::vector<Value>> Raiser::AddArguments(const HloComputation& computation, Values& values) {
  std::vector<Value> arguments;
  for (const HloInstruction* parameter : computation.Parameters()) {
    ASSAY_TRY(std::vector<Value> of_parameter, NewValues(*parameter, parameter->shape));
    Leaves& leaves = values[parameter];
    for (Value& value : of_parameter) {
      leaves.push_back(value.id);
      arguments.push_back(std::move(value));
    }
  }
  return arguments;
}

Result<Region> Raiser::RegionOf(const HloComputation& computation) {
  Region region;
  Block& block = region.blocks.emplace_back();
  Values values;
  ASSAY_TRY(block.arguments, AddArguments(computation, values));
  ASSAY_CHECK_OK(Fill(block, computation, std::move(values), "stablehlo.return"));
  return region;
}

Result<Region> Raiser::BranchOf(const HloComputation& computation, const Leaves& captured) {
  Region region;
  const Values values = {{computation.Parameters()[0], captured}};
  ASSAY_CHECK_OK(Fill(region.blocks.emplace_back(), computation, values, "stablehlo.return"));
  return region;
}

Result<Operation> Raiser::Function(const HloComputation& computation, const std::string& name) {
  Operation function;
  function.name = "func.func";
  Block& block = function.regions.emplace_back().blocks.emplace_back();
  Values values;
  ASSAY_TRY(block.arguments, AddArguments(computation, values));
  ASSAY_TRY(const Leaves results, Fill(block, computation, std::move(values), "func.return"));
  FunctionType type;
  for (const Value& argument : block.arguments) type.inputs.push_back(argument.type);
  for (const ValueId result : results) type.results.push_back(types_[result]);
  Set(function, "function_type", {Type{std::move(type)}});
  Set(function, "sym_name", {name});
  if (&computation != module_.entry) Set(function, "sym_visibility", {std::string("private")});
  return function;
}

Result<std::string> Raiser::FunctionOf(const HloComputation& computation) {
  const auto known = functions_.find(&computation);
  if (known != functions_.end()) return known->second;
  std::string name = names_.Unique(computation.name);
  functions_[&computation] = name;
  ASSAY_TRY(made_.emplace_back(), Function(computation, name));
  return name;
}

Result<Program> Raiser::Raise() {
  names_.Unique("main");
  Program program;
  program.module.name = "builtin.module";
  Set(program.module, "sym_name", {module_.name});
  if (module_.replica_count > 1) Set(program.module, "mhlo.num_replicas", Number(module_.replica_count, S32));
  if (module_.num_partitions > 1) Set(program.module, "mhlo.num_partitions", Number(module_.num_partitions, S32));
  ASSAY_TRY(Operation main, Function(*module_.entry, "main"));
  std::vector<Operation>& functions = program.module.regions.emplace_back().blocks.emplace_back().operations;
  functions = std::move(made_);
  functions.push_back(std::move(main));
  return program;
}

Result<Program> FromHlo(const HloModule& module) { return Raiser(module).Raise(); }

}  // namespace assay::stablehlo
