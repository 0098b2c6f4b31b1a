// Rewrites that compute the same value by other instructions.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "fuzz/rewrites/rewrite.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

constexpr std::array kCommutative = {"add", "multiply", "maximum", "minimum", "and", "or", "xor"};
// f(x, f(x, y)) equals f(x, y): the init may be used more than once.
constexpr std::array kIdempotent = {"maximum", "minimum", "and", "or"};

bool IsElementWise(Site& site) { return site.shape().IsArray() && site.at().op->evaluation.kernel != nullptr; }

HloInstruction* Commute(Site& site) {
  if (std::ranges::count(kCommutative, site.at().op->name) == 0) return nullptr;
  return site.Again({site.at().operands[1], site.at().operands[0]}, site.shape());
}

HloInstruction* CompareFromBehind(Site& site) {
  constexpr std::pair<std::string_view, std::string_view> kBehind[] = {{"LT", "GT"}, {"GT", "LT"}, {"LE", "GE"},
                                                                       {"GE", "LE"}, {"EQ", "EQ"}, {"NE", "NE"}};
  if (site.at().op->name != "compare") return nullptr;
  HloInstruction* behind = site.Again({site.at().operands[1], site.at().operands[0]}, site.shape());
  const auto to =
      std::ranges::find(kBehind, site.at().String("direction"), [](const auto& pair) { return pair.first; });
  behind->Set("direction", std::string(to->second));
  return behind;
}

HloInstruction* SelectFromBehind(Site& site) {
  if (site.at().op->name != "select") return nullptr;
  const std::vector<HloInstruction*>& operands = site.at().operands;
  return site.Again({site.Add("not", {operands[0]}), operands[2], operands[1]}, site.shape());
}

// Duplicates an instruction: the users of one value become users of two.
HloInstruction* Duplicate(Site& site) { return IsRepeatable(site.at()) ? site.Again() : nullptr; }

// Repeats an element-wise op on operands that `change` has rearranged; scalars among larger operands are unchanged.
template <class Change>
HloInstruction* OnChanged(Site& site, const Change& change) {
  std::vector<HloInstruction*> operands;
  HloInstruction* changed = nullptr;
  for (HloInstruction* operand : site.at().operands) {
    const bool is_scalar = operand->shape.rank() == 0 && site.rank() > 0;
    // A bitcast-convert may have operands of other dimensions.
    if (!is_scalar && operand->shape.dimensions() != site.shape().dimensions()) return nullptr;
    operands.push_back(is_scalar ? operand : change(operand));
    if (!is_scalar) changed = operands.back();
  }
  if (changed == nullptr) return nullptr;
  Shape shape = changed->shape;
  shape.set_element_type(site.type());
  return site.Again(operands, shape);
}

HloInstruction* InTwoParts(Site& site) {
  if (!IsElementWise(site) || site.rank() == 0) return nullptr;
  const std::int64_t d = site.random().Below(site.rank()), size = site.shape().dimensions(d);
  const std::int64_t at = site.random().Between(0, size);
  const auto part = [&](std::int64_t start, std::int64_t limit) {
    return OnChanged(site, [&](HloInstruction* operand) { return site.Slice(operand, d, start, limit); });
  };
  HloInstruction *first = part(0, at), *second = part(at, size);
  if (first == nullptr || second == nullptr) return nullptr;
  return site.Add("concatenate", {first, second}, {{"dimensions", Int64List{d}}});
}

HloInstruction* OnTransposed(Site& site) {
  if (!IsElementWise(site) || site.rank() < 2) return nullptr;
  const Int64List order = site.random().Permutation(site.rank());
  HloInstruction* turned = OnChanged(site, [&](HloInstruction* operand) {
    return site.Add("transpose", {operand}, {{"dimensions", order}});
  });
  return turned == nullptr ? nullptr : site.Add("transpose", {turned}, {{"dimensions", InverseOf(order)}});
}

HloInstruction* OnFlattened(Site& site) {
  if (!IsElementWise(site) || site.rank() == 0) return nullptr;
  const std::int64_t elements = ShapeUtil::ElementsIn(site.shape());
  HloInstruction* flat = OnChanged(site, [&](HloInstruction* operand) {
    return site.Add("reshape", {operand}, {}, ShapeUtil::MakeShape(operand->shape.element_type(), {elements}));
  });
  if (flat == nullptr) return nullptr;
  return site.Add("reshape", {flat}, {}, ShapeUtil::MakeShape(site.type(), site.shape().dimensions()));
}

HloInstruction* OnReversed(Site& site) {
  if (!IsElementWise(site) || site.rank() == 0) return nullptr;
  const Int64List dimensions = {site.random().Below(site.rank())};
  HloInstruction* turned = OnChanged(site, [&](HloInstruction* operand) {
    return site.Add("reverse", {operand}, {{"dimensions", dimensions}});
  });
  return turned == nullptr ? nullptr : site.Add("reverse", {turned}, {{"dimensions", dimensions}});
}

