// FFT by Stockham's algorithm: one pass for each factor of a length, and one thread for each number of a pass. A factor
// may be any number: large primes are summed directly.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/emitter.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/text.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"

namespace assay::cuda {
namespace {

// The limit up to which small factors are merged.
constexpr std::int64_t kMostTogether = 16;

// True if the lengths are those of the operand. The reference reports all others.
bool TakesFft(const HloInstruction& fft) {
  const auto lengths = fft.Int64s("fft_length");
  const Shape& operand = fft.operand(0).shape;
  std::vector<std::int64_t> expected(lengths.begin(), lengths.end());
  if (fft.String("fft_type") == "IRFFT") expected.back() = expected.back() / 2 + 1;
  return std::ranges::equal(expected, std::span(operand.dimensions()).last(lengths.size()));
}

std::vector<std::int64_t> FactorsOf(std::int64_t length) {
  std::vector<std::int64_t> factors;
  std::int64_t together = 1;
  for (std::int64_t prime = 2; length > 1; ++prime) {
    if (prime * prime > length) prime = length;
    for (; length % prime == 0; length /= prime) {
      if (together > 1 && together * prime > kMostTogether) {
        factors.push_back(together);
        together = 1;
      }
      together *= prime;
    }
  }
  if (together > 1) factors.push_back(together);
  return factors;
}

class Fourier {
 public:
  explicit Fourier(const HloComputation& fused)
      : fused_(fused),
        root_(*fused.root),
        type_(root_.String("fft_type")),
        lengths_(root_.Int64s("fft_length").begin(), root_.Int64s("fft_length").end()),
        is_inverse_(type_ == "IFFT" || type_ == "IRFFT"),
        size_(assay::Product(lengths_)),
        half_(lengths_.back() / 2 + 1),
        transforms_(size_ == 0 ? 0 : ShapeUtil::ElementsIn(root_.shape) / ResultsOfOne()) {}

  KernelProgram Make() {
    if (transforms_ == 0) return std::move(program_);
    scratch_ = {"complex", "complex", "s32"};
    program_.scratch_bytes = {transforms_ * size_ * 16, transforms_ * size_ * 16, transforms_ * 4};
    for (const std::int64_t length : lengths_) {
      scratch_.emplace_back("complex");
      program_.scratch_bytes.push_back(length * 16);
    }
    for (std::size_t axis = 0; axis < lengths_.size(); ++axis) AddRoots(axis);
    AddFlags();
    AddLoad();
    // A half spectrum is completed before the last axis.
    row_ = type_ == "IRFFT" ? half_ : lengths_.back();
    for (std::size_t axis = 0; axis < lengths_.size(); ++axis) {
      if (axis + 1 == lengths_.size() && type_ == "IRFFT") AddCompletion();
      AddPasses(axis);
    }
    AddStore();
    return std::move(program_);
  }

 private:
  std::int64_t ResultsOfOne() const { return type_ == "RFFT" ? size_ / lengths_.back() * half_ : size_; }
  std::int64_t RowsOfOne() const { return size_ / lengths_.back(); }

  // The text of a launch with one thread for each of `count` numbers. Passes read x0 and write x1, and swap the two.
  struct Writing {
    explicit Writing(const HloComputation& fused) : body(IsWide(fused)), emitter(body) { emitter.AddType(C128); }
    Body body;
    ElementEmitter emitter;
  };
  KernelLaunch& Add(const Writing& writing, std::int64_t count, int numbers = 0) {
    const EntryText entry = {.fused = fused_, .scratch = scratch_, .numbers = numbers};
    KernelLaunch launch = {.text = TextOf(entry, writing.emitter, writing.body),
                           .blocks = BlocksFor(count),
                           .threads = kThreads,
                           .arguments = ArgumentsOf(entry)};
    for (KernelArgument& argument : launch.arguments) {
      if (is_turned_ && argument.kind == KernelArgument::kScratch && argument.index < 2) argument.index ^= 1;
    }
    program_.launches.push_back(std::move(launch));
    return program_.launches.back();
  }

  void AddRoots(std::size_t axis) {
    Writing to(fused_);
    DeclareThread(to.body, lengths_[axis]);
    to.body.Line(fmt::format("const complex root = root_of_unity(i, {});", lengths_[axis]));
    to.body.Line(fmt::format("x{}[i] = complex{{root.real, {}root.imag}};", axis + 3, is_inverse_ ? "" : "-"));
    Add(to, lengths_[axis]);
  }

  void AddFlags() {
    Writing to(fused_);
    DeclareThread(to.body, transforms_);
    to.body.Line("x2[i] = 0;");
    Add(to, transforms_);
  }

