// A program as the framework sends it, compiled for an engine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "backends/pjrt/compile_options.h"
#include "interpreter/hlo/module.h"
#include "plugin/memory_kinds.h"
#include "plugin/shards.h"

namespace assay::pjrt {

// A program's bytes, from which it can be compiled again.
struct ProgramSource {
  std::string format;  // "mlir": StableHLO, as text or as bytecode of VHLO; "hlo": a serialized HloModuleProto
  std::string code;
  std::string compile_options;  // a serialized CompileOptionsProto

  std::string Serialize() const;
  static Result<ProgramSource> Deserialize(std::string_view bytes);
};

// A program whose arrays are whole: the plugin needs no partitioner. Parameters in tiles are joined before a run, and
// each device gets its tile of the results after it. A manual computation runs on every partition, which takes its
// shards out of whole arrays (interpreter/hlo/shard_maps.h).
class CompiledProgram {
 public:
  static Result<std::shared_ptr<const CompiledProgram>> Compile(ProgramSource source, Backend& engine);

  const ProgramSource& source() const { return source_; }
  const CompileOptions& options() const { return options_; }
  const std::string& name() const { return module_->name; }
  const std::vector<ShardedValue>& parameters() const { return parameters_; }
  const std::vector<ShardedValue>& results() const { return results_; }
  const EntryMemoryKinds& memory_kinds() const { return memory_kinds_; }
  // True for parameters that the program may overwrite.
  const std::vector<bool>& donated() const { return donated_; }
  std::int64_t replicas() const { return replicas_; }
  std::int64_t partitions() const { return partitions_; }
  // Returns the program as HLO before its manual computations are expanded: a serialized HloModuleProtoWithConfig.
  Result<std::string> Hlo() const;
  // A text that differs between programs or options.
  std::string fingerprint() const;
  // The bytes that all instructions read and write when each runs once.
  std::int64_t bytes_accessed() const;

  // Runs the program: one list of parts for each device, in the order of flattened ids.
  Result<DeviceValues> Run(DeviceValues parts) const;

 private:
  CompiledProgram() = default;
  Status ShardEntry();
  // Returns fields of HloModuleProto, which frameworks without the extension for shardings read.
  std::string ShardingsOfEntry() const;
  void FindDonated();
  DeviceValues JoinArguments(DeviceValues parts) const;

  ProgramSource source_;
  CompileOptions options_;
  std::unique_ptr<HloModule> module_;
  std::int64_t replicas_ = 1, partitions_ = 1;
  // True if one run gives the results of all devices: every array is whole, and no instruction depends on the device.
  bool runs_once_ = false;
  std::vector<ShardedValue> parameters_, results_;
  std::vector<bool> donated_;
  EntryMemoryKinds memory_kinds_;
  std::unique_ptr<assay::Executable> executable_;
};

}  // namespace assay::pjrt
