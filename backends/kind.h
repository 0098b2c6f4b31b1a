// A kind of backend: one constant in one folder of backends/. Only the list in backends/meson.build names it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "backends/backend.h"

namespace assay {

struct BackendKind {
  std::string_view name;             // the part before the colon: "lawful"
  std::string_view form;             // "lawful[:PROFILE[:SEED]]"
  std::string_view profile = "xla";  // the default profile that judges it
  bool names_profile = false;        // true if `argument` begins with the profile that judges it
  // Opens a backend of the kind. `argument` is the part of the name after the colon; nullopt if there is no colon.
  // Fails with kUsage if the argument is invalid, and with kBackend if the backend cannot be started.
  Result<std::unique_ptr<Backend>> (*open)(std::optional<std::string_view> argument, double timeout_seconds);
};

// The kinds on the list in backends/meson.build.
#define ASSAY_BACKEND(name) extern const BackendKind backend_##name;
#include "backends/kind_list.inc"
#undef ASSAY_BACKEND

// Returns the kinds that the program links: all of them, or those that `tools/dev check` may open.
std::span<const BackendKind* const> AllBackendKinds();

}  // namespace assay
