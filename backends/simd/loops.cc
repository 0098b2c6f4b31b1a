#include "backends/simd/loops.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "backends/simd/element_wise_line.h"
#include "backends/simd/selection.h"
#include "interpreter/types/limits.h"

namespace assay::simd {
namespace {

// A scalar of up to 64 bits; the bytes beyond its own are undefined.
using Register = std::uint64_t;

struct Step;
using Body = void (*)(const Step& step, Register* registers);

struct Step {
  Body body = nullptr;
  int operands[3] = {0, 0, 0};
  int result = 0;
  int operand_count = 0;
  std::shared_ptr<const Kernel> kernel;  // for steps whose body is CallKernel
};

template <class T>
T Get(const Register& from) {
  T value;
  std::memcpy(&value, &from, sizeof(T));
  return value;
}
template <class T>
void Put(T value, Register& to) {
  std::memcpy(&to, &value, sizeof(T));
}

// Integers wrap.
template <class T>
struct ArithmeticOf {
  using Type = T;
};
template <class T>
requires std::is_integral_v<T>
struct ArithmeticOf<T> {
  using Type = std::make_unsigned_t<T>;
};

template <class T, class Function>
void Binary(const Step& step, Register* registers) {
  using A = typename ArithmeticOf<T>::Type;
  const A a = Get<A>(registers[step.operands[0]]), b = Get<A>(registers[step.operands[1]]);
  Put<A>(static_cast<A>(Function()(a, b)), registers[step.result]);
}

template <class T, class Relation>
void Compare(const Step& step, Register* registers) {
  const T a = Get<T>(registers[step.operands[0]]), b = Get<T>(registers[step.operands[1]]);
  Put<std::uint8_t>(Relation()(a, b) ? 1 : 0, registers[step.result]);
}

template <class From, class To>
void Convert(const Step& step, Register* registers) {
  Put<To>(static_cast<To>(Get<From>(registers[step.operands[0]])), registers[step.result]);
}

void Select(const Step& step, Register* registers) {
  registers[step.result] = registers[step.operands[Get<std::uint8_t>(registers[step.operands[0]]) != 0 ? 1 : 2]];
}

void CallKernel(const Step& step, Register* registers) {
  const std::byte* operands[3];
  for (int i = 0; i < step.operand_count; ++i) {
    operands[i] = reinterpret_cast<const std::byte*>(&registers[step.operands[i]]);
  }
  (*step.kernel)(std::span(operands).first(step.operand_count), reinterpret_cast<std::byte*>(&registers[step.result]),
                 1);
}

template <class T>
Body ArithmeticBody(std::string_view op) {
  if (op == "add") return Binary<T, std::plus<>>;
  if (op == "subtract") return Binary<T, std::minus<>>;
  if (op == "multiply") return Binary<T, std::multiplies<>>;
  if constexpr (std::is_floating_point_v<T>) {
    if (op == "divide") return Binary<T, std::divides<>>;
  }
  return nullptr;
}

template <class T>
Body CompareBody(std::string_view direction) {
  if (direction == "EQ") return Compare<T, std::equal_to<>>;
  if (direction == "NE") return Compare<T, std::not_equal_to<>>;
  if (direction == "LT") return Compare<T, std::less<>>;
  if (direction == "LE") return Compare<T, std::less_equal<>>;
  if (direction == "GT") return Compare<T, std::greater<>>;
  return Compare<T, std::greater_equal<>>;
}

// Calls f(type) for the C++ type of these element types; returns null for others.
template <class Function>
Body WithType(PrimitiveType type, const Function& function) {
  switch (type) {
    case F32:
      return function(float());
    case F64:
      return function(double());
    case S32:
      return function(std::int32_t());
    case U32:
      return function(std::uint32_t());
    case S64:
      return function(std::int64_t());
    case U64:
      return function(std::uint64_t());
    default:
      return nullptr;
  }
}

// Returns the conversions that C++ defines for every number, with the rounding of `convert`.
Body ConvertBody(PrimitiveType from, PrimitiveType to) {
  if (from == S32 && to == F32) return Convert<std::int32_t, float>;
  if (from == S32 && to == F64) return Convert<std::int32_t, double>;
  if (from == S64 && to == F64) return Convert<std::int64_t, double>;
  if (from == S64 && to == F32) return Convert<std::int64_t, float>;
  if (from == S32 && to == S64) return Convert<std::int32_t, std::int64_t>;
  if (from == S64 && to == S32) return Convert<std::int64_t, std::int32_t>;
  if (from == F32 && to == F64) return Convert<float, double>;
  return nullptr;
}

Body BodyOf(const HloInstruction& instruction) {
  const std::string_view op = instruction.op->name;
  if (op == "select") return Select;
  const PrimitiveType type = instruction.operand(0).shape.element_type();
  if (op == "convert") return ConvertBody(type, instruction.shape.element_type());
  if (op == "compare") {
    if (IsTotalOrder(instruction)) return nullptr;
    return WithType(type, [&]<class T>(T) { return CompareBody<T>(instruction.String("direction")); });
  }
  return WithType(type, [&]<class T>(T) { return ArithmeticBody<T>(op); });
}

// A value of a computation of scalars: a register, or a tuple of values.
struct Value {
  int at = 0;
  std::vector<Value> elements;
};

class Loop {
 public:
  // Compiles a loop; nullopt if it contains anything but scalars, or an instruction without a kernel.
  static std::optional<Loop> Make(const HloInstruction& instruction) {
    Loop loop;
    const Shape& state = instruction.shape;
    const std::vector<Shape> parts = state.IsTuple() ? state.tuple_shapes() : std::vector<Shape>{state};
    Value argument;
    for (const Shape& part : parts) {
      if (!part.IsArray() || part.rank() != 0 || StorageBytes(part.element_type()) > 8) return std::nullopt;
      const int at = loop.NewRegister();
      argument.elements.push_back({at, {}});
      loop.bytes_.push_back(StorageBytes(part.element_type()));
    }
    if (!state.IsTuple()) argument = argument.elements[0];
    const auto holds = loop.Append(instruction.Computation("condition"), argument, loop.condition_);
    if (!holds) return std::nullopt;
    loop.holds_ = holds->at;
    const auto next = loop.Append(instruction.Computation("body"), argument, loop.body_);
    if (!next) return std::nullopt;
    if (!state.IsTuple()) loop.next_.push_back(next->at);
    for (const Value& element : next->elements) loop.next_.push_back(element.at);
    return loop;
  }

