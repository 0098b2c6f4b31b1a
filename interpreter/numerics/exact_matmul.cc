#include "interpreter/numerics/exact_matmul.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "interpreter/numerics/exact_sum.h"
#include "interpreter/numerics/lane_sum.h"
#include "interpreter/numerics/matmul_kernel.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

// A block of results has this many rows and lanes. Its terms are processed in stretches of kDepth, whose panels fit the
// L2 cache.
constexpr std::int64_t kRows = 128;
constexpr std::int64_t kProductLanes = 128;
constexpr std::int64_t kDepth = 256;
// The fewest products worth a piece of work of its own.
constexpr std::int64_t kProductsPerPiece = 1 << 18;

std::int64_t Blocks(std::int64_t n, std::int64_t size) { return (n + size - 1) / size; }

// Vectors of k numbers, one for each row or each column of the result.
struct Vectors {
  const double* first;
  std::int64_t stride;    // from one vector to the next
  std::int64_t k_stride;  // from one number of a vector to the next
  std::int64_t count;

  const double* at(std::int64_t i) const { return first + i * stride; }
};

// One block of one product. Result [row, lane] is stored at out + row * row_step + lane * lane_step, in elements.
struct Block {
  Vectors rows;
  Vectors lanes;
  std::byte* out;
  std::int64_t row_step;
  std::int64_t lane_step;
};

// Computes blocks and reuses its memory between them.
class BlockMultiplier {
 public:
  BlockMultiplier(PrimitiveType type, std::int64_t k) : type_(type), bytes_(StorageBytes(type)), k_(k), row_sums_(0) {}

  void Multiply(const Block& block) {
    block_ = block;
    MakeRowsContiguous();
    MeasureRows(block_.rows.first, block_.rows.stride, block_.rows.count, k_, type_ == F64, row_facts_);
    MultiplyInDouble();
    if (type_ == F64) return DoubleIsExact() ? StoreExactDoubles() : MultiplyCompensated();
    StoreDoubles();
  }

 private:
  void MakeRowsContiguous() {
    Vectors& rows = block_.rows;
    if (rows.k_stride == 1) return;
    rows_.resize(rows.count * k_);
    for (std::int64_t r = 0; r < rows.count; ++r) {
      for (std::int64_t i = 0; i < k_; ++i) rows_[r * k_ + i] = rows.at(r)[i * rows.k_stride];
    }
    rows = {rows_.data(), k_, 1, rows.count};
  }

  void MultiplyInDouble() {
    const std::int64_t panel_count = Blocks(block_.lanes.count, kPanelLanes);
    padded_lanes_ = panel_count * kPanelLanes;
    sums_.assign(block_.rows.count * padded_lanes_, -0.0);
    lane_facts_.Start(block_.lanes.count, type_ == F64);
    for (std::int64_t begin = 0; begin < k_; begin += kDepth) {
      CheckLimits();
      const std::int64_t depth = std::min(kDepth, k_ - begin);
      const std::int64_t panel_stride = depth * kPanelLanes;
      panels_.resize(panel_count * panel_stride);
      PackPanels(block_.lanes.first + begin * block_.lanes.k_stride, block_.lanes.stride, block_.lanes.k_stride,
                 block_.lanes.count, depth, panels_.data(), panel_stride);
      lane_facts_.Add(panels_.data(), panel_stride, depth);
      AddTiles(block_.rows.first + begin, block_.rows.stride, block_.rows.count, panels_.data(), panel_stride,
               panel_count, depth, sums_.data(), padded_lanes_);
    }
    lane_facts_.Finish(column_facts_);
  }

  // Returns an upper bound on the sum of the magnitudes of the products, by the Cauchy-Schwarz inequality. The factor
  // covers the roundings of the norms and of this product.
  double SumOfMagnitudes(double row_norm, double lane_norm) const {
    return row_norm * lane_norm * (1 + 0x1p-20 + static_cast<double>(k_) * 0x1p-51);
  }

  // True if no addition rounds: every term is a multiple of the grid, and no sum of terms exceeds 2^53 times the grid.
  static bool FitsGrid(double magnitudes, double row_grid, double lane_grid) {
    return magnitudes <= row_grid * lane_grid * 0x1p53;
  }

