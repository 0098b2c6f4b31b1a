#include "fuzz/targets.h"

#include <numeric>
#include <span>
#include <vector>

#include "fuzz/generate/element_wise.h"
#include "fuzz/generate/instructions.h"
#include "interpreter/types/split_mix.h"

namespace assay {
using namespace generate;
namespace {

// An op with an element type, and the index of the type among all types of the op.
struct Cell {
  Target target;
  std::int64_t place = 0;
};

// Returns every op that can be drawn, with each type that its first operand may have.
const std::vector<Cell>& Cells() {
  static const std::vector<Cell> cells = [] {
    std::vector<Cell> found;
    for (const Op* op : DrawableOps()) {
      const TypeSet types = op->evaluation.kernel == nullptr ? op->legality.types : ElementWiseOf(*op).types;
      std::int64_t place = 0;
      for (const PrimitiveType type : ArrayTypes()) {
        if (types.contains(type)) found.push_back({{.op = op, .type = type}, place++});
      }
      if (place == 0) found.push_back({{.op = op}});
    }
    return found;
  }();
  return cells;
}

// Returns element i of a permutation of 0, 1, ..., n - 1 that the seed determines: a + b i modulo n, with b prime to n.
std::int64_t PlaceInOrder(std::uint64_t seed, std::int64_t i, std::int64_t n) {
  Random random(SplitMix(seed));
  const std::int64_t first = random.Below(n);
  std::int64_t step = random.Between(n / 3, n - 1);
  while (std::gcd(step, n) != 1) step = step % n + 1;
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>((first + static_cast<Wide>(step) * i) % n);
}

Target WithClass(Target target, std::int64_t place, std::int64_t walk) {
  const std::vector<AttributeClass>& classes = ClassesDrawn(*target.op);
  if (!classes.empty()) target.attribute_class = classes[(place + walk) % std::ssize(classes)];
  return target;
}

}  // namespace

Target TargetAt(std::uint64_t seed, std::int64_t number) {
  if (number % 3 == 0) {
    const std::int64_t i = number / 3, count = std::ssize(Cells());
    const Cell& cell = Cells()[PlaceInOrder(seed, i, count)];
    return WithClass(cell.target, cell.place, i / count);
  }
  const std::int64_t i = number / 3 * 2 + number % 3 - 1;
  const std::span<const Op* const> ops = DrawableOps();
  const std::int64_t count = std::ssize(ops), pair = PlaceInOrder(seed, i, count * count);
  return WithClass({.op = ops[pair / count], .producer = ops[pair % count]}, pair % count, i / (count * count));
}

}  // namespace assay
