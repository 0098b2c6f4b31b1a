#include "interpreter/custom_calls/user_targets.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"

struct XlaCustomCallStatus_ {
  std::optional<std::string> failure;
};

void XlaCustomCallStatusSetSuccess(XlaCustomCallStatus* status) { status->failure.reset(); }

void XlaCustomCallStatusSetFailure(XlaCustomCallStatus* status, const char* message, std::size_t message_length) {
  status->failure.emplace(message, message_length);
}

namespace assay {
namespace {

// A function of any of the forms; the api_version of a call selects the form.
using AnyFunction = void (*)();

struct Library {
  std::string file;
  void* handle = nullptr;
};

struct UserTargets {
  std::mutex mutex;
  std::map<std::string, AnyFunction, std::less<>> functions;  // symbols of libraries join when first used
  std::vector<Library> libraries;
};

UserTargets& Targets() {
  static UserTargets targets;
  return targets;
}

AnyFunction FindFunction(std::string_view name) {
  UserTargets& targets = Targets();
  const std::lock_guard lock(targets.mutex);
  if (const auto found = targets.functions.find(name); found != targets.functions.end()) return found->second;
  const std::string symbol(name);
  for (const Library& library : targets.libraries) {
    if (void* address = dlsym(library.handle, symbol.c_str())) {
      const auto function = reinterpret_cast<AnyFunction>(address);
      targets.functions.emplace(symbol, function);
      return function;
    }
  }
  return nullptr;
}

// True for JAX's targets that call a Python function, such as xla_ffi_python_cpu_callback.
bool CallsPython(std::string_view target) {
  return target.find("python_") != std::string_view::npos && target.ends_with("_callback");
}

std::string WhereTargetsAreLookedFor() {
  UserTargets& targets = Targets();
  const std::lock_guard lock(targets.mutex);
  std::string places = "neither built in nor registered";
  if (targets.libraries.empty()) return places + ", and no custom-call library is loaded";
  places += ", and no symbol of ";
  for (std::size_t i = 0; i < targets.libraries.size(); ++i) {
    places += (i == 0 ? "" : ", ") + targets.libraries[i].file;
  }
  return places;
}

// One value in the memory of a target: the buffers of its arrays, and for tuples the arrays of pointers to them.
class Memory {
 public:
  // Allocates zeros, of this shape and its layouts.
  explicit Memory(const Shape& shape) : shape_(shape) {
    if (shape.IsTuple()) {
      for (const Shape& element : shape.tuple_shapes()) elements_.push_back(std::make_unique<Memory>(element));
      for (const auto& element : elements_) pointers_.push_back(element->address());
    } else if (shape.IsArray()) {
      bytes_.resize(PhysicalLayout(shape).buffer_elements() * StorageBytes(shape.element_type()) + 1);
    }
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void* address() {
    if (shape_.IsTuple()) return pointers_.data();
    return shape_.IsArray() ? bytes_.data() : nullptr;
  }

  void Write(const Literal& value) {
    for (std::size_t i = 0; i < elements_.size(); ++i) elements_[i]->Write(value.elements()[i]);
    if (!shape_.IsArray()) return;
    ForEachElement([&](std::int64_t row_major, std::int64_t physical, int size) {
      std::memcpy(bytes_.data() + physical * size, value.data() + row_major * size, size);
    });
  }

  Literal Read() const {
    if (shape_.IsToken()) return Literal::MakeToken();
    if (shape_.IsTuple()) {
      std::vector<Literal> elements;
      for (const auto& element : elements_) elements.push_back(element->Read());
      return Literal::MakeTuple(std::move(elements));
    }
    Literal value = Literal::Uninitialized(shape_);
    std::byte* const out = value.mutable_data();
    ForEachElement([&](std::int64_t row_major, std::int64_t physical, int size) {
      std::memcpy(out + row_major * size, bytes_.data() + physical * size, size);
    });
    return value;
  }

  Memory& At(std::span<const std::int64_t> index) {
    return index.empty() ? *this : elements_[index[0]]->At(index.subspan(1));
  }
  // Replaces this value's buffer by that of another value.
  void Alias(std::span<const std::int64_t> index, Memory& other) {
    if (index.size() > 1) return elements_[index[0]]->Alias(index.subspan(1), other);
    pointers_[index[0]] = other.address();
  }

 private:
  template <class Visit>
  void ForEachElement(Visit visit) const {
    if (ShapeUtil::ElementsIn(shape_) == 0) return;
    const PhysicalLayout layout(shape_);
    std::vector<std::int64_t> index(shape_.rank(), 0);
    std::int64_t row_major = 0;
    do {
      visit(row_major++, layout.Offset(index), StorageBytes(shape_.element_type()));
    } while (IndexUtil::BumpIndices(shape_.dimensions(), index));
  }

  Shape shape_;
  std::vector<std::byte> bytes_;
  std::vector<std::unique_ptr<Memory>> elements_;
  std::vector<void*> pointers_;
};

// Returns the shapes of the operands that the target sees.
Shape OperandShape(const HloInstruction& call, std::size_t i) {
  const auto* constraints = call.Find<std::vector<Shape>>("operand_layout_constraints");
  return constraints != nullptr ? (*constraints)[i] : call.operands[i]->shape;
}

constexpr std::string_view kOriginal = "API_VERSION_ORIGINAL", kStatusReturning = "API_VERSION_STATUS_RETURNING",
                           kUnified = "API_VERSION_STATUS_RETURNING_UNIFIED";

// Reports a target that ends the process; it would otherwise exit silently, with an exit code of its choice.
std::atomic<int> targets_running = 0;
void OnExit() {
  if (targets_running == 0) return;
  constexpr std::string_view kMessage = "error: a custom-call target has called exit\n";
  _exit(write(STDERR_FILENO, kMessage.data(), kMessage.size()) < 0 ? 3 : 2);
}

void CallForm(AnyFunction function, std::string_view version, std::string_view opaque, void* out, void** in,
              XlaCustomCallStatus& status) {
  if (version == kOriginal) {
    reinterpret_cast<CustomCallFunction>(function)(out, in);
  } else if (version == kStatusReturning) {
    reinterpret_cast<StatusReturningFunction>(function)(out, in, &status);
  } else {
    reinterpret_cast<UnifiedFunction>(function)(out, in, opaque.data(), opaque.size(), &status);
  }
}

// Calls the function; returns the message of its failure, if any.
std::optional<std::string> CallFunction(AnyFunction function, std::string_view version, std::string_view opaque,
                                        void* out, void** in) {
  XlaCustomCallStatus status;
  static const int registered = std::atexit(OnExit);
  if (registered == 0) ++targets_running;
  try {
    CallForm(function, version, opaque, out, in, status);
  } catch (const std::exception& exception) {
    status.failure = fmt::format("it threw an exception: {}", exception.what());
  } catch (...) {
    status.failure = "it threw an exception";
  }
  if (registered == 0) --targets_running;
  return status.failure;
}

// The memory of a call: operands and result.
struct CallMemory {
  CallMemory(const HloInstruction& call, std::span<const Literal> values) : result(call.shape) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      operands.push_back(std::make_unique<Memory>(OperandShape(call, i)));
      operands.back()->Write(values[i]);
      in.push_back(operands.back()->address());
    }
    const auto* aliases = call.Find<std::vector<OutputOperandAlias>>("output_to_operand_aliasing");
    if (aliases == nullptr) return;
    for (const OutputOperandAlias& alias : *aliases) {
      Memory& shared = result.At(alias.output_index);
      const Literal* value = &values[alias.operand];
      for (std::int64_t i : alias.operand_index) value = &value->elements()[i];
      shared.Write(*value);
      if (alias.operand_index.empty()) {
        in[alias.operand] = shared.address();
      } else {
        operands[alias.operand]->Alias(alias.operand_index, shared);
      }
    }
  }

