// Reductions. A block computes several results, each with some of its threads. If the innermost dimension is reduced,
// neighboring threads share a result; otherwise they have neighboring results. They read neighboring elements in either
// case. Few long results are split among blocks, whose accumulators a second launch combines.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "backends/cuda/kernels/applied.h"
#include "backends/cuda/kernels/doubts.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/folding.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/packs.h"
#include "backends/cuda/kernels/sums.h"
#include "backends/cuda/kernels/tree.h"
#include "interpreter/types/index_util.h"

namespace assay::cuda {
namespace {

// The most elements that one thread folds in order although the fold could be split.
constexpr std::int64_t kInOrder = 64;

// The elements of one result, and their places in the operand.
struct Reduced {
  explicit Reduced(const HloInstruction& reduce) : operand(reduce.operand(0).shape) {
    bool is_behind = false;
    for (std::int64_t d = 0; d < operand.rank(); ++d) {
      const std::int64_t size = operand.dimensions(d);
      const bool is_reduced = std::ranges::count(reduce.Int64s("dimensions"), d) > 0;
      (is_reduced ? reduced : kept).push_back(d);
      (is_reduced ? reduced_sizes : kept_sizes).push_back(size);
      if (size == 1) continue;
      is_row = is_reduced;
      if (is_reduced && inner != 1) are_neighbours = false;
      is_behind |= is_reduced;
      if (is_behind && !is_reduced) inner *= size;
    }
    count = assay::Product(kept_sizes);
    n = assay::Product(reduced_sizes);
  }

  // Declares names for the parts of an index that depend only on the result.
  void Place(Body& body, const std::string& result) {
    at_kept = body.PlacesOf(IndexText::AtOffset(result), kept_sizes);
    outer = body.Product(body.Quotient(result, inner), n);
    inside = body.Remainder(result, inner);
  }
  IndexText At(Body& body, const std::string& k) const {
    if (operand.rank() == 0) return IndexText::AtOffset("0");
    IndexText index;
    index.at.resize(static_cast<std::size_t>(operand.rank()));
    const std::vector<std::string> at_reduced = body.PlacesOf(IndexText::AtOffset(k), reduced_sizes);
    for (std::size_t i = 0; i < kept.size(); ++i) index.at[static_cast<std::size_t>(kept[i])] = at_kept[i];
    for (std::size_t i = 0; i < reduced.size(); ++i) index.at[static_cast<std::size_t>(reduced[i])] = at_reduced[i];
    if (are_neighbours) index.offset = body.Sum(body.Product(body.Sum(outer, k), inner), inside);
    return index;
  }

  const Shape& operand;
  std::vector<std::int64_t> kept, reduced;
  Dimensions kept_sizes, reduced_sizes;
  std::int64_t count = 1;  // results
  std::int64_t n = 1;      // elements of each result
  std::int64_t inner = 1;  // kept elements after the reduced dimensions
  bool is_row = false;
  bool are_neighbours = true;
  std::vector<std::string> at_kept;
  std::string outer, inside;
};

// Returns how threads share the work.
Tree TreeOf(const Folding& folding, const Reduced& reduced) {
  if (reduced.count == 0) return {};
  const bool is_short = reduced.n <= kInOrder || reduced.count >= Tree::kWantedThreads;
  if (folding.IsFree() || (folding.MayBeSplit() && !is_short)) {
    return SharedTree(folding, reduced.count, reduced.n, reduced.is_row);
  }
  return {.count = reduced.count, .n = reduced.n, .is_row = reduced.is_row};
}

bool TakesReduce(const HloInstruction& reduce) { return Folding::Takes(reduce.Computation("to_apply")); }
// True if one thread folds each result as the reference does, or if the order does not matter.
bool IsExactReduce(const HloInstruction& reduce) {
  if (IsSameInAnyOrder(reduce)) return true;
  const HloComputation& computation = reduce.Computation("to_apply");
  if (!Folding::Takes(computation) || !HasExactApplication(computation)) return false;
  const Folding folding(computation);
  const Tree tree = TreeOf(folding, Reduced(reduce));
  return !folding.IsFree() && tree.width == 1 && tree.splits == 1;
}
bool ReduceReadsAgain(const HloInstruction& reduce, std::size_t i) { return i >= reduce.operands.size() / 2; }

class Reduction {
 public:
  // `is_exact` requires IsExactSum.
  Reduction(const HloComputation& fused, bool is_exact)
      : fused_(fused),
        is_exact_(is_exact),
        folding_(is_exact ? WideSums(Type()) : Folding(fused.root->Computation("to_apply"))),
        reduced_(*fused.root) {}

