// Rules for every module and every instruction: for each, a module that violates only that rule.
#include "interpreter/hlo/verifier.h"

#include "interpreter/hlo/op.h"
#include "spec_tests/hlo/verify.h"

using namespace assay;
using namespace assay::testing;

TEST_CASE("verifier: a legal module") {
  CHECK(IsLegal(Module(R"(
    x = f32[2,3] parameter(0)
    zero = f32[] constant(0)
    ROOT r = f32[2] reduce(x, zero), dimensions={1}, to_apply=sum)")));
}

TEST_CASE("verifier: an error has the place of its instruction and both shapes") {
  const Error error = OneError(R"(HloModule m
ENTRY e {
  x = f32[5] parameter(0)
  ROOT r = f32[4] opt-barrier(x)
})");
  CHECK(error.code == ErrorCode::kIllegal);
  CHECK(error.message == "r: opt-barrier: declared f32[4], inferred f32[5]");
  CHECK(error.location.line == 4);
  CHECK(error.location.column == 8);
}

TEST_CASE("verifier: every error is found, and the first is returned") {
  const std::string text = Module(R"(
    x = f32[5] parameter(0)
    a = f32[4] opt-barrier(x)
    ROOT b = f32[3] opt-barrier(x))");
  CHECK(ErrorsOf(text).size() == 2);
  const auto module = ParseHloModule(text);
  REQUIRE(module.has_value());
  const Status status = VerifyHloModule(**module);
  REQUIRE_FALSE(status.has_value());
  CHECK(status.error().message == "a: opt-barrier: declared f32[4], inferred f32[5]");
}

TEST_CASE("verifier: element types are those of the op's record") {
  const std::string message = WhyIllegal(Module("x = pred[4] parameter(0) ROOT r = pred[4] tanh(x)"));
  CHECK(message.starts_with("r: operand 0 of tanh cannot be pred[4]; it takes "));
  CHECK(message.find(" bf16") != std::string::npos);
}

TEST_CASE("verifier: floating operands have one type, except where an op mixes them") {
  CHECK(WhyIllegal(Module("a = f32[2] parameter(0) b = bf16[2] parameter(1) ROOT r = f32[2] add(a, b)")) ==
        "r: floating operands of add must have the same type, found f32 and bf16; --mixed-precision converts them");
  CHECK(IsLegal(Module("a = f32[2] parameter(0) b = bf16[2] parameter(1) ROOT r = (f32[2], bf16[2]) tuple(a, b)")));
  CHECK(IsLegal(Module(R"(a = f32[2] parameter(0) b = bf16[2] parameter(1)
    ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0})")));
}

namespace {

// Returns an instruction of a module made without the parser, which cannot express it.
HloInstruction& Add(HloComputation& computation, std::string_view op, std::string name,
                    std::vector<HloInstruction*> operands) {
  auto instruction = std::make_unique<HloInstruction>();
  instruction->op = FindOp(op);
  instruction->name = std::move(name);
  instruction->shape = ShapeUtil::MakeScalarShape(F32);
  instruction->operands = std::move(operands);
  return computation.Add(std::move(instruction));
}

struct Made {
  Made() {
    module.name = "m";
    entry = module.entry = &module.AddComputation("e");
    x = &Add(*entry, "parameter", "x", {});
    entry->root = x;
  }
  std::string Why() const {
    const auto errors = FindIllegal(module);
    REQUIRE(errors.size() == 1);
    return errors[0].message;
  }
  HloModule module;
  HloComputation* entry;
  HloInstruction* x;
};

}  // namespace

TEST_CASE("verifier: structure of modules that no text can say") {
  struct Row {
    const char* message;
    void (*change)(Made& made);
  };
  const Row rows[] = {
      {"module : a module must have a name", [](Made& made) { made.module.name.clear(); }},
      {"module m: a module must have an entry computation", [](Made& made) { made.module.entry = nullptr; }},
      {"module m: replica_count and num_partitions must be positive, found 1 and 0",
       [](Made& made) { made.module.num_partitions = 0; }},
      {"x: the name is not unique", [](Made& made) { Add(*made.entry, "tanh", "x", {made.x}); }},
      {"computation e: the root is not one of its instructions", [](Made& made) { made.entry->root = nullptr; }},
      {"y: add takes 2 operands, found 1", [](Made& made) { Add(*made.entry, "add", "y", {made.x}); }},
      {"first: the operand second must be defined before its use in computation e",
       [](Made& made) {
         HloInstruction& first = Add(*made.entry, "tanh", "first", {});
         first.operands = {&Add(*made.entry, "tanh", "second", {made.x})};
       }},
      {"y: the operand x must be defined before its use in computation other",
       [](Made& made) {
         HloComputation& other = made.module.AddComputation("other");
         other.root = &Add(other, "tanh", "y", {made.x});
       }},
      {"x: the sharding {devices=[2]0,1,2}: the tiles are 2 devices, 3 are listed",
       [](Made& made) { made.x->annotations["sharding"] = "{devices=[2]0,1,2}"; }},
      {"y: call needs the attribute to_apply", [](Made& made) { Add(*made.entry, "call", "y", {made.x}); }},
      {"y: tanh has no attribute lower",
       [](Made& made) {
         Add(*made.entry, "tanh", "y", {made.x}).attributes.push_back({"lower", true});
       }},
      {"y: the attribute iota_dimension has a value of the wrong kind",
       [](Made& made) { Add(*made.entry, "iota", "y", {}).Set("iota_dimension", true); }},
      {"y: the attribute direction cannot be SAME",
       [](Made& made) {
         HloInstruction& compare = Add(*made.entry, "compare", "y", {made.x, made.x});
         compare.shape = ShapeUtil::MakeScalarShape(PRED);
         compare.Set("direction", std::string("SAME"));
       }},
      {"y: a constant must have a value", [](Made& made) { Add(*made.entry, "constant", "y", {}); }},
  };
  CHECK(VerifyHloModule(Made().module).has_value());
  for (const auto& [message, change] : rows) {
    Made made;
    change(made);
    CHECK(made.Why() == message);
  }
}

TEST_CASE("verifier: an asynchronous computation runs on the thread that its start names") {
  const auto module = ParseHloModule(R"(HloModule m
wrapped { p = f32[4] parameter(0) ROOT t = f32[4] tanh(p) }, execution_thread="side"
ENTRY e {
  x = f32[4] parameter(0)
  s = ((f32[4]), f32[4]) async-start(x), async_execution_thread="side", calls=wrapped
  ROOT d = f32[4] async-done(s)
})");
  REQUIRE(module.has_value());
  CHECK(FindIllegal(**module).empty());
  (*module)->computations[0]->execution_thread = "other";
  const std::vector<Error> errors = FindIllegal(**module);
  REQUIRE(!errors.empty());
  CHECK(errors[0].message == R"(s: async-start: async_execution_thread "side" must be that of wrapped, "other")");
}

TEST_CASE("verifier: parameter numbers are 0, 1, ... once each") {
  Made made;
  HloInstruction& second = Add(*made.entry, "parameter", "y", {});
  second.parameter_number = 2;
  CHECK(made.Why() == "y: parameter numbers of e must be 0 to 1, found 2");
  second.parameter_number = -1;
  CHECK(made.Why() == "y: parameter numbers of e must be 0 to 1, found -1");
  second.parameter_number = INT64_MAX;
  CHECK(made.Why() == "y: parameter numbers of e must be 0 to 1, found 9223372036854775807");
  second.parameter_number = 0;
  CHECK(made.Why() == "y: e has parameter 0 twice");
  second.parameter_number = 1;
  CHECK(VerifyHloModule(made.module).has_value());
}

TEST_CASE("verifier: no computation calls itself, and none the entry") {
  Made made;
  HloComputation& first = made.module.AddComputation("first");
  HloComputation& second = made.module.AddComputation("second");
  HloInstruction& a = Add(first, "parameter", "a", {});
  HloInstruction& b = Add(second, "parameter", "b", {});
  first.root = &Add(first, "call", "first_call", {&a});
  second.root = &Add(second, "call", "second_call", {&b});
  first.root->Set("to_apply", &second);
  second.root->Set("to_apply", &first);
  CHECK(made.Why() == "computation first: calls itself, by way of second");
  second.root->Set("to_apply", made.entry);
  CHECK(made.Why() == "second_call: calls the entry computation e");
}

TEST_CASE("verifier: a chain of calls of any depth") {
  Made made;
  HloComputation* callee = nullptr;
  for (int i = 0; i < 100000; ++i) {
    HloComputation& computation = made.module.AddComputation("f" + std::to_string(i));
    HloInstruction& parameter = Add(computation, "parameter", "p" + std::to_string(i), {});
    computation.root = &parameter;
    if (callee != nullptr) {
      computation.root = &Add(computation, "call", "c" + std::to_string(i), {&parameter});
      computation.root->Set("to_apply", callee);
    }
    callee = &computation;
  }
  CHECK(VerifyHloModule(made.module).has_value());
}