  Memory result;
  std::vector<std::unique_ptr<Memory>> operands;
  std::vector<void*> in;
};

Literal RunFunction(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const std::string_view target = call.String("custom_call_target");
  const auto memory = std::make_shared<CallMemory>(call, operands);
  const auto failure = Uninterruptible([memory, function = FindFunction(target), opaque = BackendConfig(call),
                                        version = std::string(call.String("api_version"))] {
    return CallFunction(function, version, opaque, memory->result.address(), memory->in.data());
  });
  if (!failure) return memory->result.Read();
  Error error = IllegalInstruction(call, fmt::format("{} has failed: {}", target, *failure));
  error.code = ErrorCode::kInput;
  throw EvaluationError{std::move(error)};
}

Error Unsupported(const HloInstruction& call, std::string message) {
  Error error = IllegalInstruction(call, std::move(message));
  error.code = ErrorCode::kUnsupported;
  return error;
}

bool IsOfFixedSize(const Shape& shape) { return !shape.IsDynamic() && !shape.IsOpaque() && !shape.IsBuffer(); }

Status CheckUserCall(const HloInstruction& call) {
  const std::string_view target = call.String("custom_call_target");
  const std::string_view version = call.String("api_version");
  if (version != kOriginal && version != kStatusReturning && version != kUnified) {
    return Unsupported(call, fmt::format("{} is called by {}, which a user's target is not", target, version));
  }
  bool is_fixed = IsOfFixedSize(call.shape);
  for (const HloInstruction* operand : call.operands) is_fixed &= IsOfFixedSize(operand->shape);
  if (is_fixed) return {};
  return Unsupported(call, fmt::format("{}: a user's target takes and returns values of fixed size", target));
}

const CustomCallTarget kUserTarget = {
    .names = {},
    .meaning = "What the user's function does.",
    .check = CheckUserCall,
    .evaluate = RunFunction,
};

// A program may hold calls that it does not execute, as a branch for errors does: only an executed one is refused.
Literal RefuseToCallPython(const HloInstruction& call, std::span<Literal>, Evaluation&) {
  throw EvaluationError{Unsupported(
      call, fmt::format("the program calls back to Python ({}), and the module does not have that function: expected a "
                        "module without pure_callback, io_callback and debug.print, such as the parts of the function "
                        "before and after the call; JAX_PLATFORMS=assay runs the whole program in Python",
                        call.String("custom_call_target")))};
}

const CustomCallTarget kPythonFunction = {
    .names = {},
    .meaning = "What a Python function does that the module does not have.",
    .evaluate = RefuseToCallPython,
    .sees_run_time_sizes = true,
};

Status Register(std::string_view name, AnyFunction function) {
  if (name.empty() || function == nullptr) {
    return Error{ErrorCode::kUsage, "a custom-call target has a name and a function"};
  }
  if (FindBuiltInTarget(name) != nullptr) {
    return Error{ErrorCode::kUsage, fmt::format("the custom-call target {} is built in", name)};
  }
  UserTargets& targets = Targets();
  const std::lock_guard lock(targets.mutex);
  if (!targets.functions.emplace(name, function).second) {
    return Error{ErrorCode::kUsage, fmt::format("the custom-call target {} is registered already", name)};
  }
  return {};
}

}  // namespace

