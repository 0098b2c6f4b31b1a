// The shadow's table of PJRT functions: the plugin's, except the functions that compile, execute and destroy programs.
#include "backends/pjrt/abi/api.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "backends/pjrt/device/entry.h"
#include "backends/pjrt/device/shadow/shadow.h"

namespace assay::pjrt {
namespace {

// Never destroyed: threads of the program may run until the process ends.
const Result<Shadow*>& TheShadow() {
  static const auto* const shadow = new Result<Shadow*>(Shadow::Start());
  return *shadow;
}

template <class Args, PJRT_Error* (Shadow::*function)(Args&)>
PJRT_Error* Shadowed(Args* args) {
  return ((*TheShadow())->*function)(*args);
}

// Returns a copy of the plugin's table, of the same length, with the shadow's functions.
const PJRT_Api* ShadowingTable(const PJRT_Api& inner) {
  auto* const bytes = new std::byte[inner.sized.struct_size];
  std::memcpy(bytes, &inner, inner.sized.struct_size);
  auto* const table = reinterpret_cast<PJRT_Api*>(bytes);
  table->PJRT_Client_Create = Shadowed<PJRT_Client_Create_Args, &Shadow::CreateClient>;
  table->PJRT_Client_Compile = Shadowed<PJRT_Client_Compile_Args, &Shadow::Compile>;
  table->PJRT_LoadedExecutable_Execute = Shadowed<PJRT_LoadedExecutable_Execute_Args, &Shadow::Execute>;
  table->PJRT_LoadedExecutable_Destroy = Shadowed<PJRT_LoadedExecutable_Destroy_Args, &Shadow::Destroy>;
  // Registered after the process and the thread have started, so that this runs before their objects are destroyed.
  std::atexit([] { (*TheShadow())->judge().Finish(); });
  return table;
}

PJRT_Error* Refuse(void*) { return NewError(TheShadow().error()); }

PJRT_Error* RefusalCode(PJRT_Error_GetCode_Args* args) {
  args->code = args->error->code;
  return nullptr;
}
PJRT_Error* RefusalPayloads(PJRT_Error_ForEachPayload_Args*) { return nullptr; }

// Returns a table whose functions return the error of the start.
const PJRT_Api* RefusingTable() {
  static PJRT_Api api = TableOf(Refuse);
  api.PJRT_Error_GetCode = RefusalCode;
  api.PJRT_Error_ForEachPayload = RefusalPayloads;
  return &api;
}

}  // namespace
}  // namespace assay::pjrt

extern "C" __attribute__((visibility("default"))) const assay::pjrt::PJRT_Api* GetPjrtApi() {
  static const assay::pjrt::PJRT_Api* const table =
      assay::pjrt::TheShadow() ? assay::pjrt::ShadowingTable((*assay::pjrt::TheShadow())->inner().api())
                               : assay::pjrt::RefusingTable();
  return table;
}
