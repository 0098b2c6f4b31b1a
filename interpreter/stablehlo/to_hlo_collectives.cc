// Collective ops.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/to_hlo_operations.h"
#include "interpreter/stablehlo/to_hlo_shardings.h"

namespace assay::stablehlo {
namespace {

// Returns the replica groups. Unequal groups are padded with -1. Groups of mesh axes are expanded to lists.
Result<ReplicaGroups> ReplicaGroupsOf(const Lowering& lowering) {
  const Attribute* attribute = lowering.attributes().Find("replica_groups");
  ReplicaGroups groups;
  if (attribute == nullptr) return groups;
  if (attribute->As<DialectAttribute>() != nullptr) {
    ASSAY_TRY(groups.groups, MeshAxesGroups(lowering.translator.program(), lowering.operation, *attribute));
    return groups;
  }
  ASSAY_TRY(groups.groups, lowering.attributes().Rows("replica_groups"));
  for (Int64List& group : groups.groups) std::erase(group, -1);
  std::erase_if(groups.groups, [](const Int64List& group) { return group.empty(); });
  return groups;
}

// Returns the lowering with results whose unknown sizes are those of the operands, but in the dimension that the
// operation names, if it does: a group gathers its shards there, or scatters them.
Result<Lowering> WithShards(const Lowering& lowering) {
  Lowering sized = lowering;
  const std::span<const AttributePair> pairs = PairsOf(lowering.row.name);
  if (pairs.empty()) return sized;
  ASSAY_TRY(const std::int64_t dimension, lowering.attributes().RequiredInteger(pairs[0].stablehlo));
  const bool gathers = lowering.row.regions == 0;
  ASSAY_TRY(const ReplicaGroups groups, ReplicaGroupsOf(lowering));
  const auto shards = static_cast<std::int64_t>(groups.groups.empty() ? 0 : groups.groups[0].size());
  for (std::size_t i = 0; i < lowering.operation.results.size(); ++i) {
    ASSAY_TRY(const Shape declared, ShapeOf(lowering.operation, lowering.operation.results[i].type));
    ASSAY_TRY(Shape shape, lowering.ResultShape(i));
    const bool is_known = i < lowering.operands.size() && shape.IsArray() && dimension >= 0 &&
                          dimension < shape.rank() && declared.is_unbounded_dynamic_dimension(dimension) &&
                          lowering.operands[i]->shape.IsArray() && lowering.operands[i]->shape.rank() == shape.rank();
    if (is_known && shards != 0) {
      const std::int64_t size = lowering.operands[i]->shape.dimensions(dimension);
      shape.set_dimensions(dimension, gathers ? size * shards : size / shards);
    }
    sized.result_shapes.push_back(std::move(shape));
  }
  return sized;
}

Status SetChannel(const Lowering& lowering, HloInstruction& instruction) {
  ASSAY_TRY(const Dictionary* channel, lowering.attributes().Fields("channel_handle"));
  if (channel == nullptr) return {};
  ASSAY_TRY(const std::int64_t handle, AttributeReader(lowering.operation, *channel).Integer("handle", 0));
  if (handle > 0) instruction.Set("channel_id", handle);
  return {};
}

// Sets the attributes of the participants that the op has.
Status SetParticipants(const Lowering& lowering, HloInstruction& instruction) {
  const AttributeReader attributes = lowering.attributes();
  if (instruction.op->FindAttribute("source_target_pairs") != nullptr) {
    ASSAY_TRY(std::vector<Int64List> pairs, attributes.Rows("source_target_pairs"));
    instruction.Set("source_target_pairs", std::move(pairs));
    return SetChannel(lowering, instruction);
  }
  if (instruction.op->FindAttribute("use_global_device_ids") != nullptr) {
    ASSAY_TRY(const bool is_global, attributes.Bool("use_global_device_ids"));
    if (is_global) instruction.Set("use_global_device_ids", true);
  }
  ASSAY_TRY(ReplicaGroups groups, ReplicaGroupsOf(lowering));
  instruction.Set("replica_groups", std::move(groups));
  return SetChannel(lowering, instruction);
}

Status CheckResultForEachOperand(const Lowering& lowering) {
  const std::size_t operands = lowering.operands.size(), results = lowering.operation.results.size();
  if (operands == results && operands != 0) return {};
  return lowering.Illegal(
      fmt::format("it must have as many results as operands, and at least one; found {} and {}", results, operands));
}

// Returns has_dynamic_root: if it is true, a last operand has the roots of the others, which have a result each.
Result<bool> TakesRoots(const Lowering& lowering) {
  ASSAY_TRY(const bool has_dynamic_root, lowering.attributes().Bool("has_dynamic_root"));
  if (!has_dynamic_root) {
    ASSAY_CHECK_OK(CheckResultForEachOperand(lowering));
    return false;
  }
  const std::size_t operands = lowering.operands.size(), results = lowering.operation.results.size();
  if (results != 0 && operands == results + 1) return true;
  return lowering.Illegal(fmt::format(
      "with has_dynamic_root it must have one more operand than results, and at least one of these; found {} "
      "and {}",
      operands, results));
}

// Moves the blocks that an all-to-all has exchanged from the split dimension to the concatenated one.
HloInstruction& MoveBlocks(Translator& translator, HloInstruction& exchanged, std::int64_t split, std::int64_t concat,
                           std::int64_t count) {
  const Shape& shape = exchanged.shape;
  Dimensions blocks = shape.dimensions(), joined = shape.dimensions();
  blocks[split] /= count;
  blocks.insert(blocks.begin() + split, count);
  joined[split] /= count;
  joined[concat] *= count;
  Int64List permutation;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (d == concat) permutation.push_back(split);
    permutation.push_back(d < split ? d : d + 1);
  }
  const PrimitiveType type = shape.element_type();
  HloInstruction& apart = AddReshape(translator, exchanged, ShapeUtil::MakeShape(type, std::move(blocks)));
  return AddReshape(translator, AddTranspose(translator, apart, permutation),
                    ShapeUtil::MakeShape(type, std::move(joined)));
}

Result<HloInstruction*> ExchangedBlocks(const Lowering& lowering, HloInstruction& operand) {
  const AttributeReader attributes = lowering.attributes();
  ASSAY_TRY(const std::int64_t split, attributes.RequiredInteger("split_dimension"));
  ASSAY_TRY(const std::int64_t concat, attributes.RequiredInteger("concat_dimension"));
  ASSAY_TRY(const std::int64_t count, attributes.RequiredInteger("split_count"));
  const std::int64_t rank = operand.shape.IsArray() ? operand.shape.rank() : 0;
  const bool is_legal = split >= 0 && split < rank && concat >= 0 && concat < rank && count > 0 && count <= 1 << 20 &&
                        operand.shape.dimensions(split) % count == 0;
  if (!is_legal) {
    return lowering.Illegal(fmt::format("dimension {} of {} cannot be split into {} blocks that dimension {} joins",
                                        split, operand.shape.ToStringWithoutLayout(), count, concat));
  }
  ASSAY_TRY(ReplicaGroups groups, ReplicaGroupsOf(lowering));
  if (groups.groups.empty()) {
    Int64List& all = groups.groups.emplace_back(count);
    std::iota(all.begin(), all.end(), 0);
  }
  HloInstruction& exchanged = lowering.translator.Add("all-to-all", operand.shape, {&operand});
  exchanged.Set("replica_groups", std::move(groups));
  exchanged.Set("dimensions", Int64List{split});
  ASSAY_CHECK_OK(SetChannel(lowering, exchanged));
  return split == concat ? &exchanged : &MoveBlocks(lowering.translator, exchanged, split, concat, count);
}

}  // namespace

