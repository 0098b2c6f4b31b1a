// Sums of products: dots and convolutions.
#include <algorithm>
#include <utility>

#include "fuzz/generate/ops/drawings.h"
#include "fuzz/generate/windows.h"
#include "interpreter/builder/add_instruction.h"
#include "interpreter/types/index_util.h"

namespace assay::generate {
using namespace xla;
namespace {

// The roles and the sizes of one operand's dimensions.
struct Side {
  Int64List batch, contracting, free;
  Dimensions sizes;
};

Side DrawSide(Random& random, const Dimensions& batch, const Dimensions& contracting, const Dimensions& free) {
  Side side;
  const auto rank = static_cast<std::int64_t>(batch.size() + contracting.size() + free.size());
  const Int64List places = random.OneIn(3) ? random.Permutation(rank) : AllDimensions(rank);
  side.sizes.resize(rank);
  std::size_t next = 0;
  const auto put = [&](const Dimensions& sizes, Int64List& numbers) {
    for (const std::int64_t size : sizes) {
      side.sizes[places[next]] = size;
      numbers.push_back(places[next++]);
    }
  };
  put(batch, side.batch);
  put(contracting, side.contracting);
  put(free, side.free);
  return side;
}

Dimensions Sizes(Random& random, std::int64_t most_count, std::int64_t most) {
  Dimensions sizes(random.Between(0, most_count));
  for (std::int64_t& size : sizes) size = DrawSize(random, most);
  return sizes;
}

// The types of two operands, usually equal, and the result's type if it is to differ.
struct ProductTypes {
  PrimitiveType lhs, rhs;
  std::optional<Shape> result;
};

ProductTypes DrawProductTypes(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const PrimitiveType lhs = drawer.Type();
  ProductTypes types = {lhs, lhs, std::nullopt};
  const bool is_real = IsFloatingPointType(lhs);
  if (is_real && random.OneIn(6)) types.rhs = drawer.Type(TypesThat(IsFloatingPointType));
  if (is_real && random.OneIn(4)) types.result = ShapeUtil::MakeScalarShape(random.OneOf({F32, F64}));
  if (IsIntegralType(lhs) && random.OneIn(4)) types.result = ShapeUtil::MakeScalarShape(random.OneOf({S32, S64}));
  return types;
}

std::vector<OpAttribute> DotAttributes(const Side& lhs, const Side& rhs) {
  return {{"lhs_batch_dims", lhs.batch},
          {"lhs_contracting_dims", lhs.contracting},
          {"rhs_batch_dims", rhs.batch},
          {"rhs_contracting_dims", rhs.contracting}};
}

// Returns the largest size such that an array with two such dimensions has about the wanted number of elements.
std::int64_t MostSize(const InstructionDrawer& drawer) {
  std::int64_t most = 2;
  while (most * most < drawer.constraints().most_elements) ++most;
  return most;
}

// Returns a size that divides another.
std::int64_t DivisorOf(Random& random, std::int64_t size) {
  std::int64_t divisor = random.Between(1, std::max<std::int64_t>(1, size));
  while (size > 0 && size % divisor != 0) --divisor;
  return size == 0 ? 0 : divisor;
}

}  // namespace

// Draws many sums of few terms, or fewer sums of more terms.
XlaOp DrawDot(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const std::int64_t most_free = random.Flip() ? 4 : std::max<std::int64_t>(4, MostSize(drawer) / 2);
  const Dimensions batch = Sizes(random, 2, 3);
  const std::int64_t most_terms =
      drawer.constraints().most_elements / most_free / std::max<std::int64_t>(1, Product(batch));
  const Dimensions contracting = DrawDimensions(random, {0, 2, most_terms});
  const Side lhs = DrawSide(random, batch, contracting, DrawDimensions(random, {0, 2, most_free}));
  const Side rhs = DrawSide(random, batch, contracting, DrawDimensions(random, {0, 2, most_free}));
  const ProductTypes types = DrawProductTypes(drawer);
  return drawer.Add({{drawer.Value(ShapeUtil::MakeShape(types.lhs, lhs.sizes)),
                      drawer.Value(ShapeUtil::MakeShape(types.rhs, rhs.sizes))},
                     DotAttributes(lhs, rhs),
                     types.result});
}

// Draws a ragged dot. The sizes of the groups of the ragged dimension are an operand, common to all batches or one list
// for each batch.
XlaOp DrawRaggedDot(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const std::int64_t groups = random.Between(1, 3), ragged_size = random.Between(1, 6);
  const std::string_view mode = random.OneOf({"free", "contracting", "batch"});
  Dimensions batch = Sizes(random, 2, 3), contracting = {random.Between(1, 5)}, lhs_free = {random.Between(1, 4)};
  Dimensions rhs_free = {random.Between(1, 4)};
  if (mode == "batch") batch = {ragged_size};
  if (mode == "contracting") contracting = {ragged_size};
  if (mode == "free") {
    lhs_free = {ragged_size};
    rhs_free.push_back(groups);
  }
  const Side lhs = DrawSide(random, batch, contracting, lhs_free), rhs = DrawSide(random, batch, contracting, rhs_free);
  const Int64List ragged = {mode == "free" ? lhs.free[0] : mode == "batch" ? lhs.batch[0] : lhs.contracting[0]};
  Dimensions sizes = {groups};
  if (mode != "batch" && random.OneIn(3)) sizes.insert(sizes.begin(), batch.begin(), batch.end());
  const Shape group_sizes = ShapeUtil::MakeShape(random.OneOf({S32, S64, U32}), sizes);
  const ProductTypes types = DrawProductTypes(drawer);
  std::vector<OpAttribute> attributes = DotAttributes(lhs, rhs);
  attributes.emplace_back("lhs_ragged_dims", ragged);
  if (mode == "free") attributes.emplace_back("rhs_group_dims", Int64List{rhs.free[1]});
  return drawer.Add({{drawer.Value(ShapeUtil::MakeShape(types.lhs, lhs.sizes)),
                      drawer.Value(ShapeUtil::MakeShape(types.rhs, rhs.sizes)),
                      drawer.Value(DrawIntegers(random, group_sizes, 0, ragged_size / groups + random.Below(2)))},
                     std::move(attributes),
                     types.result});
}

// Draws a scaled dot, with a scale for each block of an operand; a bf16 scale with one element means no scaling.
XlaOp DrawScaledDot(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const Dimensions batch = Sizes(random, 2, 3), contracting = {random.Between(1, 8)};
  const Side lhs = DrawSide(random, batch, contracting, {random.Between(1, 6)});
  const Side rhs = DrawSide(random, batch, contracting, {random.Between(1, 6)});
  const ProductTypes types = DrawProductTypes(drawer);
  const auto scale = [&](const Side& side, PrimitiveType type) {
    const bool is_dummy = type == BF16 && random.OneIn(4);
    Dimensions blocks;
    for (const std::int64_t size : side.sizes) blocks.push_back(is_dummy ? 1 : DivisorOf(random, size));
    const PrimitiveType scale_type = is_dummy                    ? BF16
                                     : IsFloatingPointType(type) ? random.OneOf({F8E8M0FNU, F32})
                                                                 : type;
    return drawer.Value(ShapeUtil::MakeShape(scale_type, blocks));
  };
  return drawer.Add(
      {{drawer.Value(ShapeUtil::MakeShape(types.lhs, lhs.sizes)),
        drawer.Value(ShapeUtil::MakeShape(types.rhs, rhs.sizes)), scale(lhs, types.lhs), scale(rhs, types.rhs)},
       DotAttributes(lhs, rhs),
       types.result});
}

// Draws the roles of the dimensions of an array: two of their own, and the spatial ones in their order.
void DrawLabels(Random& random, std::int64_t rank, std::int64_t& first, std::int64_t& second, Int64List& spatial) {
  const Int64List places = random.OneIn(3) ? AllDimensions(rank) : random.Permutation(rank);
  first = places[0];
  second = places[1];
  spatial.assign(places.begin() + 2, places.end());
}

XlaOp DrawConvolution(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const std::int64_t spatial = random.Between(0, 3), rank = spatial + 2;
  const std::int64_t groups = random.OneIn(3) ? random.Between(2, 3) : 1;
  const bool groups_features = random.Flip();
  const std::int64_t feature_groups = groups_features ? groups : 1, batch_groups = groups_features ? 1 : groups;
  const std::int64_t kernel_features = random.Between(1, 3), output_features = groups * random.Between(1, 2);
  ConvolutionDimensionNumbers d;
  DrawLabels(random, rank, d.input_batch_dimension, d.input_feature_dimension, d.input_spatial_dimensions);
  DrawLabels(random, rank, d.kernel_input_feature_dimension, d.kernel_output_feature_dimension,
             d.kernel_spatial_dimensions);
  DrawLabels(random, rank, d.output_batch_dimension, d.output_feature_dimension, d.output_spatial_dimensions);
  const std::int64_t most = spatial < 3 ? std::clamp<std::int64_t>(MostSize(drawer), 6, 12) : 4;
  Dimensions base(spatial), input(rank), kernel(rank);
  for (std::int64_t& size : base) size = DrawSize(random, most);
  const Window window = DrawWindow(random, base);
  input[d.input_batch_dimension] = batch_groups * random.Between(random.OneIn(12) ? 0 : 1, 2);
  input[d.input_feature_dimension] = feature_groups * kernel_features;
  kernel[d.kernel_input_feature_dimension] = kernel_features;
  kernel[d.kernel_output_feature_dimension] = output_features;
  for (std::int64_t i = 0; i < spatial; ++i) {
    input[d.input_spatial_dimensions[i]] = base[i];
    kernel[d.kernel_spatial_dimensions[i]] = window.dimensions[i].size;
  }
  const ProductTypes types = DrawProductTypes(drawer);
  constexpr std::string_view kKinds[] = {"unset", "fprop", "wgrad", "dgrad"};
  std::vector<OpAttribute> attributes = {{"window", window},
                                         {"dim_labels", d},
                                         {"feature_group_count", feature_groups},
                                         {"batch_group_count", batch_groups},
                                         {"convolution_kind", std::string(random.OneOf(kKinds))}};
  return drawer.Add(
      {{drawer.Value(ShapeUtil::MakeShape(types.lhs, input)), drawer.Value(ShapeUtil::MakeShape(types.rhs, kernel))},
       std::move(attributes),
       types.result});
}

}  // namespace assay::generate