  bool DoubleIsExact() const {
    const auto greatest = [](const std::vector<double>& norms, std::int64_t count) {
      double result = 0;
      for (std::int64_t i = 0; i < count && !std::isnan(result); ++i) {
        result = norms[i] <= result ? result : norms[i];  // a NaN is neither, and stays
      }
      return result;
    };
    const auto least = [](const std::vector<double>& grids, std::int64_t count) {
      return *std::min_element(grids.begin(), grids.begin() + count);
    };
    const double magnitudes = SumOfMagnitudes(greatest(row_facts_.norms, block_.rows.count),
                                              greatest(column_facts_.norms, block_.lanes.count));
    return std::isfinite(magnitudes) && FitsGrid(magnitudes, least(row_facts_.grids, block_.rows.count),
                                                 least(column_facts_.grids, block_.lanes.count));
  }

  void StoreExactDoubles() {
    for (std::int64_t r = 0; r < block_.rows.count; ++r) {
      StoreReals(type_, sums_.data() + r * padded_lanes_, row_out_, block_.lanes.count);
      CopyRow(r);
    }
  }

  // Rounds the sums in double if their error bound permits, or if no addition has rounded; sums the others again.
  void StoreDoubles() {
    const std::int64_t lanes = block_.lanes.count;
    // A product takes part in at most this many roundings: its own, those of its stretch, those of the sums of
    // stretches. One more covers underflow in the products, and one the rounding of the ends of the interval.
    const std::int64_t roundings = std::min(k_, kDepth) + Blocks(k_, kDepth) + 3;
    const double unit = static_cast<double>(roundings) * 0x1p-53;
    lane_grids_.assign(lanes, std::nan(""));
    for (std::int64_t r = 0; r < block_.rows.count; ++r) {
      const double* sums = sums_.data() + r * padded_lanes_;
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const double error = unit * SumOfMagnitudes(row_facts_.norms[r], column_facts_.norms[lane]);
        lower_[lane] = sums[lane] - error;
        upper_[lane] = sums[lane] + error;
      }
      const auto extent = static_cast<std::size_t>(lanes);
      std::vector<std::int64_t> doubtful = StoreCertain(type_, {lower_, extent}, {upper_, extent}, row_out_);
      StoreExact(r, doubtful);
      if (static_cast<std::int64_t>(doubtful.size()) > lanes / 8) {
        StoreRowCompensated(r);
      } else {
        for (const std::int64_t lane : doubtful) StoreElementCompensated(r, lane);
      }
      CopyRow(r);
    }
  }

  // Stores those of these sums in which no addition has rounded, and removes them from the list.
  void StoreExact(std::int64_t r, std::vector<std::int64_t>& doubtful) {
    if (doubtful.empty()) return;
    const double row_grid = GridOf(block_.rows.at(r), 1, k_);
    std::erase_if(doubtful, [&](std::int64_t lane) {
      double& lane_grid = lane_grids_[lane];
      if (std::isnan(lane_grid)) lane_grid = GridOf(block_.lanes.at(lane), block_.lanes.k_stride, k_);
      const double magnitudes = SumOfMagnitudes(row_facts_.norms[r], column_facts_.norms[lane]);
      const bool is_exact = std::isfinite(magnitudes) && FitsGrid(magnitudes, row_grid, lane_grid);
      if (is_exact) StoreReals(type_, &sums_[r * padded_lanes_ + lane], row_out_ + lane * bytes_, 1);
      return is_exact;
    });
  }

  void MultiplyCompensated() {
    for (std::int64_t r = 0; r < block_.rows.count; ++r) {
      StoreRowCompensated(r);
      CopyRow(r);
    }
  }

  // Sums one row of results, one lane for each result.
  void StoreRowCompensated(std::int64_t r) {
    LimitCheck check;
    if (row_sums_.lanes() != block_.lanes.count) row_sums_ = LaneSums(block_.lanes.count);
    row_sums_.Clear();
    const double* row = block_.rows.at(r);
    for (std::int64_t i = 0; i < k_; ++i) {
      check();
      row_sums_.AddProducts(row + i, block_.lanes.first + i * block_.lanes.k_stride, 0, block_.lanes.stride);
    }
    row_sums_.Store(type_, row_out_, [&](std::int64_t lane, ExactSum& sum) { AddExactly(r, lane, sum); });
  }

  // Sums one result, with lanes along k.
  void StoreElementCompensated(std::int64_t r, std::int64_t lane) {
    const double* row = block_.rows.at(r);
    const double* column = block_.lanes.at(lane);
    element_sums_.Clear();
    CheckLimits();
    std::int64_t i = 0;
    for (; i + element_sums_.lanes() <= k_; i += element_sums_.lanes()) {
      element_sums_.AddProducts(row + i, column + i * block_.lanes.k_stride, 1, block_.lanes.k_stride);
    }
    LaneSums sum(1);
    for (; i < k_; ++i) sum.AddProducts(row + i, column + i * block_.lanes.k_stride);
    for (std::int64_t part = 0; part < element_sums_.lanes(); ++part) sum.Merge(0, element_sums_.lane(part));
    sum.Store(type_, row_out_ + lane * bytes_, [&](std::int64_t, ExactSum& exact) { AddExactly(r, lane, exact); });
  }

  void AddExactly(std::int64_t r, std::int64_t lane, ExactSum& sum) const {
    const double* row = block_.rows.at(r);
    const double* column = block_.lanes.at(lane);
    CheckLimits();
    for (std::int64_t i = 0; i < k_; ++i) sum.AddProduct(row[i], column[i * block_.lanes.k_stride]);
  }

  void CopyRow(std::int64_t r) const {
    std::byte* out = block_.out + r * block_.row_step * bytes_;
    if (block_.lane_step == 1) {
      std::memcpy(out, row_out_, block_.lanes.count * bytes_);
      return;
    }
    for (std::int64_t lane = 0; lane < block_.lanes.count; ++lane) {
      std::memcpy(out + lane * block_.lane_step * bytes_, row_out_ + lane * bytes_, bytes_);
    }
  }

  const PrimitiveType type_;
  const std::int64_t bytes_;
  const std::int64_t k_;
  Block block_ = {};
  std::int64_t padded_lanes_ = 0;
  std::vector<double> rows_, panels_, sums_;
  std::vector<double> lane_grids_;  // NaN: not computed yet
  VectorFacts row_facts_, column_facts_;
  LaneFacts lane_facts_;
  LaneSums row_sums_;
  LaneSums element_sums_{32};
  double lower_[kProductLanes], upper_[kProductLanes];
  std::byte row_out_[kProductLanes * sizeof(double)];
};

