#include "fuzz/generate/large_modules.h"

#include <utility>
#include <vector>

#include "fuzz/generate/values.h"
#include "interpreter/builder/xla_builder.h"
#include "interpreter/hlo/clone.h"

namespace assay::generate {
using namespace xla;
namespace {

// Draws a number of elements: small numbers are likelier, and every range between powers of two occurs.
std::int64_t DrawCount(Random& random) {
  if (random.OneIn(8)) return random.Between(65'537, 70'000);
  const std::int64_t power = std::int64_t{1} << random.Between(10, 15);
  return random.Between(power + 1, 2 * power);
}

class LargeModule {
 public:
  explicit LargeModule(Random& random) : random_(random) {
    const PrimitiveType type = random_.OneOf({S8, U8, S32, S64, F32, F64, BF16, PRED, U16});
    const std::int64_t count = DrawCount(random_), rows = random_.OneOf({1, 2, 3, 7});
    const Dimensions dimensions = random_.Flip()   ? Dimensions{count}
                                  : random_.Flip() ? Dimensions{count / rows, rows}
                                                   : Dimensions{rows, count / rows};
    shape_ = ShapeUtil::MakeShape(type, dimensions);
    const bool has_iota = type != PRED && random_.OneIn(3);
    value_ = has_iota ? Iota(&builder_, shape_, random_.Below(shape_.rank())) : AnyValue(shape_);
  }

  void Grow() {
    const std::int64_t dimension = random_.Below(shape_.rank()), size = shape_.dimensions(dimension);
    const bool is_number = shape_.element_type() != PRED;
    switch (random_.Below(7)) {
      case 0:
        value_ = is_number ? Add(value_, AnyValue(shape_)) : Xor(value_, AnyValue(shape_));
        return;
      case 1:
        value_ = Rev(value_, {dimension});
        return;
      case 2:
        if (size < 3) return;  // at least one element remains
        return Become(SliceInDim(value_, random_.Below(2), size - random_.Below(2), 1, dimension));
      case 3:
        return Become(PadInDim(value_, AnyValue(ShapeUtil::MakeScalarShape(shape_.element_type())), dimension,
                               random_.Below(3), random_.Below(3)));
      case 4: {
        const std::int64_t place = random_.Below(size);
        const XlaOp first = SliceInDim(value_, 0, place, 1, dimension),
                    rest = SliceInDim(value_, place, size, 1, dimension);
        value_ = ConcatInDim(&builder_, {rest, first}, dimension);
        return;
      }
      case 5:
        value_ = Select(AnyValue(ShapeUtil::ChangeElementType(shape_, PRED)), value_, AnyValue(shape_));
        return;
      default:
        if (shape_.rank() == 2) return Become(Transpose(value_, {1, 0}));
        if (is_number) value_ = Max(value_, AnyValue(shape_));
    }
  }

  DrawnModule Finish() {
    const XlaComputation built = builder_.Build(value_).value();
    return {CloneModule(built.module()), {std::move(arguments_)}, {{}}};
  }

 private:
  XlaOp AnyValue(const Shape& shape) {
    const EdgeClass edge_class = random_.OneOf({EdgeClass::kNormal, EdgeClass::kAnyBits, EdgeClass::kDistinct});
    arguments_.push_back(DrawValue(random_, shape, edge_class));
    const auto number = static_cast<std::int64_t>(arguments_.size()) - 1;
    return Parameter(&builder_, number, shape, "p" + std::to_string(number));
  }

  void Become(XlaOp value) {
    value_ = value;
    shape_ = *FindShape(value);
  }

  Random& random_;
  XlaBuilder builder_{"large"};
  Shape shape_;
  XlaOp value_;
  std::vector<Literal> arguments_;
};

}  // namespace

DrawnModule DrawLargeModule(Random& random) {
  LargeModule module(random);
  for (std::int64_t i = random.Below(4); i > 0; --i) module.Grow();
  return module.Finish();
}

}  // namespace assay::generate
