// Scans whose steps compute each place of their arrays independently. Such a place is a lane, and one thread scans a
// lane. If the step is one op whose order does not matter, and lanes are few and long, blocks scan parts of a lane: one
// launch folds the parts, one scans the folds, and the last scans each part after its predecessors.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/applied.h"
#include "backends/cuda/kernels/element_wise.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/folding.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/text.h"
#include "backends/cuda/kernels/tree.h"
#include "interpreter/types/index_util.h"

namespace assay::cuda {
namespace {

constexpr std::int64_t kManyLanes = 1 << 13;
constexpr std::int64_t kLongLane = 128;
constexpr std::int64_t kWantedScanBlocks = 512;
constexpr std::int64_t kElementsOfBlock = 2048;
constexpr std::int64_t kScanSharedBytes = 32 << 10;

std::vector<const HloInstruction*> ResultsOfStep(const HloComputation& step) {
  const HloInstruction& root = *step.root;
  if (root.op->role != OpRole::kTuple) return {&root};
  return {root.operands.begin(), root.operands.end()};
}

// True if each place of the step's results depends only on the same place of its parameters.
bool IsByLane(const HloComputation& step) {
  const std::vector<const HloInstruction*> parameters = step.Parameters();
  if (parameters.empty()) return false;
  const Shape& lanes = parameters[0]->shape;
  return std::ranges::all_of(step.instructions, [&](const auto& owned) {
    const HloInstruction& instruction = *owned;
    if (!instruction.control_predecessors.empty()) return false;
    if (&instruction == step.root && instruction.op->role == OpRole::kTuple) {
      return std::ranges::all_of(instruction.operands, [&](const HloInstruction* result) {
        return result->shape.IsArray() && ShapeUtil::SameDimensions(result->shape, lanes);
      });
    }
    if (!instruction.shape.IsArray() || instruction.shape.IsDynamic()) return false;
    if (instruction.op->role == OpRole::kConstant) return instruction.shape.IsScalar();
    if (!ShapeUtil::SameDimensions(instruction.shape, lanes)) return false;
    if (instruction.op->role == OpRole::kParameter) return true;
    if (instruction.op->name == "broadcast") {
      return instruction.operand(0).op->role == OpRole::kConstant && HasElementText(instruction);
    }
    return IsElementWise(instruction) && HasElementText(instruction);
  });
}

std::size_t Carries(const HloInstruction& scan) { return static_cast<std::size_t>(scan.Int64("num_carries")); }

bool TakesScan(const HloInstruction& scan) { return IsByLane(scan.Computation("to_apply")); }
// A first launch folds the parts, and the last one reads them again.
bool ScanReadsAgain(const HloInstruction& scan, std::size_t) { return scan.Bool("is_associative"); }

// True if a thread follows the reference step by step, or if the order does not matter.
bool IsExactScan(const HloInstruction& scan) {
  const HloComputation& step = scan.Computation("to_apply");
  const auto is_free = [](const HloInstruction* result) {
    const std::string_view op = result->op->name;
    return IsIntegralType(result->shape.element_type()) || result->shape.element_type() == PRED || op == "maximum" ||
           op == "minimum";
  };
  if (scan.Bool("is_associative") && !std::ranges::all_of(ResultsOfStep(step), is_free)) return false;
  return std::ranges::all_of(step.instructions, [&](const auto& instruction) {
    const OpRole role = instruction->op->role;
    return role == OpRole::kParameter || role == OpRole::kTuple || HasExactText(*instruction);
  });
}

class Scan {
 public:
  explicit Scan(const HloComputation& fused)
      : fused_(fused),
        root_(*fused.root),
        step_(root_.Computation("to_apply")),
        carries_(Carries(root_)),
        inputs_(root_.operands.size() - carries_),
        results_(LeafShapes(root_.shape)),
        outputs_(results_.size() - carries_),
        dimension_(static_cast<std::size_t>(root_.Int64s("dimensions")[0])),
        is_reverse_(root_.Bool("is_reverse")),
        lanes_(step_.Parameters()[0]->shape.dimensions()) {
    n_ = (inputs_ > 0 ? root_.operand(0).shape : results_[0]).dimensions(static_cast<std::int64_t>(dimension_));
    count_ = assay::Product(lanes_);
    inner_ = assay::Product(std::span(lanes_).subspan(dimension_));
    if (root_.Bool("is_associative") && IsCumulative()) folding_ = Folding::OfFreeResults(step_, inputs_);
  }

