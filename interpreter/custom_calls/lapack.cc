#include "interpreter/custom_calls/lapack.h"

#include <cmath>
#include <numbers>
#include <type_traits>

#include "interpreter/custom_calls/ffi_attributes.h"
#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/ops/common/call_rules.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

// Stores elements as components of this type, from index `first` of the array on.
template <class Component, class T>
void StoreAs(const std::vector<T>& elements, std::byte* bytes, std::int64_t first, bool is_complex) {
  auto* const out = reinterpret_cast<Component*>(bytes) + (is_complex ? 2 : 1) * first;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (is_complex) {
      out[2 * i] = static_cast<Component>(RealPart(elements[i]));
      out[2 * i + 1] = static_cast<Component>(ImaginaryPart(elements[i]));
    } else {
      out[i] = static_cast<Component>(RealPart(elements[i]));
    }
  }
}

template <class T, class Component>
void LoadAs(const Literal& array, std::int64_t first, std::vector<T>& elements) {
  if constexpr (std::is_same_v<T, ExtendedComplex>) {
    if (IsComplexType(array.element_type())) {
      const auto* in = reinterpret_cast<const Component*>(array.data()) + 2 * first;
      for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = ExtendedComplex(in[2 * i], in[2 * i + 1]);
      return;
    }
  }
  const auto* in = reinterpret_cast<const Component*>(array.data()) + first;
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<Extended>(in[i]);
}

template <class T>
std::vector<T> LoadElements(const Literal& array, std::int64_t problem, std::int64_t size) {
  std::vector<T> elements(size);
  switch (array.element_type()) {
    case F32:
    case C64:
      LoadAs<T, float>(array, problem * size, elements);
      break;
    case F64:
    case C128:
      LoadAs<T, double>(array, problem * size, elements);
      break;
    default:
      LoadAs<T, std::int32_t>(array, problem * size, elements);
  }
  return elements;
}

std::int64_t LastDimension(const Shape& shape, std::int64_t from_the_end) {
  return shape.dimensions(shape.rank() - from_the_end);
}

}  // namespace

Result<bool> ReadsLower(const HloInstruction& call) {
  if (!IsLapack(call)) return FfiBool(call, "lower");
  ASSAY_TRY(const char uplo, FfiLetter(call, "uplo", "LU"));
  return uplo == 'L';
}

bool IsLapack(const HloInstruction& call) { return call.String("custom_call_target").starts_with("lapack_"); }

std::optional<PrimitiveType> TypeOfTarget(const HloInstruction& call) {
  if (!IsLapack(call)) return std::nullopt;
  switch (call.String("custom_call_target")[std::string_view("lapack_").size()]) {
    case 's':
      return F32;
    case 'd':
      return F64;
    case 'c':
      return C64;
    default:
      return C128;
  }
}

std::int64_t MatrixBatch::count() const { return Product(batch); }

Shape MatrixBatch::Of(PrimitiveType element_type, std::initializer_list<std::int64_t> inner) const {
  Dimensions dimensions = batch;
  dimensions.insert(dimensions.end(), inner.begin(), inner.end());
  return ShapeUtil::MakeShape(element_type, std::move(dimensions));
}
Shape MatrixBatch::Matrices(std::int64_t r, std::int64_t c) const { return Of(type, {r, c}); }
Shape MatrixBatch::Vectors(std::int64_t size) const { return Of(type, {size}); }
Shape MatrixBatch::RealVectors(std::int64_t size) const { return Of(ComplexComponentType(type), {size}); }
Shape MatrixBatch::Integers(std::int64_t size) const { return Of(S32, {size}); }
Shape MatrixBatch::Info() const { return Of(S32, {}); }

MatrixBatch BatchOf(const HloInstruction& call, std::size_t operand) {
  const Shape& shape = call.operands[operand]->shape;
  MatrixBatch batch;
  batch.type = shape.element_type();
  batch.batch.assign(shape.dimensions().begin(), shape.dimensions().end() - 2);
  batch.rows = LastDimension(shape, 2);
  batch.columns = LastDimension(shape, 1);
  return batch;
}

