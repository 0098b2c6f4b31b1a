// Scatter: the updates are sorted by their targets. If their order does not matter, threads fold the updates of an
// element part by part; otherwise one thread combines them in order. The results therefore do not depend on the
// device's timing, whatever the combiner is.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "backends/cuda/kernels/applied.h"
#include "backends/cuda/kernels/folding.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/scatter_places.h"
#include "backends/cuda/kernels/sorting.h"
#include "backends/cuda/kernels/sums.h"
#include "backends/cuda/kernels/text.h"
#include "interpreter/types/index_util.h"

namespace assay::cuda {
namespace {

// The most sorted updates that one thread folds.
constexpr std::int64_t kPart = 256;

bool TakesScatter(const HloInstruction& scatter) {
  const HloComputation& combiner = scatter.Computation("to_apply");
  if (!HasAppliedText(combiner)) return false;
  const std::vector<const HloInstruction*> parameters = combiner.Parameters();
  const std::vector<PrimitiveType> combined = ResultTypes(combiner);
  const std::vector<Shape> results = LeafShapes(scatter.shape);
  const std::size_t n = ScatterPlaces::ArraysOf(scatter);
  for (std::size_t i = 0; i < n; ++i) {
    const PrimitiveType type = scatter.operands[i]->shape.element_type();
    if (parameters[i]->shape.element_type() != type || combined[i] != type) return false;
    if (results[i].element_type() != type) return false;
    if (parameters[n + i]->shape.element_type() != scatter.operands[n + 1 + i]->shape.element_type()) return false;
  }
  return true;
}

// True if the result is the same in any order, or if a thread combines in the order of the reference.
bool IsExactScatter(const HloInstruction& scatter) {
  const HloComputation& combiner = scatter.Computation("to_apply");
  return IsSameInAnyOrder(scatter) || (HasExactApplication(combiner) && !Folding(combiner).IsFree());
}

// The array of a single operand may become the result's.
bool ScatterReadsElements(const HloInstruction& scatter, std::size_t i) {
  return i > 0 || ScatterPlaces::ArraysOf(scatter) > 1;
}
bool ScatterReadsAgain(const HloInstruction& scatter, std::size_t i) { return i == ScatterPlaces::ArraysOf(scatter); }

class Scatter {
 public:
  explicit Scatter(const HloComputation& fused)
      : fused_(fused), root_(*fused.root), arrays_(ScatterPlaces::ArraysOf(root_)), places_(root_) {}

  KernelProgram Make() {
    const std::int64_t count = ShapeUtil::ElementsIn(root_.operand(0).shape);
    if (count == 0) return std::move(program_);
    if (arrays_ == 1) program_.updated_operand = UpdatedParameter(fused_);
    if (program_.updated_operand < 0) AddCopy(count);
    if (!places_.HasUpdates()) return std::move(program_);
    const bool is_wide = IsWide(fused_);
    scratch_.assign(items() == 1 ? 1 : 3, is_wide ? "s64" : "s32");
    const std::int64_t place_bytes = is_wide ? 8 : 4;
    program_.scratch_bytes = {items() * place_bytes};
    if (items() > 1) {
      for (const std::int64_t bytes : RowSortBytes(1, items(), place_bytes)) program_.scratch_bytes.push_back(bytes);
    }
    AddTargets();
    if (items() > 1) {
      const auto before = [](const std::string&, const std::string& a, const std::string& b, Body&, ElementEmitter&) {
        return fmt::format("pred{{(u8)(x0[{}] < x0[{}])}}", a, b);
      };
      order_ = AddRowSort({1, items(), before}, fused_, scratch_, 1, program_);
    }
    if (const auto folding = Folding::OfFreeResults(root_.Computation("to_apply"), arrays_)) {
      AddFold(*folding);
    } else {
      AddCombination();
    }
    return std::move(program_);
  }

 private:
  std::int64_t items() const { return places_.items(); }
  // Returns the number of elements of all items, each of which has a thread.
  std::int64_t Elements() const { return places_.items() * places_.together(); }

  void Launch(const EntryText& entry, const ElementEmitter& emitter, const Body& body, std::int64_t count) {
    program_.launches.push_back(LaunchOf(entry, emitter, body, BlocksFor(count)));
  }

  void AddCopy(std::int64_t count) {
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    DeclareThread(body, count);
    for (std::size_t k = 0; k < arrays_; ++k) {
      const HloInstruction& operand = root_.operand(static_cast<std::int64_t>(k));
      body.Line(fmt::format("r{}[i] = {};", k, emitter.Element(operand, IndexText::AtOffset("i"))));
    }
    Launch({.fused = fused_}, emitter, body, count);
  }

