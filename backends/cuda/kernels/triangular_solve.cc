// Triangular-solve by panels of kSolvePanel rows of the systems. One thread per system solves the rows of a panel; the
// rows that depend on them are updated tile by tile.
#include <fmt/format.h>

#include "backends/cuda/kernels/emitter.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/text.h"

namespace assay::cuda {
namespace {

constexpr std::int64_t kSolvePanel = 32;
constexpr std::int64_t kSystems = 64;  // systems that a block solves

bool TakesTriangularSolve(const HloInstruction& solve) {
  return solve.shape.element_type() == solve.operand(1).shape.element_type();
}
bool TriangularSolveReadsAgain(const HloInstruction&, std::size_t i) { return i == 0; }

// Systems m x = y, where m is a or its transpose: x op(a) = b is equivalent to op(a)^T x^T = b^T.
class TriangularSolve {
 public:
  explicit TriangularSolve(const HloComputation& fused)
      : fused_(fused),
        root_(*fused.root),
        type_(root_.shape.element_type()),
        is_complex_(IsComplexType(type_)),
        number_(is_complex_ ? "complex" : "f64"),
        left_side_(root_.Bool("left_side")),
        swaps_((root_.String("transpose_a") != "NO_TRANSPOSE") == left_side_),
        conjugates_(root_.String("transpose_a") == "ADJOINT"),
        is_lower_(root_.Bool("lower") != swaps_),
        n_(root_.operand(0).shape.dimensions(root_.shape.rank() - 1)),
        systems_(root_.shape.dimensions(root_.shape.rank() - (left_side_ ? 1 : 2))),
        count_(ShapeUtil::ElementsIn(root_.shape)) {}

  KernelProgram Make() {
    if (count_ == 0) return std::move(program_);
    const std::int64_t matrices = count_ / n_ / systems_;
    program_.scratch_bytes = {count_ * (is_complex_ ? 16 : 8)};
    AddLoad();
    const KernelLaunch panel = Panel(), rest = Rest();
    for (std::int64_t done = 0; done < n_; done += kSolvePanel) {
      Add(panel, done, matrices * BlocksFor(systems_, kSystems));
      const std::int64_t rows = n_ - done - kSolvePanel;
      if (rows > 0) Add(rest, done, matrices * BlocksFor(rows, kSolvePanel) * BlocksFor(systems_, kSolvePanel));
    }
    AddStore();
    return std::move(program_);
  }

 private:
  EntryText Form() const { return {.fused = fused_, .scratch = {number_}}; }

  void Add(KernelLaunch launch, std::int64_t done, std::int64_t blocks) {
    launch.blocks = blocks;
    launch.arguments.push_back({KernelArgument::kNumber, done});
    program_.launches.push_back(std::move(launch));
  }

  void Add(const ElementEmitter& emitter, const Body& body) {
    program_.launches.push_back(LaunchOf(Form(), emitter, body, BlocksFor(count_)));
  }

  // Returns the place in b and in the result of element `i` of x0, whose rows are those of the systems.
  std::string PlaceOf(Body& body) const {
    DeclareThread(body, count_);
    if (left_side_) return "i";
    const std::string matrix = body.Quotient("i", n_ * systems_);
    const std::string row = body.Remainder(body.Quotient("i", systems_), n_);
    const std::string line = body.Sum(body.Product(matrix, systems_), body.Remainder("i", systems_));
    return body.Sum(body.Product(line, n_), row);
  }

  void AddLoad() {
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    const std::string place = PlaceOf(body);
    body.Line(
        fmt::format("x0[i] = ({})value({});", number_, emitter.Element(root_.operand(1), IndexText::AtOffset(place))));
    Add(emitter, body);
  }

  void AddStore() {
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    emitter.AddType(type_);
    const std::string place = PlaceOf(body);
    body.Line(
        fmt::format("r0[{}] = To<{}>::of({});", place, TypeText(type_), is_complex_ ? "x0[i]" : "settled(x0[i])"));
    Add(emitter, body);
  }