Status CheckOperandCount(const HloInstruction& call, std::size_t expected) {
  ASSAY_CHECK_OK(CheckCount(call, expected));
  for (std::size_t i = 0; i < expected; ++i) {
    if (!call.operands[i]->shape.IsDynamic()) continue;
    return BadCall(call, "operand {} must have a fixed size, found {}", i,
                   call.operands[i]->shape.ToStringWithoutLayout());
  }
  return {};
}

Status CheckMatrices(const HloInstruction& call, std::size_t i) {
  const Shape& shape = call.operand(i).shape;
  const std::optional<PrimitiveType> type = TypeOfTarget(call);
  const bool is_number = shape.IsArray() && TypesOf(F32, F64, C64, C128).contains(shape.element_type());
  if (is_number && (!type || shape.element_type() == *type) && shape.rank() >= 2) return {};
  return BadCall(call, "operand {} must be matrices of {}, found {}", i,
                 type ? PrimitiveTypeName(*type) : "f32, f64, c64 or c128", shape.ToStringWithoutLayout());
}

Result<MatrixBatch> CheckBatch(const HloInstruction& call, std::size_t operand_count) {
  ASSAY_CHECK_OK(CheckOperandCount(call, operand_count));
  ASSAY_CHECK_OK(CheckMatrices(call, 0));
  return BatchOf(call);
}

Result<MatrixBatch> CheckSquareBatch(const HloInstruction& call, std::size_t operand_count) {
  ASSAY_TRY(MatrixBatch batch, CheckBatch(call, operand_count));
  if (batch.rows == batch.columns) return batch;
  return BadCall(call, "operand 0 must be square matrices, found {}", call.operand(0).shape.ToStringWithoutLayout());
}

Status CheckOperandIs(const HloInstruction& call, std::size_t i, const Shape& expected) {
  if (ShapeUtil::Compatible(call.operands[i]->shape, expected)) return {};
  return BadCall(call, "operand {} must be {}, found {}", i, expected.ToStringWithoutLayout(),
                 call.operands[i]->shape.ToStringWithoutLayout());
}

Status CheckResultIs(const HloInstruction& call, std::vector<Shape> expected) {
  const Shape shape = expected.size() == 1 ? std::move(expected[0]) : ShapeUtil::MakeTupleShape(std::move(expected));
  if (!call.shape.IsDynamic() && ShapeUtil::Compatible(call.shape, shape)) return {};
  return BadCall(call, "the result must be {}, found {}", shape.ToStringWithoutLayout(),
                 call.shape.ToStringWithoutLayout());
}

template <class T>
Matrix<T> LoadMatrix(const Literal& array, std::int64_t problem) {
  Matrix<T> matrix;
  matrix.rows = LastDimension(array.shape(), 2);
  matrix.columns = LastDimension(array.shape(), 1);
  matrix.elements = LoadElements<T>(array, problem, matrix.rows * matrix.columns);
  return matrix;
}
template Matrix<Extended> LoadMatrix(const Literal&, std::int64_t);
template Matrix<ExtendedComplex> LoadMatrix(const Literal&, std::int64_t);

template <class T>
std::vector<T> LoadVector(const Literal& array, std::int64_t problem) {
  return LoadElements<T>(array, problem, LastDimension(array.shape(), 1));
}
template std::vector<Extended> LoadVector(const Literal&, std::int64_t);
template std::vector<ExtendedComplex> LoadVector(const Literal&, std::int64_t);

