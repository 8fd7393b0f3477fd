"""Prints a kernel with a hinted loop in which the address of a load takes so many ops.

Call: long_address.py OPS [blocks without layouts: plain]
"""

import sys

LAYOUT = "#fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>"


def main():
    ops, plain = int(sys.argv[1]), "plain" in sys.argv
    places, numbers = ("tensor<128xi32>", "tensor<128xf32>") if plain else ("tensor<128xi32, #row>", "tensor<128xf32, #row>")
    access = "" if plain else " {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32}"
    print(f"""#row = {LAYOUT}
fsm.kernel @long(%out: !fsm.ptr<f32> {{fsm.noalias}}, %in: !fsm.ptr<f32>, %n: i32) attributes {{num_warps = 1 : i32}} {{
  %zero = arith.constant 0 : i32
  %a0 = arith.constant 1 : i32
  %o = fsm.range 0, 128 : {places}
  scf.for %i = %zero to %n step %a0 : i32 {{""")
    for number in range(ops):
        print(f"    %a{number + 1} = arith.{('muli', 'xori')[number % 2]} %a{number}, %i : i32")
    print(f"""    %from = fsm.offset %in, %a{ops} : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%o]{access} : !fsm.ptr<f32>, {places} -> {numbers}
    fsm.store %x, %out[%o] : {numbers}, !fsm.ptr<f32>, {places}
  }} {{fsm.num_stages = 8 : i32}}
  fsm.return
}}""")


if __name__ == "__main__":
    main()
