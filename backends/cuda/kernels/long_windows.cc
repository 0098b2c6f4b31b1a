// Windows that are long in one dimension, such as those of cumulative sums. One thread per element of the operand
// computes the folds of 2, 4, 8 and so on elements from that element on, each from two folds of half the length. A
// window combines, in order, one fold for each bit of its own length. This takes n log w steps for n windows of length
// w, instead of n w.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/cuda/kernels/applied.h"
#include "backends/cuda/kernels/element_wise.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/folding.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/sums.h"
#include "backends/cuda/kernels/windows.h"
#include "interpreter/types/index_util.h"

namespace assay::cuda {
namespace {

// The cost of a step in steps of a window by itself. A step here moves three accumulators to and from memory, while a
// window's own step usually finds its element in a cache.
constexpr std::int64_t kStepsForOne = 32;

struct LongWindow {
  std::size_t dimension = 0;
  WindowDimension window;
  std::int64_t base = 1, positions = 1;  // of the dimension
  std::int64_t inner = 1;                // elements of the dimensions after it

  // Return the most elements under a window, and the number of bits of that number.
  std::int64_t Most() const { return std::min(window.size, base); }
  int Lengths() const { return std::bit_width(static_cast<std::uint64_t>(Most())); }
};

std::optional<LongWindow> LongWindowOf(const HloInstruction& reduce_window) {
  const Shape &base = reduce_window.operand(0).shape, &result = ResultShape(reduce_window);
  const Window window = reduce_window.window();
  std::optional<LongWindow> found;
  for (std::size_t d = 0; d < window.dimensions.size(); ++d) {
    const WindowDimension& dimension = window.dimensions[d];
    const bool is_plain = dimension.size == 1 && dimension.stride == 1 && dimension.padding_low == 0 &&
                          dimension.padding_high == 0 && dimension.base_dilation == 1;
    if (is_plain) {
      if (found) found->inner *= base.dimensions(static_cast<std::int64_t>(d));
      continue;
    }
    if (found || dimension.base_dilation != 1 || dimension.window_dilation != 1) return std::nullopt;
    found = LongWindow{.dimension = d,
                       .window = dimension,
                       .base = base.dimensions(static_cast<std::int64_t>(d)),
                       .positions = result.dimensions(static_cast<std::int64_t>(d))};
  }
  return found;
}

bool TakesLongWindows(const HloInstruction& reduce_window) {
  const HloComputation& computation = reduce_window.Computation("to_apply");
  const std::optional<LongWindow> window = LongWindowOf(reduce_window);
  if (!window || !Folding::Takes(computation) || !Folding(computation).IsFree()) return false;
  // The limit ensures that places fit into 64 bits.
  constexpr std::int64_t kFar = std::int64_t{1} << 59;
  const WindowDimension& dimension = window->window;
  if (std::max({dimension.size, dimension.padding_low, -dimension.padding_low, dimension.stride}) >= kFar) return false;
  if (dimension.stride >= kFar / std::max<std::int64_t>(window->positions, 1)) return false;
  const auto elements = static_cast<double>(ShapeUtil::ElementsIn(reduce_window.operand(0).shape));
  const auto results = static_cast<double>(ShapeUtil::ElementsIn(ResultShape(reduce_window)));
  return static_cast<double>(window->Most()) * results > kStepsForOne * window->Lengths() * std::max(elements, results);
}

bool LongWindowsReadsAgain(const HloInstruction& reduce_window, std::size_t i) {
  return i >= reduce_window.operands.size() / 2;
}

class LongWindows {
 public:
  explicit LongWindows(const HloComputation& fused)
      : fused_(fused),
        root_(*fused.root),
        window_(*LongWindowOf(root_)),
        folding_(root_.Computation("to_apply")),
        elements_(ShapeUtil::ElementsIn(root_.operand(0).shape)),
        results_(ShapeUtil::ElementsIn(ResultShape(root_))),
        is_wide_(IsWide(fused) || window_.window.stride * window_.positions + window_.window.size +
                                          std::abs(window_.window.padding_low) >=
                                      1 << 30) {}

  KernelProgram Make() const {
    KernelProgram program;
    for (const std::int64_t count : {elements_, elements_, results_}) {
      for (std::size_t i = 0; i < folding_.size(); ++i) {
        program.scratch_bytes.push_back(count * folding_.AccumulatorBytes(i));
      }
    }
    program.launches.push_back(Start());
    KernelLaunch step = Step();
    for (int k = 0; k < window_.Lengths(); ++k) {
      step.arguments.back().index = k;
      program.launches.push_back(step);
      // The next step reads the results of this one.
      for (KernelArgument& argument : step.arguments) {
        const auto size = static_cast<std::int64_t>(folding_.size());
        if (argument.kind != KernelArgument::kScratch || argument.index >= 2 * size) continue;
        argument.index += argument.index < size ? size : -size;
      }
    }
    program.launches.push_back(Store());
    return program;
  }

 private:
  // Scratch memory: the folds from each element on, the folds of twice the length, and the windows.
  std::string From(std::size_t i, const std::string& at) const { return fmt::format("x{}[{}]", i, at); }
  std::string To(std::size_t i) const { return fmt::format("x{}[i]", folding_.size() + i); }
  std::string OfWindow(std::size_t i) const { return fmt::format("x{}[i]", 2 * folding_.size() + i); }

