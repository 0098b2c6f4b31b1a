// The constants of the functions of ball_functions.h, computed with MPFR at first use.
#pragma once

#include <array>
#include <cstdint>

#include "interpreter/numerics/ball.h"

// gcc calls a function with this attribute once for a loop. clang drops what such a function writes: the tables.
#ifdef __clang__
#define ASSAY_SAME_FOR_EVERY_CALL
#else
#define ASSAY_SAME_FOR_EVERY_CALL [[gnu::const]]
#endif

namespace assay {

struct BallTables {
  ASSAY_SAME_FOR_EVERY_CALL static const BallTables& Get() noexcept;

  static constexpr int kPowers = 256;
  static constexpr int kReciprocals = 256;
  static constexpr int kAngles = 512;
  static constexpr int kTangents = 128;
  static constexpr int kTurnWords = 24;
  static constexpr int kErrorFunctions = 32;
  // The magnitude from which erf rounds to 1 in f64.
  static constexpr int kErrorFunctionEnd = 6;

  // All coefficients of these series are at most 1 in magnitude.
  Series<2, 7> expm1_over_x;   // of x, |x| <= 2^-9
  Series<3, 8> log1p_over_x;   // of x, |x| <= 0.003
  Series<2, 4> sine_over_x;    // of x^2, |x| <= pi / 512
  Series<2, 4> cosine;         // of x^2
  Series<2, 5> arctan_over_x;  // of x^2, |x| <= 1/256
  // erf at i / 32 + x, |x| <= 1/64; at 0, erf(x) / x.
  std::array<Series<3, 10>, kErrorFunctionEnd * kErrorFunctions + 1> error_function;

  Ball ln2;
  Ball ln2_step;  // ln(2) / 256
  double steps_per_ln2;
  std::array<Ball, kPowers> power;  // 2^(i / 256)

  struct Reciprocal {
    double value;       // about 256 / i
    Ball negative_log;  // -log(value)
  };
  static constexpr int kFirstReciprocal = 180;
  std::array<Reciprocal, 364 - kFirstReciprocal> reciprocal;  // i from 180, of the numbers from sqrt(1/2) to sqrt(2)

  Ball pi;
  Ball half_pi;
  double step_high, step_middle;  // their sum with step_low is 2 pi / 512
  Ball step_low;
  double steps_per_radian;
  std::array<Ball, kAngles> sine;          // sin(2 pi i / 512)
  std::array<Ball, kTangents + 1> arctan;  // atan(i / 128)
  // The binary places of 1 / 2 pi after the point, 64 a word.
  std::array<std::uint64_t, kTurnWords> turns_per_radian;

 private:
  BallTables();
};

}  // namespace assay
