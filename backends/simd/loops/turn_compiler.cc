// Compiles the turns of a loop. Steps with machine code of their own work on registers; the others are called, and work
// on memory. A buffer is thus in registers, in memory or in both:
//
// - A step that writes registers also writes memory if another step of a turn reads the buffer there.
// - After a step that writes memory, the registers are loaded if the buffer has any.
// - At the end, the state's registers are written to memory. All other arrays last for a turn at most.
#include "backends/simd/loops/turn_compiler.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "backends/simd/loops/element_code.h"
#include "backends/simd/loops/memory_code.h"
#include "backends/simd/loops/vector_code.h"
#include "backends/simd/products.h"
#include "interpreter/kernels/loops/bound_step.h"
#include "interpreter/kernels/loops/loop_program.h"
#include "interpreter/types/load_integer.h"

namespace assay::simd {
namespace {

using asmjit::x86::Gp;

// The most registers of an array. A call costs little beside a step on a longer one.
constexpr std::int64_t kMostRegisters = 16;
// The most registers that a turn writes. Beyond, the compiler takes long, and its code mostly saves and reloads them.
constexpr std::int64_t kMostWritten = 2000;
// The largest array of a slice or update: offsets in it are immediate operands.
constexpr std::int64_t kMostSlicedBytes = 1 << 30;

// The ways to compile a step.
enum class StepForm { kCall, kElements, kRepeat, kCopy, kSlice, kUpdate, kProduct };

// A step, and the arrays that it reads in registers.
struct CompiledStep {
  const ReplayStep* step;
  StepForm form;
  std::vector<ArrayId> in_registers = {}, in_memory = {};
};

// True if the elements of the type are parts of registers.
bool IsVectorType(PrimitiveType type) {
  constexpr std::array kTypes = {F32, F64, S32, U32, S64, U64, PRED};
  return std::ranges::find(kTypes, type) != kTypes.end();
}

// Returns a constant start index. Numbers beyond S64 are larger than any array.
std::int64_t StartOf(const LoopArray& start) {
  const std::int64_t number = LoadInteger(start.type, start.constant->data());
  return number < 0 && !IsSignedIntegralType(start.type) ? INT64_MAX : number;
}

class TurnCompiler {
 public:
  TurnCompiler(const LoopProgram& program, const LoopBlock& block, asmjit::x86::Compiler& compiler)
      : program_(program),
        block_(block),
        compiler_(compiler),
        code_(compiler),
        registers_(program.buffers.size()),
        is_read_in_memory_(program.buffers.size(), false),
        is_written_(program.buffers.size(), false) {
    for (const ReplayStep& step : block.condition) steps_.push_back(Classified(step));
    for (const ReplayStep& step : block.body) steps_.push_back(Classified(step));
    called_steps_ = static_cast<int>(std::ranges::count(steps_, StepForm::kCall, &CompiledStep::form));
  }

  int called_steps() const { return called_steps_; }

  // Returns false if machine code would gain nothing, or would take too long to make.
  bool Compile() {
    std::int64_t written = 0;
    for (const CompiledStep& compiled : steps_) {
      if (WritesRegisters(compiled.form)) written += RegisterCount(ArrayAt(compiled.step->results[0]));
    }
    if (called_steps_ == std::ssize(steps_) || written > kMostWritten) return false;
    EmitFunction();
    return true;
  }

 private:
  const LoopArray& ArrayAt(ArrayId id) const { return program_.arrays[id]; }
  Vectors& RegistersOf(ArrayId id) { return registers_[ArrayAt(id).buffer]; }

  bool FitsRegisters(ArrayId id) const {
    const LoopArray& array = ArrayAt(id);
    return IsInMemory(id) && IsVectorType(array.type) && array.bytes() <= kMostRegisters * BytesOfRegister(array.type);
  }
  // True if the array has memory of the run's own, with room for whole registers.
  bool IsInMemory(ArrayId id) const { return program_.buffers[ArrayAt(id).buffer].offset >= 0; }

