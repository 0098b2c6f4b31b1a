#include "conformance/diagnosis/failing_module.h"

#include <fmt/format.h>

#include "backends/files.h"
#include "conformance/cases/inputs.h"
#include "conformance/reports/shell_word.h"
#include "interpreter/hlo/printer.h"

namespace assay {

std::string DeviceOptionsText(std::int64_t replicas, std::int64_t partitions) {
  if (replicas == 0 || partitions == 0) return "";
  return fmt::format(" --replicas {} --partitions {}", replicas, partitions);
}

std::string CommandOf(const FailingModule& failing) {
  std::string command = fmt::format("assay diff {} --backend {} --inputs {}", ShellWord(failing.folder + "/module.hlo"),
                                    ShellWord(failing.backend), ShellWord(failing.folder + "/inputs.json"));
  command += DeviceOptionsText(failing.replicas, failing.partitions);
  if (!failing.profile.empty()) command += " --profile " + ShellWord(failing.profile);
  for (const std::string& library : failing.libraries) command += " --custom-call-library " + ShellWord(library);
  return command;
}

Status WriteFailingModule(FailingModule failing, const Subject& subject) {
  failing.replicas = subject.module->replica_count;
  failing.partitions = subject.module->num_partitions;
  ASSAY_CHECK_OK(PrepareFolder(failing.folder));
  ASSAY_CHECK_OK(
      WriteFileAtomically(failing.folder + "/module.hlo", PrintHloModule(*subject.module, PrintOptions::Exact())));
  ASSAY_CHECK_OK(WriteFileAtomically(failing.folder + "/inputs.json", InputsText(subject.arguments)));
  return WriteFileAtomically(failing.folder + "/command.txt", CommandOf(failing) + "\n");
}

}  // namespace assay