// Lowers a collective to an instruction of the same operands, results and region.
Status LowerCollective(const Lowering& lowering) {
  const bool may_have_roots = FindOp(lowering.row.op)->FindAttribute("has_dynamic_root") != nullptr;
  bool has_roots = false;
  if (may_have_roots) {
    ASSAY_TRY(has_roots, TakesRoots(lowering));
  } else {
    ASSAY_CHECK_OK(CheckResultForEachOperand(lowering));
  }
  HloComputation* body = nullptr;
  if (lowering.row.regions != 0) {
    ASSAY_TRY(body, lowering.LowerRegion(0));
  }
  ASSAY_TRY(const Lowering sized, WithShards(lowering));
  const bool is_promoted = body != nullptr && !may_have_roots;
  ASSAY_TRY(HloInstruction * collective, (is_promoted ? sized.Promoted(*body) : sized).AddResult());
  if (body != nullptr) collective->Set("to_apply", body);
  if (has_roots) collective->Set("has_dynamic_root", true);
  ASSAY_CHECK_OK(SetPairs(lowering.attributes(), PairsOf(lowering.row.name), *collective));
  return SetParticipants(lowering, *collective);
}

Status LowerAllToAll(const Lowering& lowering) {
  // MHLO's form has an operand for each participant.
  if (lowering.attributes().Find("split_dimension") == nullptr) return LowerCollective(lowering);
  ASSAY_CHECK_OK(CheckResultForEachOperand(lowering));
  // The attributes concern each operand alone. XLA converts several to an all-to-all with an operand for each
  // participant, which StableHLO's specification does not have.
  for (std::size_t i = 0; i < lowering.operands.size(); ++i) {
    ASSAY_TRY(HloInstruction * result, ExchangedBlocks(lowering, *lowering.operands[i]));
    lowering.translator.Bind(lowering.operation.results[i].id, *result);
  }
  return {};
}

// Lowers the deprecated sum over replicas.
Status LowerCrossReplicaSum(const Lowering& lowering) {
  Translator& translator = lowering.translator;
  const Shape& operand = lowering.operands[0]->shape;
  if (!operand.IsArray()) return lowering.Illegal("the operand must be a tensor");
  const Shape scalar = ShapeUtil::MakeScalarShape(operand.element_type());
  HloComputation* body = nullptr;
  {
    Translator::ScopedComputation scope(translator, "sum");
    HloInstruction& x = translator.Add(*OpWithRole(OpRole::kParameter), scalar, {});
    HloInstruction& y = translator.Add(*OpWithRole(OpRole::kParameter), scalar, {});
    y.parameter_number = 1;
    body = &scope.Finish(translator.Add(operand.element_type() == PRED ? "or" : "add", scalar, {&x, &y}));
  }
  ASSAY_TRY(HloInstruction * sum, lowering.AddResult());
  sum->Set("to_apply", body);
  return SetParticipants(lowering, *sum);
}

}  // namespace assay::stablehlo