  CompiledStep Classified(const ReplayStep& step) const {
    CompiledStep compiled{.step = &step, .form = FormOf(step)};
    std::size_t memory_operands = 0;
    if (compiled.form == StepForm::kCall || compiled.form == StepForm::kProduct) memory_operands = SIZE_MAX;
    if (compiled.form == StepForm::kSlice || compiled.form == StepForm::kUpdate) memory_operands = 1;
    for (std::size_t i = 0; i < step.operands.size(); ++i) {
      (i < memory_operands ? compiled.in_memory : compiled.in_registers).push_back(step.operands[i]);
    }
    return compiled;
  }

  StepForm FormOf(const ReplayStep& step) const {
    if (step.op != nullptr || step.inner != nullptr) return StepForm::kCall;
    if (step.name == "dynamic-slice") return IsSlice(step, 1) ? StepForm::kSlice : StepForm::kCall;
    if (step.name == "dynamic-update-slice") return IsSlice(step, 2) ? StepForm::kUpdate : StepForm::kCall;
    if (!FitsRegisters(step.results[0])) return StepForm::kCall;
    if (step.name == "dot") return ProductOf(step) ? StepForm::kProduct : StepForm::kCall;
    if (!std::ranges::all_of(step.operands, [&](ArrayId id) { return FitsRegisters(id); })) return StepForm::kCall;
    if (step.name == kRepeatStep) return StepForm::kRepeat;
    if (step.name == kCopyStep) return StepForm::kCopy;
    return ElementCode(*step.instruction) != nullptr ? StepForm::kElements : StepForm::kCall;
  }

  // True if a dynamic-slice or dynamic-update-slice, whose start indices begin with this operand, moves one run between
  // registers and memory.
  bool IsSlice(const ReplayStep& step, std::size_t first_start) const {
    const Shape& whole = step.instruction->operand(0).shape;
    const bool is_update = first_start == 2;
    const Shape& part = is_update ? step.instruction->operand(1).shape : step.instruction->shape;
    const ArrayId in_registers = is_update ? step.operands[1] : step.results[0];
    if (step.operands.size() != first_start + whole.rank() || !FitsRegisters(in_registers)) return false;
    if (is_update && ArrayAt(step.results[0]).buffer != ArrayAt(step.operands[0]).buffer) return false;
    for (std::size_t i = first_start; i < step.operands.size(); ++i) {
      if (!FitsRegisters(step.operands[i]) || !IsIntegralType(ArrayAt(step.operands[i]).type)) return false;
    }
    return ArrayAt(in_registers).type != PRED && ArrayAt(step.operands[0]).bytes() <= kMostSlicedBytes &&
           IsOneRun(whole.dimensions(), part.dimensions());
  }

  std::optional<ProductCode> ProductOf(const ReplayStep& step) const {
    const std::optional<MatrixProduct> sizes = DenseProduct(*step.instruction);
    if (!sizes || sizes->batch != 1) return std::nullopt;
    const ProductCode product{ArrayAt(step.results[0]).type, sizes->m, sizes->n, sizes->k};
    const bool is_small = product.IsSmall() && IsInMemory(step.operands[0]) && IsInMemory(step.operands[1]);
    return is_small ? std::optional(product) : std::nullopt;
  }

  void EmitFunction() {
    asmjit::FuncNode* const function =
        compiler_.addFunc(asmjit::FuncSignatureT<int, std::byte*, std::byte* const*, const BoundStep*, std::int64_t>());
    function->frame().setAvxEnabled();
    function->frame().setAvxCleanup();
    int argument = 0;
    for (Gp* const gp : {&memory_, &buffers_, &bound_, &turns_}) {
      *gp = compiler_.newUIntPtr();
      function->setArg(argument++, *gp);
    }
    AssignRegisters();
    const asmjit::Label head = compiler_.newLabel();
    done_ = compiler_.newLabel();
    failed_ = compiler_.newLabel();
    compiler_.bind(head);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (i == block_.condition.size()) EmitTest();
      EmitStep(steps_[i], i);
    }
    if (steps_.size() == block_.condition.size()) EmitTest();
    compiler_.dec(turns_);
    compiler_.jnz(head);
    EmitReturn(TurnsEnd::kAllRun);
    compiler_.bind(done_);
    EmitReturn(TurnsEnd::kConditionFalse);
    compiler_.bind(failed_);
    EmitResult(TurnsEnd::kStepFailed);
    compiler_.endFunc();
  }

