#include "fuzz/targets.h"

#include <numeric>
#include <span>
#include <vector>

#include "generate/element_wise.h"
#include "generate/instructions.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

// Every op that can be drawn, with each type that its first operand may have.
const std::vector<Target>& Cells() {
  static const std::vector<Target> cells = [] {
    std::vector<Target> found;
    for (const Op* op : DrawableOps()) {
      const TypeSet types = op->evaluation.kernel == nullptr ? op->legality.types : ElementWiseOf(*op).types;
      bool has_types = false;
      for (const PrimitiveType type : ArrayTypes()) {
        if (!types.contains(type)) continue;
        found.push_back({.op = op, .type = type});
        has_types = true;
      }
      if (!has_types) found.push_back({.op = op});
    }
    return found;
  }();
  return cells;
}

// 0, 1, ..., n - 1 in an order of the seed's own: a + b i modulo n, with b prime to n.
std::int64_t PlaceInOrder(std::uint64_t seed, std::int64_t i, std::int64_t n) {
  Random random(SplitMix(seed));
  const std::int64_t first = random.Below(n);
  std::int64_t step = random.Between(n / 3, n - 1);
  while (std::gcd(step, n) != 1) step = step % n + 1;
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>((first + static_cast<Wide>(step) * i) % n);
}

}  // namespace

Target TargetAt(std::uint64_t seed, std::int64_t number) {
  if (number % 3 == 0) return Cells()[PlaceInOrder(seed, number / 3, std::ssize(Cells()))];
  const std::int64_t i = number / 3 * 2 + number % 3 - 1;
  const std::span<const Op* const> ops = DrawableOps();
  const std::int64_t count = std::ssize(ops), pair = PlaceInOrder(seed, i, count * count);
  return {.op = ops[pair / count], .producer = ops[pair % count]};
}

}  // namespace assay
