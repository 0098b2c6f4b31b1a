// One small legal call of every built-in target by each of its names: it passes the verifier, it is evaluated, and its
// own value is not judged wrong.
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "interpreter/acceptance/judge.h"
#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/hlo/custom_call_target.h"
#include "spec_tests/custom_calls/library_call.h"

namespace assay::testing {
namespace {

// In the texts T is the element type of matrices, R its real and C its complex type, and W[n] stands for eigenvalues:
// T[n], or T[n], T[n] for a real T. Operands of these types are written as real numbers.
using Operands = std::vector<std::string>;
struct Row {
  std::vector<std::string_view> names;
  std::string result;
  Operands operands;
  std::string config = {};
  std::string attributes = {};
};

const std::string kA = "T[2,2] {{4, 2}, {2, 5}}", kTyped = ", api_version=API_VERSION_TYPED_FFI";
const std::string kVector = "T[2] {1, 2}", kDiagonal = "T[3] {4, 5, 6}", kSides = "T[3,1] {{1}, {2}, {3}}";
const std::string kSvd = "(T[2,2], R[2], T[2,2], T[2,2], s32[])", kTridiagonal = "(T[2,2], R[2], R[1], T[1], s32[])";

// Routines of linear algebra.
const std::vector<Row> kTypedRows = {
    {{"lapack_{s,d,c,z}potrf_ffi"}, "(T[2,2], s32[])", {kA}, "{uplo = 76 : ui8}"},
    {{"{cu,hip,oneapi}solver_potrf_ffi"}, "(T[2,2], s32[])", {kA}, "{lower = true}"},
    {{"lapack_{s,d,c,z}getrf_ffi", "{cu,hip,oneapi}solver_getrf_ffi"}, "(T[2,2], s32[2], s32[])", {kA}},
    {{"lapack_{s,d,c,z}geqrf_ffi", "{cu,hip,oneapi}solver_geqrf_ffi"}, "(T[2,2], T[2])", {kA}},
    {{"lapack_{s,d,c,z}geqp3_ffi", "{cu,hip,oneapi}hybrid_geqp3"},
     "(T[2,2], s32[2], T[2])",
     {kA, "s32[2] {0, 0}"},
     R"({magma = "auto"})"},
    {{"lapack_{s,d}orgqr_ffi", "lapack_{c,z}ungqr_ffi", "{cu,hip,oneapi}solver_orgqr_ffi"}, "T[2,2]", {kA, kVector}},
    {{"lapack_{s,d}ormqr_ffi", "lapack_{c,z}unmqr_ffi", "{cu,hip,oneapi}solver_ormqr_ffi"},
     "T[2,2]",
     {kA, kVector, kA},
     "{left = true, transpose = false}"},
    {{"lapack_{s,d,c,z}gehrd_ffi"}, "(T[2,2], T[1], s32[])", {kA}, "{low = 1 : i32, high = 2 : i32}"},
    {{"lapack_{s,d}sytrd_ffi", "lapack_{c,z}hetrd_ffi"}, kTridiagonal, {kA}, "{uplo = 85 : ui8}"},
    {{"{cu,hip,oneapi}solver_sytrd_ffi"}, kTridiagonal, {kA}, "{lower = false}"},
    {{"lapack_{s,d,c,z}trsm_ffi"},
     "T[2,2]",
     {kA, kA},
     "{side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8}"},
    {{"lapack_{s,d,c,z}gtsv_ffi"},
     "(T[3], T[3], T[3], T[3,1], s32[])",
     {"T[3] {0, 1, 1}", kDiagonal, "T[3] {1, 1, 0}", kSides}},
    {{"{cu,hip}sparse_gtsv2_ffi", "tridiagonal_solve_perturbed_ffi", "{cu,hip,oneapi}_tridiagonal_solve_perturbed"},
     "T[3,1]",
     {"T[3] {0, 1, 1}", kDiagonal, "T[3] {1, 1, 0}", kSides}},
    {{"lapack_{s,d}syevd_ffi", "lapack_{c,z}heevd_ffi"},
     "(T[2,2], R[2], s32[])",
     {kA},
     "{mode = 86 : ui8, uplo = 76 : ui8}"},
    {{"{cu,hip,oneapi}solver_syevd_ffi"}, "(T[2,2], R[2], s32[])", {kA}, "{algorithm = 0 : ui8, lower = true}"},
    {{"lapack_{s,d,c,z}{gesdd,gesvd}_ffi"}, kSvd, {kA}, "{mode = 65 : ui8}"},
    {{"{cu,hip}solver_{gesvdj,gesvdp}_ffi"}, kSvd, {kA}, "{compute_uv = true, full_matrices = true}"},
    {{"{cu,hip,oneapi}solver_gesvd_ffi", "hipsolver_gesdd_ffi"},
     kSvd,
     {kA},
     "{compute_uv = true, full_matrices = true, transposed = false}"},
    {{"lapack_{s,d,c,z}geev_ffi"},
     "(W[2], C[2,2], C[2,2], s32[])",
     {kA},
     "{compute_left = 86 : ui8, compute_right = 86 : ui8}"},
    {{"{cu,hip,oneapi}hybrid_eig_{real,comp}"},
     "(W[2], C[2,2], C[2,2], s32[])",
     {kA},
     R"({left = true, magma = "auto", right = true})"},
    {{"{cu,hip}solver_geev_ffi"}, "(T[2,2], C[2], T[2,2], T[2,2], s32[])", {kA}, "{left = false, right = true}"},
    {{"lapack_{s,d,c,z}gees_ffi"}, "(T[2,2], T[2,2], W[2], s32[], s32[])", {kA}, "{mode = 86 : ui8, sort = 78 : ui8}"},
    {{"{cu,hip,oneapi}solver_syrk_ffi"}, "T[2,2]", {kA, kA, "T[] 2", "T[] 3"}, "{transpose = false}"},
};

// The same of real matrices only, of TPUs, and LAPACK's before the typed interface.
const std::vector<Row> kUntypedRows = {
    {{"{cu,hip,oneapi}_cholesky_update_ffi"}, "(T[2,2], T[2])", {"T[2,2] {{4, 2}, {0, 5}}", kVector}},
    {{"Qr"}, "(T[2,2], T[2])", {kA}},
    {{"ProductOfElementaryHouseholderReflectors"}, "T[2,2]", {kA, kVector}},
    {{"Eigh"}, "(T[2,2], R[2])", {kA}, R"("1,1,100,1e-6")"},
    {{"LuDecomposition"}, "(T[2,2], s32[2], s32[2])", {kA}},
    {{"blas_{s,d,c,z}trsm"},
     "T[2,2]",
     {"s32[] 1", "s32[] 1", "s32[] 0", "s32[] 0", "s32[] 2", "s32[] 2", "s32[] 1", "T[] 1", kA, kA}},
    {{"lapack_{s,d,c,z}getrf"}, "(T[2,2], s32[2], s32[])", {"s32[] 1", "s32[] 2", "s32[] 2", kA}},
    {{"lapack_{s,d,c,z}geqrf"}, "(T[2,2], T[2], s32[], T[8])", {"s32[] 1", "s32[] 2", "s32[] 2", "s32[] 8", kA}},
    {{"lapack_{s,d}orgqr", "lapack_{c,z}ungqr"},
     "(T[2,2], s32[], T[8])",
     {"s32[] 1", "s32[] 2", "s32[] 2", "s32[] 2", "s32[] 8", kA, kVector}},
    {{"lapack_{s,d,c,z}potrf"}, "(T[2,2], s32[])", {"s32[] 1", "s32[] 1", "s32[] 2", kA}},
    {{"lapack_{s,d,c,z}gesdd"}, kSvd, {"s32[] 1", "s32[] 1", "s32[] 1", "s32[] 2", "s32[] 2", "s32[] 8", kA}},
    {{"lapack_{s,d}syevd", "lapack_{c,z}heevd"}, "(T[2,2], R[2], s32[])", {"s32[] 1", "s32[] 1", "s32[] 2", kA}},
    {{"lapack_{s,d}geev"},
     "(T[2,2], T[2,2], T[2,2], T[2], T[2], C[2,2], C[2,2], s32[])",
     {"s32[] 1", "s32[] 2", "u8[] 86", "u8[] 86", kA}},
    {{"lapack_{c,z}geev"},
     "(T[2,2], R[4], T[2], T[2,2], T[2,2], s32[])",
     {"s32[] 1", "s32[] 2", "u8[] 86", "u8[] 86", kA}},
    {{"lapack_{s,d}gees"},
     "(T[2,2], T[2], T[2], T[2,2], s32[], s32[])",
     {"s32[] 1", "s32[] 2", "u8[] 86", "u8[] 78", kA}},
    {{"lapack_{c,z}gees"},
     "(T[2,2], R[2], T[2], T[2,2], s32[], s32[])",
     {"s32[] 1", "s32[] 2", "u8[] 86", "u8[] 78", kA}},
    {{"lapack_{s,d,c,z}gehrd"},
     "(T[2,2], T[1], s32[], T[8])",
     {"s32[] 2", "s32[] 1", "s32[] 2", "s32[] 2", "s32[] 1", "s32[] 8", kA}},
    {{"lapack_{s,d}sytrd", "lapack_{c,z}hetrd"},
     "(T[2,2], R[2], R[1], T[1], s32[], T[8])",
     {"s32[] 2", "s32[] 1", "s32[] 2", "s32[] 1", "s32[] 8", kA}},
};

std::vector<PrimitiveType> TypesOfRow(std::string_view name) {
  for (const std::string_view prefix : {"lapack_", "blas_"}) {
    if (!name.starts_with(prefix)) continue;
    const char letter = name[prefix.size()];
    return {letter == 's' ? F32 : letter == 'd' ? F64 : letter == 'c' ? C64 : C128};
  }
  if (name.ends_with("_real") || name.ends_with("cholesky_update_ffi")) return {F32, F64};
  if (name.ends_with("_comp")) return {C64, C128};
  return {F32, F64, C64, C128};
}

// Writes the types of a row in place of T, R, C and W.
std::string WithTypes(const std::string& text, PrimitiveType type) {
  const PrimitiveType real = ComplexComponentType(type);
  std::string written;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_type = i + 1 < text.size() && text[i + 1] == '[';
    const std::size_t letter = is_type ? std::string_view("TRCW").find(text[i]) : std::string_view::npos;
    if (letter == std::string_view::npos) {
      written += text[i];
    } else if (letter < 3) {
      written += PrimitiveTypeName(std::vector{type, real, real == F32 ? C64 : C128}[letter]);
    } else {
      written += PrimitiveTypeName(type);
      if (!IsComplexType(type)) written += fmt::format("[2], {}", PrimitiveTypeName(type));
    }
  }
  return written;
}

std::map<std::string, Row> RowsByName() {
  std::map<std::string, Row> rows;
  const auto add = [&](const Row& row, const std::string& attributes) {
    for (const std::string& name : NamesOf({.names = row.names, .meaning = ""})) {
      rows[name] = row;
      rows[name].attributes += attributes;
      if (!attributes.empty() && row.config.empty()) rows[name].config = "{}";
    }
  };
  for (const Row& row : kTypedRows) add(row, kTyped);
  for (const Row& row : kUntypedRows) add(row, "");
  return rows;
}

void CheckRow(const std::string& name, const Row& row, PrimitiveType type) {
  CAPTURE(name, PrimitiveTypeName(type));
  std::vector<Literal> operands;
  std::string text = "HloModule m\nENTRY e {\n", names;
  for (const std::string& written : row.operands) {
    const bool has_type = written.starts_with("T[");
    const Literal value = Value(has_type ? "f64" + written.substr(1) : written);
    operands.push_back(has_type ? Converted(value, type) : value);
    text += fmt::format("  a{} = {} parameter({})\n", operands.size(), operands.back().shape().ToString(),
                        operands.size() - 1);
    names += fmt::format("{}a{}", operands.size() == 1 ? "" : ", ", operands.size());
  }
  text += fmt::format("  ROOT r = {} custom-call({}), custom_call_target=\"{}\"{}{}\n}}\n", WithTypes(row.result, type),
                      names, name, row.attributes, row.config.empty() ? "" : ", backend_config=" + row.config);
  CAPTURE(text);
  const std::unique_ptr<HloModule> module = Parsed(text);
  const Literal value = Evaluated(*module, operands);
  const Judgement judgement = JudgeInstruction(*module->entry->root, operands, value, value, XlaProfile());
  CAPTURE(judgement.reason);
  CHECK(judgement.verdict != Verdict::kFail);
}

// The targets of the other libraries, each of which has tests of its own values.
bool HasOwnTests(std::string_view name) {
  for (const std::string_view prefix :
       {"__", "check.", "interpreter.", "X64", "TopK", "Sharding", "SPMD", "xla.sdy.", "MoveTo", "Layout", "annotate",
        "PadToStatic", "SliceToDynamic", "AllocateBuffer", "GetRngSeed", "dce_sink", "ApproxTopK", "PartialReduce"}) {
    if (name.starts_with(prefix)) return true;
  }
  return name.find("threefry") != std::string_view::npos || name.ends_with("lu_pivots_to_permutation");
}

TEST_CASE("a small call of every name of every target of linear algebra", "[lapack]") {
  std::map<std::string, Row> rows = RowsByName();
  for (const CustomCallTarget* target : AllCustomCallTargets()) {
    for (const std::string& name : NamesOf(*target)) {
      if (HasOwnTests(name)) continue;
      CAPTURE(name);
      REQUIRE(rows.contains(name));
      for (const PrimitiveType type : TypesOfRow(name)) CheckRow(name, rows[name], type);
      rows.erase(name);
    }
  }
  for (const auto& [name, row] : rows) FAIL_CHECK("no target has the name " << name);
}

}  // namespace
}  // namespace assay::testing