  template <class Write>
  KernelLaunch Launch(std::int64_t count, int numbers, Write write) const {
    EntryText entry{.fused = fused_, .numbers = numbers};
    for (int part = 0; part < 3; ++part) {
      for (std::size_t i = 0; i < folding_.size(); ++i) entry.scratch.emplace_back(folding_.AccumulatorType(i));
    }
    Body body(is_wide_);
    ElementEmitter emitter(body);
    DeclareThread(body, count);
    write(body, emitter);
    return LaunchOf(entry, emitter, body, BlocksFor(count));
  }

  KernelLaunch Start() const {
    return Launch(std::max(elements_, results_), 0, [&](Body& body, ElementEmitter& emitter) {
      const auto write = [&](std::int64_t count, std::size_t first, const std::string& index, auto target) {
        body.Open(fmt::format("if (i < {}) {{", count));
        for (std::size_t i = 0; i < folding_.size(); ++i) {
          const HloInstruction& operand = root_.operand(static_cast<std::int64_t>(first + i));
          const std::string element = emitter.Element(operand, IndexText::AtOffset(index));
          body.Line(fmt::format("{} = {};", target(i), folding_.OfElement(element)));
        }
        body.Close();
      };
      write(elements_, 0, "i", [&](std::size_t i) { return From(i, "i"); });
      write(results_, folding_.size(), "0", [&](std::size_t i) { return OfWindow(i); });
    });
  }

  // Number 0 is the binary logarithm of the length.
  KernelLaunch Step() const {
    KernelLaunch launch = Launch(std::max(elements_, results_), 1, [&](Body& body, ElementEmitter& emitter) {
      const std::string_view index = body.index_type();
      body.Line(fmt::format("const {0} length = ({0})1 << n0;", index));
      const auto combine = [&](auto target, const std::string& others) {
        std::vector<std::string> sums, more;
        for (std::size_t i = 0; i < folding_.size(); ++i) {
          sums.push_back(fmt::format("a{}", i));
          more.push_back(From(i, others));
          body.Line(fmt::format("{} a{} = {};", folding_.AccumulatorType(i), i, target(i)));
        }
        folding_.Combine(sums, more, body, emitter);
        return sums;
      };
      body.Open(fmt::format("if (i < {}) {{", results_));
      body.Line(fmt::format("const {} from = i / {} % {} * {} - ({});", index, window_.inner, window_.positions,
                            window_.window.stride, window_.window.padding_low));
      body.Line(fmt::format("const {0} begin = from < 0 ? 0 : from, end = from + {1} < {2} ? from + {1} : {2};", index,
                            window_.window.size, window_.base));
      body.Line(fmt::format("const {} count = end - begin;", index));
      body.Open("if (count > 0 && (count & length) != 0) {");
      body.Line(fmt::format("const {0} at = (i / {1} * {2} + begin + (count & (length - 1))) * {3} + i % {3};", index,
                            window_.inner * window_.positions, window_.base, window_.inner));
      const std::vector<std::string> sums = combine([&](std::size_t i) { return OfWindow(i); }, "at");
      for (std::size_t i = 0; i < folding_.size(); ++i) body.Line(fmt::format("{} = {};", OfWindow(i), sums[i]));
      body.Close();
      body.Close();
      // The last step needs no longer folds.
      body.Open(fmt::format("if (i < {} && n0 < {}) {{", elements_, window_.Lengths() - 1));
      body.Open(fmt::format("if (i / {} % {} + length < {}) {{", window_.inner, window_.base, window_.base));
      const std::vector<std::string> longer =
          combine([&](std::size_t i) { return From(i, "i"); }, fmt::format("i + length * {}", window_.inner));
      for (std::size_t i = 0; i < folding_.size(); ++i) body.Line(fmt::format("{} = {};", To(i), longer[i]));
      body.Close();
      body.Open("else {");
      for (std::size_t i = 0; i < folding_.size(); ++i) body.Line(fmt::format("{} = {};", To(i), From(i, "i")));
      body.Close();
      body.Close();
    });
    launch.arguments.push_back({KernelArgument::kNumber, 0});
    return launch;
  }

  KernelLaunch Store() const {
    return Launch(results_, 0, [&](Body& body, ElementEmitter&) {
      for (std::size_t i = 0; i < folding_.size(); ++i) {
        body.Line(fmt::format("r{}[i] = {};", i, folding_.ToElement(i, OfWindow(i))));
      }
    });
  }

  const HloComputation& fused_;
  const HloInstruction& root_;
  LongWindow window_;
  Folding folding_;
  std::int64_t elements_, results_;
  bool is_wide_;
};

}  // namespace

const KernelKind kLongWindowKind = {.name = "long windows",
                                    .ops = [] { return std::vector<std::string_view>{"reduce-window"}; },
                                    .takes = TakesLongWindows,
                                    .reads_elements = ReadsAll,
                                    .reads_again = LongWindowsReadsAgain,
                                    .is_exact = IsSameInAnyOrder,
                                    .make = MakeBy<LongWindows>};

}  // namespace assay::cuda
