# ab.sh OUT: the kernels of two packages, by turns
mkdir -p packages/old packages/new; tar xf dist/old.tar.xz -C packages/old; tar xf dist/dev.tar.xz -C packages/new
OLD=$(ls -d packages/old/fsm*/bin/fsm-run) NEW=$(ls -d packages/new/fsm*/bin/fsm-run)
ab() { # TITLE, arguments
  local title=$1; shift
  for i in 1 2 3; do for w in OLD NEW; do
    echo "$title $w $(${!w} "$@" --device=cuda --time=50 2>&1 | grep -E 'time:|error|fsm-run:' | head -1)"
  done; done
}
E_=examples
ab row_sum $E_/03-row-sum.mlir -D BLOCK=4096 --grid=8192 --arg=f32[8192] --arg=f32[8192x4096]:randn:1 --arg=4096 --arg=4096
ab layer_norm $E_/10-layer-norm.mlir -D BLOCK=4096 --grid=8192 --arg=f32[8192x4096] --arg=f32[8192] --arg=f32[8192] --arg=f32[8192x4096]:randn:1 --arg=f32[4096]:randn:2 --arg=f32[4096]:randn:3 --arg=4096 --arg=4096 --arg=4096 --arg=1e-5
ab partial $E_/11-layer-norm-backward.mlir -D BLOCK=4096 --kernel=partial --grid=264 --arg=f32[8192x4096] --arg=f32[264x4096] --arg=f32[264x4096] --arg=f32[8192x4096]:randn:1 --arg=f32[8192x4096]:randn:2 --arg=f32[4096]:randn:3 --arg=f32[8192]:randn:4 --arg=f32[8192]:uniform:5 --arg=4096 --arg=4096 --arg=4096 --arg=8192 --arg=4096
ab cross_entropy $E_/13-cross-entropy.mlir -D BLOCK=8192 --grid=4096 --arg=f32[4096] --arg=f32[4096x8192] --arg=f32[4096x8192]:randn:1 --arg=i32[4096] --arg=8192 --arg=8192 --arg=8192 --arg=1.0
ab argmax $E_/15-argmax.mlir -D BLOCK=4096 --grid=8192 --arg=f32[8192] --arg=i32[8192] --arg=f32[8192x4096]:randn:1 --arg=4096 --arg=4096
ab argmax_rows $E_/15-argmax.mlir -D BLOCK=256 --grid=65536 --arg=f32[65536] --arg=i32[65536] --arg=f32[65536x256]:randn:1 --arg=256 --arg=256
ab matmul $E_/16-matmul.mlir --grid=1024 --arg=f32[2048x2048] --arg=f32[2048x2048]:randn:1 --arg=f32[2048x2048]:randn:2 --arg=2048 --arg=2048 --arg=2048 --arg=2048 --arg=2048 --arg=2048
ab matmul_16 $E_/16-matmul.mlir -D T=f16 --grid=1024 --arg=f32[2048x2048] --arg=f16[2048x2048]:randn:1 --arg=f16[2048x2048]:randn:2 --arg=2048 --arg=2048 --arg=2048 --arg=2048 --arg=2048 --arg=2048
ab softmax_8192 $E_/05-softmax-persistent.mlir -D BLOCK=8192 --grid=persistent:4096 --arg=f32[4096x8192] --arg=f32[4096x8192]:randn:1 --arg=8192 --arg=8192 --arg=4096 --arg=8192
