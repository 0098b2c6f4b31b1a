// Convolutions by a library's matrix product. The kernel becomes a matrix of terms by columns. The terms of rows are
// gathered slab by slab, unless the input itself is their matrix. Unless the result in memory is the product, a launch
// moves each number to its place.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "backends/cuda/kernels/convolution.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/text.h"

namespace assay::cuda {
namespace {

// Below these limits, a convolution takes less time than preparing the matrices.
constexpr std::int64_t kLeastProducts = std::int64_t{1} << 26;
constexpr std::int64_t kLeastLibrarySide = 16;
// The limits of a slab of gathered terms.
constexpr std::int64_t kSlabBytes = std::int64_t{64} << 20;
constexpr std::int64_t kLeastRows = 256;

// The indices of scratch memory: 0 is a flag for a kernel with a number that is not finite. The kernel's matrix, a slab
// of terms and a slab of results follow, then the memory of the convolution without a library.
constexpr std::int64_t kKernel = 1, kTerms = 2, kResults = 3, kOthers = 4;

class ByLibrary {
 public:
  ByLibrary(const ConvolutionText& text, const Product& product)
      : text_(text),
        product_(product),
        type_(text.input().shape.element_type()),
        result_type_(text.root().shape.element_type()),
        has_matrix_(text.IsInputMatrix() && text.input().op->role == OpRole::kParameter),
        is_matrix_(text.IsOutputMatrix()),
        slab_(text.rows()) {
    if (!has_matrix_) slab_ = std::min(slab_, kSlabBytes / (text.groups() * text.terms() * StorageBytes(type_)));
  }

  static bool MayTake(const ConvolutionText& text) {
    const HloInstruction& root = text.root();
    const bool has_algorithm = root.Has("algorithm") && root.String("algorithm") != "dot_unset";
    const PrimitiveType type = text.input().shape.element_type();
    if (has_algorithm || text.kernel().shape.element_type() != type || !IsProductOfNumbers(root)) return false;
    if (text.columns() < kLeastLibrarySide || text.terms() < kLeastLibrarySide || text.rows() < kLeastRows)
      return false;
    const std::int64_t rows_bytes = text.groups() * text.terms() * kLeastRows * StorageBytes(type);
    const std::int64_t products = text.columns() * text.groups() * text.terms();
    return rows_bytes <= kSlabBytes && text.rows() >= kLeastProducts / products;
  }

  KernelProgram::OfLibrary Launches() {
    const std::int64_t groups = text_.groups(), terms = text_.terms(), columns = text_.columns();
    const std::int64_t bytes = StorageBytes(type_), result_bytes = StorageBytes(result_type_);
    KernelProgram::OfLibrary by_library;
    by_library.scratch_bytes = {sizeof(std::uint32_t), groups * terms * columns * bytes,
                                has_matrix_ ? 1 : groups * slab_ * terms * bytes,
                                is_matrix_ ? 1 : groups * slab_ * columns * result_bytes};
    by_library.launches.push_back(Flag());
    by_library.launches.push_back(PackKernel());
    const KernelLaunch gather = has_matrix_ ? KernelLaunch() : GatherTerms();
    const KernelLaunch scatter = is_matrix_ ? KernelLaunch() : ScatterResults();
    for (std::int64_t first = 0; first < text_.rows(); first += slab_) {
      const std::int64_t rows = std::min(slab_, text_.rows() - first);
      if (!has_matrix_) by_library.launches.push_back(OfRows(gather, first, rows, groups * rows * terms));
      const LibraryProduct product = {
          .matmul = {.operand_type = type_,
                     .result_type = result_type_,
                     .batch = groups,
                     .m = rows,
                     .n = columns,
                     .k = terms},
          .lhs = {has_matrix_ ? KernelArgument::kOperand : KernelArgument::kScratch,
                  has_matrix_ ? text_.input().parameter_number : kTerms},
          .rhs = {KernelArgument::kScratch, kKernel},
          .result = {is_matrix_ ? KernelArgument::kResult : KernelArgument::kScratch, is_matrix_ ? 0 : kResults},
          .result_offset = is_matrix_ ? first * columns * result_bytes : 0};
      by_library.launches.push_back({.text = {}, .arguments = {}, .product = product});
      if (!is_matrix_) by_library.launches.push_back(OfRows(scatter, first, rows, groups * rows * columns));
    }
    if (text_.window().MayBeOutside()) AddOthers(by_library);
    return by_library;
  }

 private:
  // Adds the convolution without a library, which runs only if the kernel has a number that is not finite. The
  // library's sums contain the product of that number with a zero on padding, which is no term.
  void AddOthers(KernelProgram::OfLibrary& by_library) const {
    Product product = product_;
    product.is_optional = true;
    KernelProgram others = ProgramOf(product);
    by_library.scratch_bytes.insert(by_library.scratch_bytes.end(), others.scratch_bytes.begin() + 1,
                                    others.scratch_bytes.end());
    for (KernelLaunch& launch : others.launches) {
      for (KernelArgument& argument : launch.arguments) {
        if (argument.kind == KernelArgument::kScratch && argument.index > 0) argument.index += kOthers - 1;
      }
      by_library.launches.push_back(std::move(launch));
    }
  }

