// A program as a framework sends it, as HLO on whole arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/pjrt/compile_options.h"
#include "backends/pjrt/device/entry_layouts.h"
#include "backends/pjrt/device/memory_kinds.h"
#include "backends/pjrt/device/shards.h"
#include "interpreter/hlo/module.h"

namespace assay::pjrt {

// A program's bytes, from which it can be compiled again.
struct ProgramSource {
  std::string format;  // "mlir": StableHLO, as text or as bytecode of VHLO; "hlo": a serialized HloModuleProto
  std::string code;
  std::string compile_options;  // a serialized CompileOptionsProto

  std::string Serialize() const;
  static Result<ProgramSource> Deserialize(std::string_view bytes);
};

// The shardings that the compiler chose for a program's parameters and results, in HLO's text. Nothing: not known.
struct EntryShardings {
  std::optional<std::vector<std::string>> parameters = {}, results = {};
};

// A legal module on whole arrays, with the parts of its parameters and results that the devices hold. So no partitioner
// is needed. A manual computation runs on every partition, which takes its shards out of whole arrays
// (interpreter/hlo/shard_maps.h).
class WholeProgram {
 public:
  // Reads a program. `chosen` overrides the program's own shardings, which may be incomplete. Fails with kInput for a
  // program that cannot be read, and with kUnsupported for one that assay does not run.
  static Result<WholeProgram> Read(ProgramSource source, const EntryShardings& chosen = {});

  const ProgramSource& source() const { return source_; }
  const CompileOptions& options() const { return options_; }
  const HloModule& module() const { return *module_; }
  const std::string& name() const { return module_->name; }
  const std::vector<ShardedValue>& parameters() const { return parameters_; }
  const std::vector<ShardedValue>& results() const { return results_; }
  const EntryMemoryKinds& memory_kinds() const { return memory_kinds_; }
  const EntryLayouts& layouts() const { return layouts_; }
  // True for parameters that the program may overwrite.
  const std::vector<bool>& donated() const { return donated_; }
  std::int64_t replicas() const { return replicas_; }
  std::int64_t partitions() const { return partitions_; }
  // True if one run gives the results of all devices: every array is whole, and no instruction depends on the device.
  bool runs_once() const { return runs_once_; }
  // Returns the program as HLO before its manual computations are expanded: a serialized HloModuleProtoWithConfig.
  Result<std::string> Hlo() const;
  // Returns a text that differs between programs and between options.
  std::string fingerprint() const;
  // Returns the number of bytes that all instructions read and write if each runs once.
  std::int64_t bytes_accessed() const;

  // Returns the arguments of the module's runs from one list of parts for each device, in the order of flattened ids.
  DeviceValues JoinArguments(DeviceValues parts) const;
  // Returns one list of parts for each device from the results of the module's runs.
  DeviceValues SplitResults(const PerDevice<Literal>& outputs) const;
  // The inverse of SplitResults: returns the results of the module's runs from the parts of each device. If devices
  // hold copies of an array, each run gets the copy of its own device; a single run for all devices gets the copies of
  // partition `copies_of`.
  PerDevice<Literal> JoinResults(const DeviceValues& parts, std::int64_t copies_of) const;

 private:
  Status ShardEntry(const EntryShardings& chosen);
  // Returns fields of HloModuleProto, which frameworks without the extension for shardings read.
  std::string ShardingsOfEntry() const;
  // Adds up the terms of unreduced parameters, of which each device has one.
  Status SumUnreduced();
  void FindDonated();

  ProgramSource source_;
  CompileOptions options_;
  std::unique_ptr<HloModule> module_;
  std::int64_t replicas_ = 1, partitions_ = 1;
  bool runs_once_ = false;
  std::vector<ShardedValue> parameters_, results_;
  std::vector<bool> donated_;
  EntryMemoryKinds memory_kinds_;
  EntryLayouts layouts_;
};

}  // namespace assay::pjrt
