// Fuzzing learns what a backend declines, from its answers alone.
#include "fuzz/declines.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/answers.h"
#include "fuzz/feature.h"
#include "spec_tests/evaluator/module.h"

namespace assay {
namespace {

std::vector<Feature> Features(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

AnsweredProgram Declined(const std::vector<std::string>& features, std::string reason) {
  return {Features(features), Answer::kDeclined, std::move(reason)};
}
AnsweredProgram Accepted(const std::vector<std::string>& features) {
  return {Features(features), Answer::kAccepted, {}};
}

// Returns the answers of a backend without `shuffle`, in programs that share other ops.
std::vector<AnsweredProgram> WithoutShuffle(int count) {
  std::vector<AnsweredProgram> programs;
  for (int i = 0; i < count; ++i) {
    std::vector<std::string> features = {"add", i % 2 == 0 ? "dot" : "sort", "type f" + std::to_string(i % 5)};
    const bool has_shuffle = i % 3 == 0;
    if (has_shuffle) features.emplace_back("shuffle");
    programs.push_back(has_shuffle ? Declined(features, "no shuffle") : Accepted(features));
  }
  return programs;
}

// Returns what so many answers of each kind teach.
DeclinedFeatures LearntFrom(const std::vector<std::pair<int, AnsweredProgram>>& programs) {
  Answers answers;
  for (const auto& [count, program] : programs) {
    for (int i = 0; i < count; ++i) answers.Add(program);
  }
  return answers.Learn();
}

}  // namespace

TEST_CASE("the features of a module name ops, types, attributes and operands") {
  const auto module = testing::Parsed(R"(a = f32[2,3] parameter(0)  p = pred[2,3] compare(a, a), direction=LT
  ROOT t = f32[3,2] transpose(a), dimensions={1,0})");
  const std::vector<std::string> features = NamesOf(FeaturesOf(*module));
  for (const char* name : {"compare", "compare f32", "compare to pred", "compare of one value", "type pred",
                           "compare direction LT", "transpose", "compare f32 of one value"}) {
    INFO(name);
    CHECK(std::ranges::count(features, name) == 1);
  }
  CHECK(std::ranges::count(features, "several devices") == 0);
  CHECK(std::ranges::binary_search(NamesOf(FeaturesOf(*module, "crossed_clamp")), std::string("bait crossed_clamp")));
  CHECK(std::ranges::is_sorted(features));
}

TEST_CASE("the features of a module name another layout, and shapes may have none") {
  const auto module = testing::Parsed(R"(a = f32[2,3]{0,1} parameter(0)  b = f32[2,3] negate(a)
  ROOT t = (f32[2,3]{1,0}, f32[2,3]) tuple(a, b))");
  CHECK(std::ranges::count(NamesOf(FeaturesOf(*module)), "other layout") == 1);
  for (const auto& instruction : module->entry->instructions) {
    for (Shape& element : instruction->shape.mutable_tuple_shapes()) element.clear_layout();
    if (instruction->shape.IsArray()) instruction->shape.clear_layout();
  }
  CHECK(std::ranges::count(NamesOf(FeaturesOf(*module)), "other layout") == 0);
}

TEST_CASE("the features of a module name attributes in any op, and results of few elements") {
  const std::vector<std::string> features = NamesOf(FeaturesOf(*testing::Parsed(R"(i = f32[1] iota(), iota_dimension=0
  t = f32[1] tan(i), result_accuracy={mode=highest}  z = f32[0] slice(t), slice={[0:0]}
  ROOT d = f32[] dot(z, z), lhs_contracting_dims={0}, rhs_contracting_dims={0}, algorithm=dot_bf16_bf16_f32)")));
  for (const char* name : {"attribute result_accuracy", "tan result_accuracy", "attribute algorithm", "dot algorithm",
                           "iota to one element", "slice to no element"}) {
    INFO(name);
    CHECK(std::ranges::count(features, name) == 1);
  }
}

TEST_CASE("a feature names two ops that only copies and reshapes separate") {
  const std::vector<std::string> features =
      NamesOf(FeaturesOf(*testing::Parsed(R"(a = f32[2,3] parameter(0)  n = f32[2,3] negate(a)  c = f32[2,3] copy(n)
  s = f32[6] reshape(c)  ROOT r = f32[6] reverse(s), dimensions={0})")));
  CHECK(std::ranges::count(features, "reverse of negate") == 1);
  CHECK(std::ranges::count(features, "negate of parameter") == 0);
}

TEST_CASE("a reason names ops in many forms") {
  const std::vector<std::string> features = {"add", "all-to-all", "and", "shuffle", "slice", "tuple", "type f8e3m4"};
  const auto named = [&](std::string_view reason) { return OpsNamedIn(reason, features); };
  using Ops = std::vector<std::string>;
  CHECK(named("UNIMPLEMENTED: shuffle") == Ops{"shuffle"});
  CHECK(named("'stablehlo.all_to_all' op and its split dimension") == Ops{"all-to-all"});
  CHECK(named("changes the module: \"%slice.1 = f16[2,2]{1,0} slice(%add.7)\"") == Ops{"slice", "add"});
  CHECK(named("Async tuple all-reduce and so on").empty());
  CHECK(named("the addend is too large").empty());
  CHECK(named("element type f8e3m4 at the entry") == Ops{"type f8e3m4"});
  CHECK(named("'add' of element type f8e3m4") == Ops{"add", "type f8e3m4"});
  CHECK(named("%slice.1 = f8e3m4[2] slice(%x)") == Ops{"slice"});
}

TEST_CASE("the feature that declined programs share explains them") {
  Answers answers;
  for (const AnsweredProgram& program : WithoutShuffle(30)) answers.Add(program);
  const DeclinedFeatures learnt = answers.Learn();
  CHECK(learnt.names == std::set<std::string>{"shuffle"});
  CHECK(learnt.KnownAmong(Features({"add", "shuffle"})) == 1);
  CHECK(learnt.KnownAmong(Features({"add", "dot"})) == 0);
}

TEST_CASE("a feature of accepted programs explains nothing, and one declined program teaches nothing") {
  CHECK(LearntFrom({{50, Accepted({"add", "dot"})},
                    {4, Declined({"add", "dot"}, "out of memory")},
                    {1, Declined({"add", "shuffle"}, "no shuffle")}})
            .names.empty());
}

TEST_CASE("programs are grouped by the op that their reasons name") {
  const std::string reason = "conversion to StableHLO: Unable to parse module assembly: error: ";
  // Both programs with a shuffle have an erf too.
  CHECK(LearntFrom({{30, Accepted({"add", "slice"})},
                    {2, Declined({"add", "erf", "shuffle"}, reason + "\"shuffle\"")},
                    {2, Declined({"add", "topk"}, reason + "\"topk\"")}})
            .names == std::set<std::string>{"shuffle", "topk"});
}

TEST_CASE("programs without an op in their reasons are grouped by the attribute that these name") {
  const std::string reason = "does not read it: unexpected attribute \"";
  const std::string batching = reason + "operand_batching_dims\". Allowed attributes: a";
  // All four have a convolution too.
  CHECK(LearntFrom({{30, Accepted({"add", "slice"})},
                    {2, Declined({"add", "cbrt", "convolution"}, reason + "result_accuracy\"")},
                    {2, Declined({"add", "convolution", "gather"}, batching)}})
            .names == std::set<std::string>{"cbrt", "gather"});
  CHECK(AttributeNamedIn("the attribute of an add").empty());
  CHECK(AttributeNamedIn(reason + "result_accuracy\"") == "attribute result_accuracy");
}

TEST_CASE(
    "a single declined program makes suspect what its reason names, and ops and types without accepted programs") {
  Answers answers;
  const std::vector<std::string> declined = {"add", "add f8e5m2", "add f8e5m2 x y", "erf", "slice"};
  for (int i = 0; i < 19; ++i) answers.Add(Accepted({"add", "slice"}));
  answers.Add(Declined(declined, "%add.1 = f8e5m2[] add(%a, %b)"));
  CHECK(answers.Learn().suspects.empty());
  answers.Add(Accepted({"add"}));
  CHECK(answers.Learn().suspects == std::set<std::string>{"add f8e5m2", "erf"});
  CHECK(answers.Learn().SuspectsAmong(Features({"add", "add f8e5m2"})) == 1);
  CHECK(answers.Learn().KnownAmong(Features({"add", "add f8e5m2"})) == 0);
  answers.Add(Accepted({"add", "add f8e5m2", "erf"}));
  CHECK(answers.Learn().suspects == std::set<std::string>{"add f8e5m2 x y"});
}

TEST_CASE("the op or the type that a reason names is the only suspect") {
  CHECK(LearntFrom(
            {{20, Accepted({"add"})}, {1, Declined({"add", "erf", "erf f32", "shuffle", "type s4"}, "no \"erf\"")}})
            .suspects == std::set<std::string>{"erf"});
  CHECK(LearntFrom({{20, Accepted({"add", "type f32"})},
                    {1, Declined({"add", "add f8e3m4", "slice", "type f8e3m4"}, "element type f8e3m4 at the entry")}})
            .suspects == std::set<std::string>{"type f8e3m4"});
}

TEST_CASE("an attribute that a reason names is suspect in all ops, or in its op if others are accepted with it") {
  Answers answers;
  for (int i = 0; i < 20; ++i) answers.Add(Accepted({"convolution", "dot"}));
  const std::vector<std::string> declined = {"attribute algorithm", "convolution", "convolution algorithm"};
  answers.Add(Declined(declined, "unexpected attribute \"algorithm\""));
  CHECK(answers.Learn().suspects == std::set<std::string>{"attribute algorithm"});
  answers.Add(Accepted({"attribute algorithm", "dot", "dot algorithm"}));
  CHECK(answers.Learn().suspects == std::set<std::string>{"convolution algorithm"});
}

TEST_CASE("a type is learnt whose reasons name an op each") {
  Answers answers;
  for (int i = 0; i < 60; ++i) answers.Add(Accepted({"add", "dot", "negate", "sort", "type f32"}));
  for (const std::string op : {"add", "dot", "negate", "sort", "sine", "cosine"}) {
    answers.Add(Declined({op, op + " s4", "type s4"}, "an operand of \"" + op + "\" must be ..."));
  }
  CHECK(answers.Learn().names == std::set<std::string>{"type s4"});
}

TEST_CASE("an op that most programs have beside a declined one is not taken for it") {
  CHECK(LearntFrom({{40, Accepted({"add"})},
                    {10, Declined({"add", "erf", "shuffle"}, "no \"shuffle\"")},
                    {2, Declined({"add", "erf"}, "out of memory")},
                    {1, Accepted({"add", "erf"})}})
            .names == std::set<std::string>{"shuffle"});
}

TEST_CASE("ops and types are unproven until a program with them is accepted") {
  Answers answers;
  answers.Add(Accepted({"add", "type f32"}));
  const std::vector<Feature> program = Features({"add", "all-gather-done", "all-gather-done f32", "all-gather-start",
                                                 "all-gather-start f32", "type f32", "type s4"});
  // Nothing has to be found out about a backend that declines nothing.
  CHECK(answers.Learn().UnprovenAmong(program) == 0);
  answers.Add(Declined({"shuffle"}, "no shuffle"));
  // The two parts of an asynchronous op count once.
  CHECK(answers.Learn().UnprovenAmong(program) == 2);
  answers.Add(Accepted({"add", "type s4"}));
  CHECK(answers.Learn().UnprovenAmong(program) == 1);
}

TEST_CASE("a program that a known feature explains says nothing about its other features") {
  // All sorts are in programs with a shuffle.
  CHECK(LearntFrom({{200, Accepted({"add"})},
                    {9, Declined({"shuffle", "type f32"}, "no shuffle")},
                    {3, Declined({"shuffle", "sort"}, "no shuffle, says another pass")}})
            .names == std::set<std::string>{"shuffle"});
}

TEST_CASE("a backend that begins to accept a feature is drawn with it again") {
  Answers answers;
  for (const AnsweredProgram& program : WithoutShuffle(30)) answers.Add(program);
  // A single program is not enough against ten: the backend may accept one case of the op.
  answers.Add(Accepted({"add", "shuffle"}));
  CHECK(answers.Learn().names == std::set<std::string>{"shuffle"});
  for (int i = 0; i < 2; ++i) answers.Add(Accepted({"add", "shuffle"}));
  CHECK(answers.Learn().names.empty());
}

TEST_CASE("what is known for a program does not depend on the order of the answers before it") {
  const std::vector<AnsweredProgram> programs = WithoutShuffle(200);
  DeclineLearner forwards, backwards;
  // Knowledge rests on complete blocks of 8 programs.
  for (std::size_t i = 0; i < programs.size(); ++i) forwards.Add(static_cast<std::int64_t>(i), programs[i]);
  for (std::size_t i = programs.size(); i-- > 0;) backwards.Add(static_cast<std::int64_t>(i), programs[i]);
  for (const std::int64_t program : {0, 15, 16, 31, 100, 199}) {
    INFO(program);
    CHECK(forwards.Before(program)->names == backwards.Before(program)->names);
  }
  CHECK(forwards.Before(15)->names.empty());
  CHECK(forwards.Before(199)->names == std::set<std::string>{"shuffle"});
  CHECK(forwards.Known().names == std::set<std::string>{"shuffle"});
}

TEST_CASE("a learner that is stopped ends the wait of a program that it knows too little for") {
  DeclineLearner learner;
  learner.Stop();
  CHECK(learner.Before(0) != nullptr);
  CHECK(learner.Before(1000) == nullptr);
}

TEST_CASE("a learner that continues from its state knows what one without a break knows") {
  const std::vector<AnsweredProgram> programs = WithoutShuffle(2400);
  const auto add = [&](DeclineLearner& learner, std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; ++i) learner.Add(100 + i, programs[static_cast<std::size_t>(i)]);
  };
  for (const std::int64_t end : {0, 5, 16, 40, 128, 300, 2040, 2100}) {
    DeclineLearner whole(100), begun(100);
    add(whole, 0, 2400);
    // Programs after `end` have ended too, but the run repeats them.
    add(begun, 0, std::min<std::int64_t>(end + 100, 2400));
    const auto read = nlohmann::json::parse(begun.StateAt(100 + end).dump());
    const auto continued = DeclineLearner::FromJson(read, 100 + end);
    add(*continued, end, 2400);
    for (std::int64_t i = end; i < 2400; i += 7) {
      INFO(end << " " << i);
      CHECK(continued->Before(100 + i)->names == whole.Before(100 + i)->names);
    }
    CHECK(continued->StateAt(2500) == whole.StateAt(2500));
  }
}

TEST_CASE("a learner that forgets what programs no longer need has the same states and draws the same") {
  const std::vector<AnsweredProgram> programs = WithoutShuffle(1400);
  DeclineLearner whole, recording;
  for (std::int64_t i = 0; i < 1400; ++i) whole.Add(i, programs[static_cast<std::size_t>(i)]);
  for (std::int64_t i = 0; i < 1400; ++i) {
    CHECK(recording.Before(i)->names == whole.Before(i)->names);
    recording.Add(i, programs[static_cast<std::size_t>(i)]);
    // The program before this one is the last that has ended.
    recording.Record(i);
  }
  for (const std::int64_t next : {1399, 1400}) CHECK(recording.StateAt(next) == whole.StateAt(next));
}

TEST_CASE("a state that lacks answers is refused: programs would wait for them") {
  DeclineLearner learner;
  for (std::int64_t i = 0; i < 40; ++i) learner.Add(i, Accepted({"add"}));
  const nlohmann::json state = learner.StateAt(40);
  CHECK_NOTHROW(DeclineLearner::FromJson(state, 40));
  CHECK_THROWS_AS(DeclineLearner::FromJson(state, 41), nlohmann::json::exception);
  CHECK_THROWS_AS(DeclineLearner::FromJson(state, 60), nlohmann::json::exception);
  nlohmann::json gap = state;
  gap["programs"][0]["number"] = 39;
  CHECK_THROWS_AS(DeclineLearner::FromJson(gap, 40), nlohmann::json::exception);
  nlohmann::json foreign = state;
  foreign["answers"]["declined"] = {{{"kind", "no"}, {"op", ""}, {"programs", {{7}}}}};
  CHECK_THROWS_AS(DeclineLearner::FromJson(foreign, 40), nlohmann::json::exception);
}

}  // namespace assay