  KernelProgram Program() {
    KernelProgram program;
    if (reduced_.count == 0) return program;
    if (is_exact_) {
      AddDoubts(program, fused_);
      AddTerms(program, fused_, Terms());
    }
    Tree tree = TreeOf(folding_, reduced_);
    const std::optional<std::vector<std::int64_t>> in_order = ReadInOrder();
    if (in_order) tree.TakePacks(PackSize(TypesOf(*in_order)));
    packs_ = Packs(fused_, in_order.value_or(std::vector<std::int64_t>()), tree.pack);
    if (tree.splits == 1) {
      AddLaunch(program, tree, /*reads_scratch=*/false, /*writes_scratch=*/false);
      return program;
    }
    for (std::size_t i = 0; i < folding_.size(); ++i) {
      program.scratch_bytes.push_back(tree.Jobs() * folding_.AccumulatorBytes(i));
    }
    AddLaunch(program, tree, /*reads_scratch=*/false, /*writes_scratch=*/true);
    // The accumulators of the splits of neighboring results are neighbors in memory.
    const Tree last = SharedTree(folding_, reduced_.count, tree.splits, /*is_row=*/false, /*may_split=*/false);
    AddLaunch(program, last, /*reads_scratch=*/true, /*writes_scratch=*/false);
    return program;
  }

 private:
  // Returns the parameters whose elements are in memory in the order in which rows are folded; nullopt if others are
  // read.
  std::optional<std::vector<std::int64_t>> ReadInOrder() const {
    if (!folding_.IsFree() || reduced_.n == 0 || !reduced_.is_row || !reduced_.are_neighbours || reduced_.inner != 1) {
      return std::nullopt;
    }
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    Reduced reduced = reduced_;
    reduced.Place(body, "o");
    const IndexText index = reduced.At(body, "k");
    for (std::size_t i = 0; i < folding_.size(); ++i) {
      emitter.Element(fused_.root->operand(static_cast<std::int64_t>(i)), index);
    }
    auto in_order = assay::cuda::ReadInOrder(fused_, body.text(), index.offset);
    return in_order && in_order->empty() ? std::nullopt : in_order;
  }
  std::vector<PrimitiveType> TypesOf(std::span<const std::int64_t> parameters) const {
    std::vector<PrimitiveType> types;
    for (const std::int64_t number : parameters) {
      types.push_back(fused_.Parameters()[static_cast<std::size_t>(number)]->shape.element_type());
    }
    return types;
  }

  PrimitiveType Type() const { return fused_.root->shape.element_type(); }

  // Returns the terms: the elements, then the initial value.
  TermTexts Terms() const {
    TermTexts terms{.result = Type(), .n = reduced_.n + 1, .write = {}};
    terms.write = [this, terms](Body& body, ElementEmitter& emitter, const std::string& o, const std::string& k) {
      const auto write = [&](const HloInstruction& operand, const IndexText& index) {
        WriteFactor(body, terms, 0, folding_.OfElement(emitter.Element(operand, index)));
      };
      if (reduced_.n > 0) {
        body.Open(fmt::format("if ({} < {}) {{", k, reduced_.n));
        Reduced reduced = reduced_;
        reduced.Place(body, o);
        write(fused_.root->operand(0), reduced.At(body, k));
        body.Line("return;");
        body.Close();
      }
      write(fused_.root->operand(1), IndexText::AtOffset("0"));
    };
    return terms;
  }