void StoreEmptySums(PrimitiveType type, std::int64_t count, std::byte* out) {
  for (std::int64_t i = 0; i < count; ++i) ExactSum().Store(type, out + i * StorageBytes(type));
}

bool AreEqual(const double* numbers, std::int64_t count) {
  return std::all_of(numbers, numbers + count, [=](double x) { return x == numbers[0]; });
}

// Stores the sum of k equal products in every result.
void StoreMultiples(PrimitiveType type, double lhs, double rhs, std::int64_t k, std::int64_t count, std::byte* out) {
  ExactSum sum;
  LimitCheck check;
  for (std::int64_t i = 0; i < k; ++i) {
    check();
    sum.AddProduct(lhs, rhs);
  }
  const int bytes = StorageBytes(type);
  sum.Store(type, out);
  for (std::int64_t i = 1; i < count; ++i) std::memcpy(out + i * bytes, out, bytes);
}

// The terms that are added to a row of integers at a time.
constexpr std::int64_t kTerms = 4;

// Adds the products of `count` factors, at most kTerms, and rows of n integers to a row.
template <class T>
ASSAY_INLINE void AddIntegerRows(const T* factors, std::int64_t count, const T* __restrict rows, std::int64_t n,
                                 T* __restrict sums) {
  if (count == kTerms) {
    const T a = factors[0], b = factors[1], c = factors[2], d = factors[3];
    for (std::int64_t j = 0; j < n; ++j) {
      sums[j] += a * rows[j] + b * rows[n + j] + c * rows[2 * n + j] + d * rows[3 * n + j];
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < n; ++j) sums[j] += factors[i] * rows[i * n + j];
  }
}
ASSAY_VECTOR_CLONES void AddIntegers(const std::uint32_t* factors, std::int64_t count, const std::uint32_t* rows,
                                     std::int64_t n, std::uint32_t* sums) {
  AddIntegerRows(factors, count, rows, n, sums);
}
ASSAY_VECTOR_CLONES void AddIntegers(const std::uint64_t* factors, std::int64_t count, const std::uint64_t* rows,
                                     std::int64_t n, std::uint64_t* sums) {
  AddIntegerRows(factors, count, rows, n, sums);
}

}  // namespace

