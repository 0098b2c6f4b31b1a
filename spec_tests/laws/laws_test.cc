// Laws between ops: two ways to the same value, on random shapes and values. Numbers are small integers in floats:
// every sum is exact, and only a wrong element or a wrong order makes the two differ.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpreter/types/index_util.h"
#include "interpreter/types/join_text.h"
#include "spec_tests/laws/draws.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

// Checks that Holds() fails the case if ENSURE fails: Catch2 does not know them.
TEST_CASE("A law that fails for some value fails its case", "[!shouldfail]") {
  Holds([] { ENSURE(AnyInteger() < 10); });
}

TEST_CASE("Moving elements there and back changes nothing") {
  Holds("transpose by an order and by its inverse", [] {
    const Sizes sizes = AnySizes(0, 5), order = AnyOrder(sizes.size());
    Sizes inverse(order.size()), moved;
    for (std::size_t i = 0; i < order.size(); ++i) inverse[order[i]] = static_cast<std::int64_t>(i);
    for (std::int64_t d : order) moved.push_back(sizes[d]);
    const Literal x = AnyArray(sizes);
    ENSURE(Result(fmt::format("a = {} transpose(x), dimensions={}\nROOT r = {} transpose(a), dimensions={}",
                              F32Of(moved), Braces(order), F32Of(sizes), Braces(inverse)),
                  {x})
               .BitwiseEqual(x));
  });
  Holds("reshape to one dimension", [] {
    const Sizes sizes = AnySizes(0, 5);
    const Literal x = AnyArray(sizes);
    ENSURE(Result(fmt::format("a = f32[{}] reshape(x)\nROOT r = {} reshape(a)", Count(sizes), F32Of(sizes)), {x})
               .BitwiseEqual(x));
  });
  Holds("reverse twice", [] {
    const Sizes sizes = AnySizes(1, 4), dimension = {Between(0, static_cast<std::int64_t>(sizes.size()) - 1)};
    const Literal x = AnyArray(sizes);
    ENSURE(Result(fmt::format("a = {0} reverse(x), dimensions={1}\nROOT r = {0} reverse(a), dimensions={1}",
                              F32Of(sizes), Braces(dimension)),
                  {x})
               .BitwiseEqual(x));
  });
  Holds("bitcast-convert to bytes", [] {
    const Sizes sizes = AnySizes(0, 4);
    Sizes bytes = sizes;
    bytes.push_back(4);
    const Literal x = AnyArray(sizes);
    ENSURE(Result(fmt::format("a = u8[{}] bitcast-convert(x)\nROOT r = {} bitcast-convert(a)", JoinText(bytes, ","),
                              F32Of(sizes)),
                  {x})
               .BitwiseEqual(x));
  });
  Holds("pad, then slice the padding off", [] {
    const std::int64_t n = Between(1, 6), low = Between(0, 3), high = Between(0, 3), interior = Between(0, 2);
    const std::int64_t inside = (n - 1) * (interior + 1) + 1;
    const Literal x = AnyArray({n});
    ENSURE(Result(fmt::format("v = f32[] constant(99)\na = f32[{}] pad(x, v), padding={}_{}_{}\n"
                              "ROOT r = f32[{}] slice(a), slice={{[{}:{}:{}]}}",
                              low + inside + high, low, high, interior, n, low, low + inside, interior + 1),
                  {x})
               .BitwiseEqual(x));
  });
  Holds("concatenate, then slice a part out", [] {
    const std::int64_t n = Between(0, 4), m = Between(0, 4), rows = Between(0, 3);
    const Literal x = AnyArray({rows, n}), y = AnyArray({rows, m});
    ENSURE(Result(fmt::format("a = f32[{0},{1}] concatenate(x, y), dimensions={{1}}\n"
                              "ROOT r = f32[{0},{2}] slice(a), slice={{[0:{0}], [{3}:{1}]}}",
                              rows, n + m, m, n),
                  {x, y})
               .BitwiseEqual(y));
  });
  Holds("dynamic-update-slice, then dynamic-slice", [] {
    const std::int64_t n = Between(1, 6), part = Between(0, n), start = Between(-2, 8);
    const Literal x = AnyArray({n}), y = AnyArray({part});
    ENSURE(Result(fmt::format("i = s32[] constant({})\na = f32[{}] dynamic-update-slice(x, y, i)\n"
                              "ROOT r = f32[{}] dynamic-slice(a, i), dynamic_slice_sizes={{{}}}",
                              start, n, part, part),
                  {x, y})
               .BitwiseEqual(y));
  });
}

