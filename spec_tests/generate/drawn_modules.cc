// drawn_modules SEED COUNT: prints drawn instructions, COUNT of each op, then as many modules, each followed by a line
// that holds one form feed. What the test of their legality by XLA runs.
#include <cstdlib>
#include <iostream>

#include "generate/instructions.h"
#include "generate/modules.h"
#include "interpreter/hlo/printer.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  assay::Random random(std::strtoull(argv[1], nullptr, 10));
  const int count = std::atoi(argv[2]);
  const auto print = [](const assay::HloModule& module) {
    std::cout << assay::PrintHloModule(module, assay::PrintOptions::Exact()) << "\f\n";
  };
  for (const assay::Op* op : assay::DrawableOps()) {
    for (int i = 0; i < count; ++i) print(*assay::DrawInstruction(random, *op).module);
  }
  for (int i = 0; i < count; ++i) print(*assay::DrawModule(random).module);
}