  KernelProgram Make() {
    KernelProgram program;
    if (count_ == 0) return program;
    if (!folding_) {
      AddLaunch(program, BlocksFor(count_), 0, [&](Body& body, ElementEmitter& emitter) { WriteSteps(body, emitter); });
      return program;
    }
    const bool is_shared = folding_->AccumulatorBytes() * kThreads <= kScanSharedBytes;
    if (count_ >= kManyLanes || n_ < kLongLane || !is_shared) {
      AddLaunch(program, BlocksFor(count_), 0, [&](Body& body, ElementEmitter& emitter) { WriteSums(body, emitter); });
      return program;
    }
    Tree tree = SharedTree(*folding_, count_, n_, inner_ == 1, /*may_split=*/false);
    tree.SplitInto(std::min((n_ + kElementsOfBlock - 1) / kElementsOfBlock,
                            std::max<std::int64_t>(1, kWantedScanBlocks / count_)));
    if (tree.splits > 1) {
      for (std::size_t i = 0; i < folding_->size(); ++i) {
        program.scratch_bytes.push_back(tree.Jobs() * folding_->AccumulatorBytes(i));
      }
      AddLaunch(program, tree.Blocks(), 1,
                [&](Body& body, ElementEmitter& emitter) { WriteParts(tree, body, emitter); });
      AddLaunch(program, count_, 1,
                [&](Body& body, ElementEmitter& emitter) { WriteScanOfParts(tree, body, emitter); });
    }
    AddLaunch(program, tree.Jobs(), tree.splits > 1 ? 1 : 0,
              [&](Body& body, ElementEmitter& emitter) { WriteScan(tree, body, emitter); });
    return program;
  }

 private:
  // True for an associative step whose outputs are its carries.
  bool IsCumulative() const {
    if (inputs_ != carries_ || outputs_ != carries_) return false;
    const std::vector<const HloInstruction*> results = ResultsOfStep(step_);
    for (std::size_t i = 0; i < outputs_; ++i) {
      const HloInstruction &output = *results[i], &carry = *results[outputs_ + i];
      if (&output == &carry) continue;
      const bool is_same = output.op == carry.op && output.operands.size() == 2 && carry.operands.size() == 2 &&
                           std::ranges::is_permutation(output.operands, carry.operands);
      if (!is_same) return false;
    }
    return true;
  }

  template <class Write>
  void AddLaunch(KernelProgram& program, std::int64_t blocks, int has_scratch, Write write) {
    EntryText entry{.fused = fused_};
    for (std::size_t i = 0; has_scratch != 0 && i < folding_->size(); ++i) {
      entry.scratch.emplace_back(folding_->AccumulatorType(i));
    }
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    write(body, emitter);
    program.launches.push_back(LaunchOf(entry, emitter, body, blocks));
  }

  const HloInstruction& Carry(std::size_t i) const { return root_.operand(static_cast<std::int64_t>(inputs_ + i)); }

  // Declares names for the parts of an index that depend only on the lane.
  void PlaceLane(Body& body, const std::string& lane) {
    at_lane_ = body.PlacesOf(IndexText::AtOffset(lane), lanes_);
    outer_ = body.Product(body.Quotient(lane, inner_), n_);
    inside_ = body.Remainder(lane, inner_);
  }
  // Returns the index of step `k` in arrays that have the scanned dimension.
  IndexText At(Body& body, const std::string& k) const {
    const std::string place = is_reverse_ ? body.Difference(n_ - 1, k) : k;
    IndexText index;
    index.at = at_lane_;
    index.at.insert(index.at.begin() + static_cast<std::ptrdiff_t>(dimension_), place);
    index.offset = body.Sum(body.Product(body.Sum(outer_, place), inner_), inside_);
    return index;
  }
  std::string OfCarry(std::size_t i, const std::string& lane, ElementEmitter& emitter) const {
    return emitter.Element(Carry(i), IndexText{at_lane_.empty() ? std::vector<std::string>{} : at_lane_, lane});
  }
  std::vector<std::string> Accumulators(const IndexText& index, ElementEmitter& emitter) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < inputs_; ++i) {
      names.push_back(folding_->OfElement(emitter.Element(root_.operand(static_cast<std::int64_t>(i)), index)));
    }
    return names;
  }

