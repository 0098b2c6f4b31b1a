// The state of one reading of an HloModuleProto.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/stack_tables.h"
#include "interpreter/proto/message.h"
#include "interpreter/types/result.h"

namespace assay::proto {

class ModuleReader {
 public:
  // The bytes must have passed CheckMessage.
  explicit ModuleReader(std::string_view bytes) : proto_(bytes) {}
  Result<std::unique_ptr<HloModule>> Read();

 private:
  struct SerializedInstruction {
    std::int64_t id = 0;
    std::unique_ptr<HloInstruction> instruction;
    std::string_view metadata;  // read after the module has its order, in which stack frames are numbered
  };
  struct SerializedComputation {
    std::int64_t id = 0;
    std::unique_ptr<HloComputation> computation;
    std::vector<SerializedInstruction> instructions;
  };

  // read_module.cc
  Status ReadComputation(const Message& message);
  static Status CheckParameters(const SerializedComputation& computation);
  static Status ArrangeInstructions(SerializedComputation& computation);
  void ArrangeComputations();
  Status ReadSchedule(const Message& schedule);
  static Status Reorder(SerializedComputation& computation, const std::vector<std::int64_t>& ids);
  Status FindEntry();
  void AddComputations();

  // read_instruction.cc
  Status ReadInstruction(const Message& message, SerializedComputation& computation);
  Status ReadParts(const Message& message, HloInstruction& instruction);
  Status ReadOperands(const Message& message, HloInstruction& instruction);
  Status ReadCallees(const Message& message, HloInstruction& instruction);
  Status CountDevices(const ReplicaGroups& groups);
  Result<std::vector<HloComputation*>> FindCallees(const Message& message) const;

  Message proto_;
  std::vector<std::string_view> payloads_;
  std::unique_ptr<HloModule> module_ = std::make_unique<HloModule>();
  std::vector<SerializedComputation> computations_;
  std::unordered_map<std::int64_t, HloComputation*> computation_of_id_;
  std::unordered_map<std::int64_t, HloInstruction*> instruction_of_id_;  // of the computation that is being read
  std::unordered_set<std::string_view> computation_names_, instruction_names_;
  std::size_t listed_devices_ = 0;  // in replica groups
};

}  // namespace assay::proto
