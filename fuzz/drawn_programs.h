// The programs that fuzzing runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generate/modules.h"
#include "interpreter/hlo/op.h"

namespace assay {

struct DrawnProgram {
  generate::DrawnModule drawn;
  std::string source;  // "ops", "floats", "large", or the name of the rewrite that it is bait for
};

// What is drawn.
struct ProgramWishes {
  std::uint64_t seed = 0;
  bool may_have_devices = false;
  std::vector<const Op*> ops = {};  // modules have one of these each; empty: any op, and chains and baits besides
};

// Program `number`, which depends on nothing but the wishes: of four in a row one is a module of any ops, one a chain
// of float operations, and two are bait for rewrites that compilers got wrong (miscompilations.h), with values at their
// unsound points. Of 512 one has a large array instead.
DrawnProgram DrawProgram(const ProgramWishes& wishes, std::int64_t number);

}  // namespace assay
