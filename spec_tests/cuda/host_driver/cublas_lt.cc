// A library with the C interface of cuBLASLt that multiplies matrices on the host, in f64 and in the order of the
// terms. HOST_CUBLASLT_LOG names a file that gets a line for each product.
#include "backends/cuda/libraries/cublas_lt.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <vector>

using namespace assay::cuda;

namespace {

constexpr int kOk = 0, kFailed = 13, kNotSupported = 15;

struct Attributes {
  int type = 0;
  std::int64_t rows = 0, columns = 0, leading = 0;
  std::map<int, std::int64_t> set = {};

  std::int64_t Get(int attribute, std::int64_t otherwise) const {
    const auto found = set.find(attribute);
    return found == set.end() ? otherwise : found->second;
  }
};

Attributes& Of(const void* opaque) { return *static_cast<Attributes*>(const_cast<void*>(opaque)); }

int Set(void* opaque, int attribute, const void* value, std::size_t bytes) {
  std::int64_t number = 0;
  if (bytes > sizeof number) return 7;
  std::memcpy(&number, value, bytes);
  Of(opaque).set[attribute] = number;
  return kOk;
}

float FromF16(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float size = exponent == 0    ? std::ldexp(static_cast<float>(fraction), -24)
               : exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
                                : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  return bits >> 15 != 0 ? -size : size;
}

// Rounds to the nearest number with that many fraction and exponent bits, ties to even.
std::uint16_t ToNarrow(double value, int fraction_bits, int exponent_bits) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | top << fraction_bits | 1 << (fraction_bits - 1));
  const double size = std::fabs(value);
  if (std::isinf(size)) return static_cast<std::uint16_t>(sign | top << fraction_bits);
  const int exponent = size == 0 ? 1 - bias : std::max(std::ilogb(size), 1 - bias);
  const auto units = static_cast<long>(std::nearbyint(std::ldexp(size, fraction_bits - exponent)));
  // A carry increments the exponent.
  const long bits = units + (static_cast<long>(exponent + bias - 1) << fraction_bits);
  const long infinity = static_cast<long>(top) << fraction_bits;
  return static_cast<std::uint16_t>(sign | std::min(bits, infinity));
}

using Complex = std::complex<double>;

// Returns a function of the driver's stand-in, which does the work; null without one.
template <class Function>
Function* OfDriver(const char* name) {
  const char* const path = std::getenv("ASSAY_CUDA_DRIVER");
  void* const driver = path == nullptr ? nullptr : dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (driver == nullptr) return nullptr;
  const auto function = reinterpret_cast<Function*>(dlsym(driver, name));
  dlclose(driver);
  return function;
}

std::size_t BytesOf(int type) {
  switch (type) {
    case kCudaR8I:
      return 1;
    case kCudaR16F:
    case kCudaR16BF:
      return 2;
    case kCudaR32F:
    case kCudaR32I:
      return 4;
    case kCudaR64F:
    case kCudaC32F:
      return 8;
    default:
      return 16;
  }
}

// Reports an access to the driver's checks.
void Look(const void* base, int type, std::int64_t i, bool writes) {
  static const auto look = OfDriver<void(std::uintptr_t, std::size_t, bool)>("host_look");
  if (look == nullptr) return;
  const std::size_t bytes = BytesOf(type);
  look(reinterpret_cast<std::uintptr_t>(base) + static_cast<std::size_t>(i) * bytes, bytes, writes);
}

