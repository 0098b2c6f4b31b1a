// scatter: updates are sorted by the place that they go to, and one thread combines all those of an element, in their
// order. So results do not depend on the device's timing, whatever the combiner is.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/applied.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/sorting.h"
#include "backends/cuda/kernels/text.h"
#include "interpreter/types/index_util.h"

namespace assay::cuda {
namespace {

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
    AddCombination();
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

  // The first item of each place combines what there is for it.
  void AddCombination() {
    const EntryText entry = {.fused = fused_, .scratch = scratch_};
    const std::string order = items() == 1 ? "" : fmt::format("x{}", order_);
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    DeclareThread(body, items() * together_);
    const std::string_view type = body.index_type();
    const auto item_at = [&](const std::string& place) {
      return order.empty() ? std::string("0") : fmt::format("{}[{}]", order, place);
    };
    body.Line(fmt::format("{} place = {};", type, body.Quotient("i", together_)));
    body.Line(fmt::format("{} item = {};", type, item_at("place")));
    body.Line(fmt::format("const {} start = x0[item];", type));
    body.Line("if (start < 0) return;");
    if (!order.empty()) body.Line(fmt::format("if (place > 0 && x0[{}[place - 1]] == start) return;", order));
    const std::string inner = body.Remainder("i", together_);
    IndexText within{.at = std::vector<std::string>(static_cast<std::size_t>(operand_.rank()), "0"), .offset = {}};
    std::vector<std::string> window;
    if (together_ > 1) window = body.PlacesOf(IndexText::AtOffset(inner), window_);
    for (std::size_t k = 0; k < window.size(); ++k) within.at[static_cast<std::size_t>(window_dims_[k])] = window[k];
    const std::string to = body.Sum("start", body.OffsetOf(within, operand_.dimensions()));

    std::vector<std::string> combined;
    for (std::size_t k = 0; k < arrays_; ++k) {
      const PrimitiveType of_result = root_.operand(static_cast<std::int64_t>(k)).shape.element_type();
      emitter.AddType(of_result);
      combined.push_back(body.NewName());
      body.Line(fmt::format("{} {} = r{}[{}];", TypeText(of_result), combined.back(), k, to));
    }
    body.Open("while (true) {");
    const IndexText from = UpdateIndex(window, body);
    std::vector<std::string> arguments = combined;
    for (std::size_t k = 0; k < arrays_; ++k) {
      arguments.push_back(emitter.Element(root_.operand(static_cast<std::int64_t>(arrays_ + 1 + k)), from));
    }
    const std::vector<std::string> results = Applied(root_.Computation("to_apply"), arguments, body, emitter);
    for (std::size_t k = 0; k < arrays_; ++k) body.Line(fmt::format("{} = {};", combined[k], results[k]));
    if (order.empty()) {
      body.Line("break;");
    } else {
      body.Line(fmt::format("if (++place == {}) break;", items()));
      body.Line(fmt::format("item = {};", item_at("place")));
      body.Line("if (x0[item] != start) break;");
    }
    body.Close();
    for (std::size_t k = 0; k < arrays_; ++k) body.Line(fmt::format("r{}[{}] = {};", k, to, combined[k]));
    Launch(entry, emitter, body, items() * together_);
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
                                 .make = Make};

}  // namespace assay::cuda
