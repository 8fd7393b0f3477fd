"""Prints a kernel of LINKS links, each of a loop, a choice and a sum; the last ones read what the first ones made.

Call: long-host.py LINKS
"""

import sys

links = int(sys.argv[1])
print("""fsm.kernel @chain(%out: !fsm.ptr<i32>, %sums: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %many: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %offsets = fsm.range 0, 64 : tensor<64xi32>
  %x0 = fsm.load %in[%offsets] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>""")
for i in range(links):
    early = min(i, i * i % 7)
    print(f"""
  %rounds{i} = scf.for %i = %zero to %many step %one iter_args(%y = %x{i}) -> (tensor<64xi32>) : i32 {{
    %begin = arith.muli %i, %many : i32
    %shift = fsm.splat %begin : tensor<64xi32>
    %shifted = arith.addi %y, %shift : tensor<64xi32>
    %mixed = arith.xori %shifted, %x{early} : tensor<64xi32>
    scf.yield %mixed : tensor<64xi32>
  }}
  %sum{i} = fsm.reduce <sum> %rounds{i} axis 0 : tensor<64xi32> -> i32
  %isOdd{i} = arith.trunci %sum{i} : i32 to i1
  %chosen{i} = scf.if %isOdd{i} -> (tensor<64xi32>) {{
    %old = fsm.load %out[%offsets] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
    %new = arith.addi %old, %rounds{i} : tensor<64xi32>
    fsm.store %new, %out[%offsets] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
    scf.yield %new : tensor<64xi32>
  }} else {{
    %place = arith.constant {i} : i32
    %of = fsm.offset %sums, %place : !fsm.ptr<i32>, i32
    fsm.store %sum{i}, %of : i32, !fsm.ptr<i32>
    scf.yield %x{early} : tensor<64xi32>
  }}
  %term{i} = fsm.splat %sum{early} : tensor<64xi32>
  %x{i + 1} = arith.addi %chosen{i}, %term{i} : tensor<64xi32>""")
print(f"""
  fsm.store %x{links}, %out[%offsets] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}}""")