Complex Read(const void* base, int type, std::int64_t i) {
  Look(base, type, i, false);
  switch (type) {
    case kCudaR32F:
      return static_cast<const float*>(base)[i];
    case kCudaR64F:
      return static_cast<const double*>(base)[i];
    case kCudaR16F:
      return FromF16(static_cast<const std::uint16_t*>(base)[i]);
    case kCudaR16BF: {
      const std::uint32_t bits = static_cast<std::uint32_t>(static_cast<const std::uint16_t*>(base)[i]) << 16;
      float value;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
    case kCudaR8I:
      return static_cast<const std::int8_t*>(base)[i];
    case kCudaC32F:
      return static_cast<const std::complex<float>*>(base)[i];
    default:
      return static_cast<const Complex*>(base)[i];
  }
}

void Write(void* base, int type, std::int64_t i, Complex value) {
  Look(base, type, i, true);
  switch (type) {
    case kCudaR32F:
      static_cast<float*>(base)[i] = static_cast<float>(value.real());
      break;
    case kCudaR64F:
      static_cast<double*>(base)[i] = value.real();
      break;
    case kCudaR16F:
      static_cast<std::uint16_t*>(base)[i] = ToNarrow(value.real(), 10, 5);
      break;
    case kCudaR16BF:
      static_cast<std::uint16_t*>(base)[i] = ToNarrow(value.real(), 7, 8);
      break;
    case kCudaR32I:
      static_cast<std::int32_t*>(base)[i] =
          static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(value.real())));
      break;
    case kCudaC32F:
      static_cast<std::complex<float>*>(base)[i] = std::complex<float>(value);
      break;
    default:
      static_cast<Complex*>(base)[i] = value;
  }
}

// Returns element (row, column) of op(matrix), column-major.
Complex At(const void* base, const Attributes& matrix, bool is_transposed, std::int64_t batch, std::int64_t row,
           std::int64_t column) {
  const std::int64_t start = batch * matrix.Get(kMatrixLayoutStridedBatchOffset, 0);
  return Read(base, matrix.type,
              start + (is_transposed ? column + row * matrix.leading : row + column * matrix.leading));
}

}  // namespace

#define ENTRY extern "C" __attribute__((visibility("default")))

ENTRY int cublasLtCreate(void** handle) {
  *handle = new int(0);
  return kOk;
}
ENTRY int cublasLtDestroy(void* handle) {
  delete static_cast<int*>(handle);
  return kOk;
}
ENTRY const char* cublasLtGetStatusName(int status) {
  return status == kNotSupported ? "CUBLAS_STATUS_NOT_SUPPORTED" : "CUBLAS_STATUS_INVALID_VALUE";
}

ENTRY int cublasLtMatmulDescCreate(void** made, int compute_type, int) {
  *made = new Attributes{.type = compute_type};
  return kOk;
}
ENTRY int cublasLtMatrixLayoutCreate(void** made, int type, std::uint64_t rows, std::uint64_t columns,
                                     std::int64_t leading) {
  *made = new Attributes{.type = type,
                         .rows = static_cast<std::int64_t>(rows),
                         .columns = static_cast<std::int64_t>(columns),
                         .leading = leading};
  return leading >= static_cast<std::int64_t>(rows) ? kOk : 7;
}
ENTRY int cublasLtMatmulPreferenceCreate(void** made) {
  *made = new Attributes;
  return kOk;
}
ENTRY int cublasLtMatmulDescDestroy(void* made) { return delete static_cast<Attributes*>(made), kOk; }
ENTRY int cublasLtMatrixLayoutDestroy(void* made) { return delete static_cast<Attributes*>(made), kOk; }
ENTRY int cublasLtMatmulPreferenceDestroy(void* made) { return delete static_cast<Attributes*>(made), kOk; }
ENTRY int cublasLtMatmulDescSetAttribute(void* made, int attribute, const void* value, std::size_t bytes) {
  return Set(made, attribute, value, bytes);
}
ENTRY int cublasLtMatrixLayoutSetAttribute(void* made, int attribute, const void* value, std::size_t bytes) {
  return Set(made, attribute, value, bytes);
}
ENTRY int cublasLtMatmulPreferenceSetAttribute(void* made, int attribute, const void* value, std::size_t bytes) {
  return Set(made, attribute, value, bytes);
}

