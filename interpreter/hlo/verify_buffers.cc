#include <algorithm>
#include <set>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/verifier_rules.h"

namespace assay {
namespace {

class Writers {
 public:
  Writers(const Users& users, bool is_loop_body) : users_(users), is_loop_body_(is_loop_body) {}

  // Returns the number of instructions that may write the buffer at `index` of the value. Every user writes it except
  // tuples, which pass it on: a loop body's root passes it to the next iteration.
  std::int64_t Count(const HloInstruction& value, std::vector<std::int64_t> index) const {
    std::int64_t count = 0;
    const auto users = users_.find(&value);
    if (users == users_.end()) return 0;
    for (const HloInstruction* user : std::set(users->second.begin(), users->second.end())) {
      if (user->op->role == OpRole::kGetTupleElement) {
        if (!index.empty() && index[0] == user->Int64("index")) count += Count(*user, {index.begin() + 1, index.end()});
      } else if (user->op->role == OpRole::kTuple) {
        count += user->IsRoot() ? is_loop_body_ : CountInTuple(value, index, *user);
      } else {
        ++count;
      }
    }
    return count;
  }

 private:
  std::int64_t CountInTuple(const HloInstruction& value, const std::vector<std::int64_t>& index,
                            const HloInstruction& tuple) const {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < tuple.operands.size(); ++i) {
      if (tuple.operands[i] != &value) continue;
      std::vector<std::int64_t> inner = {static_cast<std::int64_t>(i)};
      inner.insert(inner.end(), index.begin(), index.end());
      count += Count(tuple, std::move(inner));
    }
    return count;
  }

  const Users& users_;
  bool is_loop_body_;
};

void CheckWriters(const HloInstruction& value, const Shape& shape, std::vector<std::int64_t>& index,
                  const Writers& writers, ErrorList& errors) {
  if (shape.IsBuffer()) {
    const std::int64_t count = writers.Count(value, index);
    if (count > 1) errors.Add(value, "the buffer {} must have one writer, found {}", shape.ToString(), count);
    return;
  }
  for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
    index.push_back(static_cast<std::int64_t>(i));
    CheckWriters(value, shape.tuple_shapes(i), index, writers, errors);
    index.pop_back();
  }
}

bool HasBuffer(const Shape& shape) { return shape.IsBuffer() || std::ranges::any_of(shape.tuple_shapes(), HasBuffer); }

}  // namespace

void CheckBufferWriters(const HloModule& module, ErrorList& errors) {
  const bool has_any = std::ranges::any_of(module.computations, [](const auto& computation) {
    return std::ranges::any_of(computation->instructions, [](const auto& one) { return HasBuffer(one->shape); });
  });
  if (!has_any) return;
  std::set<const HloComputation*> loop_bodies;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (auto* const* body = instruction->Find<HloComputation*>("body")) loop_bodies.insert(*body);
    }
  }
  for (const auto& computation : module.computations) {
    const Users users = UsersOf(*computation);
    const Writers writers(users, loop_bodies.contains(computation.get()));
    for (const auto& instruction : computation->instructions) {
      // The buffers of a tuple and of its elements belong to other instructions.
      const OpRole role = instruction->op->role;
      if (role == OpRole::kTuple || role == OpRole::kGetTupleElement) continue;
      std::vector<std::int64_t> index;
      CheckWriters(*instruction, instruction->shape, index, writers, errors);
    }
  }
}

}  // namespace assay
