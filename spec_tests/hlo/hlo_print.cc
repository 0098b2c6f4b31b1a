// hlo_print [--full|--exact|--short-parsable|--canonical] FILE...: parses each file and prints it. A line with one form
// feed follows each print. The tests that compare prints with XLA's run this program.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"

int main(int argc, char** argv) {
  assay::PrintOptions options;
  int status = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--full") {
      options.large_constants = true;
    } else if (argument == "--exact") {
      options = assay::PrintOptions::Exact();
    } else if (argument == "--short-parsable") {
      options = assay::PrintOptions::ShortParsable();
    } else if (argument == "--canonical") {
      options = assay::PrintOptions::Canonical();
    } else {
      std::ifstream file(argument, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      const auto module = assay::ParseHloModule(text);
      if (module.has_value()) {
        std::cout << assay::PrintHloModule(**module, options);
      } else {
        std::cout << assay::RenderError(module.error(), text, argument) << "\n";
        status = 1;
      }
      std::cout << "\f\n";
    }
  }
  return status;
}
