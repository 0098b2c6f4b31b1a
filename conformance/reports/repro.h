// Writes a failure as a folder that the authors of a backend can use without assay (docs/reproducing.md).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/judging/instruction_values.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

// A module that a backend runs as a whole.
struct ReproSubject {
  std::string title;
  std::shared_ptr<const HloModule> module;
  DeviceValues arguments;
  InstructionValues exact;  // of the module's root, in the reference
  // True if the root alone is judged, as by `check`: a golden case, or a module of one instruction. Otherwise the
  // module is judged as a whole, as by `diff`.
  bool is_of_root = false;
};

// The result of a backend for a subject.
struct ReproFinding {
  std::optional<Literal> got;  // of all devices; nothing if the backend returned an error
  Judgement judgement;
  std::vector<Place> failed = {};  // elements of `got` that fail; lawful differences are not among them
};
// Runs a golden case and judges it as `check` does; again until it fails, at most `most_runs` times.
ReproFinding RunCase(Backend& backend, const ReproSubject& subject, const Profile& profile, int most_runs = 1);

// The texts of the folder by file name: module.hlo without parameters; repro.py, which runs it and compares the result
// with expected.json; issue.md. If the failure disappears with constants as arguments, module.hlo has parameters,
// inputs.json has their values, and the issue says why.
using ReproFiles = std::map<std::string, std::string>;
// `backend_name` is the name on the command line. The finding is a failure.
ReproFiles MakeRepro(Backend& backend, const std::string& backend_name, const ReproSubject& subject,
                     const ReproFinding& finding, const Profile& profile);

}  // namespace assay
