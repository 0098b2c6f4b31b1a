// stablehlo_dump FILE...: parses each file and dumps its program, followed by a line with one form feed. The test that
// compares forms with jaxlib runs this program.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "interpreter/hlo/parser.h"
#include "spec_tests/stablehlo/program_dump.h"

int main(int argc, char** argv) {
  int status = 0;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto program = assay::stablehlo::ParseText(text);
    std::cout << (program ? assay::stablehlo::DumpProgram(*program)
                          : "error: " + assay::RenderError(program.error(), text, argv[i]))
              << "\f\n";
    status |= program ? 0 : 1;
  }
  return status;
}
