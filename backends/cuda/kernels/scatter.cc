// scatter: updates are sorted by the place that they go to. Where their order does not matter, threads fold those of an
// element part by part; else one thread combines them in their order. So results do not depend on the device's timing,
// whatever the combiner is.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "backends/cuda/kernels/applied.h"
#include "backends/cuda/kernels/folding.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/sorting.h"
#include "backends/cuda/kernels/sums.h"
#include "backends/cuda/kernels/text.h"
#include "interpreter/types/index_util.h"

namespace assay::cuda {
namespace {

// So many sorted updates are folded by one thread at most.
constexpr std::int64_t kPart = 256;

std::vector<std::string_view> Ops() { return {"scatter"}; }

std::size_t ArraysOf(const HloInstruction& scatter) { return scatter.operands.size() / 2; }

bool Takes(const HloInstruction& scatter) {
  const HloComputation& combiner = scatter.Computation("to_apply");
  if (!HasAppliedText(combiner)) return false;
  const std::vector<const HloInstruction*> parameters = combiner.Parameters();
  const std::vector<PrimitiveType> combined = ResultTypes(combiner);
  const std::vector<Shape> results = LeafShapes(scatter.shape);
  const std::size_t n = ArraysOf(scatter);
  for (std::size_t i = 0; i < n; ++i) {
    const PrimitiveType type = scatter.operands[i]->shape.element_type();
    if (parameters[i]->shape.element_type() != type || combined[i] != type) return false;
    if (results[i].element_type() != type) return false;
    if (parameters[n + i]->shape.element_type() != scatter.operands[n + 1 + i]->shape.element_type()) return false;
  }
  return true;
}

// Those that are not free combine in the order of the reference.
bool IsExact(const HloInstruction& scatter) {
  const HloComputation& combiner = scatter.Computation("to_apply");
  return IsSameInAnyOrder(scatter) || (HasExactApplication(combiner) && !Folding(combiner).IsFree());
}

// A single operand may become the result.
bool ReadsElements(const HloInstruction& scatter, std::size_t i) { return i > 0 || ArraysOf(scatter) > 1; }
bool ReadsAgain(const HloInstruction& scatter, std::size_t i) { return i == ArraysOf(scatter); }

class Scatter {
 public:
  explicit Scatter(const HloComputation& fused)
      : fused_(fused),
        root_(*fused.root),
        arrays_(ArraysOf(root_)),
        indices_(root_.operand(static_cast<std::int64_t>(arrays_))),
        update_(root_.operand(static_cast<std::int64_t>(arrays_) + 1).shape),
        operand_(root_.operand(0).shape),
        vector_dim_(root_.Int64("index_vector_dim")),
        batch_(indices_.shape.dimensions()) {
    if (HasVectors()) batch_.erase(batch_.begin() + vector_dim_);
    for (std::int64_t d = 0; d < operand_.rank(); ++d) {
      const auto has = [&](AttributeName list) { return std::ranges::count(root_.Int64s(list), d) > 0; };
      if (!has("inserted_window_dims") && !has("input_batching_dims")) window_dims_.push_back(d);
    }
    bool is_aligned = true;
    for (const std::int64_t d : root_.Int64s("update_window_dims")) {
      const std::int64_t size = update_.dimensions(d);
      is_aligned &= size == 1 || size == operand_.dimensions(window_dims_[window_.size()]);
      window_.push_back(size);
    }
    windows_ = Product(batch_);
    // Windows that cannot lie across each other are sorted whole, others element by element.
    together_ = is_aligned ? Product(window_) : 1;
    pieces_ = is_aligned ? 1 : Product(window_);
  }

