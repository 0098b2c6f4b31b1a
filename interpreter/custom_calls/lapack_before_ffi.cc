// LAPACK's targets in the form that JAX called before its foreign function interface, up to 0.4.30: sizes and flags are
// scalar operands before the matrices, and the results include info and LAPACK's scratch memory. Each call is evaluated
// and judged as the equivalent call of the typed target (`lapack_sgeqrf_ffi` for `lapack_sgeqrf`).
#include <algorithm>
#include <complex>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/custom_calls/user_targets.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// The meaning of a scalar operand. Sizes must be those of the shapes, which the typed form reads instead.
enum class Scalar {
  kBatch,
  kRows,
  kColumns,
  kTaus,
  kScratchSize,
  kFlag,
  kTranspose,
  kVectors,
  kSort,
  kLow,
  kHigh,
  kOne
};
using enum Scalar;
using Values = std::vector<std::int64_t>;

struct Routine {
  std::vector<std::string_view> names;     // without the letter of the element type, as "geqrf"
  std::vector<Scalar> scalars;             // operands before the matrices
  std::size_t matrices = 1;                // operands after the scalars, the last of which may be a vector
  std::size_t sized = 0;                   // the index of the matrix that the sizes describe
  std::vector<std::size_t> results = {0};  // for each result of the typed target, the index of this target's result
  std::vector<std::size_t> complex_results = {};  // the same for complex matrices, if different
  std::optional<std::size_t> own_info = {};       // the info of a routine whose typed target has none
  std::string (*config)(const Values& scalars);   // the typed call's backend_config
};

std::string Letter(std::string_view key, char letter) { return fmt::format("{} = {} : ui8", key, int{letter}); }

std::string Triangle(std::int64_t lower) { return Letter("uplo", lower != 0 ? 'L' : 'U'); }

std::string SolveConfig(const Values& scalars) {
  return fmt::format("{{{}, {}, {}, {}}}", Letter("side", scalars[0] != 0 ? 'L' : 'R'), Triangle(scalars[1]),
                     Letter("trans_x", "NTC"[scalars[2]]), Letter("diag", scalars[3] != 0 ? 'U' : 'N'));
}

std::string SingularValuesConfig(const Values& scalars) {
  const char parts = scalars[0] != 0 ? 'A' : 'S';
  return fmt::format("{{{}}}", Letter("mode", scalars[1] != 0 ? parts : 'N'));
}

std::string NoConfig(const Values&) { return "{}"; }

const Routine kRoutines[] = {
    {.names = {"trsm"},
     .scalars = {kFlag, kFlag, kTranspose, kFlag, kRows, kColumns, kBatch, kOne},
     .matrices = 2,
     .sized = 1,
     .config = SolveConfig},
    {.names = {"getrf"}, .scalars = {kBatch, kRows, kColumns}, .results = {0, 1, 2}, .config = NoConfig},
    {.names = {"geqrf"},
     .scalars = {kBatch, kRows, kColumns, kScratchSize},
     .results = {0, 1},
     .own_info = 2,
     .config = NoConfig},
    {.names = {"orgqr", "ungqr"},
     .scalars = {kBatch, kRows, kColumns, kTaus, kScratchSize},
     .matrices = 2,
     .own_info = 1,
     .config = NoConfig},
    {.names = {"potrf"},
     .scalars = {kFlag, kBatch, kColumns},
     .results = {0, 1},
     .config = [](const Values& scalars) { return fmt::format("{{{}}}", Triangle(scalars[0])); }},
    {.names = {"gesdd"},
     .scalars = {kFlag, kFlag, kBatch, kRows, kColumns, kScratchSize},
     .results = {0, 1, 2, 3, 4},
     .config = SingularValuesConfig},
    {.names = {"syevd", "heevd"},
     .scalars = {kFlag, kBatch, kColumns},
     .results = {0, 1, 2},
     .config =
         [](const Values& scalars) { return fmt::format("{{{}, {}}}", Letter("mode", 'V'), Triangle(scalars[0])); }},
    {.names = {"geev"},
     .scalars = {kBatch, kColumns, kVectors, kVectors},
     .results = {3, 4, 5, 6, 7},
     .complex_results = {2, 3, 4, 5},
     .config =
         [](const Values& scalars) {
           return fmt::format("{{compute_left = {} : ui8, compute_right = {} : ui8}}", scalars[2], scalars[3]);
         }},
    {.names = {"gees"},
     .scalars = {kBatch, kColumns, kVectors, kSort},
     .results = {0, 3, 1, 2, 4, 5},
     .complex_results = {0, 3, 2, 4, 5},
     .config =
         [](const Values& scalars) {
           return fmt::format("{{mode = {} : ui8, sort = {} : ui8}}", scalars[2], scalars[3]);
         }},
    {.names = {"gehrd"},
     .scalars = {kColumns, kLow, kHigh, kScratchSize, kBatch, kScratchSize},
     .results = {0, 1, 2},
     .config = [](const Values& scalars) { return fmt::format("{{low = {}, high = {}}}", scalars[1], scalars[2]); }},
    {.names = {"sytrd", "hetrd"},
     .scalars = {kColumns, kFlag, kScratchSize, kBatch, kScratchSize},
     .results = {0, 1, 2, 3, 4},
     .config = [](const Values& scalars) { return fmt::format("{{{}}}", Triangle(scalars[1])); }},
};