Status RegisterCustomCall(std::string_view name, CustomCallFunction function) {
  return Register(name, reinterpret_cast<AnyFunction>(function));
}
Status RegisterCustomCall(std::string_view name, StatusReturningFunction function) {
  return Register(name, reinterpret_cast<AnyFunction>(function));
}
Status RegisterCustomCall(std::string_view name, UnifiedFunction function) {
  return Register(name, reinterpret_cast<AnyFunction>(function));
}

Status LoadCustomCallLibrary(const std::string& file) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(file, error);
  if (!std::filesystem::exists(path, error)) {
    return Error{ErrorCode::kIo, fmt::format("custom-call library {}: no such file", file)};
  }
  // The absolute path: a bare name would be searched for in the system's folders.
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return Error{ErrorCode::kIo, fmt::format("custom-call library {}: {}", file, dlerror())};
  UserTargets& targets = Targets();
  const std::lock_guard lock(targets.mutex);
  targets.libraries.push_back({file, handle});
  return {};
}

Result<const CustomCallTarget*> FindUserTarget(const HloInstruction& custom_call) {
  const std::string_view name = custom_call.String("custom_call_target");
  if (FindFunction(name) != nullptr) return &kUserTarget;
  if (CallsPython(name)) return &kPythonFunction;
  return Unsupported(custom_call, fmt::format("the target \"{}\" is unknown: {}", name, WhereTargetsAreLookedFor()));
}

}  // namespace assay
