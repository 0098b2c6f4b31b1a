// The instructions that make an event, and the ranges of values. Expected values are worked out by hand.
#include "conformance/tracing/trace.h"

#include <algorithm>
#include <utility>

#include "conformance/tracing/float_event.h"
#include "conformance/tracing/ranges.h"
#include "interpreter/types/join_text.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

struct Traced {
  std::unique_ptr<HloModule> module;
  EventTrace trace;

  // Returns "name[offset]" for each finding.
  std::string Findings() const {
    std::vector<std::string> texts;
    for (const EventFinding& finding : trace.findings) {
      texts.push_back(fmt::format("{}[{}]", finding.instruction->name, finding.place.offset));
    }
    return JoinText(texts, " ");
  }
  std::string Sources() const {
    std::vector<std::string> texts;
    for (const EventSource& source : trace.sources) texts.push_back(source.instruction->name);
    return JoinText(texts, " ");
  }
};

Traced TracedOn(const std::string& text, const std::vector<DeviceValues>& runs, const std::string& event) {
  Traced traced = {Parsed(text), {}};
  const std::vector<TracedEvent> events = {*ParseTracedEvent(event)};
  Result<EventTrace> trace = TraceModule(*traced.module, runs, events, {});
  REQUIRE(trace);
  traced.trace = *std::move(trace);
  return traced;
}

Traced TracedOnce(const std::string& text, const std::vector<std::string_view>& arguments, const std::string& event) {
  return TracedOn(text, {{Values(arguments)}}, event);
}

// Returns the findings of `r = OP(x, y)` on two arrays of four.
std::string OfBinary(const std::string& op, const std::string& type, const std::string& x, const std::string& y,
                     const std::string& event) {
  const std::string text = fmt::format(
      "HloModule m\nENTRY e {{ x = {0}[4] parameter(0) y = {0}[4] parameter(1) ROOT r = {0}[4] {1}(x, y) }}", type, op);
  const std::string left = fmt::format("{}[4] {{{}}}", type, x), right = fmt::format("{}[4] {{{}}}", type, y);
  return TracedOnce(text, {left, right}, event).Findings();
}

std::string OfUnary(const std::string& op, const std::string& from, const std::string& to, const std::string& x,
                    const std::string& event) {
  const std::string text =
      fmt::format("HloModule m\nENTRY e {{ x = {}[4] parameter(0) ROOT r = {}[4] {}(x) }}", from, to, op);
  return TracedOnce(text, {fmt::format("{}[4] {{{}}}", from, x)}, event).Findings();
}

TEST_CASE("an element is made where no operand brings it", "[trace]") {
  // Element 0 is passed on, element 2 is made.
  CHECK(OfBinary("subtract", "f32", "nan, 1, inf, 2", "1, 1, inf, inf", "nan") == "r[2]");
  CHECK(OfBinary("multiply", "f32", "1, 0, 2, 3", "1, inf, 2, nan", "nan") == "r[1]");
  CHECK(OfBinary("divide", "f32", "1, inf, 0, 3", "0, 1, 0, 1", "nan") == "r[2]");
  CHECK(OfBinary("divide", "f32", "inf, 1, 0, 3", "1, 0, 1, 1", "inf") == "r[1]");
  CHECK(OfBinary("add", "f32", "nan, inf, 1, 2", "1, 2, nan, 3", "nan").empty());
  CHECK(OfUnary("sqrt", "f32", "f32", "4, 0, -1, nan", "nan") == "r[2]");
}

TEST_CASE("an overflow is a finite number too large for its type, and no pole", "[trace]") {
  CHECK(OfBinary("add", "f16", "60000, 1, inf, 1", "1, 65504, 1, 1", "overflow").empty());
  CHECK(OfBinary("add", "f16", "1, 60000, inf, 1", "1, 60000, 1, 1", "overflow") == "r[1]");
  CHECK(OfBinary("divide", "f32", "1, 1, 1, 1e30", "1, 0, inf, 1e-30", "overflow") == "r[3]");
  CHECK(OfUnary("log", "f32", "f32", "1, 0, 0, 2", "overflow").empty());
  CHECK(OfUnary("log", "f32", "f32", "1, 0, 0, 2", "inf") == "r[1]");
  CHECK(OfUnary("exponential", "f16", "f16", "1, 11, 12, inf", "overflow") == "r[2]");
}

TEST_CASE("a type without infinities overflows to NaN or to its largest number", "[trace]") {
  // f8e4m3fn: 448 is the largest number, and the halfway point 464 rounds to it.
  CHECK(OfUnary("convert", "f32", "f8e4m3fn", "448, 464, 464.5, nan", "overflow") == "r[2]");
  CHECK(OfUnary("sqrt", "f8e4m3fn", "f8e4m3fn", "1, -1, 4, 9", "overflow").empty());
  CHECK(OfBinary("add", "f8e4m3fn", "400, 1, 400, 1", "1, 1, 400, 1", "overflow") == "r[2]");
  // f4e2m1fn: 6 is the largest number, and 7 lies halfway to 8.
  CHECK(OfUnary("convert", "f32", "f4e2m1fn", "6, 6.5, 1, -7.5", "overflow") == "r[3]");
}

