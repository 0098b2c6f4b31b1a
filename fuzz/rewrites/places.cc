// Rewrites that move elements and move them back.
#include <numeric>

#include "fuzz/rewrites/rewrite.h"

namespace assay {
namespace {

bool IsArray(Site& site) { return site.shape().IsArray(); }
bool HasDimension(Site& site) { return IsArray(site) && site.rank() > 0; }
bool HasElements(Site& site) { return HasDimension(site) && ShapeUtil::ElementsIn(site.shape()) > 0; }

// A rewrite of the sites that fulfil a condition.
template <bool (*kHolds)(Site&), HloInstruction* (*kSame)(Site&)>
HloInstruction* If(Site& site) {
  return kHolds(site) ? kSame(site) : nullptr;
}

Int64List AllOf(const Shape& shape) {
  Int64List all(shape.rank());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Shape WithDimensions(const Shape& shape, Dimensions dimensions) {
  return ShapeUtil::MakeShape(shape.element_type(), std::move(dimensions));
}

std::int64_t ADimension(Site& site) { return site.random().Below(site.rank()); }

HloInstruction* TransposePair(Site& site) {
  if (!IsArray(site) || site.rank() < 2) return nullptr;
  const Int64List order = site.random().Permutation(site.rank());
  return site.Add("transpose", {site.Add("transpose", {&site.at()}, {{"dimensions", order}})},
                  {{"dimensions", InverseOf(order)}});
}

HloInstruction* ReshapePair(Site& site) {
  Dimensions between;
  const std::int64_t elements = ShapeUtil::ElementsIn(site.shape());
  if (site.random().Flip()) {
    between = {elements};
  } else {
    between = site.shape().dimensions();
    between.insert(between.begin() + site.random().Below(site.rank() + 1), 1);
  }
  HloInstruction* there = site.Add("reshape", {&site.at()}, {}, WithDimensions(site.shape(), between));
  return site.Add("reshape", {there}, {}, WithDimensions(site.shape(), site.shape().dimensions()));
}

HloInstruction* ReversePair(Site& site) {
  const Int64List dimensions = site.random().SortedSome(site.random().Between(1, site.rank()), site.rank());
  const auto reverse = [&](HloInstruction* value) {
    return site.Add("reverse", {value}, {{"dimensions", dimensions}});
  };
  return reverse(reverse(&site.at()));
}

HloInstruction* CopyPair(Site& site) {
  if (!IsArray(site) || site.rank() < 2) return nullptr;
  Shape other = site.shape();
  other.set_layout(LayoutUtil::MakeLayout(site.random().Permutation(site.rank())));
  return site.Add("copy", {site.Add("copy", {&site.at()}, {}, other)}, {}, site.shape());
}

PaddingConfig NoPadding(const Shape& shape) { return PaddingConfig(shape.rank()); }

HloInstruction* PaddedBy(Site& site, const PaddingConfig& padding) {
  return site.Add("pad", {&site.at(), site.Scalar(site.type(), 1)}, {{"padding", padding}});
}

HloInstruction* PadByNothing(Site& site) { return PaddedBy(site, NoPadding(site.shape())); }

HloInstruction* PadAndSlice(Site& site) {
  PaddingConfig padding = NoPadding(site.shape());
  const std::int64_t d = ADimension(site), low = site.random().Between(0, 3);
  padding[d] = {low, site.random().Between(0, 3), 0};
  return site.Slice(PaddedBy(site, padding), d, low, low + site.shape().dimensions(d));
}

HloInstruction* PadAndCut(Site& site) {
  PaddingConfig padding = NoPadding(site.shape());
  const std::int64_t d = ADimension(site), low = site.random().Between(0, 2), high = site.random().Between(1, 2);
  padding[d] = {low, high, 0};
  HloInstruction* padded = PaddedBy(site, padding);
  padding[d] = {-low, -high, 0};
  return site.Add("pad", {padded, site.Scalar(site.type(), 0)}, {{"padding", padding}});
}

HloInstruction* SpreadAndSlice(Site& site) {
  PaddingConfig padding = NoPadding(site.shape());
  const std::int64_t d = ADimension(site), interior = site.random().Between(1, 2);
  padding[d].interior_padding = interior;
  HloInstruction* padded = PaddedBy(site, padding);
  return site.Slice(padded, d, 0, padded->shape.dimensions(d), interior + 1);
}

HloInstruction* ConcatenateAndSlice(Site& site) {
  const std::int64_t d = ADimension(site), size = site.shape().dimensions(d);
  const bool comes_first = site.random().Flip();
  HloInstruction* other = site.random().Flip() ? &site.at() : site.Filled(site.shape(), 1);
  if (!(other->shape == site.shape())) return nullptr;
  std::vector<HloInstruction*> parts = {&site.at(), other};
  if (!comes_first) std::swap(parts[0], parts[1]);
  HloInstruction* whole = site.Add("concatenate", parts, {{"dimensions", Int64List{d}}});
  return comes_first ? site.Slice(whole, d, 0, size) : site.Slice(whole, d, size, 2 * size);
}

HloInstruction* CutAndConcatenate(Site& site) {
  const std::int64_t d = ADimension(site), size = site.shape().dimensions(d), at = site.random().Between(0, size);
  return site.Add("concatenate", {site.Slice(&site.at(), d, 0, at), site.Slice(&site.at(), d, at, size)},
                  {{"dimensions", Int64List{d}}});
}

HloInstruction* SliceOfAll(Site& site) { return site.Slice(&site.at(), 0, 0, site.shape().dimensions(0)); }

HloInstruction* BroadcastAndTakeOne(Site& site) {
  Dimensions more = site.shape().dimensions();
  more.insert(more.begin(), site.random().Between(1, 3));
  Int64List into = AllOf(site.shape());
  for (std::int64_t& d : into) ++d;
  HloInstruction* copies =
      site.Add("broadcast", {&site.at()}, {{"dimensions", into}}, WithDimensions(site.shape(), more));
  const std::int64_t taken = site.random().Below(more[0]);
  HloInstruction* one = site.Slice(copies, 0, taken, taken + 1);
  return site.Add("reshape", {one}, {}, WithDimensions(site.shape(), site.shape().dimensions()));
}

std::vector<HloInstruction*> Starts(Site& site, std::int64_t count) {
  // For a slice of the full size any start is clamped to 0.
  std::vector<HloInstruction*> starts;
  const PrimitiveType type = site.random().OneOf({S32, S64, S8, U32});
  for (std::int64_t i = 0; i < count; ++i) {
    starts.push_back(site.Scalar(type, static_cast<double>(site.random().Between(0, 2))));
  }
  return starts;
}

HloInstruction* DynamicSliceOfAll(Site& site) {
  std::vector<HloInstruction*> operands = Starts(site, site.rank());
  operands.insert(operands.begin(), &site.at());
  return site.Add(
      "dynamic-slice", operands,
      {{"dynamic_slice_sizes", Int64List(site.shape().dimensions().begin(), site.shape().dimensions().end())}},
      site.shape());
}

HloInstruction* UpdateOfAll(Site& site) {
  std::vector<HloInstruction*> operands = Starts(site, site.rank());
  HloInstruction* filled = site.Filled(site.shape(), 1);
  operands.insert(operands.begin(), {filled, &site.at()});
  return site.Add("dynamic-update-slice", operands);
}

// Returns 0, 1, ... as indices of the rows.
HloInstruction* RowNumbers(Site& site) {
  const Shape shape = ShapeUtil::MakeShape(site.random().OneOf({S32, S64, U32}), {site.shape().dimensions(0)});
  return site.Add("iota", {}, {{"iota_dimension", std::int64_t{0}}}, shape);
}

HloInstruction* GatherOfRows(Site& site) {
  Int64List sizes(site.shape().dimensions().begin(), site.shape().dimensions().end()), offsets = AllOf(site.shape());
  sizes[0] = 1;
  offsets.erase(offsets.begin());
  return site.Add("gather", {&site.at(), RowNumbers(site)},
                  {{"offset_dims", offsets},
                   {"collapsed_slice_dims", Int64List{0}},
                   {"start_index_map", Int64List{0}},
                   {"index_vector_dim", std::int64_t{1}},
                   {"slice_sizes", sizes}});
}

HloInstruction* ScatterOfRows(Site& site) {
  const Shape scalar = ShapeUtil::MakeScalarShape(site.type());
  HloComputation& second = site.NewComputation("second", {scalar, scalar});
  Int64List windows = AllOf(site.shape());
  windows.erase(windows.begin());
  HloInstruction* filled = site.Filled(WithDimensions(site.shape(), site.shape().dimensions()), 1);
  return site.Add("scatter", {filled, RowNumbers(site), &site.at()},
                  {{"update_window_dims", windows},
                   {"inserted_window_dims", Int64List{0}},
                   {"scatter_dims_to_operand_dims", Int64List{0}},
                   {"index_vector_dim", std::int64_t{1}},
                   {"to_apply", &second}});
}

// Returns the index of each element in the dimension.
HloInstruction* PlacesAlong(Site& site, std::int64_t dimension) {
  Shape numbers = site.shape();
  numbers.set_element_type(S32);
  return site.Add("iota", {}, {{"iota_dimension", dimension}}, numbers);
}

// Selects by a mask of the whole: an index is below the dimension's size.
HloInstruction* SelectByIota(Site& site) {
  const std::int64_t d = ADimension(site);
  HloInstruction* iota = PlacesAlong(site, d);
  HloInstruction* bound = site.Filled(iota->shape, static_cast<double>(site.shape().dimensions(d)));
  HloInstruction* mask = site.Add("compare", {iota, bound}, {{"direction", std::string("LT")}});
  return site.Add("select", {mask, &site.at(), site.Filled(site.shape(), 1)});
}

HloInstruction* SelectOfTwo(Site& site) {
  Shape mask = site.shape();
  mask.set_element_type(PRED);
  const bool value = site.random().Flip();
  HloInstruction *on_true = &site.at(), *on_false = &site.at();
  if (site.random().Flip()) (value ? on_false : on_true) = site.Filled(site.shape(), 1);
  return site.Add("select", {site.Filled(mask, value ? 1 : 0), on_true, on_false});
}

HloInstruction* TupleAndElement(Site& site) {
  HloInstruction* tuple = site.Add("tuple", {&site.at(), site.Scalar(S32, 1)});
  return site.Add("get-tuple-element", {tuple}, {{"index", std::int64_t{0}}});
}

HloInstruction* Barrier(Site& site) { return site.Add("opt-barrier", {&site.at()}); }

// Reverses a key 0, 1, ... and the value; a sort by the key restores the order.
HloInstruction* ReversedAndSorted(Site& site) {
  const std::int64_t d = ADimension(site);
  HloInstruction* iota = PlacesAlong(site, d);
  const auto reverse = [&](HloInstruction* value) {
    return site.Add("reverse", {value}, {{"dimensions", Int64List{d}}});
  };
  const Shape key = ShapeUtil::MakeScalarShape(S32), value = ShapeUtil::MakeScalarShape(site.type());
  HloComputation& less = site.NewComputation("less", {key, key, value, value});
  auto compare = std::make_unique<HloInstruction>();
  compare->op = FindOp("compare");
  compare->name = "compare";
  compare->shape = ShapeUtil::MakeScalarShape(PRED);
  compare->operands = {less.instructions[0].get(), less.instructions[1].get()};
  compare->attributes = {{"direction", std::string("LT")}};
  less.root = &less.Add(std::move(compare));
  HloInstruction* sorted =
      site.Add("sort", {reverse(iota), reverse(&site.at())},
               {{"dimensions", Int64List{d}}, {"is_stable", site.random().Flip()}, {"to_apply", &less}});
  return site.Add("get-tuple-element", {sorted}, {{"index", std::int64_t{1}}});
}

constexpr Rewrite kPlaceRewrites[] = {
    {"transpose-pair", TransposePair},
    {"reshape-pair", If<IsArray, ReshapePair>},
    {"reverse-pair", If<HasDimension, ReversePair>},
    {"copy-pair", CopyPair},
    {"pad-by-nothing", If<HasDimension, PadByNothing>},
    {"pad-and-slice", If<HasDimension, PadAndSlice>},
    {"pad-and-cut", If<HasDimension, PadAndCut>},
    {"spread-and-slice", If<HasElements, SpreadAndSlice>},
    {"concatenate-and-slice", If<HasDimension, ConcatenateAndSlice>},
    {"cut-and-concatenate", If<HasDimension, CutAndConcatenate>},
    {"slice-of-all", If<HasDimension, SliceOfAll>},
    {"broadcast-and-take-one", If<IsArray, BroadcastAndTakeOne>},
    {"dynamic-slice-of-all", If<HasElements, DynamicSliceOfAll>},
    {"update-of-all", If<HasElements, UpdateOfAll>},
    {"gather-of-rows", If<HasElements, GatherOfRows>},
    {"scatter-of-rows", If<HasElements, ScatterOfRows>},
    {"select-by-iota", If<HasElements, SelectByIota>},
    {"select-of-two", If<IsArray, SelectOfTwo>},
    {"tuple-and-element", If<IsArray, TupleAndElement>},
    {"barrier", If<IsArray, Barrier>},
    {"reversed-and-sorted", If<HasElements, ReversedAndSorted>},
};

}  // namespace

std::span<const Rewrite> RewritesOfPlaces() { return kPlaceRewrites; }

}  // namespace assay
