// Writes a failure as a folder that the authors of a backend can use without assay (docs/reproducing.md).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "backends/backend.h"
#include "conformance/judging/instruction_values.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

// A module that a backend runs as a whole. Its root alone is judged.
struct ReproSubject {
  std::string title;
  std::unique_ptr<HloModule> module;
  DeviceValues arguments;
  InstructionValues exact;  // of the module's root, in the reference
};

// The result of a backend for a subject.
struct ReproFinding {
  std::optional<Literal> got;  // of all devices; nothing if the backend returned an error
  Judgement judgement;
};
ReproFinding RunSubject(Backend& backend, const ReproSubject& subject, const Profile& profile);

// The texts of the folder by file name: module.hlo without parameters; repro.py, which runs it and compares the worst
// element (repro_py.h); issue.md. If the failure disappears with constants as arguments, module.hlo has parameters,
// inputs.json has their values, and the issue says why.
using ReproFiles = std::map<std::string, std::string>;
// `backend_name` is the name on the command line.
ReproFiles MakeRepro(Backend& backend, const std::string& backend_name, const ReproSubject& subject,
                     const ReproFinding& finding, const Profile& profile);

}  // namespace assay
