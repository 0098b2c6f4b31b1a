// The boundary of the plugin: every function of the table enters through Enter.
#pragma once

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "backends/pjrt/abi/api.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/result.h"

namespace assay::pjrt {

extern const PJRT_Error_FunctionTable kErrorFunctions;

struct PJRT_Error {
  PJRT_Error(PJRT_Error_Code with, std::string text) : code(with), message(std::move(text)) {}

  const PJRT_Error_FunctionTable* const functions = &kErrorFunctions;  // first, as frameworks expect
  const PJRT_Error_Code code;
  const std::string message;
};

// Returns the code of absl's statuses that XLA uses for such an error.
PJRT_Error_Code CodeOf(ErrorCode code);
// Returns an error that the caller destroys; null for success.
PJRT_Error* NewError(const Status& status);

// Returns a table of this version in which every function is `function`, except those of errors. No entry is null:
// frameworks call older ones without a check.
PJRT_Api TableOf(PJRT_Error* (*function)(void*));

// The bytes of a struct that every caller has, whatever it says: jaxlib before 0.7 states too small a size for this
// one.
template <class Args>
inline constexpr std::size_t kLeastSize = 0;
template <>
inline constexpr std::size_t kLeastSize<PJRT_Plugin_Attributes_Args> = sizeof(PJRT_Plugin_Attributes_Args);

// Calls a function of the plugin as a function of the table: in the default floating-point environment, which the
// caller gets back unchanged, and with errors and exceptions as PJRT_Error.
//
// A caller of an older version has a shorter struct. Fields beyond its end read as zero, and results for them are
// dropped.
template <class Args, auto function>
PJRT_Error* Enter(Args* caller) noexcept {
  const DefaultFloatEnvironment environment;
  Status status;
  try {
    Args args;
    const std::size_t size = std::max(std::min(caller->sized.struct_size, sizeof(Args)), kLeastSize<Args>);
    std::memcpy(static_cast<void*>(&args), caller, size);
    if constexpr (std::is_void_v<decltype(function(args))>) {
      function(args);
    } else {
      status = function(args);
    }
    args.sized.struct_size = caller->sized.struct_size;
    std::memcpy(static_cast<void*>(caller), &args, size);
  } catch (const EvaluationError& error) {
    status = error.error;
  } catch (const std::bad_alloc& error) {
    status = OutOfMemory(error);
  } catch (const std::exception& error) {
    status = Error{ErrorCode::kBackend, std::string("assay broke off with an exception: ") + error.what()};
  }
  return NewError(status);
}

}  // namespace assay::pjrt
