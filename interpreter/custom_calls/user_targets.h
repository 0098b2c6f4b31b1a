// Custom-call targets that the user supplies: C functions, registered in process or found in shared objects.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "interpreter/hlo/custom_call_target.h"
#include "interpreter/types/result.h"

// XLA's names for what a target says about its success, in the process that calls it. Success is the default.
extern "C" {
struct XlaCustomCallStatus_;
using XlaCustomCallStatus = XlaCustomCallStatus_;
void XlaCustomCallStatusSetSuccess(XlaCustomCallStatus* status);
void XlaCustomCallStatusSetFailure(XlaCustomCallStatus* status, const char* message, std::size_t message_length);
}

namespace assay {

// What a target is: it reads the operands and writes every byte of the result. `in[i]` points to operand i, `out` to
// the result. An array is its elements in the order of its layout (that of operand_layout_constraints or of the
// declared result; row-major where none is written), a tuple an array of such pointers, a token a null pointer. A
// result that aliases an operand (output_to_operand_aliasing) is at the same address. The function has no side effect
// and gives the same result for the same operands.
using CustomCallFunction = void (*)(void* out, void** in);

// The same for calls by API_VERSION_STATUS_RETURNING, and by API_VERSION_STATUS_RETURNING_UNIFIED, where `opaque` is
// the backend_config. They report failure by the functions below.
using StatusReturningFunction = void (*)(void* out, void** in, XlaCustomCallStatus* status);
using UnifiedFunction = void (*)(void* out, void** in, const char* opaque, std::size_t opaque_length,
                                 XlaCustomCallStatus* status);

// Custom calls of this target run `function` from now on; the form must be that of their api_version. An error when the
// name is empty, built in or registered already.
Status RegisterCustomCall(std::string_view name, CustomCallFunction function);
Status RegisterCustomCall(std::string_view name, StatusReturningFunction function);
Status RegisterCustomCall(std::string_view name, UnifiedFunction function);

// Targets that are neither built in nor registered are looked for among the symbols of this shared object, behind those
// of objects loaded before it. An error when the file is missing or cannot be loaded.
Status LoadCustomCallLibrary(const std::string& file);

// Null when there is none.
const CustomCallTarget* FindBuiltInTarget(std::string_view name);
// The record of a user's target. The error names a target that nobody knows and says where it was looked for.
Result<const CustomCallTarget*> FindUserTarget(const HloInstruction& custom_call);

}  // namespace assay