  // Runs the loop. The state is an array or a tuple of arrays.
  void Run(Literal& state) {
    const auto part = [&](std::size_t i) -> Literal& {
      return state.shape().IsTuple() ? state.mutable_elements()[i] : state;
    };
    for (std::size_t i = 0; i < bytes_.size(); ++i) std::memcpy(&registers_[i], part(i).data(), bytes_[i]);
    std::vector<Register> next(next_.size());
    LimitCheck check;
    while (true) {
      check();
      RunSteps(condition_);
      if (Get<std::uint8_t>(registers_[holds_]) == 0) break;
      RunSteps(body_);
      for (std::size_t i = 0; i < next.size(); ++i) next[i] = registers_[next_[i]];
      std::ranges::copy(next, registers_.begin());
    }
    for (std::size_t i = 0; i < bytes_.size(); ++i) std::memcpy(part(i).mutable_data(), &registers_[i], bytes_[i]);
  }

 private:
  int NewRegister() {
    registers_.push_back(0);
    return static_cast<int>(registers_.size()) - 1;
  }

  void RunSteps(const std::vector<Step>& steps) {
    Register* const registers = registers_.data();
    for (const Step& step : steps) step.body(step, registers);
  }

  std::optional<Value> Append(const HloComputation& computation, const Value& argument, std::vector<Step>& steps) {
    std::unordered_map<const HloInstruction*, Value> values;
    for (const auto& owned : computation.instructions) {
      const HloInstruction& instruction = *owned;
      if (!instruction.control_predecessors.empty()) return std::nullopt;
      Value value;
      switch (instruction.op->role) {
        case OpRole::kParameter:
          value = argument;
          break;
        case OpRole::kTuple:
          for (const HloInstruction* operand : instruction.operands) value.elements.push_back(values.at(operand));
          break;
        case OpRole::kGetTupleElement:
          value = values.at(instruction.operands[0]).elements.at(instruction.tuple_index());
          break;
        default: {
          const std::optional<int> at = AppendOne(instruction, values, steps);
          if (!at) return std::nullopt;
          value.at = *at;
        }
      }
      values[&instruction] = std::move(value);
    }
    return values.at(computation.root);
  }

  std::optional<int> AppendOne(const HloInstruction& instruction,
                               const std::unordered_map<const HloInstruction*, Value>& values,
                               std::vector<Step>& steps) {
    const Shape& shape = instruction.shape;
    if (!shape.IsArray() || shape.rank() != 0 || StorageBytes(shape.element_type()) > 8) return std::nullopt;
    const int result = NewRegister();
    if (instruction.op->role == OpRole::kConstant) {
      std::memcpy(&registers_[result], instruction.literal->data(), StorageBytes(shape.element_type()));
      return result;
    }
    if (instruction.operands.size() > 3 || !IsElementWise(instruction)) return std::nullopt;
    Step step;
    step.result = result;
    step.body = BodyOf(instruction);
    if (step.body == nullptr) {
      auto kernel = std::make_shared<const Kernel>(KernelOf(instruction));
      if (*kernel == nullptr) return std::nullopt;
      step.body = CallKernel;
      step.kernel = std::move(kernel);
    }
    for (const HloInstruction* operand : instruction.operands) {
      step.operands[step.operand_count++] = values.at(operand).at;
    }
    steps.push_back(std::move(step));
    return result;
  }

  std::vector<Register> registers_;  // those of the state come first
  std::vector<int> bytes_;           // of the state's elements
  std::vector<Step> condition_, body_;
  int holds_ = 0;
  std::vector<int> next_;
};

PreparedFunction PrepareWhile(const HloInstruction& instruction) {
  const std::optional<Loop> loop = Loop::Make(instruction);
  if (!loop) return {};
  return [loop = *loop](std::span<Literal> operands, Evaluation&) {
    Literal state = std::move(operands[0]);
    Loop(loop).Run(state);
    return state;
  };
}

constexpr std::string_view kNames[] = {"while"};

}  // namespace

const Family kLoops = {.ops = kNames, .prepare = PrepareWhile};

}  // namespace assay::simd