  // Writes one thread per lane, for any step.
  void WriteSteps(Body& body, ElementEmitter& emitter) {
    DeclareThread(body, count_);
    PlaceLane(body, "i");
    std::vector<std::string> carries;
    for (std::size_t i = 0; i < carries_; ++i) {
      carries.push_back(fmt::format("a{}", i));
      body.Line(fmt::format("{} a{} = {};", TypeText(Carry(i).shape.element_type()), i, OfCarry(i, "i", emitter)));
    }
    if (n_ > 0) {
      body.Open(fmt::format("for ({} k = 0; k < {}; ++k) {{", body.index_type(), n_));
      const IndexText index = At(body, "k");
      const IndexText of_lane = IndexText::AtOffset("lane");
      const std::vector<const HloInstruction*> parameters = step_.Parameters();
      for (std::size_t i = 0; i < inputs_ + carries_; ++i) {
        emitter.Bind(
            *parameters[i], of_lane,
            i < inputs_ ? emitter.Element(root_.operand(static_cast<std::int64_t>(i)), index) : carries[i - inputs_]);
      }
      const std::vector<const HloInstruction*> results = ResultsOfStep(step_);
      std::vector<std::string> names;
      for (std::size_t i = 0; i < results.size(); ++i) {
        // These names are copies, because a carry may be another's former value.
        names.push_back(body.NewName());
        body.Line(fmt::format("const {} {} = {};", TypeText(results[i]->shape.element_type()), names[i],
                              emitter.Element(*results[i], of_lane)));
      }
      for (std::size_t i = 0; i < outputs_; ++i) body.Line(fmt::format("r{}[{}] = {};", i, index.offset, names[i]));
      for (std::size_t i = 0; i < carries_; ++i) body.Line(fmt::format("a{} = {};", i, names[outputs_ + i]));
      body.Close();
    }
    for (std::size_t i = 0; i < carries_; ++i) body.Line(fmt::format("r{}[i] = a{};", outputs_ + i, i));
  }