TEST_CASE("add-dependency, opt-barrier, domain, bitcast and async pairs return their operand") {
  Holds("copy-start, opt-barrier, add-dependency, domain, bitcast", [] {
    const Sizes sizes = AnySizes(0, 4);
    const Literal x = AnyArray(sizes);
    for (const char* instructions :
         {"s = ({0}, {0}, u32[]) copy-start(x)\nROOT r = {0} copy-done(s)", "ROOT r = {0} opt-barrier(x)",
          "t = token[] after-all()\nROOT r = {0} add-dependency(x, t)",
          "ROOT r = {0} domain(x), domain={{kind=\"sharding\", entry={{replicated}}, "
          "exit={{maximal device=0}}}}",
          "a = f32[{1}] bitcast(x)\nROOT r = {0} bitcast(a)"}) {
      ENSURE(Result(fmt::format(fmt::runtime(instructions), F32Of(sizes), Count(sizes)), {x}).BitwiseEqual(x));
    }
  });
  Holds("a fusion, and a computation that is started and waited for, are their computation", [] {
    const std::int64_t n = Between(0, 5);
    const Literal x = AnyArray({n}), y = AnyArray({n});
    // A computation of several instructions can be asynchronous only on another thread.
    const auto body_named = [n](std::string_view name, std::string_view thread) {
      return fmt::format(
          "{0} {{ {0}.p = f32[{1}] parameter(0) {0}.q = f32[{1}] parameter(1) {0}.s = f32[{1}] subtract({0}.p, {0}.q)\n"
          "ROOT {0}.m = f32[{1}] multiply({0}.s, {0}.q) }}{2}\n",
          name, n, thread);
    };
    const std::string body = body_named("body", ""), other = body_named("other", ", execution_thread=\"other\"");
    const Literal called = Result(fmt::format("ROOT r = f32[{}] call(x, y), to_apply=body", n), {x, y}, body);
    ENSURE(Result(fmt::format("ROOT r = f32[{}] fusion(x, y), kind=kLoop, calls=body", n), {x, y}, body)
               .BitwiseEqual(called));
    ENSURE(Result(fmt::format("s = ((f32[{0}], f32[{0}]), f32[{0}], u32[]) async-start(x, y), calls=other, "
                              "async_execution_thread=\"other\"\n"
                              "u = ((f32[{0}], f32[{0}]), f32[{0}], u32[]) async-update(s)\n"
                              "ROOT r = f32[{0}] async-done(u)",
                              n),
                  {x, y}, other)
               .BitwiseEqual(called));
  });
  Holds("dynamic-reshape to sizes that are the bounds is reshape", [] {
    const std::int64_t n = Between(1, 4), m = Between(1, 4);
    const Literal x = AnyArray({n * m});
    const Literal reshaped = Result(fmt::format("i = s32[] constant({0})\nj = s32[] constant({1})\n"
                                                "a = f32[<={0},<={1}] dynamic-reshape(x, i, j)\nb = f32[{0},<={1}] "
                                                "set-dimension-size(a, i), dimensions={{0}}\n"
                                                "ROOT r = f32[{0},{1}] set-dimension-size(b, j), dimensions={{1}}",
                                                n, m),
                                    {x});
    ENSURE(Result(fmt::format("ROOT r = f32[{},{}] reshape(x)", n, m), {x}).BitwiseEqual(reshaped));
  });
}