  EntryText Entry(int numbers) const {
    const std::string type(TypeText(type_)), result(TypeText(result_type_));
    return {.fused = text_.fused(), .scratch = {"u32", type, type, result}, .numbers = numbers};
  }
  // Returns the launch for `rows` rows from `first` on.
  static KernelLaunch OfRows(KernelLaunch launch, std::int64_t first, std::int64_t rows, std::int64_t count) {
    launch.blocks = BlocksFor(count);
    launch.arguments.push_back({KernelArgument::kNumber, first});
    launch.arguments.push_back({KernelArgument::kNumber, rows});
    return launch;
  }

  KernelLaunch Flag() const {
    Body body(/*is_wide=*/false);
    ElementEmitter emitter(body);
    DeclareThread(body, 1);
    body.Line("x0[0] = 0;");
    return LaunchOf(Entry(0), emitter, body, BlocksFor(1));
  }

  KernelLaunch PackKernel() const {
    const std::int64_t count = text_.groups() * text_.terms() * text_.columns();
    Body body(IsWide(text_.fused()));
    ElementEmitter emitter(body);
    DeclareThread(body, count);
    const std::int64_t sizes[] = {text_.groups(), text_.terms(), text_.columns()};
    const std::vector<std::string> at = body.PlacesOf(IndexText::AtOffset("i"), sizes);
    const std::string element = emitter.Element(text_.kernel(), text_.KernelAt(body, at[0], at[2], at[1]));
    body.Line(fmt::format("x{}[i] = {};", kKernel, element));
    const std::string value = fmt::format("value({})", element);
    const std::string is_finite =
        fmt::format(IsComplexType(type_) ? fmt::runtime("is_finite({0}.real) && is_finite({0}.imag)")
                                         : fmt::runtime("is_finite({0})"),
                    value);
    body.Line(fmt::format("if (!({})) atomicOr(x0, 1u);", is_finite));
    return LaunchOf(Entry(0), emitter, body, BlocksFor(count));
  }

  // Declares "group", "row" and `across`, of which each row has `count`. `across` runs fastest, or the rows do.
  void PlaceInSlab(Body& body, std::int64_t count, const std::string& across, bool is_row_fastest) const {
    const std::string_view index = body.index_type();
    body.Line(fmt::format("const {0} i = ({0})blockIdx.x * {1} + threadIdx.x, rows = ({0})n1;", index, kThreads));
    body.Line(fmt::format("if (i >= rows * {}) return;", text_.groups() * count));
    body.Line(is_row_fastest ? fmt::format("const {} in_slab = i % rows, {} = i / rows % {};", index, across, count)
                             : fmt::format("const {0} {1} = i % {2}, in_slab = i / {2} % rows;", index, across, count));
    body.Line(fmt::format("const {0} group = i / (rows * {1}), row = ({0})n0 + in_slab;", index, count));
  }

  bool IsWideSlab(std::int64_t count) const {
    return IsWide(text_.fused()) || text_.window().IsWide() || text_.groups() * slab_ * count >= std::int64_t{1} << 30;
  }
  std::string Group() const { return text_.groups() == 1 ? "0" : "group"; }

  KernelLaunch GatherTerms() const {
    Body body(IsWideSlab(text_.terms()));
    ElementEmitter emitter(body);
    PlaceInSlab(body, text_.terms(), "k", /*is_row_fastest=*/false);
    std::string condition;
    const IndexText index = text_.InputAt(body, Group(), "row", "k", condition);
    const std::string place = fmt::format("x{}[i]", kTerms);
    if (!condition.empty()) body.Open(fmt::format("if ({}) {{", condition));
    body.Line(fmt::format("{} = {};", place, emitter.Element(text_.input(), index)));
    if (!condition.empty()) {
      body.Close();
      const std::array<std::byte, 16> zero = {};
      body.Line(fmt::format("else {} = {};", place, ElementText(type_, zero.data())));
    }
    return LaunchOf(Entry(2), emitter, body, BlocksFor(1));
  }

  KernelLaunch ScatterResults() const {
    Body body(IsWideSlab(text_.columns()));
    ElementEmitter emitter(body);
    PlaceInSlab(body, text_.columns(), "j", /*is_row_fastest=*/!text_.HasOutputsInside());
    const std::string from = fmt::format("(group * rows + in_slab) * {} + j", text_.columns());
    body.Line(fmt::format("r0[{}] = x{}[{}];", text_.OutputAt(body, Group(), "row", "j"), kResults, from));
    return LaunchOf(Entry(2), emitter, body, BlocksFor(1));
  }

  const ConvolutionText& text_;
  const Product& product_;
  const PrimitiveType type_, result_type_;
  const bool has_matrix_, is_matrix_;
  std::int64_t slab_;
};

}  // namespace

std::optional<KernelProgram::OfLibrary> ConvolutionByLibrary(const ConvolutionText& text, const Product& product) {
  if (!ByLibrary::MayTake(text)) return std::nullopt;
  return ByLibrary(text, product).Launches();
}

}  // namespace assay::cuda
