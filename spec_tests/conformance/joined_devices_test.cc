// The devices of a program as one device: the results of all of them, and the sets of sums over devices.
#include "conformance/judging/joined_devices.h"

#include <iterator>

#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

// Returns a module whose entry has the parameters x = f32[4] and n = s32[].
std::unique_ptr<HloModule> OnDevices(std::string_view body, int replicas, int partitions,
                                     std::string_view others = "") {
  return Parsed(
      fmt::format("HloModule m, replica_count={}, num_partitions={}\n{}\nENTRY e {{ x = f32[4] "
                  "parameter(0) n = s32[] parameter(1) {} }}",
                  replicas, partitions, others, body));
}

DeviceValues NumbersOfDevices(const HloModule& module) {
  DeviceValues arguments;
  for (int device = 0; device < static_cast<int>(module.device_count()); ++device) {
    const auto d = static_cast<float>(device);
    arguments.push_back({Value(fmt::format("f32[4] {{ {}, -0, {}, {} }}", 1.25F + d, 1e8F * (d - 1), 0.1F * d)),
                         Value(fmt::format("s32[] {}", device * 7))});
  }
  return arguments;
}

std::vector<Literal> InOneList(const DeviceValues& arguments) {
  std::vector<Literal> all;
  for (const auto& own : arguments) all.insert(all.end(), own.begin(), own.end());
  return all;
}

