// The kernels of sums of products. Large products use tiles: a block keeps rows of both sides in shared memory, and
// each thread computes a square of results. All others are folds, with threads that share a result. Few results of long
// sums are split among blocks in either case.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/doubts.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/product.h"
#include "backends/cuda/kernels/sums.h"
#include "backends/cuda/kernels/tree.h"

namespace assay::cuda {
namespace {

constexpr std::int64_t kDepth = 16;   // depth of a tile, along k
constexpr std::int64_t kAcross = 16;  // threads of a tile in each direction: kThreads in all
constexpr std::int64_t kLeastProductSide = 16;
constexpr std::int64_t kLeastArea = 1024;
constexpr std::int64_t kWantedProductBlocks = 256;
constexpr std::int64_t kLeastPart = 256;
constexpr std::int64_t kMostParts = 64;
static_assert(kAcross * kAcross == kThreads);

std::int64_t Quotient(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

class Products {
 public:
  explicit Products(const Product& product)
      : p_(product),
        count_(product.batch * product.m * product.n),
        sums_(product.arithmetic.Sums(!product.arithmetic.is_exact() || product.has_zero || product.k == 0)),
        parts_(is_exact() || product.is_optional ? "x1" : "x0") {}

  KernelProgram Program() {
    KernelProgram program;
    if (count_ == 0) return program;
    if (p_.is_optional) program.scratch_bytes.push_back(sizeof(std::uint32_t));
    if (is_exact()) {
      AddDoubts(program, p_.fused);
      AddTerms(program, p_.fused, Terms());
    }
    const bool is_large = std::min(p_.m, p_.n) >= kLeastProductSide && p_.m * p_.n >= kLeastArea && p_.k > 1;
    if (is_large) {
      AddTiles(program);
    } else {
      AddFolds(program);
    }
    return program;
  }

 private:
  bool is_exact() const { return p_.arithmetic.is_exact(); }

  // Returns the batch, row and column of a result.
  std::vector<std::string> PlacesOf(const std::string& o, Body& body) const {
    const std::int64_t sizes[] = {p_.batch, p_.m, p_.n};
    return body.PlacesOf(IndexText::AtOffset(o), sizes);
  }
  void Write(const std::string& sum, std::span<const std::string> at, const std::string& o, Body& body) const {
    const std::string place = p_.place == nullptr ? o : p_.place(body, at[0], at[1], at[2]);
    if (is_exact()) return StoreSum(body, sum, place, p_.arithmetic.is_long());
    body.Line(fmt::format("r0[{}] = {};", place, p_.arithmetic.ToElement(sum)));
  }

  void AddLaunch(KernelProgram& program, const EntryText& entry, std::int64_t blocks, const ElementEmitter& emitter,
                 const Body& body) {
    program.launches.push_back(LaunchOf(entry, emitter, body, blocks));
  }
  EntryText Entry(bool has_scratch) const {
    EntryText entry{.fused = p_.fused};
    if (is_exact()) entry.scratch.emplace_back("u64");
    if (p_.is_optional) entry.scratch.emplace_back("u32");
    if (has_scratch) entry.scratch.emplace_back(p_.arithmetic.accumulator());
    return entry;
  }

  // Adds the sums of the parts, which are stored in scratch memory one part after the other.
  void AddSumOfParts(KernelProgram& program, std::int64_t parts) {
    program.scratch_bytes.push_back(count_ * parts * sums_.AccumulatorBytes());
    const Tree tree = SharedTree(sums_, count_, parts, /*is_row=*/false, /*may_split=*/false);
    AddTree(
        program, tree, /*writes_scratch=*/false,
        [&](const std::string& k, Body& body, ElementEmitter&) {
          return fmt::format("{}[{}]", parts_, body.Sum(body.Product(k, count_), "o"));
        },
        /*reads_scratch=*/true);
  }

  using Read = std::function<std::string(const std::string& k, Body& body, ElementEmitter& emitter)>;
  void AddTree(KernelProgram& program, const Tree& tree, bool writes_scratch, const Read& read, bool reads_scratch) {
    Body body(IsWide(p_.fused) || p_.is_wide);
    ElementEmitter emitter(body);
    if (p_.is_optional) body.Line("if (x0[0] == 0) return;");
    tree.Declare(body);
    at_ = PlacesOf("o", body);
    TreeParts parts;
    if (reads_scratch) {
      parts.read = [&](const std::string& k) { return std::vector{read(k, body, emitter)}; };
    } else {
      parts.add = [&](std::span<const std::string> sums, const std::string& k) { AddTerm(sums[0], k, body, emitter); };
    }
    parts.write = [&](std::span<const std::string> sums) {
      if (writes_scratch) return body.Line(fmt::format("{}[job] = {};", parts_, sums[0]));
      Write(sums[0], at_, "o", body);
    };
    parts.starts = false;
    WriteTree(tree, sums_, parts, body, emitter);
    AddLaunch(program, Entry(writes_scratch || reads_scratch), tree.Blocks(), emitter, body);
  }

  std::string ConditionAt(const std::string& k, Body& body, ElementEmitter& emitter) const {
    std::string condition;
    for (const auto& [side, row] : {std::pair(&p_.lhs, at_[1]), std::pair(&p_.rhs, at_[2])}) {
      if (side->inside == nullptr) continue;
      const std::string inside = side->inside(body, emitter, at_[0], row, k);
      if (!inside.empty()) condition += fmt::format("{}{}", condition.empty() ? "" : " && ", inside);
    }
    return condition;
  }

  // Returns the products of a sum. A missing term becomes 0 * 0, which does not change a sum that begins with +0.
  TermTexts Terms() {
    TermTexts terms{.result = p_.arithmetic.result(), .n = p_.k, .are_products = true, .write = {}};
    terms.write = [this, terms](Body& body, ElementEmitter& emitter, const std::string& o, const std::string& k) {
      at_ = p_.places_of == nullptr ? PlacesOf(o, body) : p_.places_of(body, o);
      const std::string condition = ConditionAt(k, body, emitter);
      const auto write = [&](const std::string& a, const std::string& b) {
        WriteFactor(body, terms, 0, a);
        WriteFactor(body, terms, 1, b);
      };
      if (!condition.empty()) body.Open(fmt::format("if ({}) {{", condition));
      write(p_.lhs.number(body, emitter, at_[0], at_[1], k), p_.rhs.number(body, emitter, at_[0], at_[2], k));
      if (condition.empty()) return;
      body.Close();
      body.Open("else {");
      write(p_.arithmetic.Zero(), p_.arithmetic.Zero());
      body.Close();
    };
    return terms;
  }

  void AddTerm(const std::string& sum, const std::string& k, Body& body, ElementEmitter& emitter) {
    const std::string condition = ConditionAt(k, body, emitter);
    if (!condition.empty()) body.Open(fmt::format("if ({}) {{", condition));
    const std::string a = p_.lhs.number(body, emitter, at_[0], at_[1], k);
    const std::string b = p_.rhs.number(body, emitter, at_[0], at_[2], k);
    body.Line(fmt::format("{} = {};", sum, p_.arithmetic.WithProduct(sum, a, b)));
    if (!condition.empty()) body.Close();
  }

  void AddFolds(KernelProgram& program) {
    // The side with more rows determines whether threads read by rows or by columns.
    const bool is_row = p_.m > p_.n   ? p_.lhs.is_inner
                        : p_.m < p_.n ? p_.rhs.is_inner
                                      : p_.lhs.is_inner || p_.rhs.is_inner;
    const Tree tree = SharedTree(sums_, count_, p_.k, is_row);
    AddTree(program, tree, tree.splits > 1, nullptr, /*reads_scratch=*/false);
    if (tree.splits > 1) AddSumOfParts(program, tree.splits);
  }

  void AddTiles(KernelProgram& program) {
    per_thread_ = p_.batch * Quotient(p_.m, 64) * Quotient(p_.n, 64) < kWantedProductBlocks / 2 ? 2 : 4;
    const std::int64_t side = per_thread_ * kAcross;
    rows_ = Quotient(p_.m, side);
    columns_ = Quotient(p_.n, side);
    const std::int64_t tiles = p_.batch * rows_ * columns_;
    const std::int64_t wanted = std::min(Quotient(kWantedProductBlocks, tiles), p_.k / kLeastPart);
    const std::int64_t part =
        Quotient(Quotient(p_.k, std::clamp<std::int64_t>(wanted, 1, kMostParts)), kDepth) * kDepth;
    const std::int64_t parts = Quotient(p_.k, part);

    Body body(IsWide(p_.fused) || p_.is_wide);
    ElementEmitter emitter(body);
    if (p_.is_optional) body.Line("if (x0[0] == 0) return;");
    WriteTiles(parts, part, body, emitter);
    AddLaunch(program, Entry(parts > 1), tiles * parts, emitter, body);
    if (parts > 1) AddSumOfParts(program, parts);
  }

  void WriteTiles(std::int64_t parts, std::int64_t part, Body& body, ElementEmitter& emitter) {
    const std::string_view index = body.index_type();
    const std::string_view type = p_.arithmetic.number();
    const std::int64_t side = per_thread_ * kAcross;
    const bool is_masked = p_.arithmetic.HasInfinity() && p_.lhs.inside != nullptr;
    body.Line(fmt::format("const {} tile = blockIdx.x;", index));
    body.Line(fmt::format("const {} column = tile % {} * {};", index, columns_, side));
    body.Line(fmt::format("const {} row = tile / {} % {} * {};", index, columns_, rows_, side));
    body.Line(fmt::format("const {} batch = tile / {} % {};", index, rows_ * columns_, p_.batch));
    body.Line(fmt::format("const {} part = tile / {};", index, rows_ * columns_ * p_.batch));
    body.Line(fmt::format("const {} begin = part * {};", index, part));
    body.Line(fmt::format("const {0} end = begin + {1} < {2} ? begin + {1} : {2};", index, part, p_.k));
    body.Line(fmt::format("const int across = threadIdx.x % {0}, down = threadIdx.x / {0};", kAcross));
    for (const char* name : {"a", "b"}) {
      body.Line(fmt::format("__shared__ {} tile_{}[{}][{}];", type, name, kDepth, side + 1));
    }
    if (is_masked) {
      body.Line(fmt::format("__shared__ bool inside[{}][{}];", kDepth, side + 1));
      body.Line("__shared__ int is_any_odd;");
    }
    body.Line(fmt::format("{} sums[{}][{}];", p_.arithmetic.accumulator(), per_thread_, per_thread_));
    const std::string squares = fmt::format("for (int y = 0; y < {0}; ++y) for (int x = 0; x < {0}; ++x)", per_thread_);
    body.Line("#pragma unroll");
    body.Line(fmt::format("{} sums[y][x] = {};", squares, sums_.Start(0)));
    body.Open(fmt::format("for ({} from = begin; from < end; from += {}) {{", index, kDepth));
    if (is_masked) {
      body.Line("if (threadIdx.x == 0) is_any_odd = 0;");
      body.Line("__syncthreads();");
    }
    Load(p_.lhs, "a", "row", p_.m, is_masked, body, emitter);
    Load(p_.rhs, "b", "column", p_.n, is_masked, body, emitter);
    body.Line("__syncthreads();");
    // A masked term is a zero. It affects the sum only if the other factor is infinite or NaN.
    if (is_masked) {
      body.Open("if (is_any_odd != 0) {");
      body.Line(fmt::format("for (int k = 0; k < {}; ++k) {}", kDepth, squares));
      body.Line(
          fmt::format("  if (inside[k][{} * down + y]) sums[y][x] = {};", per_thread_,
                      p_.arithmetic.WithProduct("sums[y][x]", fmt::format("tile_a[k][{} * down + y]", per_thread_),
                                                fmt::format("tile_b[k][across + {} * x]", kAcross))));
      body.Close();
      body.Open("else {");
    }
    // The zeros after the end must not be added: one of them would turn a sum of -0 into +0.
    if (is_exact()) body.Line(fmt::format("const int depth = end - from < {0} ? (int)(end - from) : {0};", kDepth));
    if (!is_exact()) body.Line("#pragma unroll");
    body.Open(fmt::format("for (int k = 0; k < {}; ++k) {{", is_exact() ? "depth" : fmt::format("{}", kDepth)));
    body.Line(fmt::format("{0} a[{1}], b[{1}];", type, per_thread_));
    body.Line("#pragma unroll");
    body.Line(fmt::format("for (int y = 0; y < {0}; ++y) a[y] = tile_a[k][{0} * down + y];", per_thread_));
    body.Line("#pragma unroll");
    body.Line(fmt::format("for (int x = 0; x < {}; ++x) b[x] = tile_b[k][across + {} * x];", per_thread_, kAcross));
    body.Line("#pragma unroll");
    body.Line(fmt::format("{} sums[y][x] = {};", squares, p_.arithmetic.WithProduct("sums[y][x]", "a[y]", "b[x]")));
    body.Close();
    if (is_masked) body.Close();
    body.Line("__syncthreads();");
    body.Close();
    body.Line("#pragma unroll");
    body.Open(fmt::format("{} {{", squares));
    body.Line(
        fmt::format("const {} i = row + {} * down + y, j = column + across + {} * x;", index, per_thread_, kAcross));
    body.Open(fmt::format("if (i < {} && j < {}) {{", p_.m, p_.n));
    const std::string o = body.Sum(body.Product(body.Sum(body.Product("batch", p_.m), "i"), p_.n), "j");
    if (parts > 1) {
      body.Line(fmt::format("{}[{}] = sums[y][x];", parts_, body.Sum(body.Product("part", count_), o)));
    } else {
      const std::vector<std::string> at = {p_.batch == 1 ? "0" : "batch", "i", "j"};
      Write("sums[y][x]", at, o, body);
    }
    body.Close();
    body.Close();
  }

  // Loads a tile. Neighboring threads load numbers that are neighbors in memory.
  void Load(const ProductSide& side, const std::string& name, const std::string& first, std::int64_t rows,
            bool is_masked, Body& body, ElementEmitter& emitter) {
    const std::string_view index = body.index_type();
    const std::int64_t height = per_thread_ * kAcross;
    body.Open(fmt::format("for (int e = threadIdx.x; e < {}; e += {}) {{", kDepth * height, kThreads));
    if (side.is_inner) {
      body.Line(fmt::format("const int k = e % {0}, i = e / {0};", kDepth));
    } else {
      body.Line(fmt::format("const int i = e % {0}, k = e / {0};", height));
    }
    body.Line(fmt::format("const {} at_k = from + k, at_i = {} + i;", index, first));
    body.Line(fmt::format("{} number = {};", p_.arithmetic.number(), p_.arithmetic.Zero()));
    const bool has_mask = is_masked && name == "a";
    if (has_mask) body.Line("bool is_inside = false;");
    body.Open(fmt::format("if (at_k < end && at_i < {}) {{", rows));
    const std::string batch = p_.batch == 1 ? "0" : "batch";
    const std::string condition = side.inside == nullptr ? "" : side.inside(body, emitter, batch, "at_i", "at_k");
    if (!condition.empty()) body.Open(fmt::format("if ({}) {{", condition));
    if (has_mask) body.Line("is_inside = true;");
    body.Line(fmt::format("number = {};", side.number(body, emitter, batch, "at_i", "at_k")));
    if (!condition.empty()) body.Close();
    body.Close();
    body.Line(fmt::format("tile_{}[k][i] = number;", name));
    if (has_mask) body.Line("inside[k][i] = is_inside;");
    if (is_masked && name == "b") body.Line("if (is_odd(number)) atomicOr(&is_any_odd, 1);");
    body.Close();
  }

  const Product& p_;
  std::int64_t count_;
  Folding sums_;
  std::string_view parts_;  // scratch memory of partial sums
  std::vector<std::string> at_;
  std::int64_t per_thread_ = 4, rows_ = 1, columns_ = 1;
};

}  // namespace

KernelProgram ProgramOf(const Product& product) { return Products(product).Program(); }

}  // namespace assay::cuda
