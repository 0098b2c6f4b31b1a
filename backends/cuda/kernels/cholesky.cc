// Cholesky by panels of kFactorPanel columns. One block per matrix factors the square on the diagonal. One thread per
// row solves the rows below it. The rest to the right is updated tile by tile.
#include <fmt/format.h>

#include "backends/cuda/kernels/emitter.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/text.h"
#include "interpreter/types/float_format.h"

namespace assay::cuda {
namespace {

constexpr std::int64_t kFactorPanel = 32;

bool TakesCholesky(const HloInstruction& cholesky) {
  return cholesky.shape.element_type() == cholesky.operand(0).shape.element_type();
}

class Cholesky {
 public:
  explicit Cholesky(const HloComputation& fused)
      : fused_(fused),
        root_(*fused.root),
        type_(root_.shape.element_type()),
        is_complex_(IsComplexType(type_)),
        number_(is_complex_ ? "complex" : "f64"),
        n_(root_.shape.dimensions(root_.shape.rank() - 1)),
        size_(n_ * n_),
        matrices_(n_ == 0 ? 0 : ShapeUtil::ElementsIn(root_.shape) / size_) {}

  KernelProgram Make() {
    if (matrices_ == 0) return std::move(program_);
    program_.scratch_bytes = {matrices_ * size_ * (is_complex_ ? 16 : 8), matrices_ * 4};
    AddLoad();
    const KernelLaunch square = Square(), below = Below(), right = Right();
    for (std::int64_t first = 0; first < n_; first += kFactorPanel) {
      Add(square, first, matrices_);
      const std::int64_t rows = n_ - first - kFactorPanel;
      if (rows <= 0) break;
      Add(below, first, matrices_ * BlocksFor(rows));
      const std::int64_t tiles = BlocksFor(rows, kFactorPanel);
      Add(right, first, matrices_ * tiles * tiles);
    }
    AddStore();
    return std::move(program_);
  }

 private:
  // Returns a kernel with a number argument, whose body is `text`. The text uses T for the type of numbers, I for the
  // index type, and sizes by name.
  KernelLaunch Numbered(std::string_view text, int threads) const {
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    emitter.AddType(type_);
    body.Line(fmt::format("typedef {} T;", number_));
    body.Line(fmt::format("typedef {} I;", body.index_type()));
    body.Line(fmt::format("const I n = {}, panel = {}, first = (I)n0;", n_, kFactorPanel));
    body.Line("const I width = n - first < panel ? n - first : panel;");
    body.Line("const s32 t = threadIdx.x;");
    body.Line(text);
    EntryText entry = Form();
    entry.threads = threads;
    entry.numbers = 1;
    return {.text = TextOf(entry, emitter, body), .blocks = 1, .threads = threads, .arguments = ArgumentsOf(entry)};
  }

  EntryText Form() const { return {.fused = fused_, .scratch = {number_, "s32"}}; }

  void Add(KernelLaunch launch, std::int64_t first, std::int64_t blocks) {
    launch.blocks = blocks;
    launch.arguments.push_back({KernelArgument::kNumber, first});
    program_.launches.push_back(std::move(launch));
  }

  void Add(const ElementEmitter& emitter, const Body& body) {
    program_.launches.push_back(LaunchOf(Form(), emitter, body, BlocksFor(matrices_ * size_)));
  }

  struct Place {
    std::string matrix, row, column, mirrored;  // the last is the offset of the transposed element
  };
  Place PlaceOf(Body& body) const {
    DeclareThread(body, matrices_ * size_);
    Place place{.matrix = body.Quotient("i", size_), .row = {}, .column = body.Remainder("i", n_), .mirrored = {}};
    place.row = body.Remainder(body.Quotient("i", n_), n_);
    const std::string line = body.Sum(body.Product(place.matrix, n_), place.column);
    place.mirrored = body.Sum(body.Product(line, n_), place.row);
    return place;
  }

  // Loads the lower triangle, or the conjugate of the upper one.
  void AddLoad() {
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    const Place place = PlaceOf(body);
    const bool is_lower = root_.Bool("lower");
    body.Line(fmt::format("if ({} > {}) return;", place.column, place.row));
    const IndexText from = IndexText::AtOffset(is_lower ? "i" : place.mirrored);
    const std::string element = emitter.Element(root_.operand(0), from);
    const std::string number = body.Name(number_, fmt::format("({})value({})", number_, element));
    body.Line(fmt::format("x0[i] = {0} == {1} ? without_imaginary({2}) : {3};", place.row, place.column, number,
                          is_lower ? number : fmt::format("conjugate({})", number)));
    Add(emitter, body);
  }