TEST_CASE("a subnormal result of normal operands is an event", "[trace]") {
  CHECK(OfBinary("multiply", "f32", "1e-30, 1e-40, 1, 1e-20", "1, 1, 1, 1e-19", "subnormal") == "r[3]");
  CHECK(OfUnary("convert", "f32", "f16", "1, 6.2e-5, 6e-5, 0", "subnormal") == "r[2]");
}

TEST_CASE("cancellation compares the largest term with the exact sum", "[trace]") {
  // 2^20 - (2^20 - 1) = 1.
  CHECK(OfBinary("subtract", "f32", "1, 1048576, 2, 3", "3, 1048575, 1, 1", "cancellation>2^19") == "r[1]");
  CHECK(OfBinary("subtract", "f32", "1, 1048576, 2, 3", "3, 1048575, 1, 1", "cancellation>2^20").empty());
  CHECK(OfBinary("add", "f32", "1, 1048576, 2, 3", "3, 1048575, 1, 1", "cancellation>2^0").empty());
  CHECK(OfBinary("add", "f32", "0, 1, 2, 5", "0, 1, 2, -5", "cancellation>2^2000") == "r[3]");
}

const char kSums[] = R"(x = f32[2,8] parameter(0)  low = f32[] constant(-inf)  zero = f32[] constant(0)
  most = f32[2] reduce(x, low), dimensions={1}, to_apply=maximum_f32
  total = f32[2] reduce(x, zero), dimensions={1}, to_apply=add_f32
  product = f32[2,2] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  ROOT all = (f32[2], f32[2], f32[2,2]) tuple(most, total, product))";

TEST_CASE("a sum is fed by its terms", "[trace]") {
  const Traced traced = TracedOnce(kSums, {"f32[2,8] {{1,2,nan,4,5,6,7,8},{1,2,inf,4,-inf,6,7,0}}"}, "nan");
  // Row 0 brings its NaN. The product of row 1 with itself is infinite.
  CHECK(traced.Findings() == "total[1]");
  CHECK(traced.Sources() == "x");
  const EventFinding& total = traced.trace.findings[0];
  CHECK(total.operand_count == 9);
  REQUIRE(total.operands.size() == 6);
  CHECK(total.operands[0].element == "x[1,2]");
  CHECK(total.operands[1].element == "x[1,4]");
  CHECK(total.operands[2].element == "x[1,6]");
  CHECK(traced.trace.result_elements == 8);
  CHECK(traced.trace.in_results == std::vector<std::int64_t>{6});  // most[0], total, and product but for its last
  const Traced zeros = TracedOnce(kSums, {"f32[2,8] {{0,0,inf,0,0,0,0,0},{0,0,0,0,0,0,0,0}}"}, "nan");
  CHECK(zeros.Findings() == "product[1]");  // infinity times 0
}

TEST_CASE("a product passes a NaN on to a row", "[trace]") {
  const Traced traced = TracedOnce(R"(one = f32[] parameter(0)  ones = f32[512,512] broadcast(one), dimensions={}
  wrong = f32[] constant(nan)  row = f32[1,512] broadcast(wrong), dimensions={}
  at = s32[] constant(3)  zero = s32[] constant(0)  x = f32[512,512] dynamic-update-slice(ones, row, at, zero)
  ROOT y = f32[512,512] dot(x, ones), lhs_contracting_dims={1}, rhs_contracting_dims={0})",
                                   {"f32[] 1"}, "nan");
  CHECK(traced.Findings().empty());
  CHECK(traced.Sources() == "wrong");
  CHECK(traced.trace.in_results == std::vector<std::int64_t>{512});
}

TEST_CASE("a maximum makes no infinity, and its initial value is a source", "[trace]") {
  const Traced traced = TracedOnce(kSums, {"f32[2,8] {{1,2,3,4,5,6,7,8},{1e30,2,3,4,5,6,7,8}}"}, "inf");
  CHECK(traced.Findings() == "product[3]");
  CHECK(traced.Sources() == "low");
}

TEST_CASE("the terms of products and reductions cancel", "[trace]") {
  const Traced traced =
      TracedOnce(kSums, {"f32[2,8] {{1024,-1023,0,0,0,0,0,0},{1,1,0,0,0,0,0,0}}"}, "cancellation>2^9");
  CHECK(traced.Findings() == "total[0] product[1]");  // 1024 - 1023, and both rows' product
  CHECK(traced.trace.findings[0].largest_term == 1024);
  CHECK(traced.trace.findings[0].exact_sum == 1);
}