  void AddTargets() {
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    DeclareThread(body, items());
    places_.WriteTarget("x0[i]", body, emitter);
    Launch({.fused = fused_, .scratch = scratch_}, emitter, body, items());
  }

  bool IsSorted() const { return items() > 1; }
  std::string ItemAt(const std::string& place) const {
    return IsSorted() ? fmt::format("x{}[{}]", order_, place) : "0";
  }
  std::string TargetAt(const std::string& place) const { return fmt::format("x0[{}]", ItemAt(place)); }

  // Declares "place", "item" and "start".
  void DeclareItem(Body& body) const {
    const std::string_view type = body.index_type();
    body.Line(fmt::format("{} place = {};", type, body.Quotient("i", places_.together())));
    body.Line(fmt::format("{} item = {};", type, ItemAt("place")));
    body.Line(fmt::format("const {} start = x0[item];", type));
    body.Line("if (start < 0) return;");
  }

  // Opens a loop over the items of one target in one part. After it, "is_last" says whether no later part has more
  // items of the target.
  void OpenWalk(Body& body) const {
    body.Line("bool is_last = true;");
    body.Open("while (true) {");
  }
  void CloseWalk(std::int64_t parts, Body& body) const {
    if (IsSorted()) {
      body.Line(fmt::format("if (++place == {}) break;", items()));
      body.Line(fmt::format("item = {};", ItemAt("place")));
      body.Line("is_last = x0[item] != start;");
      body.Line(parts > 1 ? fmt::format("if (is_last || place % {} == 0) break;", kPart) : "if (is_last) break;");
      body.Line("is_last = true;");
    } else {
      body.Line("break;");
    }
    body.Close();
  }

  // Adds the combination in order. The thread of a target's first item combines all of its updates.
  void AddCombination() {
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    DeclareThread(body, Elements());
    DeclareItem(body);
    if (IsSorted()) body.Line(fmt::format("if (place > 0 && {} == start) return;", TargetAt("place - 1")));
    const ScatterPlaces::Element element = places_.ElementOf(body.Remainder("i", places_.together()), body);

    std::vector<std::string> combined;
    for (std::size_t k = 0; k < arrays_; ++k) {
      const PrimitiveType of_result = root_.operand(static_cast<std::int64_t>(k)).shape.element_type();
      emitter.AddType(of_result);
      combined.push_back(body.NewName());
      body.Line(fmt::format("{} {} = r{}[{}];", TypeText(of_result), combined.back(), k, element.to));
    }
    OpenWalk(body);
    std::vector<std::string> arguments = combined;
    std::ranges::copy(places_.UpdatesOf(element, body, emitter), std::back_inserter(arguments));
    const std::vector<std::string> results = Applied(root_.Computation("to_apply"), arguments, body, emitter);
    for (std::size_t k = 0; k < arrays_; ++k) body.Line(fmt::format("{} = {};", combined[k], results[k]));
    CloseWalk(/*parts=*/1, body);
    for (std::size_t k = 0; k < arrays_; ++k) body.Line(fmt::format("r{}[{}] = {};", k, element.to, combined[k]));
    Launch({.fused = fused_, .scratch = scratch_}, emitter, body, Elements());
  }

  template <class Text>
  std::vector<std::string> OfArrays(Text text) const {
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < arrays_; ++k) texts.push_back(text(k));
    return texts;
  }
  // Combines the result's former value with the accumulators.
  void FoldIntoResult(const Folding& folding, std::span<const std::string> sums, const std::string& to, Body& body,
                      ElementEmitter& emitter) const {
    const std::vector<std::string> results = OfArrays([&](std::size_t k) {
      emitter.AddType(root_.operand(static_cast<std::int64_t>(k)).shape.element_type());
      body.Line(
          fmt::format("{} b{} = {};", folding.AccumulatorType(k), k, folding.OfElement(fmt::format("r{}[{}]", k, to))));
      return fmt::format("b{}", k);
    });
    folding.Combine(results, sums, body, emitter);
    for (std::size_t k = 0; k < arrays_; ++k) {
      body.Line(fmt::format("r{}[{}] = {};", k, to, folding.ToElement(k, results[k])));
    }
  }