TEST_CASE("one device computes the results of all devices", "[acceptance]") {
  struct Case {
    std::string_view body;
    int replicas, partitions;
    std::string_view others = "";
  };
  constexpr Case kPrograms[] = {
      {"ROOT r = f32[4] all-reduce(x), replica_groups={}, to_apply=add_f32", 3, 1},
      {"ROOT r = f32[4] all-reduce(x), replica_groups={{0,3},{2,1}}, to_apply=add_f32", 4, 1},
      {"ROOT r = f32[4] all-reduce(x), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, "
       "to_apply=maximum_f32",
       2, 2},
      {"ROOT r = f32[4] all-reduce(x), channel_id=1, replica_groups={{0},{1}}, to_apply=minimum_f32", 2, 2},
      {"ROOT r = (f32[4], f32[4]) all-reduce(x, x), replica_groups={}, to_apply=multiply_f32", 2, 1},
      {"c = s32[] constant(5) p = pred[] compare(n, c), direction=LT ROOT r = pred[] all-reduce(p), "
       "replica_groups={}, to_apply=and_pred",
       2, 1},
      {"ROOT r = s32[] all-reduce(n), replica_groups={}, to_apply=add_s32", 4, 1},
      {"ROOT r = f32[12] all-gather(x), replica_groups={}, dimensions={0}", 3, 1},
      {"ROOT r = f32[8] all-gather(x), replica_groups={{1,0},{2,3}}, dimensions={0}", 4, 1},
      {"ROOT r = f32[2] reduce-scatter(x), replica_groups={{1,0},{2,3}}, dimensions={0}, to_apply=add_f32", 4, 1},
      {"ROOT r = f32[4] all-to-all(x), replica_groups={{1,0},{2,3}}, dimensions={0}", 4, 1},
      {"y = f32[2,2] reshape(x) s = f32[2,2]{0,1} all-reduce(y), replica_groups={{0},{1}}, to_apply=add_f32 "
       "ROOT r = f32[4] bitcast(s)",
       2, 1},
      {"y = f16[4] convert(x) ROOT r = f16[4] collective-permute(y), source_target_pairs={{0,1}}", 2, 1},
      {"ROOT r = f32[4] collective-broadcast(x), replica_groups={{2,0}}", 3, 1},
      {"ROOT r = f32[4] collective-broadcast(x), channel_id=1, replica_groups={}", 2, 2},
      {"ROOT r = (f32[4], f32[4]) collective-reduce(x, x), replica_groups={{1,0},{2}}, to_apply=add_f32", 3, 1},
      {"ROOT r = f32[4] collective-permute(x), source_target_pairs={{0,1},{1,2}}", 3, 1},
      {"ROOT r = f32[4] collective-permute(x), channel_id=2, source_target_pairs={{1,0}}", 2, 2},
      {"a = u32[] partition-id() b = u32[] replica-id() ROOT r = (u32[], u32[], s32[]) tuple(a, b, n)", 2, 3},
      {"a = f32[4] all-reduce-start(x), replica_groups={{0,1},{2}}, to_apply=add_f32 ROOT r = f32[4] "
       "all-reduce-done(a)",
       3, 1},
      {"a = (f32[4], f32[12]) all-gather-start(x), replica_groups={}, dimensions={0} "
       "ROOT r = f32[12] all-gather-done(a)",
       3, 1},
      {"a = (f32[4], f32[4], u32[], u32[]) collective-permute-start(x), source_target_pairs={{0,1}} "
       "y = f32[4] negate(x) b = f32[4] collective-permute-done(a) ROOT r = f32[4] add(b, y)",
       2, 1},
      {"a = ((f32[4]), f32[2], u32[]) async-start(x), calls=scattered u = ((f32[4]), f32[2], u32[]) async-update(a) "
       "ROOT r = f32[2] async-done(u)",
       2, 1,
       "scattered { a = f32[4] parameter(0) ROOT s = f32[2] reduce-scatter(a), replica_groups={}, dimensions={0}, "
       "to_apply=add_f32 }"},
      {"b = f32[2,2] reshape(x) a = ((f32[2,2], f32[2,2]), (f32[2,4], f32[2,4])) all-gather-start(b, b), "
       "replica_groups={}, dimensions={1} d = (f32[2,4], f32[2,4]) all-gather-done(a) "
       "g = f32[2,4]{0,1} get-tuple-element(d), index=1 ROOT r = f32[8] bitcast(g)",
       2, 1},
      {"b = f32[2,2] reshape(x) a = ((f32[2,2]), f32[2,2], u32[]) async-start(b), calls=passed "
       "d = f32[2,2]{0,1} async-done(a) c = f32[2,2]{0,1} call(b), to_apply=passed p = f32[4] bitcast(d) "
       "q = f32[4] bitcast(c) ROOT r = (f32[4], f32[4]) tuple(p, q)",
       2, 1, "passed { ROOT a = f32[2,2] parameter(0) }"},
      // A scan whose weights are gathered, with its sums over devices beside it.
      {"z = s32[] constant(0) f = f32[] constant(0) w = f32[3] broadcast(f), dimensions={} "
       "t = (s32[], f32[4], f32[3], s32[]) tuple(z, x, w, n) "
       "ROOT r = (s32[], f32[4], f32[3], s32[]) while(t), condition=before, body=turn",
       2, 1,
       R"(turn { t = (s32[], f32[4], f32[3], s32[]) parameter(0) i = s32[] get-tuple-element(t), index=0
  x = f32[4] get-tuple-element(t), index=1 w = f32[3] get-tuple-element(t), index=2
  n = s32[] get-tuple-element(t), index=3
  s = f32[4] all-reduce(x), replica_groups={}, to_apply=add_f32
  g = f32[8] all-gather(x), replica_groups={}, dimensions={0} h = f32[4] slice(g), slice={[2:6]}
  y = f32[4] add(s, h) one = s32[] constant(1) j = s32[] add(i, one)
  m = s32[] all-reduce(n), replica_groups={}, to_apply=add_s32 f = f32[1] slice(y), slice={[0:1]}
  v = f32[3] dynamic-update-slice(w, f, i)
  ROOT r = (s32[], f32[4], f32[3], s32[]) tuple(j, y, v, m) }
before { t = (s32[], f32[4], f32[3], s32[]) parameter(0) i = s32[] get-tuple-element(t), index=0
  three = s32[] constant(3) ROOT p = pred[] compare(i, three), direction=LT })"},
      // Layouts that differ before, in and behind a loop.
      {"y = f32[2,2] reshape(x) z = s32[] constant(0) t = (s32[], f32[2,2]) tuple(z, y) "
       "w = (s32[], f32[2,2]{0,1}) while(t), condition=before, body=turn "
       "r = f32[2,2]{0,1} get-tuple-element(w), index=1 ROOT b = f32[4] bitcast(r)",
       2, 1,
       R"(turn { t = (s32[], f32[2,2]{0,1}) parameter(0) i = s32[] get-tuple-element(t), index=0
  y = f32[2,2]{0,1} get-tuple-element(t), index=1 s = f32[2,2]{1,0} all-reduce(y), replica_groups={}, to_apply=add_f32
  one = s32[] constant(1) j = s32[] add(i, one) ROOT r = (s32[], f32[2,2]{0,1}) tuple(j, s) }
before { t = (s32[], f32[2,2]{0,1}) parameter(0) i = s32[] get-tuple-element(t), index=0
  two = s32[] constant(2) ROOT p = pred[] compare(i, two), direction=LT })"},
      // Nested: two turns, each chooses by their number.
      {"z = s32[] constant(0) u = (f32[4]) tuple(x) t = (s32[], (f32[4])) tuple(z, u) "
       "w = (s32[], (f32[4])) while(t), condition=before, body=turn ROOT r = (f32[4]) get-tuple-element(w), index=1",
       2, 1,
       R"(met { a = f32[4] parameter(0) ROOT s = f32[4] all-reduce(a), replica_groups={}, to_apply=add_f32 }
moved { a = f32[4] parameter(0) ROOT s = f32[4] collective-permute(a), source_target_pairs={{0,1},{1,0}} }
turn { t = (s32[], (f32[4])) parameter(0) i = s32[] get-tuple-element(t), index=0
  u = (f32[4]) get-tuple-element(t), index=1 x = f32[4] get-tuple-element(u), index=0
  y = f32[4] conditional(i, x, x), branch_computations={met, moved} one = s32[] constant(1) j = s32[] add(i, one)
  p = pred[] compare(i, one), direction=LT
  k = f32[4] conditional(p, y, x), true_computation=moved, false_computation=met
  v = (f32[4]) tuple(k) ROOT r = (s32[], (f32[4])) tuple(j, v) }
before { t = (s32[], (f32[4])) parameter(0) i = s32[] get-tuple-element(t), index=0
  two = s32[] constant(2) ROOT p = pred[] compare(i, two), direction=LT })"},
      {"y = f32[4] call(x), to_apply=inner z = f32[4] call(y), to_apply=inner ROOT r = f32[4] add(y, z)", 2, 1,
       "inner { a = f32[4] parameter(0) ROOT s = f32[4] all-reduce(a), replica_groups={}, to_apply=add_f32 }"},
  };
  for (const Case& program : kPrograms) {
    INFO(program.body);
    const auto module = OnDevices(program.body, program.replicas, program.partitions, program.others);
    const auto joined = JoinDevices(*module, XlaProfile());
    if (!joined) FAIL(joined.error().message);
    CHECK((*joined)->device_count() == 1);
    CHECK(VerifyHloModule(**joined));
    const DeviceValues arguments = NumbersOfDevices(*module);
    const auto want = EvaluateTogether(*module, arguments);
    const auto got = Evaluate(**joined, InOneList(arguments));
    REQUIRE(want.has_value());
    REQUIRE(got.has_value());
    CHECK(got->BitwiseEqual(*want));
  }
}