template <class T>
void StoreElements(const std::vector<T>& elements, const Shape& shape, std::byte* bytes, std::int64_t problem) {
  const auto first = problem * static_cast<std::int64_t>(elements.size());
  const bool is_complex = IsComplexType(shape.element_type());
  switch (shape.element_type()) {
    case F32:
    case C64:
      return StoreAs<float>(elements, bytes, first, is_complex);
    case F64:
    case C128:
      return StoreAs<double>(elements, bytes, first, is_complex);
    default:
      return StoreAs<std::int32_t>(elements, bytes, first, false);
  }
}
template void StoreElements(const std::vector<Extended>&, const Shape&, std::byte*, std::int64_t);
template void StoreElements(const std::vector<ExtendedComplex>&, const Shape&, std::byte*, std::int64_t);

LapackResult::LapackResult(const Shape& shape) : is_tuple_(shape.IsTuple()) {
  if (is_tuple_) {
    for (const Shape& element : shape.tuple_shapes()) arrays_.emplace_back(element);
  } else {
    arrays_.emplace_back(shape);
  }
  for (Literal& array : arrays_) bytes_.push_back(array.mutable_data());
}

void LapackResult::StoreNan(std::int64_t problem, std::int64_t problems) {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const bool is_integer = arrays_[i].element_type() == S32;
    const ExtendedComplex fill = is_integer ? ExtendedComplex() : ExtendedComplex(std::nanl(""), std::nanl(""));
    Store(i, problem, std::vector<ExtendedComplex>(arrays_[i].element_count() / problems, fill));
  }
}

Literal LapackResult::Take() && { return is_tuple_ ? Literal::MakeTuple(std::move(arrays_)) : std::move(arrays_[0]); }

std::uint64_t FreePhases::Bits(std::int64_t problem, std::int64_t i) const {
  return SplitMix(SplitMix(*seed_ + static_cast<std::uint64_t>(problem) * kSplitMixStep) +
                  static_cast<std::uint64_t>(i) * kSplitMixStep);
}

template <class T>
T FreePhases::Of(std::int64_t problem, std::int64_t i) const {
  if (!seed_) return 1;
  const std::uint64_t bits = Bits(problem, i);
  if constexpr (std::is_same_v<T, Extended>) {
    return bits >> 63 != 0 ? -1 : 1;
  } else {
    const Extended angle = static_cast<Extended>(bits) * (2 * std::numbers::pi_v<Extended> * 0x1p-64L);
    return T(std::cos(angle), std::sin(angle));
  }
}
template Extended FreePhases::Of(std::int64_t, std::int64_t) const;
template ExtendedComplex FreePhases::Of(std::int64_t, std::int64_t) const;

template <class T>
Matrix<T> FreePhases::Disturbed(Matrix<T> a, std::int64_t problem, PrimitiveType type) const {
  if (!seed_) return a;
  // In f32, LAPACK's drivers err by up to 4 sqrt(n) units of the norm, but that by relatively robust representations
  // departs from orthonormality by 150 sqrt(n), mostly in two columns. Samples allow several times their own errors.
  constexpr Extended kUlps = 8, kLeast = 1e-300L;  // the basis of zeros is free, too
  const auto sides = static_cast<Extended>(std::max(a.rows, a.columns));
  const Extended error = std::max(kUlps * UlpOf(type) * Norm1(a) / std::sqrt(sides), kLeast);
  // The first numbers are those of phases.
  std::int64_t next = a.rows + a.columns;
  const auto random = [&] { return error * static_cast<Extended>(static_cast<std::int64_t>(Bits(problem, next++))); };
  for (T& x : a.elements) {
    if constexpr (std::is_same_v<T, Extended>) {
      x += random() * 0x1p-63L;
    } else {
      const Extended real = random() * 0x1p-63L;
      x += T(real, random() * 0x1p-63L);
    }
  }
  return a;
}
template Matrix<Extended> FreePhases::Disturbed(Matrix<Extended>, std::int64_t, PrimitiveType) const;
template Matrix<ExtendedComplex> FreePhases::Disturbed(Matrix<ExtendedComplex>, std::int64_t, PrimitiveType) const;

}  // namespace assay
