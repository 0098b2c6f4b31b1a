// proto_print --schema: prints the rows of the table of fields, and a line with one form feed.
// proto_print [--exact] [--out FOLDER] FILE...: prints each file, HLO text or one of XLA's serialized messages,
// followed by a line with one form feed. With a folder, writes each as HloModuleProto to FOLDER/0.pb, FOLDER/1.pb and
// so on. The test that compares messages with jaxlib's runs this program.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/proto/hlo_proto.h"
#include "interpreter/proto/schema.h"

namespace {

void PrintSchema() {
  using namespace assay::proto;
  constexpr const char* kKinds[] = {"integer", "float", "double", "text", "message"};
  for (const Field& field : AllFields()) {
    const int kind = static_cast<int>(field.kind);
    std::cout << NameOf(field.owner) << " " << field.name << " " << field.number << " " << kKinds[kind % 5] << " "
              << (kind < 5 ? "single" : "repeated") << " -" << NameOf(field.message) << "\n";
  }
  std::cout << "\f\n";
}

assay::Result<std::unique_ptr<assay::HloModule>> ReadMessage(const std::string& bytes) {
  ASSAY_TRY(assay::HloSnapshot snapshot, assay::ReadHloSnapshot(bytes));
  return std::move(snapshot.module);
}

}  // namespace

int main(int argc, char** argv) {
  assay::PrintOptions options;
  std::string folder;
  int status = 0, count = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--schema") {
      PrintSchema();
      continue;
    }
    if (argument == "--exact") {
      options = assay::PrintOptions::Exact();
      continue;
    }
    if (argument == "--out") {
      folder = argv[++i];
      continue;
    }
    std::ifstream file(argument, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const bool is_message = argument.ends_with(".pb");
    const auto module = is_message ? ReadMessage(bytes) : assay::ParseHloModule(bytes);
    if (module) {
      std::cout << assay::PrintHloModule(**module, options);
      if (!folder.empty()) {
        std::ofstream(folder + "/" + std::to_string(count++) + ".pb", std::ios::binary)
            << assay::WriteHloModuleProto(**module);
      }
    } else {
      std::cout << "error: " << module.error().message << "\n";
      status = 1;
    }
    std::cout << "\f\n";
  }
  return status;
}
