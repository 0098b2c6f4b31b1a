#loc15 = loc("f":1:2)
module {} loc(#loc15)
#loc15%9 = loc("f":3:4)