  void AddLaunch(KernelProgram& program, const Tree& tree, bool reads_scratch, bool writes_scratch) {
    EntryText entry{.fused = fused_};
    if (is_exact_) entry.scratch.emplace_back("u64");
    const auto place_of = [&](std::size_t i, const std::string& place) {
      return fmt::format("x{}[{}]", i + (is_exact_ ? 1 : 0), place);
    };
    for (std::size_t i = 0; (reads_scratch || writes_scratch) && i < folding_.size(); ++i) {
      entry.scratch.emplace_back(folding_.AccumulatorType(i));
    }
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    const auto read = [&](const std::string& k) {
      std::vector<std::string> accumulators;
      const std::string from = body.Sum(body.Product(k, tree.count), "o");
      for (std::size_t i = 0; i < folding_.size(); ++i) {
        if (reads_scratch) {
          accumulators.push_back(place_of(i, from));
        } else {
          const HloInstruction& operand = fused_.root->operand(static_cast<std::int64_t>(i));
          if (tree.pack > 1) packs_->Bind(emitter, reduced_.At(body, k));
          accumulators.push_back(folding_.OfElement(emitter.Element(operand, reduced_.At(body, k))));
        }
      }
      return accumulators;
    };
    const auto load = [&](const std::string& k) {
      packs_->Load(body, reduced_.At(body, k).offset, /*limit=*/std::nullopt);
    };
    const auto inits = [&] {
      std::vector<std::string> elements;
      for (std::size_t i = 0; i < folding_.size(); ++i) {
        const HloInstruction& init = fused_.root->operand(static_cast<std::int64_t>(folding_.size() + i));
        elements.push_back(folding_.OfElement(emitter.Element(init, IndexText::AtOffset("0"))));
      }
      return elements;
    };
    const auto write = [&](std::span<const std::string> accumulators) {
      for (std::size_t i = 0; i < folding_.size(); ++i) {
        if (writes_scratch) {
          body.Line(fmt::format("{} = {};", place_of(i, "job"), accumulators[i]));
        } else if (is_exact_) {
          StoreSum(body, accumulators[i], "o", IsLong(Type()));
        } else {
          body.Line(fmt::format("r{}[o] = {};", i, folding_.ToElement(i, accumulators[i])));
        }
      }
    };
    tree.Declare(body);
    reduced_.Place(body, "o");
    WriteTree(tree, folding_, {.load = load, .read = read, .inits = inits, .write = write, .starts = !writes_scratch},
              body, emitter);
    program.launches.push_back(LaunchOf(entry, emitter, body, tree.Blocks()));
  }

  const HloComputation& fused_;
  bool is_exact_;
  Folding folding_;
  Reduced reduced_;
  std::optional<Packs> packs_;
};

KernelProgram MakeReduce(const HloComputation& fused) { return Reduction(fused, /*is_exact=*/false).Program(); }
KernelProgram MakeExactReduce(const HloComputation& fused) { return Reduction(fused, /*is_exact=*/true).Program(); }

}  // namespace

const KernelKind kReduceKind = {.name = "reduce",
                                .takes = TakesReduce,
                                .reads_elements = ReadsAll,
                                .reads_again = ReduceReadsAgain,
                                .is_exact = IsExactReduce,
                                .make = MakeReduce};

const KernelKind kExactReduceKind = {.name = "exact reduce",
                                     .ops = [] { return std::vector<std::string_view>{"reduce"}; },
                                     .takes = IsExactSum,
                                     .reads_elements = ReadsAll,
                                     .reads_again = ReduceReadsAgain,
                                     .is_exact = IsAlwaysExact,
                                     .make = MakeExactReduce};

}  // namespace assay::cuda
