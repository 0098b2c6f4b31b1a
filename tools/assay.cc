// The command line: docs/architecture.md holds the contract.
#include <fmt/format.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>
#include <system_error>

#include "interpreter/types/limits.h"
#include "tools/commands.h"
#include "tools/counted_allocations.h"
#include "tools/interrupt.h"
#include "tools/usage.h"

namespace {

void AddLimits(CLI::App* command, assay::CommonOptions& common) {
  command
      ->add_option("--time-limit", common.time_limit,
                   "seconds that one evaluation may take; 0, the default: any number")
      ->check(assay::Seconds(/*may_be_zero=*/true));
  command->add_option("--step-limit", common.step_limit, "instructions that one evaluation may execute (default: any)")
      ->check(assay::WholeNumber(1));
  command
      ->add_option("--memory-limit", common.memory_limit, "bytes of all arrays together, e.g. 512MiB (default: 4GiB)")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false))
      ->check(assay::WholeNumber(1));
  command->add_option("--custom-call-library", common.custom_call_libraries,
                      "shared object whose functions are custom-call targets");
}

void AddProfile(CLI::App* command, std::string& profile) {
  command->add_option("--profile", profile, "freedoms that the backend may use: exact, ieee, xla, ftz, fast, or a file")
      ->capture_default_str();
}

void AddInputs(CLI::App* command, assay::InputOptions& inputs) {
  command
      ->add_option("--input", inputs.inputs,
                   "an argument for each parameter: a .npy file, a file of literal text, or a literal")
      ->type_name("VALUE");
  command->add_option("--inputs", inputs.inputs_file, "a JSON file with all arguments");
  command->add_option("--seed", inputs.seed, "seed of arguments and constants that are not given")
      ->check(assay::WholeNumber(0, UINT64_MAX))
      ->capture_default_str();
}

void AddDevices(CLI::App* command, assay::DeviceOptions& devices) {
  command->add_option("--replicas", devices.replicas, "replicas that run (default: as the module's header says)")
      ->check(CLI::Range(std::int64_t{1}, assay::kMostDevices));
  command->add_option("--partitions", devices.partitions, "partitions that run (default: as the module's header says)")
      ->check(CLI::Range(std::int64_t{1}, assay::kMostDevices));
}