  // Returns a kernel for which n0 rows are already solved, from the top or from the bottom.
  KernelLaunch Numbered(std::string_view text, int threads) const {
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    emitter.AddType(type_);
    body.Line(fmt::format("typedef {} T;", number_));
    body.Line(fmt::format("typedef {} I;", body.index_type()));
    body.Line(fmt::format("const I n = {}, systems = {}, panel = {}, done = (I)n0;", n_, systems_, kSolvePanel));
    body.Line("const I width = n - done < panel ? n - done : panel;");
    body.Line("const s32 t = threadIdx.x;");
    // Rows and columns are numbered in the order of the substitution.
    body.Line(
        fmt::format("const auto in_order = [&](const I row) {{ return {}; }};", is_lower_ ? "row" : "n - 1 - row"));
    body.Open("const auto coefficient = [&](const I matrix, const I row, const I column) -> T {");
    body.Line(fmt::format("const I at = (matrix * n + in_order({})) * n + in_order({});", swaps_ ? "column" : "row",
                          swaps_ ? "row" : "column"));
    const std::string element = emitter.Element(root_.operand(0), IndexText::AtOffset("at"));
    const std::string number = fmt::format("({})value({})", number_, element);
    body.Line(conjugates_ ? fmt::format("return conjugate({});", number) : fmt::format("return {};", number));
    body.Close("};");
    body.Line(text);
    EntryText entry = Form();
    entry.threads = threads;
    entry.numbers = 1;
    return {.text = TextOf(entry, emitter, body), .blocks = 1, .threads = threads, .arguments = ArgumentsOf(entry)};
  }

  KernelLaunch Panel() const {
    const std::string_view divides = root_.Bool("unit_diagonal") ? "" : "element = quotient_of(element, square[k][k]);";
    return Numbered(fmt::format(R"(
  __shared__ T square[32][33];
  const I blocks = (systems + {0} - 1) / {0};
  const I matrix = (I)blockIdx.x / blocks;
  for (I k = t; k < width * width; k += {0}) {{
    const I row = k / width, column = k % width;
    if (column <= row) square[row][column] = coefficient(matrix, done + row, done + column);
  }}
  __syncthreads();
  const I system = (I)blockIdx.x % blocks * {0} + t;
  if (system >= systems) return;
  T* const x = x0 + matrix * n * systems + system;
  T solved[32];
  for (I k = 0; k < width; ++k) {{
    T element = x[in_order(done + k) * systems];
    for (I p = 0; p < k; ++p) element = minus_product(element, square[k][p], solved[p]);
    {1}
    solved[k] = element;
    x[in_order(done + k) * systems] = element;
  }})",
                                kSystems, divides),
                    kSystems);
  }

  KernelLaunch Rest() const {
    return Numbered(R"(
  __shared__ T rows[32][33];
  __shared__ T solved[32][33];
  const I begin = done + panel, tiles = (n - begin + panel - 1) / panel, across = (systems + panel - 1) / panel;
  const I matrix = (I)blockIdx.x / across / tiles;
  const I row = begin + (I)blockIdx.x / across % tiles * panel, system = (I)blockIdx.x % across * panel;
  T* const x = x0 + matrix * n * systems;
  for (I k = t; k < panel * panel; k += 256) {
    const I i = k / panel, j = k % panel;
    if (row + i < n) rows[i][j] = coefficient(matrix, row + i, done + j);
    if (system + j < systems) solved[i][j] = x[in_order(done + i) * systems + system + j];
  }
  __syncthreads();
  for (I k = t; k < panel * panel; k += 256) {
    const I i = k / panel, j = k % panel;
    if (row + i >= n || system + j >= systems) continue;
    T element = x[in_order(row + i) * systems + system + j];
    for (I p = 0; p < panel; ++p) element = minus_product(element, rows[i][p], solved[p][j]);
    x[in_order(row + i) * systems + system + j] = element;
  })",
                    kThreads);
  }

  const HloComputation& fused_;
  const HloInstruction& root_;
  PrimitiveType type_;
  bool is_complex_;
  std::string number_;
  bool left_side_;
  bool swaps_;
  bool conjugates_;
  bool is_lower_;
  std::int64_t n_;
  std::int64_t systems_;
  std::int64_t count_;
  KernelProgram program_;
};

}  // namespace

const KernelKind kTriangularSolveKind = {.name = "triangular-solve",
                                         .takes = TakesTriangularSolve,
                                         .reads_elements = ReadsAll,
                                         .reads_again = TriangularSolveReadsAgain,
                                         .make = MakeBy<TriangularSolve>};

}  // namespace assay::cuda
