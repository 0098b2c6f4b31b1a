//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<5x1x!quant.uniform<i8:f32, 0.3:20>>, %b: tensor<1x!quant.uniform<i8:f32, 0.3:20>>) -> (tensor<1x!quant.uniform<i8:f32, 0.3:20>>) {
  %z = stablehlo.reshape %b : (tensor<1x!quant.uniform<i8:f32, 0.3:20>>) -> tensor<!quant.uniform<i8:f32, 0.3:20>>
  %r0 = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.3:20>>, %y: tensor<!quant.uniform<i8:f32, 0.3:20>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i8:f32, 0.3:20>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.3:20>>
  }) {dimensions = array<i64: 0>} : (tensor<5x1x!quant.uniform<i8:f32, 0.3:20>>, tensor<!quant.uniform<i8:f32, 0.3:20>>) -> tensor<1x!quant.uniform<i8:f32, 0.3:20>>
  return %r0 : tensor<1x!quant.uniform<i8:f32, 0.3:20>>
}

//! case values each step returns an integer of 8 bits
//! arg  s8[5,1] 127 127 -128 -128 5
//! arg  s8[1] 20
//! want s8[1] -128