int Main(int argc, char** argv) {
  // Evaluation makes and drops large arrays all the time: keep their pages.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  assay::CountAllocations();
  assay::WatchForSignals();

  CLI::App app{"assay says what XLA operations mean, to the last bit, and grades anything that claims to run them."};
  app.require_subcommand(1);
  app.set_version_flag("--version", "assay 0.1.0");
  app.footer(
      "Exit codes: 0 all well; 1 a comparison failed; 2 bad usage or input; 3 no backend; 4 a limit of the reference;\n"
      "128 + N ended by signal N. docs/architecture.md has every command, docs/verdicts.md the words of the results.\n"
      "assay COMMAND --help lists the options of a command.");
  int exit_code = 0;

  assay::RunOptions run;
  CLI::App* run_command = app.add_subcommand("run", "evaluate a module and print its outputs");
  run_command->add_option("module", run.module_file, "HLO text; - for standard input")->required();
  run_command->add_option("--backend", run.backend, "who evaluates")->capture_default_str();
  run_command->add_option("--format", run.format, "text or json")->check(CLI::IsMember({"text", "json"}));
  run_command->add_flag("--full-output", run.full_output,
                        "print all elements of arrays of more than 100000; otherwise they are described");
  run_command->add_option("--out", run.out_directory, "folder for one file an output");
  run_command->add_option("--infeed", run.infeed_file, "a JSON file with what the host has for infeed and recv");
  run_command->add_option("--outfeed", run.outfeed_file, "a file for what outfeed and send give the host, as JSON");
  AddDevices(run_command, run.devices);
  AddInputs(run_command, run.inputs);
  AddLimits(run_command, run.common);
  run_command->footer("Example: assay run m.hlo --input 'f32[2] {1, -inf}' b.npy");
  run_command->callback([&] { exit_code = assay::RunCommand(run); });

  assay::PrintCommandOptions print;
  CLI::App* print_command = app.add_subcommand("print", "print a module byte for byte as XLA does");
  print_command->add_option("module", print.module_file, "HLO text; - for standard input")->required();
  print_command->add_flag("--full-constants", print.full_constants, "print the values of large constants");
  auto* canonical = print_command->add_flag("--canonical", print.canonical, "XLA's canonical form");
  print_command->add_flag("--short", print.short_parsable, "XLA's short parsable form")->excludes(canonical);
  print_command->callback([&] { exit_code = assay::PrintCommand(print); });

  std::string verify_file;
  CLI::App* verify_command = app.add_subcommand("verify", "parse a module, infer its shapes, check every rule");
  verify_command->add_option("module", verify_file, "HLO text; - for standard input")->required();
  assay::VerifierOptions verifier;
  verify_command->add_flag("--layout-sensitive", verifier.layout_sensitive, "layouts have been assigned: check them");
  verify_command->callback([&] { exit_code = assay::VerifyCommand(verify_file, verifier); });

  bool ops_json = false;
  std::string ops_corpus = "golden";
  CLI::App* ops_command = app.add_subcommand("ops", "print the op table");
  ops_command->add_flag("--json", ops_json, "as JSON");
  ops_command->add_option("--corpus", ops_corpus, "folder of goldens to count")->capture_default_str();
  ops_command->callback([&] { exit_code = assay::OpsCommand(ops_json, ops_corpus); });

  assay::CheckOptions check;
  CLI::App* check_command = app.add_subcommand("check", "run the conformance corpus on a backend");
  check_command->add_option("--backend", check.backend, "who is checked")->capture_default_str();
  AddProfile(check_command, check.profile);
  check_command->add_option("--corpus", check.corpus, "folder of goldens")->capture_default_str();
  check_command->add_option("--models", check.models, "folders of modules to run with seeded inputs");
  check_command->add_option("--filter", check.filter, "only cases whose name contains this");
  check_command->add_flag("--list", check.only_list, "print the names of the cases and run none");
  check_command->add_flag("--types", check.show_types, "Print the worst verdict of each op with each element type");
  check_command->add_option("--expectations", check.expectations_file,
                            "JSON list of known verdicts with their reasons");
  check_command->add_option("--report", check.report_directory, "folder for report.json");
  check_command->add_option("--timeout", check.case_timeout, "seconds that the backend has for one case")
      ->check(assay::Seconds())
      ->capture_default_str();
  AddLimits(check_command, check.common);
  check_command->footer("Example: assay check --backend process:./my-chip --report report");
  check_command->callback([&] { exit_code = assay::CheckCommand(check); });

  assay::DiffOptions diff;
  CLI::App* diff_command =
      app.add_subcommand("diff", "compare a backend with the reference, instruction by instruction");
  diff_command->add_option("module", diff.module_file, "HLO text; - for standard input")->required();
  diff_command->add_option("--backend", diff.backend, "who is compared")->required();
  AddProfile(diff_command, diff.profile);
  diff_command->add_option("--format", diff.format, "text or json")->check(CLI::IsMember({"text", "json"}));
  diff_command->add_option("--timeout", diff.case_timeout, "seconds that the backend has for one request")
      ->check(assay::Seconds())
      ->capture_default_str();
  AddDevices(diff_command, diff.devices);
  AddInputs(diff_command, diff.inputs);
  AddLimits(diff_command, diff.common);
  diff_command->footer("Example: assay diff m.hlo --backend xla-cpu --seed 7");
  diff_command->callback([&] { exit_code = assay::DiffCommand(diff); });

  assay::ExplainOptions explain;
  CLI::App* explain_command = app.add_subcommand(
      "explain", "show how the values that a profile accepts are derived, for the root of a case or module");
  explain_command->add_option("case", explain.target, "name of a golden case, or HLO text; - for standard input")
      ->required();
  explain_command->add_option("--corpus", explain.corpus, "folder of goldens")->capture_default_str();
  AddProfile(explain_command, explain.profile);
  explain_command->add_option("--backend", explain.backend, "whose result is shown and judged beside it");
  explain_command->add_option("--element", explain.element, "only this element, row-major, through all leaves")
      ->check(assay::WholeNumber(0));
  explain_command->add_option("--timeout", explain.case_timeout, "seconds that the backend has")
      ->check(assay::Seconds())
      ->capture_default_str();
  AddDevices(explain_command, explain.devices);
  AddInputs(explain_command, explain.inputs);
  AddLimits(explain_command, explain.common);
  explain_command->footer(
      "Example: assay explain tanh/f32/specials --backend xla-cpu; assay check --list names the cases");
  explain_command->callback([&] { exit_code = assay::ExplainCommand(explain); });

  assay::ExhaustOptions exhaust;
  CLI::App* exhaust_command =
      app.add_subcommand("exhaust", "measure the error of an operation of a backend on every input of a float type");
  exhaust_command->add_option("op", exhaust.op, "an element-wise operation of one or two operands")->required();
  exhaust_command->add_option("--type", exhaust.type, "a float type")->required();
  exhaust_command->add_option("--backend", exhaust.backend, "who is measured")->required();
  exhaust_command->add_option("--out", exhaust.out_directory,
                              "folder for the results, and for the state from which a sweep goes on");
  exhaust_command->add_option("--first", exhaust.first, "number of the first input: its bit pattern")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 32));
  exhaust_command->add_option("--count", exhaust.count, "inputs (default: all from there on)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 32));
  exhaust_command->add_option("--piece", exhaust.piece, "inputs that one module takes")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 28))
      ->capture_default_str();
  exhaust_command->add_option("--jobs", exhaust.jobs, "backends that work at once (default: one a core)")
      ->check(CLI::Range(1, 256));
  exhaust_command->add_option("--timeout", exhaust.case_timeout, "seconds that the backend has for one piece")
      ->check(assay::Seconds())
      ->capture_default_str();
  AddProfile(exhaust_command, exhaust.profile);
  exhaust_command->footer("Example: assay exhaust tanh --type f16 --backend xla-cpu --out out");
  exhaust_command->callback([&] { exit_code = assay::ExhaustCommand(exhaust); });

  assay::AccuracyOptions accuracy;
  CLI::App* accuracy_command = app.add_subcommand(
      "accuracy", "report the errors of a backend in every element-wise operation and float or complex type");
  accuracy_command->add_option("--backend", accuracy.backend, "who is measured")->required();
  accuracy_command->add_option("--out", accuracy.out_directory, "folder for accuracy.json, .html and .md");
  accuracy_command->add_option("--op", accuracy.ops, "only this operation");
  accuracy_command->add_option("--type", accuracy.types, "only this float or complex type");
  accuracy_command->add_option("--samples", accuracy.samples, "inputs where there are more than 65536")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 32))
      ->capture_default_str();
  accuracy_command->add_flag("--moderate", accuracy.only_moderate, "sample only numbers between 2^-8 and 2^8");
  accuracy_command->add_option("--jobs", accuracy.jobs, "backends that work at once (default: one a core)")
      ->check(CLI::Range(1, 256));
  accuracy_command->add_option("--timeout", accuracy.case_timeout, "seconds that the backend has for one piece")
      ->check(assay::Seconds())
      ->capture_default_str();
  AddProfile(accuracy_command, accuracy.profile);
  accuracy_command->footer("Example: assay accuracy --backend xla-cpu --type f32 --out out");
  accuracy_command->callback([&] { exit_code = assay::AccuracyCommand(accuracy); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are no errors; every other complaint is bad usage.
    if (error.get_exit_code() == 0) return app.exit(error);
    fmt::print(stderr, "{}\n", assay::Complaint(app, error, argc, argv));
    return 2;
  } catch (const std::system_error&) {
    // fmt's word for a write that fails.
    return assay::FlushOutput();
  } catch (const std::bad_alloc& exception) {
    return assay::Fail(assay::OutOfMemory(exception));
  } catch (const assay::EvaluationError& error) {
    return assay::Fail(error.error);
  }
  if (!assay::IsWorkLeftBehind()) return exit_code;
  std::fflush(nullptr);
  _exit(exit_code);
}

}  // namespace

// Calls nest 1000 deep, whatever `ulimit -s` says: with less than usual, a thread has the stack that the first one
// lacks.
int main(int argc, char** argv) {
  constexpr std::size_t kUsualStack = std::size_t{8} << 20;
  rlimit stack = {};
  getrlimit(RLIMIT_STACK, &stack);
  if (stack.rlim_cur >= kUsualStack) return Main(argc, argv);
  struct Call {
    int argc;
    char** argv;
    int exit_code;
  } call = {argc, argv, 0};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kUsualStack);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    auto& made = *static_cast<Call*>(argument);
    made.exit_code = Main(made.argc, made.argv);
    return nullptr;
  };
  if (pthread_create(&thread, &attributes, run, &call) != 0) return Main(argc, argv);
  pthread_join(thread, nullptr);
  return call.exit_code;
}