TEST_CASE("One op is a special case of another") {
  Holds("dynamic-slice at a place inside is slice", [] {
    const std::int64_t n = Between(0, 6), part = Between(0, n), start = Between(0, n - part);
    const Literal x = AnyArray({n});
    const Literal sliced =
        Result(fmt::format("ROOT r = f32[{}] slice(x), slice={{[{}:{}]}}", part, start, start + part), {x});
    ENSURE(Result(fmt::format("i = u8[] constant({})\nROOT r = f32[{}] dynamic-slice(x, i), dynamic_slice_sizes={{{}}}",
                              start, part, part),
                  {x})
               .BitwiseEqual(sliced));
  });
  Holds("gather of rows is the product with one-hot rows", [] {
    const std::int64_t rows = Between(1, 5), columns = Between(0, 4), count = Between(0, 5);
    Literal places = AnyArray({count}, 0, rows - 1);
    const std::string convert = fmt::format("i = s32[{}] convert(y)\n", count);
    const std::vector<Literal> arguments = {AnyArray({rows, columns}), places};
    const Literal gathered =
        Result(convert + fmt::format("ROOT r = f32[{},{}] gather(x, i), offset_dims={{1}}, collapsed_slice_dims={{0}}, "
                                     "start_index_map={{0}}, index_vector_dim=1, slice_sizes={{1,{}}}",
                                     count, columns, columns),
               arguments);
    const Literal product = Result(
        convert +
            fmt::format("b = s32[{0},{1}] broadcast(i), dimensions={{0}}\nn = s32[{0},{1}] iota(), iota_dimension=1\n"
                        "h = pred[{0},{1}] compare(b, n), direction=EQ\nf = f32[{0},{1}] convert(h)\n"
                        "z = f32[] constant(0)\nd = f32[{0},{2}] dot(f, x), lhs_contracting_dims={{1}}, "
                        "rhs_contracting_dims={{0}}\nbz = f32[{0},{2}] broadcast(z), dimensions={{}}\n"
                        "ROOT r = f32[{0},{2}] add(d, bz)",
                        count, rows, columns),
        arguments);
    ENSURE(gathered.BitwiseEqual(product));
  });
  Holds("reduce-window with the whole array as its window is reduce", [] {
    const Sizes sizes = AnySizes(1, 3, 1);
    const Literal x = AnyArray(sizes);
    const Literal reduced =
        Result(fmt::format("z = f32[] constant(1)\nROOT r = f32[] reduce(x, z), dimensions={}, to_apply=sum",
                           Braces(AllOf(sizes))),
               {x});
    const Sizes ones(sizes.size(), 1);
    ENSURE(Result(fmt::format("z = f32[] constant(1)\na = {} reduce-window(x, z), window={{size={}}}, to_apply=sum\n"
                              "ROOT r = f32[] reshape(a)",
                              F32Of(ones), JoinText(sizes, "x")),
                  {x})
               .BitwiseEqual(reduced));
  });
  Holds("convolution with a window of one is dot", [] {
    const std::int64_t batch = Between(0, 2), n = Between(0, 4), in = Between(0, 3), out = Between(0, 3);
    const std::vector<Literal> arguments = {AnyArray({batch, n, in}), AnyArray({in, out})};
    // A convolution starts from +0; so does the dot after the addition.
    const Literal product =
        Result(fmt::format("d = f32[{0},{1},{2}] dot(x, y), lhs_contracting_dims={{2}}, rhs_contracting_dims={{0}}\n"
                           "z = f32[] constant(0)\nb = f32[{0},{1},{2}] broadcast(z), dimensions={{}}\n"
                           "ROOT r = f32[{0},{1},{2}] add(d, b)",
                           batch, n, out),
               arguments);
    ENSURE(Result(fmt::format("k = f32[1,{3},{2}] reshape(y)\nROOT r = f32[{0},{1},{2}] convolution(x, k), "
                              "window={{size=1}}, dim_labels=b0f_0io->b0f",
                              batch, n, out, in),
                  arguments)
               .BitwiseEqual(product));
  });
  Holds("convolution with ones is a windowed sum; window reversal is a reversed kernel", [] {
    const std::int64_t n = Between(1, 6), size = Between(1, 3), result = std::max<std::int64_t>(n - size + 1, 0);
    const Literal x = AnyArray({n}), y = AnyArray({size});
    const auto convolved = [&](std::string_view kernel, std::string_view reversal) {
      return Result(
          fmt::format(
              "i = f32[1,{0},1] reshape(x)\no = f32[] constant(1)\nones = f32[{1}] broadcast(o), dimensions={{}}\n"
              "rev = f32[{1}] reverse(y), dimensions={{0}}\nk = f32[{1},1,1] reshape({3})\n"
              "c = f32[1,{2},1] convolution(i, k), window={{size={1}{4}}}, dim_labels=b0f_0io->b0f\n"
              "ROOT r = f32[{2}] reshape(c)",
              n, size, result, kernel, reversal),
          {x, y});
    };
    ENSURE(convolved("ones", "")
               .BitwiseEqual(Result(
                   fmt::format(
                       "z = f32[] constant(0)\nROOT r = f32[{}] reduce-window(x, z), window={{size={}}}, to_apply=sum",
                       result, size),
                   {x})));
    ENSURE(convolved("y", " rhs_reversal=1").BitwiseEqual(convolved("rev", "")));
  });
  Holds("topk of all is a descending sort; sort orders and keeps every element", [] {
    const std::int64_t n = Between(0, 9);
    const std::vector<float> numbers = AnyNumbers(n, 1, 9);
    std::vector<float> ordered = numbers;
    std::ranges::sort(ordered);
    const Literal x = FloatArray({n}, numbers);
    ENSURE(Result(fmt::format("ROOT r = f32[{}] sort(x), dimensions={{0}}, to_apply=less", n), {x})
               .BitwiseEqual(FloatArray({n}, ordered)));
    std::ranges::reverse(ordered);
    ENSURE(Result(fmt::format("ROOT r = f32[{}] sort(x), dimensions={{0}}, to_apply=greater", n), {x})
               .BitwiseEqual(FloatArray({n}, ordered)));
    ENSURE(Result(fmt::format("t = (f32[{0}], s32[{0}]) topk(x), k={0}, largest=true\nROOT r = f32[{0}] "
                              "get-tuple-element(t), index=0",
                              n),
                  {x})
               .BitwiseEqual(FloatArray({n}, ordered)));
  });
  Holds("clamp is two selections, and conditional is select", [] {
    const std::int64_t n = Between(0, 6);
    const std::vector<Literal> arguments = {AnyArray({n}, -4, -1), AnyArray({n}), AnyArray({n}, 1, 4)};
    const Literal clamped = Result(fmt::format("ROOT r = f32[{}] clamp(x, y, z)", n), arguments);
    ENSURE(Result(fmt::format("l = pred[{0}] compare(y, x), direction=LT\ng = pred[{0}] compare(y, z), direction=GT\n"
                              "s = f32[{0}] select(g, z, y)\nROOT r = f32[{0}] select(l, x, s)",
                              n),
                  arguments)
               .BitwiseEqual(clamped));
    const bool choice = Between(0, 1) == 1;
    const std::string branches = fmt::format(
        "first {{ ROOT first.x = f32[{0}] parameter(0) }}\nsecond {{ ROOT second.x = f32[{0}] parameter(0) }}\n", n);
    const std::string constant = fmt::format("p = pred[] constant({})\n", choice);
    ENSURE(Result(constant +
                      fmt::format(
                          "ROOT r = f32[{}] conditional(p, x, y), true_computation=first, false_computation=second", n),
                  arguments, branches)
               .BitwiseEqual(Result(constant + fmt::format("ROOT r = f32[{}] select(p, x, y)", n), arguments)));
  });
  Holds("scan of a sum is a windowed sum of what went before", [] {
    const std::int64_t n = Between(1, 7);
    const Literal x = AnyArray({n});
    const Literal sums = Result(
        fmt::format(
            "z = f32[] constant(0)\nROOT r = f32[{}] reduce-window(x, z), window={{size={} pad={}_0}}, to_apply=sum", n,
            n, n - 1),
        {x});
    constexpr std::string_view kStep =
        "step { step.x = f32[] parameter(0) step.c = f32[] parameter(1) step.s = f32[] add(step.x, step.c) ROOT step.r "
        "= (f32[], f32[]) tuple(step.s, step.s) }\n";
    ENSURE(Result(fmt::format("z = f32[] constant(0)\ns = (f32[{0}], f32[]) scan(x, z), dimensions={{0}}, "
                              "num_carries=1, to_apply=step\n"
                              "ROOT r = f32[{0}] get-tuple-element(s), index=0",
                              n),
                  {x}, kStep)
               .BitwiseEqual(sums));
  });
}