TEST_CASE("a sum over devices may be rounded in any order, and must have every term", "[acceptance]") {
  const auto module = OnDevices("ROOT r = f32[4] all-reduce(x), replica_groups={}, to_apply=add_f32", 4, 1);
  const auto joined = JoinDevices(*module, XlaProfile());
  REQUIRE(joined.has_value());
  DeviceValues arguments;
  for (const std::string_view x : {"1e8", "3", "3", "-1e8"}) {
    arguments.push_back({Value(fmt::format("f32[4] {{ {0}, 1, 2, {0} }}", x)), Value("s32[] 0")});
  }
  const auto set = EvaluateSets(**joined, InOneList(arguments), XlaProfile());
  REQUIRE(set.has_value());
  REQUIRE(set->elements.size() == 4);
  // The exact sum is 6. A ulp of 1e8 is 8: each 3 alone is lost, their sum is rounded up.
  for (const std::string_view lawful : {"6", "8", "0"}) {
    const Judgement judged = JudgeBySet(set->elements[0], Value(fmt::format("f32[4] {{ {0}, 4, 8, 6 }}", lawful)));
    CHECK(judged.verdict <= Verdict::kWeak);
  }
  CHECK(JudgeBySet(set->elements[2], Value("f32[4] { 6, 3, 8, 6 }")).verdict == Verdict::kFail);
  CHECK(JudgeBySet(set->elements[3], Value("f32[4] { 6, 4, 6, 6 }")).verdict == Verdict::kFail);
}

