//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func private @negation(%x: tensor<24x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<24x!quant.uniform<i8:f32, 0.1:-30>> {
  %n = stablehlo.negate %x : tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
  return %n : tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
}
func.func @main(%a: tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, %b: tensor<1x!quant.uniform<i8:f32, 0.1:-30>>, %c: tensor<1x!quant.uniform<i8:f32, 0.1:-30>>) -> (tensor<1x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.1:-30>>) {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %r0 = stablehlo.while(%x = %b) : tensor<1x!quant.uniform<i8:f32, 0.1:-30>>
  cond {
    %l = stablehlo.compare LT, %x, %c : (tensor<1x!quant.uniform<i8:f32, 0.1:-30>>, tensor<1x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<1xi1>
    %t = stablehlo.reshape %l : (tensor<1xi1>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %d = stablehlo.add %x, %x : tensor<1x!quant.uniform<i8:f32, 0.1:-30>>
    stablehlo.return %d : tensor<1x!quant.uniform<i8:f32, 0.1:-30>>
  }
  %r1 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
  }, {
    %n = stablehlo.negate %a : tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
    stablehlo.return %n : tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
  }) : (tensor<i1>) -> tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
  %r2 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
  }, {
    %n = stablehlo.negate %a : tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
    stablehlo.return %n : tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
  }, {
    stablehlo.return %a : tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
  }) : (tensor<i32>) -> tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
  %r3 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.1:-30>>):
    %n = stablehlo.negate %x : tensor<!quant.uniform<i8:f32, 0.1:-30>>
    stablehlo.return %n : tensor<!quant.uniform<i8:f32, 0.1:-30>>
  }) {dimensions = array<i64: 0>} : (tensor<24x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
  %r4 = func.call @negation(%a) : (tensor<24x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
  return %r0, %r1, %r2, %r3, %r4 : tensor<1x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
}

//! case values numbers through loops, branches and functions
//! arg  s8[24] -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63 -118 -43 31 105 -75 -1 73
//! arg  s8[1] -22
//! arg  s8[1] 48
//! want s8[1] 98
//! want s8[24] 47 -27 -102 -128 5 -70 -128 37 -38 -112 68 -6 -80 -128 26 -48 -123 58 -17 -91 -128 15 -59 -128
//! want s8[24] 47 -27 -102 -128 5 -70 -128 37 -38 -112 68 -6 -80 -128 26 -48 -123 58 -17 -91 -128 15 -59 -128
//! want s8[24] 47 -27 -102 -128 5 -70 -128 37 -38 -112 68 -6 -80 -128 26 -48 -123 58 -17 -91 -128 15 -59 -128
//! want s8[24] 47 -27 -102 -128 5 -70 -128 37 -38 -112 68 -6 -80 -128 26 -48 -123 58 -17 -91 -128 15 -59 -128
