#include <algorithm>
#include <set>
#include <utility>

#include "conformance/diagnosis/steps.h"

namespace assay {
namespace {

void ForEachArray(Shape& shape, const std::function<void(Shape&)>& change) {
  if (shape.IsArray()) change(shape);
  for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
    ForEachArray(shape.mutable_tuple_shapes()[i], change);
  }
}

// Changes one dimension of an instruction without operands.
Edit ResizeOne(InstructionPlace place, std::int64_t dimension, std::int64_t now, bool is_last) {
  return [=](Candidate& candidate) {
    const HloInstruction* const resized = &place.In(*candidate.module);
    const auto change = [=](const HloInstruction& instruction, Shape& shape) {
      if (&instruction == resized) shape.set_dimensions(dimension, now);
    };
    return ChangeShapes(candidate, change, is_last);
  };
}

// Changes the size of one dimension of every array that has it.
Edit ResizeAlong(std::int64_t dimension, std::int64_t size, std::int64_t now, bool is_last) {
  return [=](Candidate& candidate) {
    const auto change = [=](const HloInstruction&, Shape& shape) {
      ForEachArray(shape, [=](Shape& array) {
        const bool has_size = array.rank() > dimension && array.dimensions(dimension) == size;
        if (has_size) array.set_dimensions(dimension, now);
      });
    };
    return ChangeShapes(candidate, change, is_last);
  };
}

// Removes a dimension of size 1 from every array that has it.
Edit Drop(std::int64_t dimension) {
  return [=](Candidate& candidate) {
    const auto change = [=](const HloInstruction&, Shape& shape) {
      ForEachArray(shape, [=](Shape& array) {
        if (array.rank() <= dimension || array.dimensions(dimension) != 1) return;
        array.delete_dimension(dimension);
        array.clear_layout();
      });
    };
    return ChangeShapes(candidate, change);
  };
}

// Adds smaller sizes, from the largest saving to the smallest step; each one removes elements at either end.
template <class Resize>
void AddSmaller(std::int64_t size, std::vector<Edit>& edits, const Resize& resize) {
  const auto add = [&](std::int64_t now) {
    for (const bool is_last : {false, true}) edits.push_back(resize(now, is_last));
  };
  if (size > 1) add(1);
  for (std::int64_t cut = size / 2; cut > 0; cut /= 2) {
    if (size - cut > 1) add(size - cut);
  }
}

}  // namespace

Edit ResizeAll(std::int64_t size, std::int64_t now, bool is_last) {
  return [=](Candidate& candidate) {
    const auto change = [=](const HloInstruction&, Shape& shape) {
      ForEachArray(shape, [=](Shape& array) {
        for (std::int64_t d = 0; d < array.rank(); ++d) {
          if (array.dimensions(d) == size) array.set_dimensions(d, now);
        }
      });
    };
    return ChangeShapes(candidate, change, is_last);
  };
}

std::vector<Edit> SizeEdits(const Subject& subject, const EvaluationLimits&) {
  const HloModule& module = *subject.module;
  std::vector<Edit> edits;
  std::set<std::int64_t, std::greater<>> sizes;
  std::set<std::pair<std::int64_t, std::int64_t>> sizes_along;  // of each dimension
  std::int64_t most_dimensions = 0;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      Shape shape = instruction->shape;
      ForEachArray(shape, [&](Shape& array) {
        sizes.insert(array.dimensions().begin(), array.dimensions().end());
        most_dimensions = std::max(most_dimensions, array.rank());
        for (std::int64_t d = 0; d < array.rank(); ++d) sizes_along.emplace(d, array.dimensions(d));
      });
    }
  }
  for (const std::int64_t size : sizes) {
    AddSmaller(size, edits, [&](std::int64_t now, bool is_last) { return ResizeAll(size, now, is_last); });
  }
  for (const auto& [dimension, size] : sizes_along) {
    AddSmaller(size, edits,
               [d = dimension, n = size](std::int64_t now, bool is_last) { return ResizeAlong(d, n, now, is_last); });
  }
  for (const InstructionPlace& place : PlacesFromTheEnd(module)) {
    const HloInstruction& instruction = place.In(module);
    if (!instruction.operands.empty() || !instruction.shape.IsArray()) continue;
    for (std::int64_t d = 0; d < instruction.shape.rank(); ++d) {
      AddSmaller(instruction.shape.dimensions(d), edits,
                 [&](std::int64_t now, bool is_last) { return ResizeOne(place, d, now, is_last); });
    }
  }
  for (std::int64_t d = most_dimensions; d-- > 0;) edits.push_back(Drop(d));
  return edits;
}

}  // namespace assay
