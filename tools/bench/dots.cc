#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "backends/process/child_process.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/numerics/round.h"
#include "tools/bench/numerics.h"
#include "tools/bench/timing.h"

namespace assay {
namespace {

constexpr std::int64_t kSize = 512;
constexpr double kTimeout = 120;
constexpr std::size_t kLongestAnswer = 4096;

std::string DotText(PrimitiveType type) {
  const std::string shape = fmt::format("{}[{},{}]", PrimitiveTypeName(type), kSize, kSize);
  return fmt::format(
      "HloModule bench\n\nENTRY e {{\n  a = {0} parameter(0)\n  b = {0} parameter(1)\n"
      "  ROOT r = {0} dot(a, b), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n}}\n",
      shape);
}

Literal NormalNumbers(PrimitiveType type, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> numbers(kSize * kSize);
  for (double& number : numbers) number = normal(random);
  Literal literal = Literal::Uninitialized(ShapeUtil::MakeShape(type, {kSize, kSize}));
  StoreReals(type, numbers.data(), literal.mutable_data(), kSize * kSize);
  return literal;
}

void WriteBytes(const std::filesystem::path& file, const Literal& literal) {
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(literal.data()), kSize * kSize * StorageBytes(literal.element_type()));
}

// A process that runs the module on the arrays of a folder once for each line, and answers with the seconds.
class DotPeer {
 public:
  DotPeer(std::string name, const std::string& python, const std::string& client, const std::filesystem::path& folder)
      : name_(std::move(name)) {
    if (const Status started = Start({python, "tools/bench/dot_peer.py", client, folder.string()}); !started) {
      Miss(started.error());
    }
  }

  void RunOnce() {
    if (!process_) return;
    const Deadline deadline(kTimeout);
    if (const Status written = process_->WriteLine("run", deadline); !written) return Miss(written.error());
    const auto answer = process_->ReadLine(deadline, kLongestAnswer);
    if (!answer) return Miss(answer.error());
    seconds_.push_back(std::strtod(answer->c_str(), nullptr));
  }

  // The first run, which warms up, is not counted.
  void ForgetFirst() {
    if (!seconds_.empty()) seconds_.erase(seconds_.begin());
  }

  void Print(const Timing& reference) const {
    if (!missing_.empty()) return fmt::print("  {:<42} not measured: {}\n", name_, missing_);
    const Timing timing = TimingOf(seconds_);
    fmt::print("  {:<42} {} ms   reference / this: {:.3g}   this / reference: {:.3g}\n", name_, TimingText(timing, 1e3),
               reference.median / timing.median, timing.median / reference.median);
  }

 private:
  Status Start(const std::vector<std::string>& command) {
    if (!std::filesystem::exists(command[0])) {
      return Error{ErrorCode::kBackend, command[0] + " is not there (tools/dev makes it where a wheel fits)"};
    }
    ASSAY_TRY(process_, ChildProcess::Start(command, "."));
    ASSAY_TRY(const std::string version, process_->ReadLine(Deadline(kTimeout), kLongestAnswer));
    name_ += " (" + version + ")";
    return {};
  }

  void Miss(const Error& error) {
    missing_ = error.message.substr(error.message.find_last_of('\n') + 1);  // a traceback ends with the error
    process_.reset();
  }

  std::string name_;
  std::optional<ChildProcess> process_;
  std::vector<double> seconds_;
  std::string missing_;
};

void BenchDot(PrimitiveType type, const std::filesystem::path& folder) {
  const Literal a = NormalNumbers(type, 1), b = NormalNumbers(type, 2);
  const std::string text = DotText(type);
  WriteBytes(folder / "a", a);
  WriteBytes(folder / "b", b);
  std::ofstream(folder / "dot.hlo") << text;
  const auto module = *ParseHloModule(text);
  DotPeer peers[] = {{"XLA's HloEvaluator", ".venv-hlo-evaluator/bin/python", "interpreter", folder},
                     {"XLA:CPU", ".venv/bin/python", "cpu", folder}};
  std::vector<double> seconds;
  for (int turn = 0; turn <= kBenchRepetitions; ++turn) {
    seconds.push_back(SecondsOf([&] { (void)Evaluate(*module, {a, b}); }));
    for (DotPeer& peer : peers) peer.RunOnce();
  }
  seconds.erase(seconds.begin());
  const Timing reference = TimingOf(seconds);
  fmt::print("  {:<42} {} ms\n", fmt::format("{} reference, exact", PrimitiveTypeName(type)),
             TimingText(reference, 1e3));
  for (DotPeer& peer : peers) {
    peer.ForgetFirst();
    peer.Print(reference);
  }
}

}  // namespace

void BenchDots() {
  fmt::print("\ndot {0} x {0} x {0} by turns, all on the same operands and all threads\n", kSize);
  std::string folder = (std::filesystem::temp_directory_path() / "assay-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    fmt::print("  no temporary folder\n");
    return;
  }
  for (const PrimitiveType type : {F32, BF16, F64}) BenchDot(type, folder);
  std::error_code error;
  std::filesystem::remove_all(folder, error);
}

}  // namespace assay
