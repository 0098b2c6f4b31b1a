// artifact_text: reads names of files from its input, one a line, and prints the program of each in the generic form of
// MLIR after a line with the number of its bytes; "error: MESSAGE" for a file that is no program.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "interpreter/stablehlo/print.h"

int main() {
  std::string name;
  while (std::getline(std::cin, name)) {
    std::ifstream file(name, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto program = assay::stablehlo::ReadBytecode(bytes);
    const std::string text = program ? ToText(*program) : "error: " + program.error().message + "\n";
    std::cout << text.size() << "\n" << text << std::flush;
  }
}
