#include "fuzz/findings.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "interpreter/hlo/parser.h"
#include "spec_tests/catch.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

Subject SubjectOf(const std::string& instructions) {
  return {*ParseHloModule("HloModule m\nENTRY e {\n" + instructions + "\n}\n"), {{}}};
}

std::string Signature(const std::string& instructions, const std::string& pass = "") {
  return SignatureOf({.verdict = Verdict::kFail, .reason = {}, .ops = {}, .words = {}}, SubjectOf(instructions), pass);
}

constexpr char kNegate[] = "a = f32[2] constant({1, 2})\n ROOT r = f32[2] negate(a)";

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "findings test-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Folder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("a signature is the name of a folder, whatever a pass is called") {
  CHECK(Signature(kNegate, "algsimp") == "FAIL-negate.f32-by-algsimp");
  CHECK(Signature(kNegate, "../../../escaped") == "FAIL-negate.f32-by-.._.._.._escaped");
  CHECK(Signature(kNegate, "a/b c\n<\xc3\xa9>'") == "FAIL-negate.f32-by-a_b_c______");
  CHECK(Signature(kNegate, std::string(1000, 'x')).size() == 120);
}

TEST_CASE("failures of parameters and constants alone have different signatures") {
  CHECK(Signature("ROOT a = f32[2] parameter(0)") == "FAIL-parameter.f32");
  CHECK(Signature("ROOT a = s4[2] constant({1, 2})") == "FAIL-constant.s4");
  CHECK(Signature("a = s4[2] parameter(0)\n b = f32[] constant(1)\n ROOT t = (s4[2], f32[]) tuple(a, b)") ==
        "FAIL-constant.f32-parameter.s4-tuple");
}

TEST_CASE("a finding stays in its folder and is found again") {
  const Folder folder;
  auto findings = FindingsFolder::Open(folder.path() / "in");
  REQUIRE(findings);
  Finding finding;
  finding.signature = Signature(kNegate, "../../escaped");
  finding.backend = "process:python3 peer.py 'x'";
  REQUIRE(findings->Add(finding, SubjectOf(kNegate)));
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
  const auto read = findings->Read();
  REQUIRE(read);
  REQUIRE(read->size() == 1);
  CHECK((*read)[0].signature == finding.signature);
  // Its folder has a blank, its backend quotes.
  const std::string inside = folder.path() / "in" / finding.signature;
  CHECK(findings->CommandsFor(finding)[0] == "assay diff '" + inside +
                                                 "/module.hlo' --backend 'process:python3 peer.py "
                                                 "'\\''x'\\''' --inputs '" +
                                                 inside + "/inputs.json'");
}

TEST_CASE("the signature of a foreign finding is the name of its folder") {
  const Folder folder;
  fs::create_directories(folder.path() / "in" / "FAIL-add.f32");
  std::ofstream(folder.path() / "secret.hlo") << "secret";
  Finding finding;
  finding.signature = "../..";
  std::ofstream(folder.path() / "in" / "FAIL-add.f32" / "finding.json") << ToJson(finding).dump();
  const FindingsFolder findings = FindingsFolder::At(folder.path() / "in");
  const auto read = findings.Read();
  REQUIRE(read);
  REQUIRE(read->size() == 1);
  CHECK((*read)[0].signature == "FAIL-add.f32");
  const Result<std::string> page = FindingsPage(findings);
  REQUIRE(page);
  CHECK(page->find("../..") == std::string::npos);
}

TEST_CASE("the origin of a finding names its program, and the draw if there was an earlier one") {
  Finding finding;
  finding.seed = 36;
  finding.number = 7;
  finding.source = "floats";
  CHECK(finding.Origin() == "program 7 of seed 36 (floats)");
  finding.draw = 3;
  CHECK(finding.Origin() == "draw 3 of program 7 of seed 36 (floats)");
}

TEST_CASE("a run is merged with what it has learnt") {
  const Folder folder;
  auto from = FindingsFolder::Open(folder.path() / "from"), to = FindingsFolder::Open(folder.path() / "to");
  REQUIRE((from && to));
  const nlohmann::json learnt = {{"answers", 7}};
  REQUIRE(from->WriteState("run", {20, {}}));
  REQUIRE(from->WriteLearnt("run", 20, learnt));
  REQUIRE(to->WriteState("run", {10, {}}));
  REQUIRE(to->WriteLearnt("run", 10, {{"answers", 1}}));
  REQUIRE(to->Absorb(*from));
  CHECK(*to->LearntOf("run", 20) == learnt);
  CHECK(to->LearntOf("run", 19)->is_null());
  CHECK(to->LearntOf("another run", 20)->is_null());
  // The shorter copy brings nothing.
  REQUIRE(from->Absorb(*to));
  CHECK(*from->LearntOf("run", 20) == learnt);
}

TEST_CASE("folders that are merged at the same time leave the longest copy of a run") {
  constexpr std::int64_t kFolders = 8;
  const Folder folder;
  std::vector<FindingsFolder> parts;
  for (std::int64_t i = 0; i < kFolders; ++i) {
    parts.push_back(*FindingsFolder::Open(folder.path() / ("part" + std::to_string(i))));
    REQUIRE(parts.back().WriteState("run", {i + 1, {}}));
  }
  for (int round = 0; round < 20; ++round) {
    const std::string path = folder.path() / ("all" + std::to_string(round));
    REQUIRE(FindingsFolder::Open(path));
    std::vector<std::thread> threads;
    for (const FindingsFolder& part : parts) {
      threads.emplace_back([&part, path] { static_cast<void>(FindingsFolder::At(path).Absorb(part)); });
    }
    for (std::thread& thread : threads) thread.join();
    const Result<RunState> state = FindingsFolder::At(path).StateOf("run");
    REQUIRE(state);
    CHECK(state->next == kFolders);
  }
}

}  // namespace assay