// Removes "lapack_" or "blas_" from the name of a target; the letter of the element type and the routine follow.
std::string_view Unprefixed(std::string_view target) { return target.substr(target.find('_') + 1); }

const Routine& RoutineOf(const HloInstruction& call) {
  const std::string_view name = Unprefixed(call.String("custom_call_target")).substr(1);
  return *std::ranges::find_if(
      kRoutines, [&](const Routine& routine) { return std::ranges::find(routine.names, name) != routine.names.end(); });
}

const HloInstruction& MatrixOperand(const HloInstruction& call, std::size_t i) {
  return *call.operands[RoutineOf(call).scalars.size() + i];
}

// Returns the value of a scalar that is not constant, as the shapes imply it.
std::int64_t Expected(const HloInstruction& call, Scalar scalar) {
  const Routine& routine = RoutineOf(call);
  const MatrixBatch batch = BatchOf(call, routine.scalars.size() + routine.sized);
  switch (scalar) {
    case kBatch:
      return batch.count();
    case kRows:
      return batch.rows;
    case kColumns:
    case kHigh:
      return batch.columns;
    case kTaus:
      return MatrixOperand(call, 1).shape.dimensions().back();
    case kVectors:
      return 'V';
    case kSort:
      return 'N';
    case kFlag:
    case kLow:
    case kOne:
      return 1;
    case kTranspose:
    case kScratchSize:
      return 0;
  }
  return 0;
}

bool IsAllowed(const HloInstruction& call, Scalar scalar, std::int64_t value) {
  switch (scalar) {
    case kFlag:
      return value == 0 || value == 1;
    case kTranspose:
      return 0 <= value && value <= 2;
    case kVectors:
      return value == 'V' || value == 'N';
    case kLow:
    case kHigh:
    case kScratchSize:
      return true;  // the typed target checks the range; the size of scratch memory has no meaning
    default:
      return value == Expected(call, scalar);
  }
}

std::string Description(Scalar scalar, std::int64_t expected) {
  switch (scalar) {
    case kFlag:
      return "0 or 1";
    case kTranspose:
      return "0, 1 or 2";
    case kVectors:
      return "the code of V or N";
    case kSort:
      return "the code of N";
    case kOne:
      return "1: other factors alpha are not evaluated";
    default:
      return fmt::format("{}, as the shapes of the matrices say", expected);
  }
}

// Returns the value of a scalar operand: an integer, or for alpha 1 or another number.
std::int64_t ScalarValue(const Literal& value) {
  if (IsIntegralType(value.element_type())) return value.IntegerAt(0);
  return Converted(value, C128).values<std::complex<double>>()[0] == 1.0;
}

// Returns the typed call that is equal to an untyped one with these scalars.
std::unique_ptr<HloInstruction> TypedCall(const HloInstruction& call, const Values& scalars, Shape shape) {
  const Routine& routine = RoutineOf(call);
  auto typed = std::make_unique<HloInstruction>();
  typed->op = &op_custom_call;
  typed->name = call.name;
  typed->location = call.location;
  typed->shape = std::move(shape);
  typed->Set("custom_call_target", fmt::format("lapack_{}_ffi", Unprefixed(call.String("custom_call_target"))));
  typed->annotations["backend_config"] = routine.config(scalars);
  typed->operands.assign(call.operands.begin() + static_cast<std::ptrdiff_t>(routine.scalars.size()),
                         call.operands.end());
  return typed;
}