  // Adds the fold of sorted items in parts of kPart. A thread folds the items of one target in one part. If they are in
  // one part only, the fold goes into the result. Otherwise a second launch combines the parts: `firsts` has the folds
  // of targets in the part in which they begin, `others` those of targets that continue from the part before.
  void AddFold(const Folding& folding) {
    const std::int64_t parts = (items() + kPart - 1) / kPart;
    const std::size_t firsts = scratch_.size(), others = firsts + arrays_;
    for (std::size_t k = 0; parts > 1 && k < 2 * arrays_; ++k) {
      scratch_.emplace_back(folding.AccumulatorType(k % arrays_));
      program_.scratch_bytes.push_back(parts * places_.together() * folding.AccumulatorBytes(k % arrays_));
    }
    const auto kept = [&](std::size_t first, std::size_t k, const std::string& place) {
      return fmt::format("x{}[{}]", first + k, place);
    };
    AddFoldOfParts(folding, parts, [&](std::size_t k, const std::string& place, bool is_first) {
      return kept(is_first ? firsts : others, k, place);
    });
    if (parts == 1) return;

    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    const std::string_view type = body.index_type();
    DeclareThread(body, (parts - 1) * places_.together());
    body.Line(fmt::format("const {} part = {};", type, body.Quotient("i", places_.together())));
    body.Line(fmt::format("const {} start = {};", type, TargetAt(fmt::format("(part + 1) * {} - 1", kPart))));
    const std::string at_next = TargetAt(fmt::format("(part + 1) * {}", kPart));
    const std::string before = TargetAt(fmt::format("part * {} - 1", kPart));
    body.Line(fmt::format("if (start < 0 || {} != start || (part > 0 && {} == start)) return;", at_next, before));
    body.Line(fmt::format("const {} inner = {};", type, body.Remainder("i", places_.together())));
    const ScatterPlaces::Element element = places_.ElementOf("inner", body);
    const std::string begin = body.Sum(body.Product("part", places_.together()), "inner");
    const std::vector<std::string> sums = folding.Declare(body);
    folding.Combine(sums, OfArrays([&](std::size_t k) { return kept(firsts, k, begin); }), body, emitter);
    body.Line(fmt::format("{} next = part + 1;", type));
    body.Open("do {");
    const std::string here = body.Sum(body.Product("next", places_.together()), "inner");
    folding.Combine(sums, OfArrays([&](std::size_t k) { return kept(others, k, here); }), body, emitter);
    body.Line("++next;");
    body.Close(fmt::format("}} while (next < {} && {} == start);", parts, TargetAt(fmt::format("next * {}", kPart))));
    FoldIntoResult(folding, sums, element.to, body, emitter);
    Launch({.fused = fused_, .scratch = scratch_}, emitter, body, (parts - 1) * places_.together());
  }

  // `kept` returns the place of a fold for the second launch.
  template <class Kept>
  void AddFoldOfParts(const Folding& folding, std::int64_t parts, Kept kept) {
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    DeclareThread(body, Elements());
    DeclareItem(body);
    if (IsSorted()) body.Line(fmt::format("const bool is_first = place == 0 || {} != start;", TargetAt("place - 1")));
    if (parts > 1) {
      body.Line(fmt::format("if (!is_first && place % {} != 0) return;", kPart));
      body.Line(fmt::format("const {} part = place / {};", body.index_type(), kPart));
    } else if (IsSorted()) {
      body.Line("if (!is_first) return;");
    }
    body.Line(fmt::format("const {} inner = {};", body.index_type(), body.Remainder("i", places_.together())));
    const ScatterPlaces::Element element = places_.ElementOf("inner", body);
    const std::vector<std::string> sums = folding.Declare(body);
    OpenWalk(body);
    folding.Fold(sums, places_.UpdatesOf(element, body, emitter), body, emitter);
    CloseWalk(parts, body);
    if (parts > 1) {
      const std::string begin = body.Sum(body.Product("part", places_.together()), "inner");
      body.Open("if (!is_first || !is_last) {");
      for (std::size_t k = 0; k < arrays_; ++k) {
        body.Line(fmt::format("(is_first ? {} : {}) = {};", kept(k, begin, true), kept(k, begin, false), sums[k]));
      }
      body.Line("return;");
      body.Close();
    }
    FoldIntoResult(folding, sums, element.to, body, emitter);
    Launch({.fused = fused_, .scratch = scratch_}, emitter, body, Elements());
  }

  const HloComputation& fused_;
  const HloInstruction& root_;
  std::size_t arrays_;
  ScatterPlaces places_;
  std::size_t order_ = 0;
  std::vector<std::string> scratch_;
  KernelProgram program_;
};

}  // namespace

const KernelKind kScatterKind = {.name = "scatter",
                                 .takes = TakesScatter,
                                 .reads_elements = ScatterReadsElements,
                                 .reads_again = ScatterReadsAgain,
                                 .is_exact = IsExactScatter,
                                 .make = MakeBy<Scatter>};

}  // namespace assay::cuda
