// Conversions whose values follow from the specification by hand; conversions_test.py covers every pattern.
#include "interpreter/numerics/convert.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "spec_tests/catch.h"

namespace assay {
namespace {

template <class To, class From>
std::vector<To> Converted(PrimitiveType from, const std::vector<From>& in, PrimitiveType to) {
  const std::size_t count = in.size() * sizeof(From) / static_cast<std::size_t>(StorageBytes(from));
  std::vector<To> out(count * static_cast<std::size_t>(StorageBytes(to)) / sizeof(To));
  Convert(from, reinterpret_cast<const std::byte*>(in.data()), to, reinterpret_cast<std::byte*>(out.data()),
          static_cast<std::int64_t>(count));
  return out;
}

using SignedBytes = std::vector<std::int8_t>;
const float kFloatInfinity = std::numeric_limits<float>::infinity();
const float kFloatNan = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("A real beyond an integer's range goes to its end, and NaN to zero") {
  const std::vector<float> reals = {kFloatInfinity, -kFloatInfinity, kFloatNan, 3e9f, -3e9f, 0x1p31f, -0x1p31f,
                                    1.9f,           -1.9f,           -0.5f,     1e20f};
  CHECK(Converted<std::int8_t>(F32, reals, S8) == SignedBytes{127, -128, 0, 127, -128, 127, -128, 1, -1, 0, 127});
  CHECK(Converted<std::uint32_t>(F32, reals, U32) ==
        std::vector<std::uint32_t>{0xffffffff, 0, 0, 3000000000, 0, 0x80000000, 0, 1, 0, 0, 0xffffffff});
  CHECK(Converted<std::int64_t>(F32, std::vector<float>{0x1p63f, -0x1p63f, 0x1.fffffep62f}, S64) ==
        std::vector<std::int64_t>{INT64_MAX, INT64_MIN, 0x7fffff8000000000});
  CHECK(Converted<std::uint64_t>(F32, std::vector<float>{0x1p64f, -1.0f, 0x1p63f}, U64) ==
        std::vector<std::uint64_t>{UINT64_MAX, 0, 0x8000000000000000});
  CHECK(Converted<std::int8_t>(F32, std::vector<float>{7.9f, 8, -9, 100, kFloatNan}, S4) ==
        SignedBytes{7, 7, -8, 7, 0});
  CHECK(Converted<std::int8_t>(F32, std::vector<float>{1, 0.9f, -1, -7}, S1) == SignedBytes{0, 0, -1, -1});
}

TEST_CASE("Integers wrap at the target's width") {
  CHECK(Converted<std::int8_t>(S32, std::vector<std::int32_t>{300, -129, 128, -1}, S8) ==
        SignedBytes{44, 127, -128, -1});
  CHECK(Converted<std::int8_t>(S32, std::vector<std::int32_t>{8, 15, 16, -9}, S4) == SignedBytes{-8, -1, 0, 7});
  CHECK(Converted<std::int8_t>(S32, std::vector<std::int32_t>{8, 15, 16, -9}, U4) == SignedBytes{8, 15, 0, 7});
  CHECK(Converted<std::uint32_t>(S8, SignedBytes{-1}, U32) == std::vector<std::uint32_t>{0xffffffff});
  CHECK(Converted<std::int64_t>(U32, std::vector<std::uint32_t>{0xffffffff}, S64) ==
        std::vector<std::int64_t>{0xffffffff});
}

TEST_CASE("A 64-bit integer is rounded once") {
  const std::vector<std::int64_t> integers = {(1 << 24) + 1, (1LL << 60) + (1LL << 36) + 1, INT64_MAX, INT64_MIN};
  CHECK(Converted<float>(S64, integers, F32) == std::vector<float>{0x1p24f, 0x1.000002p60f, 0x1p63f, -0x1p63f});
  // 2^60 + 2^52 is a tie of bf16; the last bit decides it, and going through f32 or f64 would lose that bit.
  const std::vector<std::int64_t> ties = {(1LL << 60) + (1LL << 52), (1LL << 60) + (1LL << 52) + 1,
                                          -((1LL << 60) + (1LL << 52) + 1)};
  CHECK(Converted<std::uint16_t>(S64, ties, BF16) == std::vector<std::uint16_t>{0x5d80, 0x5d81, 0xdd81});
  CHECK(Converted<double>(U64, std::vector<std::uint64_t>{UINT64_MAX, (1ULL << 63) + 1024, (1ULL << 63) + 1025}, F64) ==
        std::vector<double>{0x1p64, 0x1p63, 0x1.0000000000001p63});
}

TEST_CASE("f64 reaches narrow formats in one rounding") {
  CHECK(Converted<std::uint16_t>(F64, std::vector<double>{1 + 0x1p-8 + 0x1p-30, 1 + 0x1p-8}, BF16) ==
        std::vector<std::uint16_t>{0x3f81, 0x3f80});
  CHECK(Converted<std::uint16_t>(F64, std::vector<double>{1 + 0x1p-11 + 0x1p-40, 65519.99999999, 65520}, F16) ==
        std::vector<std::uint16_t>{0x3c01, 0x7bff, 0x7c00});
  CHECK(Converted<std::int8_t>(F64, std::vector<double>{1 + 0x1p-4 + 0x1p-50}, F8E4M3FN) == SignedBytes{0x39});
}

TEST_CASE("pred is whether a value differs from zero") {
  CHECK(Converted<std::int8_t>(F32, std::vector<float>{0.0f, -0.0f, kFloatNan, 0.5f, 0x1p-149f, kFloatInfinity, -1},
                               PRED) == SignedBytes{0, 0, 1, 1, 1, 1, 1});
  CHECK(Converted<std::int8_t>(S32, std::vector<std::int32_t>{0, 1, 256, -1}, PRED) == SignedBytes{0, 1, 1, 1});
  CHECK(Converted<std::int8_t>(C64, std::vector<float>{0, 0, 0, 1, 2, 0, -0.0f, kFloatNan}, PRED) ==
        SignedBytes{0, 1, 1, 1});
  CHECK(Converted<float>(PRED, SignedBytes{0, 1}, F32) == std::vector<float>{0, 1});
}

TEST_CASE("Complex numbers give their real part, and take an imaginary part of zero") {
  CHECK(Converted<float>(C64, std::vector<float>{1.5f, 2, -3, kFloatNan}, F32) == std::vector<float>{1.5f, -3});
  CHECK(Converted<std::int8_t>(C128, std::vector<double>{300, 1, -7.5, 0}, S8) == SignedBytes{127, -7});
  CHECK(Converted<float>(C128, std::vector<double>{1 + 0x1p-24 + 0x1p-50, -0.5}, C64) ==
        std::vector<float>{0x1.000002p0f, -0.5f});
  const std::vector<float> from_real = Converted<float>(S8, SignedBytes{-3, 4}, C64);
  CHECK(from_real == std::vector<float>{-3, 0, 4, 0});
  CHECK(!std::signbit(from_real[1]));
}

TEST_CASE("Long arrays convert like short ones") {
  std::vector<std::int32_t> integers(1001);
  for (int i = 0; i < 1001; ++i) integers[i] = i - 500;
  const std::vector<double> reals = Converted<double>(S32, integers, F64);
  CHECK(Converted<std::int32_t>(F64, reals, S32) == integers);
}

}  // namespace
}  // namespace assay
