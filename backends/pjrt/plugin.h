// A PJRT plugin in this process: a shared object, and its table of functions.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "backends/pjrt/abi/api.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/result.h"

namespace assay::pjrt {

class Plugin {
 public:
  // Loads a shared object and checks its version. Errors are kBackend. It stays loaded until the process ends: plugins
  // leave threads behind that run its code.
  static Result<Plugin> Open(const std::string& file);
  // Opens and initializes a plugin. Errors are kBackend.
  static Result<Plugin> Load(const std::string& file);

  const PJRT_Api& api() const { return *api_; }
  // True if the plugin's table contains an entry. `entry` is the address of a member of api().
  bool Has(const void* entry) const;

  // "0.114"
  std::string Version() const;
  int minor_version() const { return api_->pjrt_api_version.minor_version; }

  // Calls a function of the table by its place and name; ASSAY_PJRT_CALL has both. The plugin may change the floating
  // environment: it is restored. An error that says UNIMPLEMENTED, or that the plugin's version has a larger struct of
  // arguments, is kUnsupported. Any other is kInput, also that the plugin has no such function.
  template <class Args>
  Status Call(Function<Args> PJRT_Api::*function, std::string_view name, Args& args) const {
    if (!Has(&(api_->*function)) || api_->*function == nullptr) return Missing(name);
    const DefaultFloatEnvironment environment;
    return StatusFrom((api_->*function)(&args), name);
  }

  // Calls a function of an extension. Returns false if the function is null or fails.
  template <class Args>
  bool Succeeds(Function<Args> function, Args& args) const {
    const DefaultFloatEnvironment environment;
    return function != nullptr && StatusFrom(function(&args), "").has_value();
  }

 private:
  explicit Plugin(const PJRT_Api* api) : api_(api) {}
  Status CheckVersion(const std::string& file) const;
  Error Missing(std::string_view name) const;
  Status StatusFrom(PJRT_Error* error, std::string_view name) const;

  const PJRT_Api* api_;
};

#define ASSAY_PJRT_CALL(plugin, function, args) (plugin).Call(&assay::pjrt::PJRT_Api::function, #function, args)

// Destroys objects of a plugin; errors of that have no consequence.
struct Destroyer {
  const Plugin* plugin = nullptr;
  void operator()(PJRT_Buffer* buffer) const;
  void operator()(PJRT_Client* client) const;
  void operator()(PJRT_Event* event) const;
  void operator()(PJRT_Executable* executable) const;
  void operator()(PJRT_LoadedExecutable* executable) const;
};
template <class Object>
using Owned = std::unique_ptr<Object, Destroyer>;

// Returns a text of the plugin; empty if there is no address, and its beginning if it is too long to be a text.
std::string_view TextOf(const char* text, std::size_t size);

// Waits for an event, if there is one, and destroys it. Returns the error of the operation that it tracks.
Status Await(const Plugin& plugin, PJRT_Event* event);

}  // namespace assay::pjrt
