// Collectives of Shardy: they change the sharding of an array, never its elements.
module @shardy_collectives attributes {mhlo.num_partitions = 16 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2, "z"=2]>
  func.func public @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<16x8xf32> {
    %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {"y"}]> : tensor<16x8xf32>
    %0 = sdy.all_gather [{"x"}, {}] %c out_sharding=<@mesh, [{}, {"y"}]> : tensor<16x8xf32>
    %1 = sdy.all_slice [{}, {"x":(1)2, "z"}] %0 out_sharding=<@mesh, [{}, {"y", "x":(1)2, "z"}]> {key = 1 : i32} : tensor<16x8xf32>
    %2 = sdy.all_to_all [{"x":(1)2, "z"}: 1->0] %1 out_sharding=<@mesh, [{"x":(1)2, "z"}, {"y"}]> : tensor<16x8xf32>
    %3 = sdy.collective_permute %2 out_sharding=<@mesh, [{"z", "x":(1)2}, {"y"}]> : tensor<16x8xf32>
    %4 = sdy.replicated_to_unreduced {"x":(2)2} %3 out_sharding=<@mesh, [{"z", "x":(1)2}, {"y"}], unreduced={"x":(2)2}> : tensor<16x8xf32>
    %5 = sdy.all_reduce {"x":(2)2} %4 out_sharding=<@mesh, [{"z", "x":(1)2}, {"y"}]> : tensor<16x8xf32>
    %6 = sdy.sharded_to_unreduced [{"x":(1)2}, {"y"}] %5 out_sharding=<@mesh, [{"z"}, {}], unreduced={"x":(1)2, "y"}> : tensor<16x8xf32>
    %7 = sdy.reduce_scatter [{}, {"x":(1)2, "y"}] %6 out_sharding=<@mesh, [{"z"}, {"x":(1)2, "y"}]> : tensor<16x8xf32>
    %8 = call @inner(%7) : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %9 = sdy.func_data_flow_edge %8 : tensor<16x8xf32>
    return %9 : tensor<16x8xf32>
  }
  func.func private @inner(%a: tensor<16x8xf32>) -> tensor<16x8xf32> {
    %0 = sdy.func_data_flow_edge %a : tensor<16x8xf32>
    return %0 : tensor<16x8xf32>
  }
}
