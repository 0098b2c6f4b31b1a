#include "fuzz/float_programs.h"

#include <fmt/format.h>

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generate/values.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/join_text.h"

namespace assay {
using namespace generate;
namespace {

// A value of the program, a square matrix.
struct Value {
  std::string name, type;
};

class FloatProgram {
 public:
  explicit FloatProgram(Random& random) : random_(random), size_(random.Between(1, 4)) {
    types_ = {random_.OneOf({"f32", "bf16", "f16", "f64", "f32", "bf16"})};
    const char* const other = random_.OneOf({"f32", "bf16", "f16", "f64"});
    if (random_.Flip() && other != types_[0]) types_.emplace_back(other);
    for (const std::string& type : types_) {
      called_ += Folding(type, "add") + Folding(type, "maximum");
      for (std::int64_t i = random_.Between(1, 3); i > 0; --i) AddParameter(type);
    }
  }

  void Grow() {
    const std::string type = random_.OneOf(types_);
    switch (random_.Below(20)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return Binary(type, "multiply");
      case 4:
      case 5:
      case 6:
        return Binary(type, "add");
      case 7:
      case 8:
      case 9:
        return Binary(type, "subtract");
      case 10:
        return Binary(type, random_.OneOf({"maximum", "minimum", "divide"}));
      case 11:
        return Unary(type, random_.OneOf({"abs", "floor", "tanh", "exponential", "sqrt", "sign"}), "");
      case 12:
        return Unary(type, "negate", "");
      case 13:
        return Unary(type, "transpose", random_.OneOf({", dimensions={1,0}", ", dimensions={0,1}"}));
      case 14:
        return Convert(type);
      case 15:
        return Choose(type);
      case 16:
      case 17:
        return Fold(type);
      case 18:
        return Add(type, fmt::format("dot({}, {}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}", Any(type),
                                     Any(type)));
      default:
        return AddParameter(type);
    }
  }

  DrawnModule Finish() {
    std::vector<std::string> names, shapes;
    for (const Value& value : values_) {
      if (used_.contains(value.name)) continue;
      names.push_back(value.name);
      shapes.push_back(Shaped(value.type));
    }
    const std::string text = fmt::format("HloModule floats\n{}ENTRY e {{\n{}ROOT out = ({}) tuple({})\n}}\n", called_,
                                         body_, JoinText(shapes, ", "), JoinText(names, ", "));
    auto module = ParseHloModule(text);
    if (!module || !FindIllegal(**module).empty()) throw std::logic_error(text);
    return {*std::move(module), {std::move(arguments_)}, {{}}};
  }

 private:
  static std::string Folding(std::string_view type, std::string_view op) {
    return fmt::format(
        "{1}.{0} {{\n  x = {0}[] parameter(0)\n  y = {0}[] parameter(1)\n  ROOT z = {0}[] {1}(x, y)\n}}\n", type, op);
  }
  std::string Shaped(std::string_view type) const { return fmt::format("{}[{},{}]", type, size_, size_); }

  // Returns a value of the type, more often than not one of the last ones.
  std::string Any(std::string_view type) {
    std::vector<const std::string*> fitting;
    for (const Value& value : values_) {
      if (value.type == type) fitting.push_back(&value.name);
    }
    const std::size_t first = fitting.size() > 3 && random_.Flip() ? fitting.size() - 3 : 0;
    const std::string& name = *fitting[first + random_.Below(static_cast<std::int64_t>(fitting.size() - first))];
    used_.insert(name);
    return name;
  }

  std::string Name() { return fmt::format("v{}", ++count_); }
  void Add(const std::string& type, std::string_view application) {
    const std::string name = Name();
    body_ += fmt::format("{} = {} {}\n", name, Shaped(type), application);
    values_.push_back({name, type});
  }

  void AddParameter(const std::string& type) {
    const Shape shape = ShapeUtil::MakeShape(*PrimitiveTypeFromName(type), {size_, size_});
    Add(type, fmt::format("parameter({})", arguments_.size()));
    arguments_.push_back(DrawValue(random_, shape,
                                   random_.OneOf({EdgeClass::kNormal, EdgeClass::kNormal, EdgeClass::kPositive,
                                                  EdgeClass::kCancelling, EdgeClass::kSmallIntegers})));
  }

  void Binary(const std::string& type, std::string_view op) {
    Add(type, fmt::format("{}({}, {})", op, Any(type), Any(type)));
  }
  void Unary(const std::string& type, std::string_view op, std::string_view attributes) {
    Add(type, fmt::format("{}({}){}", op, Any(type), attributes));
  }

  void Convert(const std::string& type) { Add(type, fmt::format("convert({})", Any(random_.OneOf(types_)))); }

  void Choose(const std::string& type) {
    const std::string choice = Name();
    const std::string compared = random_.OneOf(types_);
    body_ += fmt::format("{} = {} compare({}, {}), direction={}\n", choice, Shaped("pred"), Any(compared),
                         Any(compared), random_.OneOf({"LT", "GE", "EQ", "NE"}));
    Add(type, fmt::format("select({}, {}, {})", choice, Any(type), Any(type)));
  }

  // Reduces rows, and broadcasts the results.
  void Fold(const std::string& type) {
    const std::string start = Name(), fold = Name();
    body_ += fmt::format("{} = {}[] constant({})\n", start, type, random_.OneOf({"0", "0", "0", "0.5"}));
    body_ += fmt::format("{} = {}[{}] reduce({}, {}), dimensions={{{}}}, to_apply={}.{}\n", fold, type, size_,
                         Any(type), start, random_.Below(2), random_.OneOf({"add", "add", "maximum"}), type);
    Add(type, fmt::format("broadcast({}), dimensions={{{}}}", fold, random_.Below(2)));
  }

  Random& random_;
  std::int64_t size_;
  std::vector<std::string> types_;
  std::vector<Value> values_;
  std::set<std::string> used_;
  std::string called_, body_;
  std::vector<Literal> arguments_;
  int count_ = 0;
};

}  // namespace

DrawnModule DrawFloatProgram(Random& random) {
  FloatProgram program(random);
  for (std::int64_t i = random.Between(5, 15); i > 0; --i) program.Grow();
  return program.Finish();
}

}  // namespace assay