// Rewrites f(broadcast(x)) to broadcast(f(x)).
HloInstruction* BroadcastLate(Site& site) {
  const HloInstruction& at = site.at();
  if (!IsElementWise(site) || at.operands.empty()) return nullptr;
  std::vector<HloInstruction*> small;
  for (const HloInstruction* operand : at.operands) {
    if (operand->op->name != "broadcast") return nullptr;
    const bool is_like_first = std::ranges::equal(operand->Int64s("dimensions"), at.operand(0).Int64s("dimensions")) &&
                               operand->shape.dimensions() == at.operand(0).shape.dimensions();
    if (!is_like_first) return nullptr;
    small.push_back(operand->operands[0]);
  }
  const auto into = at.operand(0).Int64s("dimensions");
  HloInstruction* early = site.Again(small, ShapeUtil::MakeShape(site.type(), small[0]->shape.dimensions()));
  return site.Add("broadcast", {early}, {{"dimensions", Int64List(into.begin(), into.end())}}, site.shape());
}

// Inverts BroadcastLate: broadcasts the operands of an element-wise op first.
HloInstruction* BroadcastEarly(Site& site) {
  const HloInstruction& operand = site.at().operands.empty() ? site.at() : site.at().operand(0);
  if (site.at().op->name != "broadcast" || operand.op->evaluation.kernel == nullptr) return nullptr;
  std::vector<HloInstruction*> large;
  for (HloInstruction* inner : operand.operands) {
    if (inner->shape.dimensions() != operand.shape.dimensions()) return nullptr;
    Shape shape = site.shape();
    shape.set_element_type(inner->shape.element_type());
    large.push_back(site.Add("broadcast", {inner}, site.at().attributes, shape));
  }
  auto* early = site.Again(large, site.shape());
  early->op = operand.op;
  early->name = operand.op->name;
  early->attributes = operand.attributes;
  return early;
}

// Rewrites x . y to the transpose of y . x.
HloInstruction* DotFromBehind(Site& site) {
  const HloInstruction& at = site.at();
  if (at.op->name != "dot" || at.operands.size() != 2 || at.attributes.size() > 4) return nullptr;
  for (const Attribute& attribute : at.attributes) {
    if (!std::holds_alternative<Int64List>(attribute.value)) return nullptr;
  }
  const auto list = [&](AttributeName name) { return Int64List(at.Int64s(name).begin(), at.Int64s(name).end()); };
  const Int64List lhs_batch = list("lhs_batch_dims"), rhs_batch = list("rhs_batch_dims");
  const Int64List lhs = list("lhs_contracting_dims"), rhs = list("rhs_contracting_dims");
  const auto batches = std::ssize(lhs_batch);
  const std::int64_t of_lhs = at.operand(0).shape.rank() - batches - std::ssize(lhs);
  const std::int64_t of_rhs = at.operand(1).shape.rank() - batches - std::ssize(rhs);
  const auto& sizes = site.shape().dimensions();
  Dimensions swapped(sizes.begin(), sizes.begin() + batches);
  swapped.insert(swapped.end(), sizes.begin() + batches + of_lhs, sizes.end());
  swapped.insert(swapped.end(), sizes.begin() + batches, sizes.begin() + batches + of_lhs);
  HloInstruction* product = site.Add("dot", {at.operands[1], at.operands[0]},
                                     {{"lhs_batch_dims", rhs_batch},
                                      {"lhs_contracting_dims", rhs},
                                      {"rhs_batch_dims", lhs_batch},
                                      {"rhs_contracting_dims", lhs}},
                                     ShapeUtil::MakeShape(site.type(), swapped));
  Int64List order(site.rank());
  for (std::int64_t i = 0; i < site.rank(); ++i) {
    order[i] = i < batches ? i : i < batches + of_lhs ? i + of_rhs : i - of_lhs;
  }
  return site.Add("transpose", {product}, {{"dimensions", order}});
}

HloInstruction* ConcatenateInSteps(Site& site) {
  const std::vector<HloInstruction*>& operands = site.at().operands;
  if (site.at().op->name != "concatenate" || operands.size() < 3) return nullptr;
  HloInstruction* first = site.Add("concatenate", {operands[0], operands[1]}, site.at().attributes);
  std::vector<HloInstruction*> rest(operands.begin() + 2, operands.end());
  rest.insert(rest.begin(), first);
  return site.Again(rest, site.shape());
}

HloInstruction* SliceAtRunTime(Site& site) {
  const HloInstruction& at = site.at();
  const SliceConfig* slice = at.op->name == "slice" ? at.Find<SliceConfig>("slice") : nullptr;
  if (slice == nullptr) return nullptr;
  std::vector<HloInstruction*> operands = {at.operands[0]};
  Int64List sizes;
  for (const SliceDimension& dimension : *slice) {
    if (dimension.stride != 1) return nullptr;
    operands.push_back(site.Scalar(S32, static_cast<double>(dimension.start)));
    sizes.push_back(dimension.limit - dimension.start);
  }
  return site.Add("dynamic-slice", operands, {{"dynamic_slice_sizes", sizes}}, site.shape());
}

