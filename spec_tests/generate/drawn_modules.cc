// drawn_modules SEED COUNT: prints drawn instructions, COUNT of each op, then as many modules.
// drawn_modules SEED COUNT programs [FIRST]: prints programs of `assay fuzz`, from number FIRST (0) on.
// A line with one form feed follows each text. The test of their legality by XLA runs this program.
#include <cstdlib>
#include <iostream>

#include "fuzz/drawn_programs.h"
#include "fuzz/generate/instructions.h"
#include "fuzz/generate/modules.h"
#include "interpreter/hlo/printer.h"

namespace {

void Print(const assay::HloModule& module) {
  std::cout << assay::PrintHloModule(module, assay::PrintOptions::Exact()) << "\f\n";
}

void PrintPrograms(std::uint64_t seed, std::int64_t count, std::int64_t first) {
  const assay::ProgramWishes constraints = {.seed = seed, .may_have_devices = true};
  for (std::int64_t i = first; i < first + count; ++i) Print(*assay::DrawProgram(constraints, i).drawn.module);
}

void PrintOfEachOp(std::uint64_t seed, std::int64_t count) {
  assay::generate::Random random(seed);
  for (const assay::Op* op : assay::generate::DrawableOps()) {
    for (std::int64_t i = 0; i < count; ++i) Print(*assay::generate::DrawInstruction(random, *op).module);
  }
  for (std::int64_t i = 0; i < count; ++i) Print(*assay::generate::DrawModule(random).module);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 5) return 2;
  const std::uint64_t seed = std::strtoull(argv[1], nullptr, 10);
  const std::int64_t count = std::atoll(argv[2]);
  if (argc == 3) {
    PrintOfEachOp(seed, count);
  } else {
    PrintPrograms(seed, count, argc == 5 ? std::atoll(argv[4]) : 0);
  }
}