// The shapes must match, as for the real library.
ENTRY int cublasLtMatmulAlgoGetHeuristic(void*, const void* operation, const void* a, const void* b, const void* c,
                                         const void* d, const void*, int, cublasLtMatmulHeuristicResult* result,
                                         int* found) {
  const auto rows = [&](const Attributes& m, bool t) { return t ? m.columns : m.rows; };
  const auto columns = [&](const Attributes& m, bool t) { return t ? m.rows : m.columns; };
  const bool transpose_a = Of(operation).Get(kMatmulDescTransA, 0) != 0;
  const bool transpose_b = Of(operation).Get(kMatmulDescTransB, 0) != 0;
  const bool fits = rows(Of(a), transpose_a) == Of(d).rows && columns(Of(b), transpose_b) == Of(d).columns &&
                    columns(Of(a), transpose_a) == rows(Of(b), transpose_b) && Of(c).rows == Of(d).rows;
  *found = fits ? 1 : 0;
  if (!fits) return kNotSupported;
  *result = {};
  result->workspace_bytes = 64;
  return kOk;
}

static void Multiply(const void* operation, const void* a, const void* a_layout, const void* b, const void* b_layout,
                     void* d, const void* d_layout) {
  const Attributes &of_a = Of(a_layout), &of_b = Of(b_layout), &of_d = Of(d_layout);
  const bool transpose_a = Of(operation).Get(kMatmulDescTransA, 0) != 0;
  const bool transpose_b = Of(operation).Get(kMatmulDescTransB, 0) != 0;
  const std::int64_t terms = transpose_a ? of_a.rows : of_a.columns;
  const std::int64_t batches = of_d.Get(kMatrixLayoutBatchCount, 1);
  const auto numbers = [&](const void* matrix, const Attributes& of, bool is_transposed, std::int64_t batch,
                           std::int64_t rows) {
    std::vector<Complex> all;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t p = 0; p < terms; ++p) all.push_back(At(matrix, of, is_transposed, batch, row, p));
    }
    return all;
  };
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    const std::vector<Complex> first = numbers(a, of_a, transpose_a, batch, of_d.rows);
    const std::vector<Complex> second = numbers(b, of_b, !transpose_b, batch, of_d.columns);
    const std::int64_t start = batch * of_d.Get(kMatrixLayoutStridedBatchOffset, 0);
    for (std::int64_t column = 0; column < of_d.columns; ++column) {
      for (std::int64_t row = 0; row < of_d.rows; ++row) {
        double real = 0, imag = 0;
        for (std::int64_t p = 0; p < terms; ++p) {
          const Complex &x = first[static_cast<std::size_t>(row * terms + p)],
                        &y = second[static_cast<std::size_t>(column * terms + p)];
          real += x.real() * y.real() - x.imag() * y.imag();
          imag += x.real() * y.imag() + x.imag() * y.real();
        }
        Write(d, of_d.type, start + row + column * of_d.leading, Complex(real, imag));
      }
    }
  }
  if (const char* log = std::getenv("HOST_CUBLASLT_LOG")) {
    if (std::FILE* file = std::fopen(log, "a")) {
      std::fprintf(file, "%lld products of %lld x %lld x %lld\n", static_cast<long long>(batches),
                   static_cast<long long>(of_d.columns), static_cast<long long>(terms),
                   static_cast<long long>(of_d.rows));
      std::fclose(file);
    }
  }
}

// The driver does the work in stream order, which may be when a recording is replayed.
ENTRY int cublasLtMatmul(void*, const void* operation, const void*, const void* a, const void* a_layout, const void* b,
                         const void* b_layout, const void*, const void*, const void*, void* d, const void* d_layout,
                         const void*, void* workspace, std::size_t bytes, void*) {
  static const auto enqueue = OfDriver<int(const std::function<void()>&)>("host_do");
  if (enqueue == nullptr) return 7;
  const int result = enqueue([=] {
    std::memset(workspace, 0xA5, bytes);
    Multiply(operation, a, a_layout, b, b_layout, d, d_layout);
  });
  return result == 0 ? kOk : kFailed;
}