  std::vector<std::string> Declare(std::span<const std::string> starts, std::string_view prefix, Body& body) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      names.push_back(fmt::format("{}{}", prefix, i));
      body.Line(fmt::format("{} {} = {};", folding_->AccumulatorType(i), names[i], starts[i]));
    }
    return names;
  }
  std::vector<std::string> Inits(const std::string& lane, ElementEmitter& emitter) const {
    std::vector<std::string> starts;
    for (std::size_t i = 0; i < carries_; ++i) starts.push_back(folding_->OfElement(OfCarry(i, lane, emitter)));
    return starts;
  }
  void Store(std::size_t first, const std::string& offset, std::span<const std::string> names, Body& body) const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      body.Line(fmt::format("r{}[{}] = {};", first + i, offset, folding_->ToElement(i, names[i])));
    }
  }

  // Writes one thread per lane, with accumulators that round at the end.
  void WriteSums(Body& body, ElementEmitter& emitter) {
    DeclareThread(body, count_);
    PlaceLane(body, "i");
    const std::vector<std::string> sums = Declare(Inits("i", emitter), "a", body);
    if (n_ > 0) {
      body.Open(fmt::format("for ({} k = 0; k < {}; ++k) {{", body.index_type(), n_));
      const IndexText index = At(body, "k");
      folding_->Combine(sums, Accumulators(index, emitter), body, emitter);
      Store(0, index.offset, sums, body);
      body.Close();
    }
    Store(outputs_, "i", sums, body);
  }

  void WriteParts(const Tree& tree, Body& body, ElementEmitter& emitter) {
    tree.Declare(body);
    PlaceLane(body, "o");
    const auto read = [&](const std::string& k) { return Accumulators(At(body, k), emitter); };
    const auto write = [&](std::span<const std::string> sums) {
      for (std::size_t i = 0; i < sums.size(); ++i) body.Line(fmt::format("x{}[job] = {};", i, sums[i]));
    };
    WriteTree(tree, *folding_, {.read = read, .write = write, .starts = false}, body, emitter);
  }

  // Writes the scan of a block over the numbers "begin" to "end". `read` returns number "k". `write` receives the sum
  // of "k" and all numbers before it; if `is_exclusive`, of only those before it.
  template <class Read, class Write>
  void WriteBlock(std::span<const std::string> sums, bool is_exclusive, Read read, Write write, Body& body,
                  ElementEmitter& emitter) {
    const std::string_view index = body.index_type();
    std::vector<std::string> own, last, before, others;
    for (std::size_t i = 0; i < folding_->size(); ++i) {
      body.Line(fmt::format("__shared__ {} shared{}[{}];", folding_->AccumulatorType(i), i, kThreads));
      own.push_back(fmt::format("shared{}[t]", i));
      last.push_back(fmt::format("shared{}[{}]", i, kThreads - 1));
      others.push_back(fmt::format("b{}", i));
    }
    body.Line("const int t = threadIdx.x;");
    body.Open(fmt::format("for ({} from = begin; from < end; from += {}) {{", index, kThreads));
    body.Line(fmt::format("const {} k = from + t;", index));
    for (std::size_t i = 0; i < folding_->size(); ++i) body.Line(fmt::format("{} = {};", own[i], folding_->Start(i)));
    body.Open("if (k < end) {");
    const std::vector<std::string> elements = read("k");
    for (std::size_t i = 0; i < folding_->size(); ++i) body.Line(fmt::format("{} = {};", own[i], elements[i]));
    body.Close();
    body.Open(fmt::format("for (int step = 1; step < {}; step *= 2) {{", kThreads));
    body.Line("__syncthreads();");
    std::vector<std::string> starts;
    for (std::size_t i = 0; i < folding_->size(); ++i) {
      starts.push_back(fmt::format("t < step ? {} : shared{}[t - step]", folding_->Start(i), i));
    }
    Declare(starts, "b", body);
    body.Line("__syncthreads();");
    folding_->Combine(others, own, body, emitter);
    for (std::size_t i = 0; i < folding_->size(); ++i) body.Line(fmt::format("{} = {};", own[i], others[i]));
    body.Close();
    body.Line("__syncthreads();");
    body.Open("if (k < end) {");
    Declare(sums, "b", body);
    for (std::size_t i = 0; is_exclusive && i < folding_->size(); ++i) {
      before.push_back(fmt::format("c{}", i));
      body.Line(fmt::format("const {} c{} = t == 0 ? {} : shared{}[t - 1];", folding_->AccumulatorType(i), i,
                            folding_->Start(i), i));
    }
    folding_->Combine(others, is_exclusive ? before : own, body, emitter);
    write("k", others);
    body.Close();
    folding_->Combine(sums, last, body, emitter);
    body.Line("__syncthreads();");
    body.Close();
  }

  // Replaces the fold of each part with the fold of all that precedes the part.
  void WriteScanOfParts(const Tree& tree, Body& body, ElementEmitter& emitter) {
    body.Line(fmt::format("const {} o = blockIdx.x, begin = 0, end = {};", body.index_type(), tree.splits));
    PlaceLane(body, "o");
    const std::vector<std::string> sums = Declare(Inits("o", emitter), "a", body);
    const auto read = [&](const std::string& k) {
      std::vector<std::string> names;
      for (std::size_t i = 0; i < folding_->size(); ++i) {
        names.push_back(fmt::format("x{}[{}]", i, body.Sum(body.Product(k, count_), "o")));
      }
      return names;
    };
    const auto write = [&](const std::string& k, std::span<const std::string> values) {
      const std::vector<std::string> places = read(k);
      for (std::size_t i = 0; i < values.size(); ++i) body.Line(fmt::format("{} = {};", places[i], values[i]));
    };
    WriteBlock(sums, /*is_exclusive=*/true, read, write, body, emitter);
  }

  void WriteScan(const Tree& tree, Body& body, ElementEmitter& emitter) {
    const std::string_view index = body.index_type();
    body.Line(fmt::format("const {} job = blockIdx.x;", index));
    body.Line(fmt::format("const {} o = job % {}, begin = job / {} * {};", index, count_, count_, tree.part));
    body.Line(fmt::format("const {0} end = begin + {1} < {2} ? begin + {1} : {2};", index, tree.part, n_));
    PlaceLane(body, "o");
    std::vector<std::string> starts;
    if (tree.splits == 1) {
      starts = Inits("o", emitter);
    } else {
      for (std::size_t i = 0; i < folding_->size(); ++i) starts.push_back(fmt::format("x{}[job]", i));
    }
    const std::vector<std::string> sums = Declare(starts, "a", body);
    const auto read = [&](const std::string& k) { return Accumulators(At(body, k), emitter); };
    const auto write = [&](const std::string& k, std::span<const std::string> values) {
      Store(0, At(body, k).offset, values, body);
      body.Open(fmt::format("if ({} == {}) {{", k, n_ - 1));
      Store(outputs_, "o", values, body);
      body.Close();
    };
    WriteBlock(sums, /*is_exclusive=*/false, read, write, body, emitter);
  }

  const HloComputation& fused_;
  const HloInstruction& root_;
  const HloComputation& step_;
  const std::size_t carries_, inputs_;
  const std::vector<Shape> results_;
  const std::size_t outputs_, dimension_;
  const bool is_reverse_;
  const Dimensions lanes_;
  std::int64_t n_ = 0, count_ = 0, inner_ = 1;
  std::optional<Folding> folding_;
  std::vector<std::string> at_lane_;
  std::string outer_, inside_;
};

}  // namespace

const KernelKind kScanKind = {.name = "scan",
                              .takes = TakesScan,
                              .reads_elements = ReadsAll,
                              .reads_again = ScanReadsAgain,
                              .is_exact = IsExactScan,
                              .make = MakeBy<Scan>};

}  // namespace assay::cuda
