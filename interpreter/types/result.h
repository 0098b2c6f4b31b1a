// Errors as values: a Result<T> holds a T, or an Error that says what is wrong, where, and which rule was broken.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace assay {

// The codes of errors, each with one exit code of the command line (docs/architecture.md).
enum class ErrorCode {
  kUsage,        // a flag or a request that makes no sense
  kParse,        // text that does not follow the grammar
  kIllegal,      // a well-formed module that breaks a rule of the operation set
  kInput,        // an input value that does not fit the module, or cannot be read
  kUnsupported,  // legal, but deliberately not evaluated
  kIo,           // a file that cannot be read or written
  kBackend,      // a backend that does not start, crashes, hangs, or breaks the protocol
  kLimit,        // memory, time or steps
  kDeadlock,     // every live device waits
  kCheck,        // a check that the program itself makes, such as check.expect_eq, fails
};

// 1-based position in a text; line 0 means "no position".
struct SourceLocation {
  int line = 0;
  int column = 0;
};

struct Error {
  ErrorCode code = ErrorCode::kUsage;
  std::string message;
  SourceLocation location = {};
};

// The only exception of the interpreter: an evaluation cannot continue (limits, deadlock, a missing custom call). The
// evaluator catches it at its public boundary and returns the Error.
struct EvaluationError {
  Error error;
};

// A value, or the Error that prevented it.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & { return std::get<1>(state_); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

// Declares or assigns `target` from a Result, or returns its error from the enclosing function.
#define ASSAY_TRY(target, expression) ASSAY_TRY_IMPL(target, expression, ASSAY_TRY_NAME(assay_try_, __LINE__))
#define ASSAY_TRY_NAME(prefix, line) ASSAY_TRY_NAME_IMPL(prefix, line)
#define ASSAY_TRY_NAME_IMPL(prefix, line) prefix##line
#define ASSAY_TRY_IMPL(target, expression, name)         \
  auto name = (expression);                              \
  if (!name.has_value()) return std::move(name).error(); \
  target = *std::move(name)

// Returns the error of a Status from the enclosing function.
#define ASSAY_CHECK_OK(expression)                                                                           \
  do {                                                                                                       \
    if (auto assay_status = (expression); !assay_status.has_value()) return std::move(assay_status).error(); \
  } while (false)

}  // namespace assay
