// A user's own modules, changed: programs of the shapes that the user has, with instructions, sizes, types and values
// that nobody has tried.
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

// The modules of a folder (FindModuleFiles), and of programs of their own in it (module_file.h), with recorded or
// seeded inputs; of one module, where the path is a file. An error names the file.
Result<std::vector<NamedSubject>> ReadSubjects(const std::string& path);

// The subject after up to `count` changes: another op, operand or attribute, other values, sizes or types, another
// root. It is legal.
Subject ChangeSome(const Subject& subject, generate::Random& random, std::int64_t count);

}  // namespace assay