const std::vector<std::size_t>& TypedResults(const HloInstruction& call) {
  const Routine& routine = RoutineOf(call);
  const bool differs = IsComplexType(MatrixOperand(call, 0).shape.element_type()) && !routine.complex_results.empty();
  return differs ? routine.complex_results : routine.results;
}

Shape TypedShape(const HloInstruction& call) {
  if (!call.shape.IsTuple()) return call.shape;
  std::vector<Shape> shapes;
  for (std::size_t i : TypedResults(call)) shapes.push_back(call.shape.tuple_shapes(i));
  return shapes.size() == 1 ? shapes[0] : ShapeUtil::MakeTupleShape(std::move(shapes));
}

Literal TypedValue(const HloInstruction& call, const Literal& value) {
  if (!call.shape.IsTuple()) return value;
  std::vector<Literal> results;
  for (std::size_t i : TypedResults(call)) results.push_back(value.elements()[i]);
  return results.size() == 1 ? results[0] : Literal::MakeTuple(std::move(results));
}

// Checks that the instruction has these operands, and results for all results of the typed target.
Status CheckForm(const HloInstruction& call) {
  const Routine& routine = RoutineOf(call);
  ASSAY_CHECK_OK(CheckOperandCount(call, routine.scalars.size() + routine.matrices));
  for (std::size_t i = 0; i < routine.matrices; ++i) {
    const Shape& shape = MatrixOperand(call, i).shape;
    if (shape.IsArray() && shape.rank() >= (i == routine.sized ? 2 : 1)) continue;
    return BadCall(call, "operand {} must be matrices, found {}", routine.scalars.size() + i,
                   shape.ToStringWithoutLayout());
  }
  const PrimitiveType element_type = MatrixOperand(call, 0).shape.element_type();
  for (std::size_t i = 0; i < routine.scalars.size(); ++i) {
    const bool is_code = routine.scalars[i] == kVectors || routine.scalars[i] == kSort;
    const Shape& found = call.operand(i).shape;
    // JAX of 2024 wrote the number of matrices as s64.
    if (routine.scalars[i] == kBatch && found.IsArray() && found == ShapeUtil::MakeScalarShape(S64)) continue;
    const PrimitiveType type = is_code ? U8 : routine.scalars[i] == kOne ? element_type : S32;
    ASSAY_CHECK_OK(CheckOperandIs(call, i, ShapeUtil::MakeScalarShape(type)));
  }
  const std::size_t needed = std::max(std::ranges::max(TypedResults(call)), routine.own_info.value_or(0)) + 1;
  const std::size_t count = call.shape.IsTuple() ? call.shape.tuple_shapes().size() : 1;
  if (count >= needed) return {};
  return BadCall(call, "the result must be a tuple of {} arrays and scratch memory, found {}", needed,
                 call.shape.ToStringWithoutLayout());
}

Status CheckScalar(const HloInstruction& call, std::size_t i, std::int64_t value) {
  const Scalar scalar = RoutineOf(call).scalars[i];
  if (IsAllowed(call, scalar, value)) return {};
  return BadCall(call, "operand {} must be {}, found {}", i, Description(scalar, Expected(call, scalar)),
                 scalar == kOne ? "another" : std::to_string(value));
}

Status CheckTyped(const HloInstruction& typed) {
  return FindBuiltInTarget(typed.String("custom_call_target"))->check(typed);
}

// A scalar is known if it is a constant of the module. A first flag that is not constant allows either of two shapes.
Status CheckUntyped(const HloInstruction& call) {
  ASSAY_CHECK_OK(CheckForm(call));
  const Routine& routine = RoutineOf(call);
  Values scalars;
  for (std::size_t i = 0; i < routine.scalars.size(); ++i) {
    const std::optional<Literal>& constant = call.operands[i]->literal;
    scalars.push_back(constant ? ScalarValue(*constant) : Expected(call, routine.scalars[i]));
    ASSAY_CHECK_OK(CheckScalar(call, i, scalars[i]));
  }
  const Status first = CheckTyped(*TypedCall(call, scalars, TypedShape(call)));
  if (!first && routine.scalars[0] == kFlag && !call.operands[0]->literal) {
    scalars[0] = 0;
    if (CheckTyped(*TypedCall(call, scalars, TypedShape(call)))) return {};
  }
  return first;
}