  // Makes the registers of all buffers that have any, and loads those with a value before the first turn.
  void AssignRegisters() {
    for (const CompiledStep& step : steps_) {
      for (const ArrayId id : step.in_memory) is_read_in_memory_[ArrayAt(id).buffer] = true;
      for (const ArrayId id : step.step->results) is_written_[ArrayAt(id).buffer] = true;
    }
    for (const CompiledStep& step : steps_) {
      for (const ArrayId id : step.in_registers) MakeRegisters(id);
      if (WritesRegisters(step.form)) MakeRegisters(step.step->results[0]);
    }
    std::vector<bool> has_value(program_.buffers.size(), false);
    const auto load = [&](ArrayId id) {
      if (!RegistersOf(id).empty() && !has_value[ArrayAt(id).buffer]) Load(id);
      has_value[ArrayAt(id).buffer] = true;
    };
    for (const ArrayId id : block_.state) load(id);
    for (const CompiledStep& step : steps_) {
      for (const ArrayId id : step.in_registers) load(id);
      for (const ArrayId id : step.step->results) has_value[ArrayAt(id).buffer] = true;
    }
  }

  // A called step overwrites all registers. An array that no step writes is loaded by each step that reads it then.
  void MakeRegisters(ArrayId id) {
    const bool keeps = called_steps_ == 0 || is_written_[ArrayAt(id).buffer];
    if (keeps && RegistersOf(id).empty()) RegistersOf(id) = NewRegisters(ArrayAt(id));
  }

  // Returns the registers of an operand.
  Vectors Operand(ArrayId id) {
    if (!RegistersOf(id).empty()) return RegistersOf(id);
    const Vectors registers = NewRegisters(ArrayAt(id));
    EmitLoad(code_, registers, AddressOf(id), TransferredBytes(id));
    return registers;
  }

  static bool WritesRegisters(StepForm form) { return form != StepForm::kCall && form != StepForm::kUpdate; }

  static std::int64_t RegisterCount(const LoopArray& array) {
    const std::int64_t bytes = BytesOfRegister(array.type);
    return (array.bytes() + bytes - 1) / bytes;
  }

  Vectors NewRegisters(const LoopArray& array) {
    Vectors registers(RegisterCount(array));
    for (Vec& each : registers) each = code_.New(array.type != PRED && array.bytes() > 16);
    return registers;
  }

  ArrayAddress AddressOf(ArrayId id) {
    const int buffer = ArrayAt(id).buffer;
    if (IsInMemory(id)) return {memory_, program_.buffers[buffer].offset};
    const Gp address = compiler_.newUIntPtr();
    compiler_.mov(address, asmjit::x86::ptr(buffers_, buffer * static_cast<int>(sizeof(std::byte*))));
    return {address};
  }

  // Returns the bytes that registers exchange with memory: those of a single element, or whole registers.
  std::int64_t TransferredBytes(ArrayId id) {
    const LoopArray& array = ArrayAt(id);
    if (array.count == 1) return array.bytes();
    return array.bytes() <= 16 ? 16 : RegisterCount(array) * BytesOfRegister(array.type);
  }
  void Load(ArrayId id) { EmitLoad(code_, RegistersOf(id), AddressOf(id), TransferredBytes(id)); }
  void Store(ArrayId id) { EmitStore(code_, AddressOf(id), RegistersOf(id), TransferredBytes(id)); }

  void EmitStep(const CompiledStep& compiled, std::size_t index) {
    const ReplayStep& step = *compiled.step;
    if (compiled.form == StepForm::kCall) EmitCall(index);
    if (compiled.form == StepForm::kUpdate) {
      EmitStore(code_, RunAddress(step, 2), Operand(step.operands[1]), ArrayAt(step.operands[1]).bytes());
    }
    if (WritesRegisters(compiled.form)) {
      EmitInRegisters(compiled);
      if (is_read_in_memory_[ArrayAt(step.results[0]).buffer]) Store(step.results[0]);
      return;
    }
    for (const ArrayId id : step.results) {
      if (!RegistersOf(id).empty()) Load(id);
    }
  }

