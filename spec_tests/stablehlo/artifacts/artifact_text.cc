// artifact_text: reads file names from its input, one a line. Prints for each a line with the number of bytes and the
// program in MLIR's generic form; "error: MESSAGE" if the file is not a program.
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
