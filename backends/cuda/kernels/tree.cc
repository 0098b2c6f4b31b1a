#include "backends/cuda/kernels/tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/entry.h"

namespace assay::cuda {
namespace {

// The least number of elements that a thread reads.
constexpr std::int64_t kElementsOfThread = 8;
constexpr std::int64_t kMostSplits = 1024;
constexpr std::int64_t kTreeSharedBytes = 32 << 10;
constexpr std::int64_t kNeighbours = 32;
constexpr std::int64_t kWarp = 32;

void Set(std::span<const std::string> to, std::span<const std::string> from, Body& body) {
  for (std::size_t i = 0; i < to.size(); ++i) body.Line(fmt::format("{} = {};", to[i], from[i]));
}

// Writes the fold of one thread over all elements in order, the initial value first.
void WriteInOrder(const Tree& tree, const Folding& folding, const TreeParts& parts, Body& body,
                  ElementEmitter& emitter) {
  const std::vector<std::string> accumulators = folding.Declare(body);
  Set(accumulators, parts.inits(), body);
  if (tree.n > 0) {
    body.Open(fmt::format("for ({} k = begin; k < end; ++k) {{", body.index_type()));
    folding.Combine(accumulators, parts.read("k"), body, emitter);
    body.Close();
  }
  parts.write(accumulators);
}

// Writes the fold of neighboring elements by each thread, so that accumulators stay in order.
void FoldNeighbours(const Tree& tree, const Folding& folding, const TreeParts& parts,
                    std::span<const std::string> accumulators, Body& body, ElementEmitter& emitter) {
  const std::string_view index = body.index_type();
  body.Line(fmt::format("const {0} each = end - begin > {1} ? (end - begin + {1} - 1) / {1} : 1;", index, tree.width));
  body.Line("const auto from = begin + w * each;");
  body.Line("const auto till = from + each < end ? from + each : end;");
  body.Line(fmt::format("const {} active = (end - begin + each - 1) / each;", index));
  body.Open("if (from < till) {");
  Set(accumulators, parts.read("from"), body);
  body.Open(fmt::format("for ({} k = from + 1; k < till; ++k) {{", index));
  folding.Combine(accumulators, parts.read("k"), body, emitter);
  body.Close();
  body.Close();
}

// True if threads of a warp can exchange accumulators.
bool MayShuffle(const Tree& tree, const Folding& folding) {
  constexpr std::string_view kWords[] = {"f32", "f64", "s32", "s64", "u32", "u64"};
  bool are_words = true;
  for (std::size_t i = 0; i < folding.size(); ++i) {
    are_words &= std::ranges::count(kWords, folding.AccumulatorType(i)) > 0;
  }
  return tree.is_row && folding.IsFree() && are_words;
}

// Combines the accumulators of neighboring threads into those of the first: within warps, then among the warps.
void CombineNeighbours(const Tree& tree, const Folding& folding, std::span<const std::string> accumulators, Body& body,
                       ElementEmitter& emitter) {
  for (std::int64_t step = std::min(tree.width, kWarp) / 2; step > 0; step /= 2) {
    body.Open("{");
    std::vector<std::string> others;
    for (std::size_t i = 0; i < folding.size(); ++i) {
      others.push_back(fmt::format("other{}", i));
      body.Line(fmt::format("const {} other{} = __shfl_down_sync(0xffffffffu, {}, {});", folding.AccumulatorType(i), i,
                            accumulators[i], step));
    }
    folding.Combine(accumulators, others, body, emitter);
    body.Close();
  }
  if (tree.width <= kWarp) return body.Open("if (w == 0 && is_live) {");
  std::vector<std::string> of_warps;
  for (std::size_t i = 0; i < folding.size(); ++i) {
    body.Line(fmt::format("__shared__ {} shared{}[{}];", folding.AccumulatorType(i), i, kThreads / kWarp));
    body.Line(
        fmt::format("if (threadIdx.x % {0} == 0) shared{1}[threadIdx.x / {0}] = {2};", kWarp, i, accumulators[i]));
    of_warps.push_back(fmt::format("shared{}[threadIdx.x / {} + warp]", i, kWarp));
  }
  body.Line("__syncthreads();");
  body.Open("if (w == 0 && is_live) {");
  body.Open(fmt::format("for (int warp = 1; warp < {}; ++warp) {{", tree.width / kWarp));
  folding.Combine(accumulators, of_warps, body, emitter);
  body.Close();
}

// Combines the accumulators of the threads of one result into those of the first.
void CombineThreads(const Tree& tree, const Folding& folding, std::span<const std::string> accumulators, Body& body,
                    ElementEmitter& emitter) {
  if (MayShuffle(tree, folding)) return CombineNeighbours(tree, folding, accumulators, body, emitter);
  std::vector<std::string> own, left, right;
  for (std::size_t i = 0; i < folding.size(); ++i) {
    body.Line(fmt::format("__shared__ {} shared{}[{}];", folding.AccumulatorType(i), i, kThreads));
    own.push_back(fmt::format("shared{}[first + w]", i));
    left.push_back(fmt::format("shared{}[to]", i));
    right.push_back(fmt::format("shared{}[to + step]", i));
  }
  body.Line(fmt::format("const int first = threadIdx.x {} {} * {};", tree.is_row ? "/" : "%",
                        tree.is_row ? tree.width : kThreads / tree.width, tree.width));
  Set(own, accumulators, body);
  body.Open(fmt::format("for (int step = 1; step < {}; step *= 2) {{", tree.width));
  body.Line("__syncthreads();");
  body.Line("const int to = first + 2 * step * w;");
  body.Open(
      fmt::format("if (2 * step * w + step < {}) {{", folding.IsFree() ? fmt::format("{}", tree.width) : "active"));
  folding.Combine(left, right, body, emitter);
  body.Close();
  body.Close();
  std::vector<std::string> all;
  for (std::size_t i = 0; i < folding.size(); ++i) all.push_back(fmt::format("shared{}[first]", i));
  body.Open("if (w == 0 && is_live) {");
  Set(accumulators, all, body);
}

}  // namespace

Tree SharedTree(const Folding& folding, std::int64_t count, std::int64_t n, bool is_row, bool may_split) {
  Tree tree{.count = count, .n = n, .is_row = is_row};
  if (folding.AccumulatorBytes() * kThreads > kTreeSharedBytes) return tree;
  std::int64_t neighbours = 1;  // neighboring results in a block
  while (!is_row && neighbours < kNeighbours && neighbours < count) neighbours *= 2;
  while (tree.width * neighbours < kThreads && tree.width * kElementsOfThread < n &&
         (is_row || count * tree.width < Tree::kWantedThreads)) {
    tree.width *= 2;
  }
  const std::int64_t wanted = may_split ? Tree::kWantedThreads / (count * tree.width) : 1;
  const std::int64_t most = n / (tree.width * 2 * kElementsOfThread);
  tree.SplitInto(std::clamp<std::int64_t>(std::min(wanted, most), 1, kMostSplits));
  return tree;
}

void Tree::SplitInto(std::int64_t parts) {
  part = (n + parts - 1) / parts;
  splits = part == 0 ? 1 : (n + part - 1) / part;
}

void Tree::TakePacks(std::int64_t size) {
  while (size > 1 && (n % size != 0 || width * size > n)) size /= 2;
  pack = size;
  part = (part + size - 1) / size * size;
  splits = part == 0 ? 1 : (n + part - 1) / part;
}

std::int64_t Tree::Blocks() const { return BlocksFor(Jobs() * width); }

void Tree::Declare(Body& body) const {
  const std::string_view index = body.index_type();
  const std::int64_t side_by_side = kThreads / width;
  body.Line(fmt::format("const {0} job = ({0})blockIdx.x * {1} + threadIdx.x {2} {3};", index, side_by_side,
                        is_row ? "/" : "%", is_row ? width : side_by_side));
  if (width > 1) {
    body.Line(fmt::format("const int w = threadIdx.x {} {};", is_row ? "%" : "/", is_row ? width : side_by_side));
    body.Line(fmt::format("const bool is_live = job < {};", Jobs()));
  } else {
    body.Line(fmt::format("if (job >= {}) return;", Jobs()));
  }
  body.Line(splits == 1 ? fmt::format("const {} o = job;", index)
                        : fmt::format("const {} o = job % {};", index, count));
  body.Line(splits == 1 ? fmt::format("const {} begin = 0;", index)
                        : fmt::format("const {} begin = job / {} * {};", index, count, part));
  std::string end =
      splits == 1 ? fmt::format("{}", n) : fmt::format("(begin + {0} < {1} ? begin + {0} : {1})", part, n);
  if (width > 1) end = fmt::format("is_live ? {} : begin", end);
  body.Line(fmt::format("const {} end = {};", index, end));
}

void WriteTree(const Tree& tree, const Folding& folding, const TreeParts& parts, Body& body, ElementEmitter& emitter) {
  const bool is_one = tree.width == 1;
  if (is_one && parts.starts && (!folding.IsFree() || tree.n == 0)) {
    WriteInOrder(tree, folding, parts, body, emitter);
    return;
  }
  std::vector<std::string> accumulators = folding.Declare(body);
  if (is_one) body.Line("const int w = 0;");
  if (folding.IsFree()) {
    if (tree.n > 0) {
      if (tree.pack > 1) {
        body.Open(fmt::format("for ({0} from = begin + w * {1}; from < end; from += {2}) {{", body.index_type(),
                              tree.pack, tree.width * tree.pack));
        parts.load("from");
        body.Line("#pragma unroll");
        body.Open(fmt::format("for (int e = 0; e < {}; ++e) {{", tree.pack));
        body.Line(fmt::format("const {} k = from + e;", body.index_type()));
      } else {
        body.Open(fmt::format("for ({} k = begin + w; k < end; k += {}) {{", body.index_type(), tree.width));
      }
      if (parts.add) {
        parts.add(accumulators, "k");
      } else {
        folding.Combine(accumulators, parts.read("k"), body, emitter);
      }
      body.Close();
      if (tree.pack > 1) body.Close();
    }
  } else {
    FoldNeighbours(tree, folding, parts, accumulators, body, emitter);
  }
  if (!is_one) CombineThreads(tree, folding, accumulators, body, emitter);
  if (parts.starts) {
    // The initial value precedes the elements.
    const std::vector<std::string> totals = accumulators;
    accumulators.clear();
    const std::vector<std::string> inits = parts.inits();
    for (std::size_t i = 0; i < folding.size(); ++i) {
      accumulators.push_back(fmt::format("b{}", i));
      body.Line(fmt::format("{} b{} = {};", folding.AccumulatorType(i), i, inits[i]));
    }
    folding.Combine(accumulators, totals, body, emitter);
  }
  parts.write(accumulators);
  if (!is_one) body.Close();
}

}  // namespace assay::cuda