  void EmitInRegisters(const CompiledStep& compiled) {
    const ReplayStep& step = *compiled.step;
    const LoopArray& result = ArrayAt(step.results[0]);
    const Vectors& out = RegistersOf(step.results[0]);
    if (compiled.form == StepForm::kSlice) return EmitLoad(code_, out, RunAddress(step, 1), result.bytes());
    if (compiled.form == StepForm::kProduct) {
      return ProductOf(step)->Emit(code_, out, AddressOf(step.operands[0]), AddressOf(step.operands[1]));
    }
    std::vector<Vectors> in;
    for (const ArrayId id : step.operands) in.push_back(Operand(id));
    if (compiled.form == StepForm::kRepeat) return EmitRepeat(code_, result.type, out, in[0]);
    if (compiled.form == StepForm::kCopy) return EmitCopy(code_, out, in[0]);
    const EmitElements emit = ElementCode(*step.instruction);
    emit(code_, *step.instruction, out, in);
  }

  // Emits the address of the elements that a dynamic-slice reads, or a dynamic-update-slice writes.
  ArrayAddress RunAddress(const ReplayStep& step, std::size_t first_start) {
    const Shape& whole = step.instruction->operand(0).shape;
    const Shape& part = first_start == 2 ? step.instruction->operand(1).shape : step.instruction->shape;
    std::vector<StartIndex> starts;
    for (std::size_t i = first_start; i < step.operands.size(); ++i) {
      const LoopArray& start = ArrayAt(step.operands[i]);
      starts.push_back({.type = start.type});
      if (start.constant != nullptr) {
        starts.back().constant = StartOf(start);
      } else {
        starts.back().number = Operand(step.operands[i])[0];
      }
    }
    return EmitRunAddress(code_, AddressOf(step.operands[0]), StorageBytes(whole.element_type()), whole.dimensions(),
                          part.dimensions(), starts);
  }

  // Calls the function of a step, and returns from the machine code if it fails.
  void EmitCall(std::size_t index) {
    const Gp step = compiler_.newUIntPtr(), succeeds = compiler_.newInt32();
    compiler_.lea(step, asmjit::x86::ptr(bound_, static_cast<std::int32_t>(index * sizeof(BoundStep))));
    asmjit::InvokeNode* call = nullptr;
    compiler_.invoke(&call, reinterpret_cast<std::uint64_t>(&RunForMachineCode),
                     asmjit::FuncSignatureT<bool, const BoundStep*>());
    call->setArg(0, step);
    call->setRet(0, succeeds);
    compiler_.test(succeeds.r8(), succeeds.r8());
    compiler_.jz(failed_);
  }

  // Ends the loop if its condition does not hold.
  void EmitTest() {
    const Vectors& holds = RegistersOf(block_.holds);
    if (holds.empty()) {
      compiler_.cmp(AddressOf(block_.holds).At(0).cloneResized(1), 0);
    } else {
      const Gp predicate = compiler_.newInt64();
      EmitFirst(code_, predicate, holds[0], 4);
      compiler_.test(predicate.r8(), predicate.r8());
    }
    compiler_.jz(done_);
  }

  void EmitReturn(TurnsEnd end) {
    for (std::size_t i = 0; i < block_.state.size(); ++i) {
      if (!block_.Keeps(i) && !RegistersOf(block_.state[i]).empty()) Store(block_.state[i]);
    }
    EmitResult(end);
  }
  void EmitResult(TurnsEnd end) {
    const Gp result = compiler_.newInt32();
    compiler_.mov(result, static_cast<int>(end));
    compiler_.ret(result);
  }

  const LoopProgram& program_;
  const LoopBlock& block_;
  asmjit::x86::Compiler& compiler_;
  VectorCode code_;
  std::vector<CompiledStep> steps_;
  int called_steps_ = 0;
  std::vector<Vectors> registers_;       // of each buffer
  std::vector<bool> is_read_in_memory_;  // each buffer, by a step of a turn
  std::vector<bool> is_written_;         // the same
  Gp memory_, buffers_, bound_, turns_;  // the arguments
  asmjit::Label done_, failed_;
};

}  // namespace

std::optional<int> EmitTurns(const LoopProgram& program, const LoopBlock& block, asmjit::x86::Compiler& compiler) {
  TurnCompiler turns(program, block, compiler);
  return turns.Compile() ? std::optional(turns.called_steps()) : std::nullopt;
}

}  // namespace assay::simd