void MatmulExact(PrimitiveType type, const double* lhs, const double* rhs, std::int64_t batch, std::int64_t m,
                 std::int64_t n, std::int64_t k, std::byte* out) {
  if (batch == 0 || m == 0 || n == 0) return;
  if (k == 0) return StoreEmptySums(type, batch * m * n, out);
  // All products are equal, as for operands of ones.
  const bool are_same =
      m * n > 1 && lhs[0] * rhs[0] != 0 && AreEqual(lhs, batch * m * k) && AreEqual(rhs, batch * k * n);
  if (are_same) return StoreMultiples(type, lhs[0], rhs[0], k, batch * m * n, out);
  // Vectors run along the columns of the result, or along its rows if there are too few columns.
  const bool transposed = n < kPanelLanes && m > n;
  const std::int64_t row_blocks = Blocks(transposed ? n : m, kRows);
  const std::int64_t lane_blocks = Blocks(transposed ? m : n, kProductLanes);
  const std::int64_t products = std::min(transposed ? n : m, kRows) * std::min(transposed ? m : n, kProductLanes) * k;
  const std::int64_t grain = std::max<std::int64_t>(1, kProductsPerPiece / (products + 256));
  ParallelFor(batch * row_blocks * lane_blocks, grain, [&](std::int64_t begin, std::int64_t end) {
    BlockMultiplier multiplier(type, k);
    for (std::int64_t piece = begin; piece < end; ++piece) {
      const std::int64_t b = piece / (row_blocks * lane_blocks);
      const std::int64_t row = piece / lane_blocks % row_blocks * kRows;
      const std::int64_t lane = piece % lane_blocks * kProductLanes;
      Vectors rows = {lhs + b * m * k, k, 1, m};
      Vectors lanes = {rhs + b * k * n, 1, n, n};
      std::int64_t row_step = n, lane_step = 1;
      if (transposed) {
        std::swap(rows, lanes);
        std::swap(row_step, lane_step);
      }
      rows.first = rows.at(row);
      rows.count = std::min(kRows, rows.count - row);
      lanes.first = lanes.at(lane);
      lanes.count = std::min(kProductLanes, lanes.count - lane);
      std::byte* block_out = out + (b * m * n + row * row_step + lane * lane_step) * StorageBytes(type);
      multiplier.Multiply({rows, lanes, block_out, row_step, lane_step});
    }
  });
}

void MatmulComplexExact(PrimitiveType type, const double* lhs, const double* rhs, std::int64_t batch, std::int64_t m,
                        std::int64_t n, std::int64_t k, std::byte* out) {
  // Represents a complex number c + di by the real matrix ((c, d), (-d, c)): the left operand and the result then keep
  // their interleaved form.
  std::vector<double> real(batch * k * n * 4);
  for (std::int64_t row = 0; row < batch * k; ++row) {
    const double* numbers = rhs + row * 2 * n;
    double* first = real.data() + row * 4 * n;
    double* second = first + 2 * n;
    for (std::int64_t j = 0; j < 2 * n; j += 2) {
      first[j] = numbers[j];
      first[j + 1] = numbers[j + 1];
      second[j] = -numbers[j + 1];
      second[j + 1] = numbers[j];
    }
  }
  MatmulExact(ComplexComponentType(type), lhs, real.data(), batch, m, 2 * n, 2 * k, out);
}

template <class T>
void MatmulInteger(const T* lhs, const T* rhs, std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k,
                   T* out) {
  constexpr std::int64_t kBlock = 16 * kTerms;  // terms whose rows stay in the cache for several rows of the result
  const std::int64_t rows = batch * m, grain = kProductsPerPiece / (n * k + 1);
  ParallelFor(rows, std::clamp<std::int64_t>(grain, std::clamp<std::int64_t>(rows / 16, 1, 16), rows + 1),
              [&](std::int64_t begin, std::int64_t end) {
                std::fill(out + begin * n, out + end * n, T{0});
                LimitCheck check;
                for (std::int64_t first = 0; first < k; first += kBlock) {
                  for (std::int64_t row = begin; row < end; ++row) {
                    for (std::int64_t i = first; i < std::min(k, first + kBlock); i += kTerms) {
                      check();
                      AddIntegers(lhs + row * k + i, std::min(kTerms, k - i), rhs + (row / m * k + i) * n, n,
                                  out + row * n);
                    }
                  }
                }
              });
}

template void MatmulInteger(const std::uint32_t*, const std::uint32_t*, std::int64_t, std::int64_t, std::int64_t,
                            std::int64_t, std::uint32_t*);
template void MatmulInteger(const std::uint64_t*, const std::uint64_t*, std::int64_t, std::int64_t, std::int64_t,
                            std::int64_t, std::uint64_t*);

}  // namespace assay