TEST_CASE("The order of independent steps is free") {
  Holds("reduce over two dimensions, one after the other", [] {
    const Sizes sizes = AnySizes(3, 3);
    const Literal x = AnyArray(sizes);
    const std::string zero = "z = f32[] constant(0)\n";
    const Literal both =
        Result(zero + fmt::format("ROOT r = f32[{}] reduce(x, z), dimensions={{0,2}}, to_apply=sum", sizes[1]), {x});
    ENSURE(Result(zero + fmt::format("a = f32[{},{}] reduce(x, z), dimensions={{0}}, to_apply=sum\n"
                                     "ROOT r = f32[{}] reduce(a, z), dimensions={{1}}, to_apply=sum",
                                     sizes[1], sizes[2], sizes[1]),
                  {x})
               .BitwiseEqual(both));
  });
  Holds("scatter to distinct places", [] {
    const std::int64_t n = Between(1, 6);
    const Sizes places = AnyOrder(n), order = AnyOrder(n);
    const std::vector<float> updates = AnyNumbers(n);
    const auto scattered = [&](const Sizes& in) {
      std::vector<float> numbers;
      Sizes to;
      for (std::int64_t i : in) {
        numbers.push_back(updates[i]);
        to.push_back(places[i]);
      }
      return Result(fmt::format("i = s32[{0}] constant({1})\nROOT r = f32[{0}] scatter(x, i, y), "
                                "update_window_dims={{}}, inserted_window_dims={{0}}, "
                                "scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=sum",
                                n, Braces(to)),
                    {FloatArray({n}, std::vector<float>(n, 1)), FloatArray({n}, numbers)});
    };
    ENSURE(scattered(order).BitwiseEqual(scattered(AnyOrder(n))));
  });
  Holds("a loop is its body so many times; map is its op; call is its computation", [] {
    const std::int64_t n = Between(0, 5), rounds = Between(0, 5);
    const Literal x = AnyArray({n});
    const std::string loop = fmt::format(
        "body {{ s = (s32[], f32[{0}]) parameter(0) i = s32[] get-tuple-element(s), index=0 v = f32[{0}] "
        "get-tuple-element(s), index=1\n"
        "one = s32[] constant(1) j = s32[] add(i, one) w = f32[{0}] add(v, v) ROOT t = (s32[], f32[{0}]) tuple(j, w) "
        "}}\n"
        "test {{ u = (s32[], f32[{0}]) parameter(0) k = s32[] get-tuple-element(u), index=0 n = s32[] constant({1})\n"
        "ROOT c = pred[] compare(k, n), direction=LT }}\ntwice {{ q = f32[{0}] parameter(0) ROOT a = f32[{0}] add(q, "
        "q) }}\n",
        n, rounds);
    std::string unrolled, called, last = "x", last_called = "x";
    for (int i = 0; i < rounds; ++i) {
      unrolled += fmt::format("a{0} = f32[{1}] map({2}, {2}), dimensions={{0}}, to_apply=sum\n", i, n, last);
      called += fmt::format("c{0} = f32[{1}] call({2}), to_apply=twice\n", i, n, last_called);
      last = fmt::format("a{}", i);
      last_called = fmt::format("c{}", i);
    }
    const Literal looped = Result(
        fmt::format("z = s32[] constant(0)\ninit = (s32[], f32[{0}]) tuple(z, x)\nout = (s32[], f32[{0}]) while(init), "
                    "condition=test, body=body\nROOT r = f32[{0}] get-tuple-element(out), index=1",
                    n),
        {x}, loop);
    ENSURE(Result(unrolled + fmt::format("ROOT r = f32[{}] copy({})", n, last), {x}).BitwiseEqual(looped));
    ENSURE(Result(called + fmt::format("ROOT r = f32[{}] copy({})", n, last_called), {x}, loop).BitwiseEqual(looped));
  });
}