// 2048 + 1 is 2048 in f16; 2048 + 3 may be 2051, rounded to 2052, or 2048 if each 1 is lost.
TEST_CASE("a sum over devices in a loop of narrow numbers must have every term", "[acceptance]") {
  const auto module = OnDevices(
      "y = f16[4] convert(x) z = s32[] constant(0) t = (s32[], f16[4]) tuple(z, y) "
      "w = (s32[], f16[4]) while(t), condition=before, body=turn ROOT r = f16[4] get-tuple-element(w), index=1",
      4, 1, R"(turn { t = (s32[], f16[4]) parameter(0) i = s32[] get-tuple-element(t), index=0
  x = f16[4] get-tuple-element(t), index=1 s = f16[4] all-reduce(x), replica_groups={}, to_apply=add_f16
  one = s32[] constant(1) j = s32[] add(i, one) ROOT r = (s32[], f16[4]) tuple(j, s) }
before { t = (s32[], f16[4]) parameter(0) i = s32[] get-tuple-element(t), index=0
  one = s32[] constant(1) ROOT p = pred[] compare(i, one), direction=LT })");
  const auto joined = JoinDevices(*module, XlaProfile());
  REQUIRE(joined.has_value());
  DeviceValues arguments;
  for (const std::string_view x : {"2048", "1", "1", "1"}) {
    arguments.push_back({Value(fmt::format("f32[4] {{ {}, 1, 2, 3 }}", x)), Value("s32[] 0")});
  }
  const auto set = EvaluateSets(**joined, InOneList(arguments), XlaProfile());
  REQUIRE(set.has_value());
  for (const std::string_view lawful : {"2048", "2050", "2052"}) {
    const Judgement judged = JudgeBySet(set->elements[3], Value(fmt::format("f16[4] {{ {}, 4, 8, 12 }}", lawful)));
    CHECK(judged.verdict <= Verdict::kWeak);
  }
  CHECK(JudgeBySet(set->elements[1], Value("f16[4] { 2048, 3, 8, 12 }")).verdict == Verdict::kFail);
  CHECK(JudgeBySet(set->elements[1], Value("f16[4] { 1024, 4, 8, 12 }")).verdict == Verdict::kFail);
}

// The root of 1.1640625 is 1.0789, and 1.078125 in bf16, which is less. A number may be rounded before it is gathered.
TEST_CASE("a number that a device sends may be rounded where its own is not", "[acceptance]") {
  for (const std::string_view sent :
       {"all-gather(s), replica_groups={{0}}, dimensions={0}", "all-reduce(s), replica_groups={{0}}, to_apply=add_bf16",
        "collective-permute(s), source_target_pairs={{0,0}}"}) {
    INFO(sent);
    const auto module = OnDevices(fmt::format("y = bf16[4] convert(x) s = bf16[4] sqrt(y) g = bf16[4] {} "
                                              "ROOT r = pred[4] compare(g, s), direction=LT",
                                              sent),
                                  1, 1);
    const auto joined = JoinDevices(*module, XlaProfile());
    REQUIRE(joined.has_value());
    const std::vector<Literal> arguments = Values({"f32[4] {1.1640625, 1, 4, 9}", "s32[] 0"});
    const auto set = EvaluateSets(**joined, arguments, XlaProfile());
    REQUIRE(set.has_value());
    CHECK(JudgeBySet(set->elements[0], Value("pred[4] {true, false, false, false}")).verdict <= Verdict::kWeak);
  }
}

