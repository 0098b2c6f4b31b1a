//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func private @negation(%x: tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) -> tensor<24x!quant.uniform<u16:f64, 0.001:32768>> {
  %n = stablehlo.negate %x : tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
  return %n : tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
}
func.func @main(%a: tensor<24x!quant.uniform<u16:f64, 0.001:32768>>, %b: tensor<1x!quant.uniform<u16:f64, 0.001:32768>>, %c: tensor<1x!quant.uniform<u16:f64, 0.001:32768>>) -> (tensor<1x!quant.uniform<u16:f64, 0.001:32768>>, tensor<24x!quant.uniform<u16:f64, 0.001:32768>>, tensor<24x!quant.uniform<u16:f64, 0.001:32768>>, tensor<24x!quant.uniform<u16:f64, 0.001:32768>>, tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %r0 = stablehlo.while(%x = %b) : tensor<1x!quant.uniform<u16:f64, 0.001:32768>>
  cond {
    %l = stablehlo.compare LT, %x, %c : (tensor<1x!quant.uniform<u16:f64, 0.001:32768>>, tensor<1x!quant.uniform<u16:f64, 0.001:32768>>) -> tensor<1xi1>
    %t = stablehlo.reshape %l : (tensor<1xi1>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %d = stablehlo.add %x, %x : tensor<1x!quant.uniform<u16:f64, 0.001:32768>>
    stablehlo.return %d : tensor<1x!quant.uniform<u16:f64, 0.001:32768>>
  }
  %r1 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
  }, {
    %n = stablehlo.negate %a : tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
    stablehlo.return %n : tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
  }) : (tensor<i1>) -> tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
  %r2 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
  }, {
    %n = stablehlo.negate %a : tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
    stablehlo.return %n : tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
  }, {
    stablehlo.return %a : tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
  }) : (tensor<i32>) -> tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
  %r3 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<u16:f64, 0.001:32768>>):
    %n = stablehlo.negate %x : tensor<!quant.uniform<u16:f64, 0.001:32768>>
    stablehlo.return %n : tensor<!quant.uniform<u16:f64, 0.001:32768>>
  }) {dimensions = array<i64: 0>} : (tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) -> tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
  %r4 = func.call @negation(%a) : (tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) -> tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
  return %r0, %r1, %r2, %r3, %r4 : tensor<1x!quant.uniform<u16:f64, 0.001:32768>>, tensor<24x!quant.uniform<u16:f64, 0.001:32768>>, tensor<24x!quant.uniform<u16:f64, 0.001:32768>>, tensor<24x!quant.uniform<u16:f64, 0.001:32768>>, tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
}

//! case values numbers through loops, branches and functions
//! arg  u16[24] 5461 24575 43690 62804 16383 35498 54612 8191 27306 46420 0 19114 38228 57343 10922 30036 49151 2730 21845 40959 60073 13653 32767 51881
//! arg  u16[1] 34406
//! arg  u16[1] 49152
//! want u16[1] 58976
//! want u16[24] 60075 40961 21846 2732 49153 30038 10924 57345 38230 19116 65535 46422 27308 8193 54614 35500 16385 62806 43691 24577 5463 51883 32769 13655
//! want u16[24] 60075 40961 21846 2732 49153 30038 10924 57345 38230 19116 65535 46422 27308 8193 54614 35500 16385 62806 43691 24577 5463 51883 32769 13655
//! want u16[24] 60075 40961 21846 2732 49153 30038 10924 57345 38230 19116 65535 46422 27308 8193 54614 35500 16385 62806 43691 24577 5463 51883 32769 13655
//! want u16[24] 60075 40961 21846 2732 49153 30038 10924 57345 38230 19116 65535 46422 27308 8193 54614 35500 16385 62806 43691 24577 5463 51883 32769 13655
