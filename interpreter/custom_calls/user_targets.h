// Custom-call targets that the user supplies: C functions, registered in process or loaded from shared objects.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "interpreter/hlo/custom_call_target.h"
#include "interpreter/types/result.h"

// XLA's names for the status of a target, in the process that calls it. Success is the default.
extern "C" {
struct XlaCustomCallStatus_;
using XlaCustomCallStatus = XlaCustomCallStatus_;
void XlaCustomCallStatusSetSuccess(XlaCustomCallStatus* status);
void XlaCustomCallStatusSetFailure(XlaCustomCallStatus* status, const char* message, std::size_t message_length);
}

namespace assay {

// The function of a target: reads the operands and writes every byte of the result. `in[i]` points to operand i, `out`
// to the result. An array is its elements in the order of its layout (that of operand_layout_constraints or of the
// declared result; row-major by default), a tuple an array of such pointers, a token a null pointer. A result that
// aliases an operand (output_to_operand_aliasing) is at the same address. The function has no side effect and returns
// the same result for the same operands.
using CustomCallFunction = void (*)(void* out, void** in);

// The same for API_VERSION_STATUS_RETURNING, and for API_VERSION_STATUS_RETURNING_UNIFIED, where `opaque` is the
// backend_config. Both report failure through the functions below.
using StatusReturningFunction = void (*)(void* out, void** in, XlaCustomCallStatus* status);
using UnifiedFunction = void (*)(void* out, void** in, const char* opaque, std::size_t opaque_length,
                                 XlaCustomCallStatus* status);

// Registers `function`: custom calls of this target run it from now on. Its form must be that of their api_version.
// Fails if the name is empty, built in or already registered.
Status RegisterCustomCall(std::string_view name, CustomCallFunction function);
Status RegisterCustomCall(std::string_view name, StatusReturningFunction function);
Status RegisterCustomCall(std::string_view name, UnifiedFunction function);

// Adds a shared object to search for targets that are neither built in nor registered, after the objects loaded before
// it. Fails if the file is missing or cannot be loaded.
Status LoadCustomCallLibrary(const std::string& file);

// Returns null if there is none.
const CustomCallTarget* FindBuiltInTarget(std::string_view name);
// Returns the record of a user's target. The error names an unknown target and the places that were searched.
Result<const CustomCallTarget*> FindUserTarget(const HloInstruction& custom_call);

}  // namespace assay