TEST_CASE("a program that has no form on one device is refused by name", "[acceptance]") {
  const auto error_of = [](std::string_view body, std::string_view others = "") {
    const auto joined = JoinDevices(*OnDevices(body, 2, 1, others), XlaProfile(), PartialSums::kMayBeRounded);
    REQUIRE_FALSE(joined.has_value());
    CHECK(joined.error().code == ErrorCode::kUnsupported);
    return joined.error().message;
  };
  CHECK(error_of("ROOT r = f32[4] all-reduce(x), replica_groups={}, to_apply=mean",
                 "mean { a = f32[] parameter(0) b = f32[] parameter(1) s = f32[] add(a, b) h = f32[] constant(0.5) "
                 "ROOT r = f32[] multiply(s, h) }") == "all-reduce: it folds by no op that has a neutral element");
  const std::string_view of_narrow =
      "y = f16[4] convert(x) ROOT r = f16[4] all-reduce(y), replica_groups={}, to_apply=add_f16";
  CHECK(error_of(of_narrow) == "all-reduce: partial sums may be rounded to its type");
  CHECK(JoinDevices(*OnDevices(of_narrow, 2, 1), XlaProfile()));
  CHECK(error_of("y = f16[4] convert(x) p = pred[] constant(true) ROOT r = f16[] conditional(p, y, y), "
                 "true_computation=inner, false_computation=inner",
                 "inner { a = f16[4] parameter(0) z = f16[] constant(0) ROOT s = f16[] reduce(a, z), "
                 "dimensions={0}, to_apply=add_f16 }") == "conditional: partial sums may be rounded to its type");
  CHECK(error_of("ROOT r = (f32[4], f32[4]) all-to-all(x, x), replica_groups={}") ==
        "all-to-all: it has no form on one device");
  const std::string_view met =
      "met { a = f32[4] parameter(0) ROOT s = f32[4] all-reduce(a), replica_groups={}, to_apply=add_f32 }";
  CHECK(error_of("c = s32[] constant(5) p = pred[] compare(n, c), direction=LT ROOT r = f32[4] conditional(p, x, x), "
                 "true_computation=met, false_computation=met",
                 met) == "conditional: devices may choose different branches");
  // The number of turns is an argument, or changes by another one.
  const std::string loop = R"(turn {{ t = (s32[], s32[], f32[4]) parameter(0) i = s32[] get-tuple-element(t), index=0
  n = s32[] get-tuple-element(t), index=1 x = f32[4] get-tuple-element(t), index=2
  y = f32[4] all-reduce(x), replica_groups={{}}, to_apply=add_f32
  one = s32[] constant(1) j = s32[] add(i, one) {}
  ROOT r = (s32[], s32[], f32[4]) tuple(j, m, y) }}
before {{ t = (s32[], s32[], f32[4]) parameter(0) i = s32[] get-tuple-element(t), index=0
  n = s32[] get-tuple-element(t), index=1 ROOT p = pred[] compare(i, n), direction=LT }})";
  for (const auto& [start, change] :
       {std::pair("n", "m = s32[] negate(n)"), std::pair("two", "k = u32[] replica-id() m = s32[] convert(k)")}) {
    CHECK(
        error_of(fmt::format("z = s32[] constant(0) two = s32[] constant(2) t = (s32[], s32[], f32[4]) tuple(z, {}, x) "
                             "ROOT r = (s32[], s32[], f32[4]) while(t), condition=before, body=turn",
                             start),
                 fmt::format(fmt::runtime(loop), change)) == "while: devices may leave it at different times");
  }
}

}  // namespace
}  // namespace assay::testing