  KernelProgram Make() {
    const std::int64_t count = ShapeUtil::ElementsIn(operand_);
    if (count == 0) return std::move(program_);
    if (arrays_ == 1) program_.updated_operand = UpdatedParameter(fused_);
    if (program_.updated_operand < 0) AddCopy(count);
    if (ShapeUtil::ElementsIn(update_) == 0) return std::move(program_);
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
  bool HasVectors() const { return vector_dim_ < indices_.shape.rank(); }

  // What is sorted: windows, or their elements in the order of the windows.
  std::int64_t items() const { return windows_ * pieces_; }

  void Launch(const EntryText& entry, const ElementEmitter& emitter, const Body& body, std::int64_t count) {
    program_.launches.push_back({.text = TextOf(entry, emitter, body),
                                 .blocks = BlocksFor(count),
                                 .threads = kThreads,
                                 .arguments = ArgumentsOf(entry)});
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

  // The place of an item in the operand; -1 if its window does not lie inside.
  void AddTargets() {
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    DeclareThread(body, items());
    const std::vector<std::string> batch = body.PlacesOf(IndexText::AtOffset(body.Quotient("i", pieces_)), batch_);
    std::vector<std::string> window;
    if (pieces_ > 1) window = body.PlacesOf(IndexText::AtOffset(body.Remainder("i", pieces_)), window_);
    body.Line("x0[i] = -1;");
    IndexText to;
    for (std::int64_t d = 0; d < operand_.rank(); ++d) {
      const auto in_window = std::ranges::find(window_dims_, d) - window_dims_.begin();
      const bool has_window = in_window < static_cast<std::ptrdiff_t>(window_dims_.size());
      const std::int64_t size = has_window ? window_[static_cast<std::size_t>(in_window)] : 1;
      std::string start = StartOf(d, batch, operand_.dimensions(d) - size, body, emitter);
      if (has_window && !window.empty()) start = body.Sum(start, window[static_cast<std::size_t>(in_window)]);
      to.at.push_back(start);
    }
    body.Line(fmt::format("x0[i] = {};", body.OffsetOf(to, operand_.dimensions())));
    Launch({.fused = fused_, .scratch = scratch_}, emitter, body, items());
  }

  std::string StartOf(std::int64_t d, const std::vector<std::string>& batch, std::int64_t last, Body& body,
                      ElementEmitter& emitter) const {
    const auto batching = root_.Int64s("input_batching_dims");
    if (const auto at = std::ranges::find(batching, d); at != batching.end()) {
      const std::int64_t dimension =
          root_.Int64s("scatter_indices_batching_dims")[static_cast<std::size_t>(at - batching.begin())];
      const std::string place = batch[static_cast<std::size_t>(dimension > vector_dim_ ? dimension - 1 : dimension)];
      body.Line(fmt::format("if ({} > {}) return;", place, last));
      return place;
    }
    const auto map = root_.Int64s("scatter_dims_to_operand_dims");
    const auto at = std::ranges::find(map, d);
    if (at == map.end()) return "0";
    IndexText index{.at = batch, .offset = {}};
    if (HasVectors()) {
      index.at.insert(index.at.begin() + vector_dim_, fmt::format("{}", at - map.begin()));
    }
    if (index.at.empty()) index = IndexText::AtOffset("0");
    const std::string start = body.Name("s64", fmt::format("start_of(value({}))", emitter.Element(indices_, index)));
    body.Line(fmt::format("if ({0} < 0 || {0} > {1}) return;", start, last));
    return body.Name(body.index_type(), fmt::format("({}){}", body.index_type(), start));
  }

  // The element of its window that thread "inner" of an item is for, and where it goes; "start" is the item's target.
  struct Target {
    std::vector<std::string> window;
    std::string to;
  };
  Target TargetOf(const std::string& inner, Body& body) const {
    Target target;
    IndexText within{.at = std::vector<std::string>(static_cast<std::size_t>(operand_.rank()), "0"), .offset = {}};
    if (together_ > 1) target.window = body.PlacesOf(IndexText::AtOffset(inner), window_);
    for (std::size_t k = 0; k < target.window.size(); ++k) {
      within.at[static_cast<std::size_t>(window_dims_[k])] = target.window[k];
    }
    target.to = body.Sum("start", body.OffsetOf(within, operand_.dimensions()));
    return target;
  }
  std::vector<std::string> UpdatesAt(const Target& target, Body& body, ElementEmitter& emitter) const {
    const IndexText from = UpdateIndex(target.window, body);
    std::vector<std::string> updates;
    for (std::size_t k = 0; k < arrays_; ++k) {
      updates.push_back(emitter.Element(root_.operand(static_cast<std::int64_t>(arrays_ + 1 + k)), from));
    }
    return updates;
  }

  bool IsSorted() const { return items() > 1; }
  std::string ItemAt(const std::string& place) const {
    return IsSorted() ? fmt::format("x{}[{}]", order_, place) : "0";
  }
  std::string TargetAt(const std::string& place) const { return fmt::format("x0[{}]", ItemAt(place)); }

  // Names "place", "item" and "start".
  void DeclareItem(Body& body) const {
    const std::string_view type = body.index_type();
    body.Line(fmt::format("{} place = {};", type, body.Quotient("i", together_)));
    body.Line(fmt::format("{} item = {};", type, ItemAt("place")));
    body.Line(fmt::format("const {} start = x0[item];", type));
    body.Line("if (start < 0) return;");
  }

  // From item to item of one place, in one of the parts; then "is_last" says whether no later part has more of it.
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

  // The first item of each place combines what there is for it.
  void AddCombination() {
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    DeclareThread(body, items() * together_);
    DeclareItem(body);
    if (IsSorted()) body.Line(fmt::format("if (place > 0 && {} == start) return;", TargetAt("place - 1")));
    const Target target = TargetOf(body.Remainder("i", together_), body);

    std::vector<std::string> combined;
    for (std::size_t k = 0; k < arrays_; ++k) {
      const PrimitiveType of_result = root_.operand(static_cast<std::int64_t>(k)).shape.element_type();
      emitter.AddType(of_result);
      combined.push_back(body.NewName());
      body.Line(fmt::format("{} {} = r{}[{}];", TypeText(of_result), combined.back(), k, target.to));
    }
    OpenWalk(body);
    std::vector<std::string> arguments = combined;
    std::ranges::copy(UpdatesAt(target, body, emitter), std::back_inserter(arguments));
    const std::vector<std::string> results = Applied(root_.Computation("to_apply"), arguments, body, emitter);
    for (std::size_t k = 0; k < arrays_; ++k) body.Line(fmt::format("{} = {};", combined[k], results[k]));
    CloseWalk(/*parts=*/1, body);
    for (std::size_t k = 0; k < arrays_; ++k) body.Line(fmt::format("r{}[{}] = {};", k, target.to, combined[k]));
    Launch({.fused = fused_, .scratch = scratch_}, emitter, body, items() * together_);
  }

  template <class Text>
  std::vector<std::string> OfArrays(Text text) const {
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < arrays_; ++k) texts.push_back(text(k));
    return texts;
  }
  // What the result had, then the accumulators.
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

  // Sorted items are cut into parts of kPart. A thread folds the items of one place in one part. What lies in one part
  // alone goes into the result; else a second launch takes the parts together: `firsts` has what a place has in the
  // part that it begins in, `others` what it has in a part that begins with it.
  void AddFold(const Folding& folding) {
    const std::int64_t parts = (items() + kPart - 1) / kPart;
    const std::size_t firsts = scratch_.size(), others = firsts + arrays_;
    for (std::size_t k = 0; parts > 1 && k < 2 * arrays_; ++k) {
      scratch_.emplace_back(folding.AccumulatorType(k % arrays_));
      program_.scratch_bytes.push_back(parts * together_ * folding.AccumulatorBytes(k % arrays_));
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
    DeclareThread(body, (parts - 1) * together_);
    body.Line(fmt::format("const {} part = {};", type, body.Quotient("i", together_)));
    body.Line(fmt::format("const {} start = {};", type, TargetAt(fmt::format("(part + 1) * {} - 1", kPart))));
    const std::string at_next = TargetAt(fmt::format("(part + 1) * {}", kPart));
    const std::string before = TargetAt(fmt::format("part * {} - 1", kPart));
    body.Line(fmt::format("if (start < 0 || {} != start || (part > 0 && {} == start)) return;", at_next, before));
    body.Line(fmt::format("const {} inner = {};", type, body.Remainder("i", together_)));
    const Target target = TargetOf("inner", body);
    const std::string begin = body.Sum(body.Product("part", together_), "inner");
    const std::vector<std::string> sums = folding.Declare(body);
    folding.Combine(sums, OfArrays([&](std::size_t k) { return kept(firsts, k, begin); }), body, emitter);
    body.Line(fmt::format("{} next = part + 1;", type));
    body.Open("do {");
    const std::string here = body.Sum(body.Product("next", together_), "inner");
    folding.Combine(sums, OfArrays([&](std::size_t k) { return kept(others, k, here); }), body, emitter);
    body.Line("++next;");
    body.Close(fmt::format("}} while (next < {} && {} == start);", parts, TargetAt(fmt::format("next * {}", kPart))));
    FoldIntoResult(folding, sums, target.to, body, emitter);
    Launch({.fused = fused_, .scratch = scratch_}, emitter, body, (parts - 1) * together_);
  }

  // `kept` is where a sum stays for the second launch.
  template <class Kept>
  void AddFoldOfParts(const Folding& folding, std::int64_t parts, Kept kept) {
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    DeclareThread(body, items() * together_);
    DeclareItem(body);
    if (IsSorted()) body.Line(fmt::format("const bool is_first = place == 0 || {} != start;", TargetAt("place - 1")));
    if (parts > 1) {
      body.Line(fmt::format("if (!is_first && place % {} != 0) return;", kPart));
      body.Line(fmt::format("const {} part = place / {};", body.index_type(), kPart));
    } else if (IsSorted()) {
      body.Line("if (!is_first) return;");
    }
    body.Line(fmt::format("const {} inner = {};", body.index_type(), body.Remainder("i", together_)));
    const Target target = TargetOf("inner", body);
    const std::vector<std::string> sums = folding.Declare(body);
    OpenWalk(body);
    folding.Fold(sums, UpdatesAt(target, body, emitter), body, emitter);
    CloseWalk(parts, body);
    if (parts > 1) {
      const std::string begin = body.Sum(body.Product("part", together_), "inner");
      body.Open("if (!is_first || !is_last) {");
      for (std::size_t k = 0; k < arrays_; ++k) {
        body.Line(fmt::format("(is_first ? {} : {}) = {};", kept(k, begin, true), kept(k, begin, false), sums[k]));
      }
      body.Line("return;");
      body.Close();
    }
    FoldIntoResult(folding, sums, target.to, body, emitter);
    Launch({.fused = fused_, .scratch = scratch_}, emitter, body, items() * together_);
  }

  // Where the element of `item` lies in the updates.
  IndexText UpdateIndex(std::vector<std::string> window, Body& body) const {
    const std::vector<std::string> batch = body.PlacesOf(IndexText::AtOffset(body.Quotient("item", pieces_)), batch_);
    if (pieces_ > 1) window = body.PlacesOf(IndexText::AtOffset(body.Remainder("item", pieces_)), window_);
    if (window.empty()) window.assign(window_.size(), "0");
    const auto window_dims = root_.Int64s("update_window_dims");
    IndexText index;
    std::size_t next_window = 0, next_batch = 0;
    for (std::int64_t d = 0; d < update_.rank(); ++d) {
      const bool is_window = std::ranges::count(window_dims, d) > 0;
      index.at.push_back(is_window ? window[next_window++] : batch[next_batch++]);
    }
    return index.at.empty() ? IndexText::AtOffset("0") : index;
  }

  const HloComputation& fused_;
  const HloInstruction& root_;
  std::size_t arrays_;
  const HloInstruction& indices_;
  const Shape& update_;
  const Shape& operand_;
  std::int64_t vector_dim_;
  Dimensions batch_;                       // of the indices, without that of the vectors
  std::vector<std::int64_t> window_dims_;  // of the operand
  Dimensions window_;
  std::int64_t windows_ = 0;
  std::int64_t together_ = 1;  // elements of an item
  std::int64_t pieces_ = 1;    // items of a window
  std::size_t order_ = 0;
  std::vector<std::string> scratch_;
  KernelProgram program_;
};

KernelProgram Make(const HloComputation& fused) { return Scatter(fused).Make(); }

}  // namespace

extern const KernelKind kScatterKind;
const KernelKind kScatterKind = {.name = "scatter",
                                 .ops = Ops,
                                 .takes = Takes,
                                 .reads_elements = ReadsElements,
                                 .reads_again = ReadsAgain,
                                 .is_exact = IsExact,
                                 .make = Make};

}  // namespace assay::cuda