  // x1 flags the matrices that are not positive definite.
  KernelLaunch Square() const {
    return Numbered(R"(
  __shared__ T square[32][33];
  __shared__ T pivot;
  T* const from = x0 + (I)blockIdx.x * n * n + first * n + first;
  for (I k = 0; k < width; ++k) {
    if (t <= k) square[k][t] = from[k * n + t];
  }
  bool is_positive = true;
  for (I k = 0; k < width; ++k) {
    __syncthreads();
    T element = square[t > k && t < width ? t : k][k];
    if (t >= k && t < width) {
      for (I p = 0; p < k; ++p) element = minus_product(element, square[t][p], conjugate(square[k][p]));
      if (t == k) pivot = element;
    }
    __syncthreads();
    const f64 square_of_root = real_part(pivot);
    is_positive = is_positive && square_of_root > 0 && square_of_root - square_of_root == 0;
    const f64 root = sqrt(square_of_root);
    if (t == k) square[t][k] = of_real(root, element);
    if (t > k && t < width) square[t][k] = quotient_of(element, root);
  }
  // Each has waited since others wrote what it stores; the last column is its own.
  for (I k = 0; k < width; ++k) {
    if (t <= k) from[k * n + t] = square[k][t];
  }
  if (t == 0 && (first == 0 || !is_positive)) x1[blockIdx.x] = is_positive ? 0 : 1;)",
                    kFactorPanel);
  }

  KernelLaunch Below() const {
    return Numbered(R"(
  __shared__ T square[32][33];
  const I blocks = (n - first - panel + 255) / 256;
  T* const matrix = x0 + (I)blockIdx.x / blocks * n * n;
  for (I k = t; k < panel * panel; k += 256) {
    if (k % panel <= k / panel) square[k / panel][k % panel] = matrix[(first + k / panel) * n + first + k % panel];
  }
  __syncthreads();
  const I row = first + panel + (I)blockIdx.x % blocks * 256 + t;
  if (row >= n) return;
  T* const own = matrix + row * n + first;
  T solved[32];
  for (I k = 0; k < panel; ++k) {
    T element = own[k];
    for (I p = 0; p < k; ++p) element = minus_product(element, solved[p], conjugate(square[k][p]));
    solved[k] = quotient_of(element, real_part(square[k][k]));
    own[k] = solved[k];
  })",
                    kThreads);
  }

  KernelLaunch Right() const {
    return Numbered(R"(
  __shared__ T rows[32][33];
  __shared__ T columns[32][33];
  const I begin = first + panel, tiles = (n - begin + panel - 1) / panel;
  const I row = begin + (I)blockIdx.x / tiles % tiles * panel, column = begin + (I)blockIdx.x % tiles * panel;
  if (column > row) return;
  T* const matrix = x0 + (I)blockIdx.x / tiles / tiles * n * n;
  for (I k = t; k < panel * panel; k += 256) {
    const I line = k / panel, p = k % panel;
    if (row + line < n) rows[line][p] = matrix[(row + line) * n + first + p];
    if (column + line < n) columns[line][p] = matrix[(column + line) * n + first + p];
  }
  __syncthreads();
  for (I k = t; k < panel * panel; k += 256) {
    const I i = k / panel, j = k % panel;
    if (row + i >= n || column + j > row + i) continue;
    T element = matrix[(row + i) * n + column + j];
    for (I p = 0; p < panel; ++p) element = minus_product(element, rows[i][p], conjugate(columns[j][p]));
    matrix[(row + i) * n + column + j] = element;
  })",
                    kThreads);
  }

  // Stores NaN throughout for a matrix that is not positive definite, and zeros in the other triangle.
  void AddStore() {
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    emitter.AddType(type_);
    const Place place = PlaceOf(body);
    const bool is_lower = root_.Bool("lower");
    const PrimitiveType part = ComplexComponentType(type_);
    std::string nan = fmt::format("To<{}>::of_bits({:#x}ull)", TypeText(part), FloatFormatOf(part).nan_bits(false));
    if (is_complex_) nan = fmt::format("{}{{{}, {}}}", TypeText(type_), nan, nan);
    body.Line(fmt::format("{} number = {};", number_, is_complex_ ? "complex{0, 0}" : "0"));
    body.Line(fmt::format("if ({} {} {}) number = {};", place.column, is_lower ? "<=" : ">=", place.row,
                          is_lower ? "x0[i]" : fmt::format("conjugate(x0[{}])", place.mirrored)));
    // The diagonal is real.
    body.Line(fmt::format("if ({} == {}) number = without_imaginary(number);", place.column, place.row));
    body.Line(fmt::format("r0[i] = x1[{}] != 0 ? {} : To<{}>::of(number);", place.matrix, nan, TypeText(type_)));
    Add(emitter, body);
  }

  const HloComputation& fused_;
  const HloInstruction& root_;
  PrimitiveType type_;
  bool is_complex_;
  std::string number_;
  std::int64_t n_;
  std::int64_t size_;
  std::int64_t matrices_;
  KernelProgram program_;
};

}  // namespace

const KernelKind kCholeskyKind = {
    .name = "cholesky", .takes = TakesCholesky, .reads_elements = ReadsAll, .make = MakeBy<Cholesky>};

}  // namespace assay::cuda
