// Variants of a user's own modules: programs of the same structure, with new instructions, sizes, types and values.
#pragma once

#include <string>
#include <vector>

#include "diagnosis/subject.h"
#include "generate/random.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {

struct NamedSubject {
  std::string name;
  Subject subject;
};

// Reads the modules of a folder (FindModuleFiles), with recorded or seeded inputs, including those of whole programs
// (module_file.h). The path may also be a single module. An error names the file.
Result<std::vector<NamedSubject>> ReadSubjects(const std::string& path);

// Returns the legal subject after up to `count` changes: another op, operand or attribute, other values, sizes or
// types, another root.
Subject ChangeSome(const Subject& subject, generate::Random& random, std::int64_t count);

}  // namespace assay
