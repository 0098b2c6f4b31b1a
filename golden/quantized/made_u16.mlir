//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) -> (tensor<2x3x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2x3x!quant.uniform<u16:f64, 0.001:32768>>, tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) {
  %sizes = "stablehlo.constant"() {value = dense<[2, 3]> : tensor<2xi32>} : () -> tensor<2xi32>
  %r0 = stablehlo.iota dim = 1 : tensor<2x3x!quant.uniform<u16:f64, 0.001:32768>>
  %r1 = stablehlo.dynamic_iota %sizes, dim = 1 : (tensor<2xi32>) -> tensor<2x3x!quant.uniform<u16:f64, 0.001:32768>>
  %r2 = stablehlo.reduce_precision %a, format = e8m7 : tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
  return %r0, %r1, %r2 : tensor<2x3x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2x3x!quant.uniform<u16:f64, 0.001:32768>>, tensor<24x!quant.uniform<u16:f64, 0.001:32768>>
}

//! case values numbers of an iota, and numbers of 8 significant bits
//! arg  u16[24] 2730 21845 40959 60073 13653 32767 51881 5461 24575 43690 62804 16383 35498 54612 8191 27306 46420 0 19114 38228 57343 10922 30036 49151
//! want u16[2,3] 32768 33768 34768 32768 33768 34768
//! want u16[2,3] 32768 33768 34768 32768 33768 34768
//! want u16[24] 2768 21830 40956 60018 13643 32767 51893 5518 24580 43706 62768 16393 35502 54643 8143 27299 46393 18 19143 38237 57393 10893 30034 49143
