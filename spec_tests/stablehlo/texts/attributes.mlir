// Aliases, attributes of every kind, locations and resources.
#map = affine_map<(d0) -> (d0)>
#loc1 = loc("argument")
#loc2 = loc("inner"("file.py":10:1))
#loc4 = loc("outer"("file.py":20:1))
#loc3 = loc(callsite(#loc2 at #loc4))
!array = tensor<4x?xf32, #stablehlo.bounds<?, 8>>
module @attributes {
  func.func @main(%arg0: !array loc("argument"), %arg1: tensor<f32> loc(#loc1)) -> tuple<tuple<>, tensor<f32>> {
    %0 = stablehlo.constant {a = array<i64: 1, -2>, b = array<i1: true, false>, c = array<f32: 1.5>, d = array<i8>, e = dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>, f = dense<[-8, 7]> : tensor<2xi4>, g = dense<[15, 0]> : tensor<2xui4>, h = dense<true> : tensor<4xi1>, i = dense_resource<blob> : tensor<2xi64>, j = #map, k = loc("x"), l, m = @f::@g, n = [1, "two", [3.0]], o = {z = 1 : index, "quoted name" = -5 : i8}, p = tensor<*xf32>, q = (tensor<f32>, i32) -> (), r = 18446744073709551615 : ui64, s = 0x7FC00000 : f32, t = 1.0e-30, u = "a\0Ab\22\\", v = true, w = -1.5 : bf16, x = #stablehlo<fft_type RFFT>, y = none, z = #stablehlo.channel_handle<handle = 0, type = 0>} dense<"0x0000803F"> : tensor<f32> loc("jit(f)/constant"(#loc3))
    %1 = stablehlo.constant dense<[0x38, 0xFF, 1.0]> : tensor<3xf8E4M3FN> loc(callsite("f"("file.py":1:2) at "g"("other.py":3:4 to :5)))
    %2 = stablehlo.constant dense<"0x0001FF00FE7F"> : tensor<3xi16> loc(fused<"metadata">["a"("file.py":1:2 to 3:4), "b", unknown])
    %3 = stablehlo.tuple : tuple<> loc(#loc5)
    %4 = stablehlo.tuple %3, %arg1 : tuple<tuple<>, tensor<f32>> loc("only a name")
    %5:2 = "stablehlo.optimization_barrier"(%arg0, %arg1) : (!array, tensor<f32>) -> (!array, tensor<f32>) loc("file.py":7:8)
    %6 = "stablehlo.add"(%5#1, %5#1) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(callsite(#loc2 at callsite(#loc2 at #loc4)))
    return %4 : tuple<tuple<>, tensor<f32>> loc(#loc4)
  } loc(#loc)
  func.func private @f() loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc5 = loc("jit(f)/tuple"(#loc3))

{-#
  dialect_resources: {
    builtin: {
      blob: "0x0800000001000000000000000200000000000000"
    }
  }
#-}