  // x2 flags the transforms with an element that is not finite.
  void AddLoad() {
    Writing to(fused_);
    const HloInstruction& operand = root_.operand(0);
    const std::int64_t count = ShapeUtil::ElementsIn(operand.shape);
    DeclareThread(to.body, count);
    const std::string element = to.emitter.Element(operand, IndexText::AtOffset("i"));
    const bool is_complex = IsComplexType(operand.shape.element_type());
    to.body.Line(is_complex ? fmt::format("const complex number = value({});", element)
                            : fmt::format("const complex number = {{(f64){}, 0}};", element));
    to.body.Line(fmt::format("if (!is_number(number.real) || !is_number(number.imag)) x2[{}] = 1;",
                             to.body.Quotient("i", count / transforms_)));
    to.body.Line("x0[i] = number;");
    Add(to, count);
  }

  void AddCompletion() {
    Writing to(fused_);
    const std::int64_t length = lengths_.back(), count = transforms_ * size_;
    DeclareThread(to.body, count);
    const std::string at = to.body.Remainder("i", length);
    const std::string line = to.body.Product(to.body.Quotient("i", length), half_);
    to.body.Line(fmt::format("const bool is_mirrored = {} >= {};", at, half_));
    to.body.Line(fmt::format("complex number = x0[{} + (is_mirrored ? {} - {} : {})];", line, length, at, at));
    to.body.Line("if (is_mirrored) number.imag = -number.imag;");
    to.body.Line(fmt::format("if ({0} == 0 || 2 * {0} == {1}) number.imag = 0;", at, length));
    to.body.Line("x1[i] = number;");
    Add(to, count);
    is_turned_ = !is_turned_;
    row_ = length;
  }

  void AddPasses(std::size_t axis) {
    const std::int64_t length = lengths_[axis], count = transforms_ * RowsOfOne() * row_;
    std::int64_t inner = axis + 1 == lengths_.size() ? 1 : row_;
    for (std::size_t d = axis + 1; d + 1 < lengths_.size(); ++d) inner *= lengths_[d];
    std::int64_t before = 1;  // the length of the transforms that are done
    for (const std::int64_t factor : FactorsOf(length)) {
      Writing to(fused_);
      Body& body = to.body;
      const std::string_view type = body.index_type();
      DeclareThread(body, count);
      const std::string at = body.Remainder(body.Quotient("i", inner), length);
      const std::string line =
          body.Sum(body.Product(body.Quotient("i", inner * length), inner * length), body.Remainder("i", inner));
      body.Line(fmt::format("const {0} before = ({0})n0, size = before * {1};", type, factor));
      body.Line(fmt::format("const {} within = {} % size;", type, at));
      body.Line(fmt::format("const {} first = {} / size * before + within % before;", type, at));
      body.Line(fmt::format("x1[i] = fourier_sum<{}, {}>(x0 + {} + first * {}, {}, x{}, {} / size, within, size);",
                            factor, type, line, inner, length / factor * inner, axis + 3, length));
      Add(to, count, 1).arguments.push_back({KernelArgument::kNumber, before});
      is_turned_ = !is_turned_;
      before *= factor;
    }
  }

  void AddStore() {
    Writing to(fused_);
    const PrimitiveType type = root_.shape.element_type(), part = ComplexComponentType(type);
    const std::int64_t count = ShapeUtil::ElementsIn(root_.shape), length = lengths_.back();
    to.emitter.AddType(type);
    DeclareThread(to.body, count);
    std::string from = "i";
    if (type_ == "RFFT") {
      from = to.body.Sum(to.body.Product(to.body.Quotient("i", half_), length), to.body.Remainder("i", half_));
    }
    to.body.Line(fmt::format("complex number = x0[{}];", from));
    if (is_inverse_) to.body.Line(fmt::format("number = complex{{number.real / {0}.0, number.imag / {0}.0}};", size_));
    const std::string nan =
        fmt::format("To<{}>::of_bits({:#x}ull)", TypeText(part), FloatFormatOf(part).nan_bits(false));
    to.body.Line(fmt::format("const bool is_nan = x2[{}] != 0;", to.body.Quotient("i", ResultsOfOne())));
    if (IsComplexType(type)) {
      to.body.Line(fmt::format("r0[i] = is_nan ? {0}{{{1}, {1}}} : To<{0}>::of(number);", TypeText(type), nan));
    } else {
      to.body.Line(fmt::format("r0[i] = is_nan ? {} : ({})number.real;", nan, TypeText(type)));
    }
    Add(to, count);
  }

  const HloComputation& fused_;
  const HloInstruction& root_;
  std::string_view type_;
  Dimensions lengths_;
  bool is_inverse_;
  std::int64_t size_;
  std::int64_t half_;
  std::int64_t transforms_;
  std::int64_t row_ = 0;  // numbers of a row in x0
  bool is_turned_ = false;
  std::vector<std::string> scratch_;
  KernelProgram program_;
};

}  // namespace

const KernelKind kFftKind = {.name = "fft", .takes = TakesFft, .reads_elements = ReadsAll, .make = MakeBy<Fourier>};

}  // namespace assay::cuda