TEST_CASE("Factors multiply back") {
  Holds("cholesky finds the factor of its product with its transpose", [] {
    const std::int64_t n = Between(0, 4);
    std::vector<float> lower(n * n, 0);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j <= i; ++j)
        lower[i * n + j] = static_cast<float>(i == j ? Between(1, 8) : Between(-8, 8));
    }
    const Literal x = FloatArray({n, n}, lower);
    const Literal factor =
        Result(fmt::format("a = f32[{0},{0}] dot(x, x), lhs_contracting_dims={{1}}, rhs_contracting_dims={{1}}\nROOT r "
                           "= f32[{0},{0}] cholesky(a), lower=true",
                           n),
               {x});
    for (std::int64_t i = 0; i < n * n; ++i) ENSURE(factor.values<float>()[i] == lower[i]);
  });
  Holds("triangular-solve finds what the matrix was multiplied by", [] {
    const std::int64_t n = Between(0, 4), m = Between(0, 3);
    const bool is_lower = Between(0, 1) == 1, transposed = Between(0, 1) == 1;
    std::vector<float> a(n * n);
    for (std::int64_t i = 0; i < n * n; ++i) {
      const std::int64_t row = i / n, column = i % n;
      const bool is_inside = is_lower ? column < row : column > row;
      a[i] = row == column ? static_cast<float>(1 << Between(0, 2))
             : is_inside   ? static_cast<float>(Between(-4, 4))
                           : 0;
    }
    const std::vector<float> unknown = AnyNumbers(n * m);
    const Literal solved =
        Result(fmt::format("b = f32[{0},{1}] dot(x, y), lhs_contracting_dims={{{2}}}, rhs_contracting_dims={{0}}\n"
                           "ROOT r = f32[{0},{1}] triangular-solve(x, b), left_side=true, lower={3}, transpose_a={4}",
                           n, m, transposed ? 0 : 1, is_lower, transposed ? "TRANSPOSE" : "NO_TRANSPOSE"),
               {FloatArray({n, n}, a), FloatArray({n, m}, unknown)});
    for (std::int64_t i = 0; i < n * m; ++i) ENSURE(solved.values<float>()[i] == unknown[i]);
  });
  Holds("IFFT undoes FFT, up to the rounding of both", [] {
    const std::int64_t n = Between(1, 12);
    const Literal x = AnyArray({2 * n});
    const Literal back = Result(
        fmt::format(
            "d = f64[{1}] convert(x)\nre = f64[{0}] slice(d), slice={{[0:{0}]}}\nim = f64[{0}] slice(d), "
            "slice={{[{0}:{1}]}}\n"
            "c = c128[{0}] complex(re, im)\nf = c128[{0}] fft(c), fft_type=FFT, fft_length={{{0}}}\n"
            "g = c128[{0}] fft(f), fft_type=IFFT, fft_length={{{0}}}\na = f64[{0}] real(g)\nb = f64[{0}] imag(g)\n"
            "ROOT r = f64[{1}] concatenate(a, b), dimensions={{0}}",
            n, 2 * n),
        {x});
    double norm = 0;
    for (float number : x.values<float>()) norm = std::hypot(norm, number);
    // Parts rounded once move the spectrum by u of its norm, which IFFT keeps; then each result is rounded.
    for (std::int64_t i = 0; i < 2 * n; ++i) {
      ENSURE(std::abs(back.values<double>()[i] - static_cast<double>(x.values<float>()[i])) <= 0x1p-52 * norm);
    }
  });
}

}  // namespace
}  // namespace assay::testing