// Returns the op of a reduce of one operand if any order of its terms has the same result, bit for bit; otherwise
// empty.
std::string_view FoldedBy(Site& site) {
  const HloInstruction& at = site.at();
  if (at.op->name != "reduce" || at.operands.size() != 2 || site.shape().IsTuple()) return {};
  const HloInstruction& root = *at.Computation("to_apply").root;
  const bool is_of_both = root.operands.size() == 2 && root.operands[0] != root.operands[1] &&
                          root.operands[0]->op->role == OpRole::kParameter &&
                          root.operands[1]->op->role == OpRole::kParameter;
  const bool is_exact =
      std::ranges::count(kIdempotent, root.op->name) > 0 || IsIntegralType(site.type()) || site.type() == PRED;
  const bool is_known = std::ranges::count(kCommutative, root.op->name) > 0;
  return is_of_both && is_exact && is_known ? root.op->name : std::string_view();
}

// Returns the init of a partial fold that is combined with another one that has the reduce's own init.
HloInstruction* InitOfParts(Site& site, std::string_view op) {
  if (std::ranges::count(kIdempotent, op) > 0) return site.at().operands[1];
  return site.Scalar(site.type(), op == "multiply" ? 1 : 0);
}

HloInstruction* Fold(Site& site, HloInstruction* value, HloInstruction* init, const Int64List& dimensions) {
  std::vector<Attribute> attributes = site.at().attributes;
  for (Attribute& attribute : attributes) {
    if (attribute.name == AttributeName("dimensions")) attribute.value = dimensions;
  }
  return site.Add("reduce", {value, init}, attributes);
}

// Reduces one dimension first, then the others.
HloInstruction* ReduceInSteps(Site& site) {
  const std::string_view op = FoldedBy(site);
  if (op.empty() || site.at().Int64s("dimensions").size() < 2) return nullptr;
  const auto dimensions = site.at().Int64s("dimensions");
  const Int64List first = {dimensions[0]};
  Int64List second;
  for (const std::int64_t d : dimensions.subspan(1)) second.push_back(d > first[0] ? d - 1 : d);
  HloInstruction* half = Fold(site, site.at().operands[0], InitOfParts(site, op), first);
  return Fold(site, half, site.at().operands[1], second);
}

// Reduces both parts of a dimension separately.
HloInstruction* ReduceInParts(Site& site) {
  const std::string_view op = FoldedBy(site);
  if (op.empty() || site.at().Int64s("dimensions").empty()) return nullptr;
  const auto dimensions = site.at().Int64s("dimensions");
  const Int64List all(dimensions.begin(), dimensions.end());
  HloInstruction* value = site.at().operands[0];
  const std::int64_t size = value->shape.dimensions(all[0]), at = site.random().Between(0, size);
  HloInstruction* first = Fold(site, site.Slice(value, all[0], 0, at), site.at().operands[1], all);
  HloInstruction* second = Fold(site, site.Slice(value, all[0], at, size), InitOfParts(site, op), all);
  return site.Add(op, {first, second});
}

HloInstruction* ReduceOfTransposed(Site& site) {
  if (FoldedBy(site).empty()) return nullptr;
  HloInstruction* value = site.at().operands[0];
  const std::int64_t rank = value->shape.rank();
  // The remaining dimensions must keep their order.
  Int64List order, reduced;
  const auto dimensions = site.at().Int64s("dimensions");
  for (const std::int64_t d : dimensions) order.push_back(d);
  site.random().Shuffle(order);
  for (std::int64_t d = 0; d < rank; ++d) {
    if (std::ranges::count(dimensions, d) == 0) order.push_back(d);
  }
  reduced.resize(dimensions.size());
  std::iota(reduced.begin(), reduced.end(), 0);
  HloInstruction* turned = site.Add("transpose", {value}, {{"dimensions", order}});
  return Fold(site, turned, site.at().operands[1], reduced);
}

constexpr Rewrite kInstructionRewrites[] = {
    {"commute", Commute},
    {"compare-from-behind", CompareFromBehind},
    {"select-from-behind", SelectFromBehind},
    {"duplicate", Duplicate},
    {"in-two-parts", InTwoParts},
    {"on-transposed", OnTransposed},
    {"on-flattened", OnFlattened},
    {"on-reversed", OnReversed},
    {"broadcast-late", BroadcastLate},
    {"broadcast-early", BroadcastEarly},
    {"dot-from-behind", DotFromBehind},
    {"concatenate-in-steps", ConcatenateInSteps},
    {"slice-at-run-time", SliceAtRunTime},
    {"reduce-in-steps", ReduceInSteps},
    {"reduce-in-parts", ReduceInParts},
    {"reduce-of-transposed", ReduceOfTransposed},
};

}  // namespace

std::span<const Rewrite> RewritesOfInstructions() { return kInstructionRewrites; }

}  // namespace assay
