// Asynchronous operations and transfers: every start has its done, and both agree.
#include "spec_tests/hlo/verify.h"

using namespace assay;
using namespace assay::testing;

namespace {

// An asynchronous call of `wrapped`, a tanh of f32[4], between `before` and `after`.
std::string Async(std::string_view instructions) {
  return R"(HloModule m
wrapped {
  p = f32[4] parameter(0)
  ROOT t = f32[4] tanh(p)
}
ENTRY e {
  x = f32[4] parameter(0)
)" + std::string(instructions) +
         "\n}\n";
}

constexpr std::string_view kStart = "s = ((f32[4]), f32[4], u32[]) async-start(x), calls=wrapped\n";

std::string AsyncWithStart(std::string_view instructions) {
  return Async(std::string(kStart) + std::string(instructions));
}

}  // namespace

TEST_CASE("verifier: asynchronous operations: start, update, done") {
  CHECK(IsLegal(AsyncWithStart("ROOT d = f32[4] async-done(s)")));
  CHECK(IsLegal(AsyncWithStart("u = ((f32[4]), f32[4], u32[]) async-update(s) ROOT d = f32[4] async-done(u)")));
}

TEST_CASE("verifier: asynchronous operations: the value may be carried in a tuple") {
  CHECK(IsLegal(AsyncWithStart("ROOT carried = (((f32[4]), f32[4], u32[])) tuple(s)")));
}

TEST_CASE("verifier: asynchronous operations: a start is used once") {
  CHECK(WhyIllegal(AsyncWithStart("ROOT y = f32[4] tanh(x)")) ==
        "s: an asynchronous value must be used by its update or done, found no use");
  CHECK(WhyIllegal(AsyncWithStart("d = f32[4] async-done(s) ROOT d2 = f32[4] async-done(s)")) ==
        "s: an asynchronous value must be used once, found 2 uses");
  CHECK(WhyIllegal(AsyncWithStart("ROOT c = ((f32[4]), f32[4], u32[]) copy(s)")) ==
        "s: an asynchronous value must be used by its update or done, found copy");
}

TEST_CASE("verifier: asynchronous operations: shapes of the value") {
  CHECK(WhyIllegal(AsyncWithStart("ROOT d = f32[5] async-done(s)")) ==
        "d: async-done: declared f32[5], inferred f32[4]");
  // The done sees the same value.
  const auto errors =
      ErrorsOf(Async("s = ((f32[4]), f32[5]) async-start(x), calls=wrapped ROOT d = f32[5] async-done(s)"));
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].message == "s: async-start: the result must have the shape of wrapped, f32[4], found f32[5]");
  CHECK(errors[1].message == "d: async-done: the result must have the shape of wrapped, f32[4], found f32[5]");
}

TEST_CASE("verifier: starts with a done of their own") {
  const std::string start = "x = f32[4] parameter(0) s = (f32[4], f32[4], u32[]) copy-start(x)\n";
  CHECK(IsLegal(Module(start + "ROOT d = f32[4] copy-done(s)")));
  CHECK(WhyIllegal(Module(start + "ROOT y = f32[4] tanh(x)")) ==
        "s: copy-start must be used once, by its copy-done, found 0 uses");
  CHECK(WhyIllegal(Module(start + "ROOT y = f32[4] get-tuple-element(s), index=0")) ==
        "s: copy-start must be used by its copy-done, found get-tuple-element");
  CHECK(WhyIllegal(Module("x = (f32[4], f32[4], u32[]) parameter(0) ROOT d = f32[4] copy-done(x)")) ==
        "d: operand 0 of copy-done must be what it ends, found parameter");
}

TEST_CASE("verifier: transfers agree with their done") {
  const std::string send = R"(x = f32[4] parameter(0) t = token[] after-all()
    s = (f32[4], u32[], token[]) send(x, t), channel_id=3, is_host_transfer=true
    )";
  CHECK(IsLegal(Module(send + "ROOT d = token[] send-done(s), channel_id=3, is_host_transfer=true")));
  CHECK(WhyIllegal(Module(send + "ROOT d = token[] send-done(s), channel_id=3")) ==
        "d: is_host_transfer must be that of s");
  const std::string twice = send + R"(d = token[] send-done(s), channel_id=3, is_host_transfer=true
    y = f32[5] parameter(1)
    again = (f32[5], u32[], token[]) send(y, d), channel_id=3, is_host_transfer=true
    ROOT d2 = token[] send-done(again), channel_id=3, is_host_transfer=true)";
  CHECK(WhyIllegal(Module(twice)) ==
        "again: host transfers on channel 3 must be alike, s has the shape (f32[4], u32[], token[]), found (f32[5], "
        "u32[], token[])");
}

TEST_CASE("verifier: transfers: what is received is written with the start") {
  CHECK(IsLegal(Module(R"(t = token[] after-all()
    r = (f32[4], u32[], token[]) recv(t), channel_id=1
    ROOT d = (f32[4], token[]) recv-done(r), channel_id=1)")));
  CHECK(WhyIllegal(Module(R"(t = token[] after-all()
    r = (f32[4], u32[], token[]) recv(t), channel_id=1
    ROOT d = (f32[5], token[]) recv-done(r), channel_id=1)")) ==
        "d: recv-done: declared (f32[5], token[]), inferred (f32[4], token[])");
}
