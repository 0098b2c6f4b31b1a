// Formulas over the elements of arrays, written with operators: each one adds an instruction.
#pragma once

#include "interpreter/stablehlo/to_hlo_operations.h"

namespace assay::stablehlo {

// An instruction in a formula. All values of a formula have the same dimensions.
class Term {
 public:
  Term(Translator& translator, HloInstruction& instruction) : translator_(&translator), instruction_(&instruction) {}

  HloInstruction& instruction() const { return *instruction_; }
  PrimitiveType type() const { return instruction_->shape.element_type(); }
  // Returns a number, rounded to this term's type, at the same dimensions.
  Term Same(double number) const;

  Term Unary(std::string_view op) const;
  Term Binary(std::string_view op, const Term& other) const;
  Term Compare(const char* direction, const Term& other) const;
  // Applies an op that changes the element type and keeps the dimensions.
  Term OfType(std::string_view op, PrimitiveType type) const;
  friend Term Select(const Term& condition, const Term& if_true, const Term& if_false);
  friend Term Conjugate(const Term& x);

 private:
  Translator* translator_;
  HloInstruction* instruction_;
};

Term Select(const Term& condition, const Term& if_true, const Term& if_false);
Term Conjugate(const Term& x);

inline Term operator-(const Term& x) { return x.Unary("negate"); }
inline Term operator~(const Term& x) { return x.Unary("not"); }
inline Term operator+(const Term& x, const Term& y) { return x.Binary("add", y); }
inline Term operator-(const Term& x, const Term& y) { return x.Binary("subtract", y); }
inline Term operator*(const Term& x, const Term& y) { return x.Binary("multiply", y); }
inline Term operator/(const Term& x, const Term& y) { return x.Binary("divide", y); }
inline Term operator&(const Term& x, const Term& y) { return x.Binary("and", y); }
inline Term operator|(const Term& x, const Term& y) { return x.Binary("or", y); }
inline Term operator&&(const Term& x, const Term& y) { return x.Binary("and", y); }
inline Term operator||(const Term& x, const Term& y) { return x.Binary("or", y); }
inline Term operator==(const Term& x, const Term& y) { return x.Compare("EQ", y); }
inline Term operator!=(const Term& x, const Term& y) { return x.Compare("NE", y); }
inline Term operator<(const Term& x, const Term& y) { return x.Compare("LT", y); }
inline Term operator<=(const Term& x, const Term& y) { return x.Compare("LE", y); }
inline Term operator>(const Term& x, const Term& y) { return x.Compare("GT", y); }
inline Term operator+(const Term& x, double y) { return x + x.Same(y); }
inline Term operator-(const Term& x, double y) { return x - x.Same(y); }
inline Term operator*(const Term& x, double y) { return x * x.Same(y); }
inline Term operator/(const Term& x, double y) { return x / x.Same(y); }
inline Term operator==(const Term& x, double y) { return x == x.Same(y); }
inline Term operator<(const Term& x, double y) { return x < x.Same(y); }
inline Term operator<=(const Term& x, double y) { return x <= x.Same(y); }
inline Term operator>(const Term& x, double y) { return x > x.Same(y); }

inline Term Abs(const Term& x) { return x.Unary("abs"); }
inline Term Cosine(const Term& x) { return x.Unary("cosine"); }
inline Term Exp(const Term& x) { return x.Unary("exponential"); }
inline Term Floor(const Term& x) { return x.Unary("floor"); }
inline Term IsFinite(const Term& x) { return x.OfType("is-finite", PRED); }
inline Term Log(const Term& x) { return x.Unary("log"); }
inline Term LogPlusOne(const Term& x) { return x.Unary("log-plus-one"); }
inline Term Power(const Term& x, const Term& y) { return x.Binary("power", y); }
inline Term Remainder(const Term& x, const Term& y) { return x.Binary("remainder", y); }
inline Term Sign(const Term& x) { return x.Unary("sign"); }
inline Term Sine(const Term& x) { return x.Unary("sine"); }
inline Term Sqrt(const Term& x) { return x.Unary("sqrt"); }
inline Term BitcastTo(const Term& x, PrimitiveType type) { return x.OfType("bitcast-convert", type); }
inline Term ConvertTo(const Term& x, PrimitiveType type) { return x.type() == type ? x : x.OfType("convert", type); }

// Returns the literal of a number of any type except complex ones, rounded once.
Literal ScalarLiteral(PrimitiveType type, double number);

}  // namespace assay::stablehlo
