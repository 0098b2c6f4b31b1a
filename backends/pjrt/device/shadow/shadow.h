// A PJRT plugin that passes every call on to another plugin, and has a share of the executions judged.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "backends/pjrt/buffers.h"
#include "backends/pjrt/device/shadow/judge.h"

namespace assay::pjrt {

class Shadow {
 public:
  // Loads the plugin that ASSAY_SHADOW names, and starts the judge with ASSAY_SHADOW_OPTIONS. Fails with kUsage for
  // wrong settings, otherwise as Plugin::Open and ShadowJudge::Start do. The shadow is never destroyed.
  static Result<Shadow*> Start();

  const Plugin& inner() const { return host_.plugin; }
  ShadowJudge& judge() { return *judge_; }

  // Each calls the function of the shadowed plugin and returns its error.
  PJRT_Error* CreateClient(PJRT_Client_Create_Args& args);
  PJRT_Error* Compile(PJRT_Client_Compile_Args& args);
  PJRT_Error* Execute(PJRT_LoadedExecutable_Execute_Args& args);
  PJRT_Error* Destroy(PJRT_LoadedExecutable_Destroy_Args& args);

 private:
  Shadow(const Plugin& plugin, ShadowedPlugin shadowed, ShadowJudge* judge)
      : host_{plugin}, shadowed_(std::move(shadowed)), judge_(judge) {}
  void Describe(PJRT_Client* client);
  void Remember(const PJRT_Client_Compile_Args& args);
  // Returns the shardings that the plugin's compiler has chosen, if the plugin has the extension for them.
  EntryShardings ShardingsOf(PJRT_Executable* executable) const;
  // Counts an execution. Returns it with its inputs if it is to be judged; otherwise nothing.
  std::optional<ShadowedExecution> Begin(const PJRT_LoadedExecutable_Execute_Args& args);
  Status ReadInputs(const PJRT_LoadedExecutable_Execute_Args& args, ShadowedExecution& execution) const;
  Status ReadOutputs(const PJRT_LoadedExecutable_Execute_Args& args, ShadowedExecution& execution) const;
  // Copies buffers to the host, and subtracts their sizes from `bytes_left`. Fails with kLimit below 0.
  Status Read(PJRT_Buffer* const* buffers, std::size_t count, std::int64_t& bytes_left,
              std::vector<Literal>& values) const;
  // Returns a program without a source for an executable that Compile has not made.
  std::shared_ptr<ShadowedProgram> Find(const PJRT_LoadedExecutable* executable);

  const Host host_;
  const ShadowedPlugin shadowed_;
  ShadowJudge* const judge_;
  std::once_flag described_;
  std::mutex mutex_;
  std::map<const PJRT_LoadedExecutable*, std::shared_ptr<ShadowedProgram>> programs_;
};

}  // namespace assay::pjrt