Values ScalarsOf(const HloInstruction& call, std::span<const Literal> operands) {
  Values scalars;
  for (std::size_t i = 0; i < RoutineOf(call).scalars.size(); ++i) scalars.push_back(ScalarValue(operands[i]));
  return scalars;
}

// Returns the results among scratch memory.
Literal UntypedValue(const HloInstruction& call, const Literal& value) {
  if (!call.shape.IsTuple()) return value;
  std::vector<Literal> results;
  for (const Shape& shape : call.shape.tuple_shapes()) results.emplace_back(shape);
  const std::vector<std::size_t>& places = TypedResults(call);
  for (std::size_t i = 0; i < places.size(); ++i) {
    results[places[i]] = value.shape().IsTuple() ? value.elements()[i] : value;
  }
  return Literal::MakeTuple(std::move(results));
}

// Scalars that were unknown to the verifier are checked here.
Literal EvaluateUntyped(const HloInstruction& call, std::span<Literal> operands, Evaluation& evaluation) {
  const Values scalars = ScalarsOf(call, operands);
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    if (const Status status = CheckScalar(call, i, scalars[i]); !status) throw EvaluationError{status.error()};
  }
  const auto typed = TypedCall(call, scalars, TypedShape(call));
  if (const Status status = CheckTyped(*typed); !status) throw EvaluationError{status.error()};
  return UntypedValue(call, FindBuiltInTarget(typed->String("custom_call_target"))
                                ->evaluate(*typed, operands.subspan(scalars.size()), evaluation));
}

bool HasOneUntypedResult(const HloInstruction& call) {
  const auto typed = TypedCall(call, Values(RoutineOf(call).scalars.size()), TypedShape(call));
  const auto has_one_result = FindBuiltInTarget(typed->String("custom_call_target"))->has_one_result;
  return has_one_result != nullptr && has_one_result(*typed);
}

std::optional<Literal> AnotherUntyped(const HloInstruction& call, std::span<const Literal> operands,
                                      std::uint64_t seed) {
  const Values scalars = ScalarsOf(call, operands);
  const auto typed = TypedCall(call, scalars, TypedShape(call));
  const auto another = FindBuiltInTarget(typed->String("custom_call_target"))->another;
  std::optional<Literal> value =
      another == nullptr ? std::nullopt : another(*typed, operands.subspan(scalars.size()), seed);
  return value ? std::optional(UntypedValue(call, *value)) : std::nullopt;
}

PropertyReport JudgeUntyped(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                            const Literal& got) {
  const Values scalars = ScalarsOf(call, operands);
  const auto typed = TypedCall(call, scalars, TypedShape(call));
  PropertyReport report =
      FindBuiltInTarget(typed->String("custom_call_target"))
          ->properties(*typed, operands.subspan(scalars.size()), TypedValue(call, want), TypedValue(call, got));
  const std::optional<std::size_t> own_info = RoutineOf(call).own_info;
  if (!own_info || !report.open.empty()) return report;
  const Literal& info = got.elements()[*own_info];
  bool is_zero = true;
  for (std::int64_t i = 0; i < info.element_count(); ++i) is_zero &= info.IntegerAt(i) == 0;
  report.properties.push_back({"info = 0", is_zero ? 0 : std::numeric_limits<double>::infinity()});
  return report;
}

const CustomCallTarget kLapackBeforeFfiTargets[] = {{
    .names = {"blas_{s,d,c,z}trsm", "lapack_{s,d,c,z}{getrf,geqrf,potrf,gesdd,geev,gees,gehrd}",
              "lapack_{s,d}{orgqr,syevd,sytrd}", "lapack_{c,z}{ungqr,heevd,hetrd}"},
    .meaning =
        "What the target with `_ffi` at the end means, with sizes and flags as operands and with scratch memory.",
    .check = CheckUntyped,
    .evaluate = EvaluateUntyped,
    .properties = JudgeUntyped,
    .has_one_result = HasOneUntypedResult,
    .another = AnotherUntyped,
}};

}  // namespace

const TargetFamily targets_lapack_before_ffi = kLapackBeforeFfiTargets;

}  // namespace assay
