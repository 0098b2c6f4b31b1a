// A kind of backend: one constant in one folder of backends/, which nothing else names but the list in
// backends/meson.build.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "backends/backend.h"

namespace assay {

struct BackendKind {
  std::string_view name;             // what stands before the colon: "lawful"
  std::string_view form;             // "lawful[:PROFILE[:SEED]]"
  std::string_view profile = "xla";  // by which it is judged where nothing else is said
  bool names_profile = false;        // `argument` begins with the profile by which it is judged
  // Opens one. `argument` is what stands behind the colon, nothing where there is none. Errors: kUsage when it cannot
  // be understood, kBackend when the backend cannot be started.
  Result<std::unique_ptr<Backend>> (*open)(std::optional<std::string_view> argument, double timeout_seconds);
};

// The list in backends/meson.build.
#define ASSAY_BACKEND(name) extern const BackendKind backend_##name;
#include "backends/kind_list.inc"
#undef ASSAY_BACKEND

// The kinds of the program: all of them, or those that a check may open.
std::span<const BackendKind* const> AllBackendKinds();

}  // namespace assay