TEST_CASE("an instruction of a loop has its iteration, and is counted in each", "[trace]") {
  const Traced traced = TracedOnce(
      R"(below { p = (s32[], f32[]) parameter(0) i = s32[] get-tuple-element(p), index=0 n = s32[] constant(8)
        ROOT less = pred[] compare(i, n), direction=LT }
next { p = (s32[], f32[]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[] get-tuple-element(p), index=1
  one = s32[] constant(1)  five = f32[] constant(5)  more = s32[] add(i, one)  float = f32[] convert(i)
  rest = f32[] subtract(five, float)  root = f32[] sqrt(rest)  ROOT t = (s32[], f32[]) tuple(more, root) }
ENTRY e { zero = s32[] constant(0)  x = f32[] parameter(0)  t = (s32[], f32[]) tuple(zero, x)
  ROOT w = (s32[], f32[]) while(t), condition=below, body=next })",
      {"f32[] 1"}, "nan");
  CHECK(traced.Findings() == "root[0]");
  const EventFinding& root = traced.trace.findings[0];
  REQUIRE(root.calls.size() == 1);
  CHECK(root.calls[0].callee->name == "next");
  CHECK(root.calls[0].call == 6);  // sqrt(5 - 6)
  CHECK(root.executions == 2);     // for 6 and 7
}

const char kDevices[] = R"(HloModule m, replica_count=2
ENTRY e { x = f32[2] parameter(0)  root = f32[2] sqrt(x)
  ROOT total = f32[2] all-reduce(root), replica_groups={}, to_apply=add_f32 })";

TEST_CASE("a collective passes on what another device brings", "[trace]") {
  const Traced passed = TracedOn(kDevices, {{Values({"f32[2] {1, 1}"}), Values({"f32[2] {1, -1}"})}}, "nan");
  CHECK(passed.Findings() == "root[1]");
  CHECK(passed.trace.findings[0].device == DeviceId{1, 0});
  CHECK(passed.trace.in_results == std::vector<std::int64_t>{2});
}

TEST_CASE("a collective makes what no device brings", "[trace]") {
  std::string text = kDevices;
  text.replace(text.find("sqrt(x)"), 7, "negate(x)");
  const Traced made = TracedOn(text, {{Values({"f32[2] {1, inf}"}), Values({"f32[2] {1, -inf}"})}}, "nan");
  CHECK(made.Findings() == "total[1]");
}

TEST_CASE("events have names, and others are refused", "[trace]") {
  for (const TracedEvent& event : AllTracedEvents()) {
    const Result<TracedEvent> read = ParseTracedEvent(event.Name());
    REQUIRE(read);
    CHECK(read->Name() == event.Name());
  }
  for (const char* wrong : {"", "NaN", "cancellation>2^", "cancellation>2^-1", "cancellation>2^2099", "infinity"}) {
    CHECK_FALSE(ParseTracedEvent(wrong));
  }
}

TEST_CASE("ranges count what would not fit a type", "[ranges]") {
  const auto module =
      Parsed(R"(x = f32[8] parameter(0) two = f32[] constant(2) twos = f32[8] broadcast(two), dimensions={}
          ROOT r = f32[8] multiply(x, twos))");
  const std::vector<DeviceValues> runs = {{Values({"f32[8] {0, 1, -40000, 3e-5, 1e-8, 2e-8, nan, inf}"})},
                                          {Values({"f32[8] {-0.5, 1, 1, 1, 1, 1, 1, 1e-6}"})}};
  const std::vector<PrimitiveType> types = {F16, BF16};
  const Result<std::vector<ValueRange>> ranges = FindRanges(*module, runs, types, {});
  REQUIRE(ranges);
  REQUIRE(ranges->size() == 4);
  const ValueRange& product = (*ranges)[3];
  CHECK(product.instruction->name == "r");
  CHECK(product.executions == 2);
  CHECK(product.numbers == 16);
  CHECK(product.nans == 1);
  CHECK(product.infinities == 1);
  CHECK(product.least == -80000);
  CHECK(product.largest == 2);
  CHECK(product.least_magnitude == static_cast<double>(1e-8F * 2));
  // f16: -80000 overflows; 6e-5, 4e-8 and 2e-6 are below 2^-14, and 2e-8 is below 2^-25.
  CHECK(product.fits[0].overflows == 1);
  CHECK(product.fits[0].subnormals == 3);
  CHECK(product.fits[0].zeros == 1);
  CHECK(product.fits[1].outside() == 0);
}

TEST_CASE("overflow begins halfway to the number after the largest one", "[ranges]") {
  CHECK_FALSE(Overflows(F16, 65519.99));
  CHECK(Overflows(F16, -65520));
  CHECK_FALSE(Overflows(F8E4M3FN, 464));
  CHECK(Overflows(F8E4M3FN, 464.0001));
  CHECK(Overflows(F8E5M2, 61440));
  CHECK_FALSE(Overflows(F64, 1.7e308));
}

}  // namespace
}  // namespace assay::testing
