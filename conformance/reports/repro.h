// A failure as a folder that the authors of a backend can use without assay (docs/reproducing.md).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "backends/backend.h"
#include "conformance/judging/compare.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

// One module that a backend runs whole, and whose root alone is judged.
struct ReproSubject {
  std::string title;
  std::unique_ptr<HloModule> module;
  DeviceValues arguments;
  InstructionValues exact;  // of its root
};

// What a backend made of it.
struct ReproFinding {
  std::optional<Literal> got;  // of all devices; none where the backend gave an error
  Judgement judgement;
};
ReproFinding RunSubject(Backend& backend, const ReproSubject& subject, const Profile& profile);

// The texts of the folder by file name: module.hlo, without parameters; repro.py, which runs it and compares the worst
// element (repro_py.h); issue.md. When the backend is right about the module once its arguments are constants,
// module.hlo has parameters, inputs.json has their values, and the issue says why.
using ReproFiles = std::map<std::string, std::string>;
// `backend_name` is that of the command line.
ReproFiles MakeRepro(Backend& backend, const std::string& backend_name, const ReproSubject& subject,
                     const ReproFinding& finding, const Profile& profile);

}  // namespace assay
