#include "diagnosis/failing_module.h"

#include <fmt/format.h>

#include "conformance/files.h"
#include "conformance/inputs.h"
#include "interpreter/hlo/printer.h"

namespace assay {

std::string CommandOf(const FailingModule& failing) {
  std::string command = fmt::format("assay diff {0}/module.hlo --backend '{1}' --inputs {0}/inputs.json",
                                    failing.folder, failing.backend);
  if (!failing.profile.empty()) command += fmt::format(" --profile {}", failing.profile);
  for (const std::string& library : failing.libraries) command += fmt::format(" --custom-call-library {}", library);
  return command;
}

Status WriteFailingModule(const FailingModule& failing, const Subject& subject) {
  ASSAY_CHECK_OK(PrepareFolder(failing.folder));
  ASSAY_CHECK_OK(
      WriteFileAtomically(failing.folder + "/module.hlo", PrintHloModule(*subject.module, PrintOptions::Exact())));
  ASSAY_CHECK_OK(WriteFileAtomically(failing.folder + "/inputs.json", InputsText(subject.arguments)));
  return WriteFileAtomically(failing.folder + "/command.txt", CommandOf(failing) + "\n");
}

}  // namespace assay
