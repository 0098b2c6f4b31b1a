// The programs of a fuzzing run: drawn, or those of a user, from which mutations start.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/generate/modules.h"
#include "fuzz/generate/random.h"
#include "fuzz/mutations/mutation.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/result.h"

namespace assay {

struct DrawnProgram {
  generate::DrawnModule drawn;
  std::string source;  // "ops", "floats", "large", "quantized", or the name of the miscompilation that it is bait for
  bool is_bait = false;
};

// The constraints on drawn programs.
struct ProgramWishes {
  std::uint64_t seed = 0;
  bool may_have_devices = false;
  std::vector<const Op*> ops = {};  // each module has one of these ops; empty: any op, and also chains and baits
  std::string kind = {};            // one of ProgramKinds(); empty: any kind
};

// Returns "bait", "floats", "large", "ops", "quantized".
std::span<const std::string_view> ProgramKinds();

// Draws program `number`, which depends on the constraints and the draw only. Every four consecutive programs are one
// module of any ops, one chain of float operations, and two that are bait for rewrites that compilers got wrong
// (pattern_program.h), with values at their unsound points. One of 512 has a large array instead, and one of 32 is a
// quantized StableHLO program. Another draw is another program of the same kind; of three draws of a module of any ops,
// the second and third are about fewer ops.
DrawnProgram DrawProgram(const ProgramWishes& constraints, std::int64_t number, std::int64_t draw = 0);

// Returns the seed of a draw of a program.
std::uint64_t SeedOf(std::uint64_t seed, std::int64_t number, std::int64_t draw);

struct GivenPrograms {
  std::vector<NamedSubject> programs;
  std::vector<Error> unread;  // one for each file that is no program, with its name
};

// Reads a module, or the modules of a folder and its subfolders in every form that ReadModuleFile reads, sorted by
// path, with recorded or seeded inputs. Fails if no module can be read.
Result<GivenPrograms> ReadGivenPrograms(const std::string& path);

// Draws a module of 5 to 15 steps, each on results of earlier steps, in one or two of the types with 16 bits or more.
// Numbers are moderate. The root holds all unused results.
generate::DrawnModule DrawFloatProgram(generate::Random& random);

}  // namespace assay
