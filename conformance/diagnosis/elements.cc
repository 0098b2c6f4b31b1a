#include <algorithm>
#include <cmath>
#include <cstring>

#include "conformance/diagnosis/steps.h"
#include "interpreter/numerics/convert.h"

namespace assay {
namespace {

// The largest number of runs of nonzero elements, and of elements, that are changed one by one; larger numbers are only
// changed together.
constexpr std::int64_t kMostPieces = 64;
// Larger numbers are not rounded to integers.
constexpr double kLargestWhole = 1e6;

// An array among the arguments or the constants.
struct ArrayPlace {
  bool is_argument = false;
  std::size_t device = 0, argument = 0;
  InstructionPlace constant;
  std::vector<std::size_t> path = {};  // in a tuple

  Literal& In(Candidate& candidate) const {
    Literal* value = is_argument ? &candidate.arguments[device][argument] : &*constant.In(*candidate.module).literal;
    for (const std::size_t element : path) value = &value->mutable_elements()[element];
    return *value;
  }
};

// Returns the element as a double; must not be complex.
double NumberOf(const Literal& array, std::int64_t i) {
  double number = 0;
  const std::int64_t bytes = StorageBytes(array.element_type());
  Convert(array.element_type(), array.data() + i * bytes, F64, reinterpret_cast<std::byte*>(&number), 1);
  return number;
}

std::vector<std::byte> BytesOf(PrimitiveType type, double number) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(StorageBytes(type)));
  Convert(F64, reinterpret_cast<const std::byte*>(&number), type, bytes.data(), 1);
  return bytes;
}

bool IsAt(const Literal& array, std::int64_t i, double number) {
  const std::vector<std::byte> bytes = BytesOf(array.element_type(), number);
  return std::memcmp(array.data() + i * std::ssize(bytes), bytes.data(), bytes.size()) == 0;
}

Edit Set(ArrayPlace place, std::int64_t begin, std::int64_t end, double number) {
  return [=](Candidate& candidate) {
    Literal& array = place.In(candidate);
    const std::vector<std::byte> bytes = BytesOf(array.element_type(), number);
    for (std::int64_t i = begin; i < end; ++i) {
      std::memcpy(array.mutable_data() + i * std::ssize(bytes), bytes.data(), bytes.size());
    }
    return true;
  };
}

bool AreAll(const Literal& array, std::int64_t begin, std::int64_t end, double number) {
  for (std::int64_t i = begin; i < end; ++i) {
    if (!IsAt(array, i, number)) return false;
  }
  return true;
}

void AddArray(const Literal& array, const ArrayPlace& place, std::vector<Edit>& edits) {
  for (std::size_t i = 0; i < array.elements().size(); ++i) {
    ArrayPlace element = place;
    element.path.push_back(i);
    AddArray(array.elements()[i], element, edits);
  }
  const std::int64_t count = array.element_count();
  if (!array.shape().IsArray() || count == 0 || AreAll(array, 0, count, 0)) return;
  edits.push_back(Set(place, 0, count, 0));
  if (!AreAll(array, 0, count, 1)) edits.push_back(Set(place, 0, count, 1));
  std::int64_t not_zero = 0;
  for (std::int64_t length = (count + 1) / 2; not_zero <= kMostPieces; length = (length + 1) / 2) {
    not_zero = 0;
    for (std::int64_t begin = 0; begin < count && not_zero <= kMostPieces; begin += length) {
      const std::int64_t end = std::min(begin + length, count);
      if (AreAll(array, begin, end, 0)) continue;
      ++not_zero;
      edits.push_back(Set(place, begin, end, 0));
    }
    if (length == 1) break;
  }
  if (not_zero > kMostPieces) return;
  for (std::int64_t i = 0; i < count; ++i) {
    if (IsAt(array, i, 0) || IsAt(array, i, 1)) continue;
    edits.push_back(Set(place, i, i + 1, 1));
    const double number = NumberOf(array, i), whole = std::trunc(number);
    if (std::fabs(number) < kLargestWhole && whole != 0) {
      if (!IsAt(array, i, whole)) edits.push_back(Set(place, i, i + 1, whole));
    } else if (std::isfinite(number) && number != 0) {
      // The magnitude is usually all that matters of a large or a small number.
      const double power = std::ldexp(std::copysign(1, number), std::ilogb(number));
      if (!IsAt(array, i, power)) edits.push_back(Set(place, i, i + 1, power));
    }
  }
}

}  // namespace

std::vector<Edit> ValueEdits(const Subject& subject, const EvaluationLimits&) {
  std::vector<Edit> edits;
  for (std::size_t device = 0; device < subject.arguments.size(); ++device) {
    for (std::size_t i = 0; i < subject.arguments[device].size(); ++i) {
      AddArray(subject.arguments[device][i], {true, device, i, {}, {}}, edits);
    }
  }
  for (const InstructionPlace& place : PlacesFromTheEnd(*subject.module)) {
    const HloInstruction& instruction = place.In(*subject.module);
    if (instruction.literal) AddArray(*instruction.literal, {false, 0, 0, place, {}}, edits);
  }
  return edits;
}

}  // namespace assay
