// What the compiler has to say besides errors goes to standard error, once; --strict makes warnings errors.

// A slot of @wide takes 4 * 16384 bytes, and 8 for its mbarrier where there are bulk copies; 8 stages take 7 slots; a CTA of sm_90a has 227 KiB, room for 3.
// RUN: %fsm_run %s --kernel=wide --spread=1 --device=sim --grid=1 --arg='f32[98304]' --arg='f32[98304]:randn:1' --arg=6 --compare=interp --time=1 2> %t.err | FileCheck %s --check-prefix=RIGHT
// RUN: FileCheck %s --check-prefix=FEWER --implicit-check-not={{.}} < %t.err
// RIGHT: argument 0 {{.*}} against interp: 98304 elements agree
// RIGHT: time:
// FEWER: {{^}}{{.*}}warnings.mlir:[[#LOOP:]]:3: warning: num_stages is reduced from 8 to 4: 8 stages need 458808 bytes of shared memory a program, of which sm_90a has 232448 left; use smaller blocks or a lower num_stages{{$}}
// FEWER-NEXT: {{.*}}warnings.mlir:[[#LOOP+3]]:10: note: this load is to run ahead of the loop{{$}}

// The exit status, line by line; a kernel that is compiled again is warned of again.
// RUN: echo "%s --kernel=wide --spread=1 --device=sim --grid=1 --arg=f32[98304] --arg=f32[98304] --arg=6" > %t.batch
// RUN: echo "%s --kernel=wide --spread=1 --device=sim --grid=1 --arg=f32[98304] --arg=f32[98304] --arg=6 --strict" >> %t.batch
// RUN: echo "%s --kernel=wide --spread=1 --device=sim --grid=1 --arg=f32[98304] --arg=f32[98304] --arg=6 --strict --num-stages=4" >> %t.batch
// RUN: echo "%s --kernel=wide --device=cpu --grid=1 --arg=f32[98304] --arg=f32[98304] --arg=6 --strict --remarks" >> %t.batch
// RUN: echo "%s --kernel=wide --device=interp --grid=1 --arg=f32[98304] --arg=f32[98304] --arg=6 --strict --remarks" >> %t.batch
// RUN: echo "%s --kernel=plain --device=sim --grid=1 --arg=f32[128] --arg=f32[128] --strict --remarks" >> %t.batch
// RUN: echo "%s --kernel=wide --spread=1 --device=sim --grid=1 --arg=f32[98304] --arg=f32[98304] --arg=6" >> %t.batch
// RUN: not %fsm_run --batch=%t.batch > %t.out
// RUN: FileCheck %s --check-prefix=BATCH --implicit-check-not={{.}} < %t.out
// BATCH:      [1] rc=0 stdout=0 stderr={{[0-9]+}}
// BATCH-NEXT: {{.*}}warnings.mlir:[[#LOOP:]]:3: warning: num_stages is reduced from 8 to 4: {{.*}}
// BATCH-NEXT: {{.*}}warnings.mlir:[[#LOOP+3]]:10: note: this load is to run ahead of the loop{{$}}
// BATCH-NEXT: [2] rc=2 stdout=0 stderr={{[0-9]+}}
// BATCH-NEXT: {{.*}}warnings.mlir:[[#LOOP]]:3: error: num_stages is reduced from 8 to 4: 8 stages need 458808 bytes of shared memory a program, of which sm_90a has 232448 left; use smaller blocks or a lower num_stages
// BATCH-NEXT: {{.*}}warnings.mlir:[[#LOOP+3]]:10: note: this load is to run ahead of the loop{{$}}
// BATCH-NEXT: [3] rc=0 stdout=0 stderr=0
// The CPU and the interpreter give up no stages, and a kernel without stages has nothing to say but what it holds.
// BATCH-NEXT: [4] rc=0 stdout=0 stderr=0
// BATCH-NEXT: [5] rc=0 stdout=0 stderr=0
// BATCH-NEXT: [6] rc=0 stdout=0 stderr={{[0-9]+}}
// BATCH-NEXT: {{.*}}warnings.mlir:[[#]]:1: remark: a thread holds about 0 registers of blocks at a time, of 255{{$}}
// BATCH-NEXT: [7] rc=0 stdout=0 stderr={{[0-9]+}}
// BATCH-NEXT: {{.*}}warnings.mlir:[[#LOOP]]:3: warning: num_stages is reduced from 8 to 4: {{.*}}
// BATCH-NEXT: {{.*}}warnings.mlir:[[#LOOP+3]]:10: note: this load is to run ahead of the loop{{$}}

// --emit says it for the target at hand, 163 KiB; where a launch follows, that says it.
// RUN: %fsm_run %s --kernel=wide --emit=fsm --target=sm_80 -o %t.fsm 2>&1 | FileCheck %s --check-prefix=SM80 --implicit-check-not={{.}}
// RUN: %fsm_run %s --kernel=wide --emit=ptx --target=sm_80 -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SM80 --implicit-check-not={{.}}
// SM80: {{^}}{{.*}}warnings.mlir:[[#]]:3: warning: num_stages is reduced from 8 to 3: 8 stages need 458752 bytes of shared memory a program, of which sm_80 has 166912 left; {{.*$}}
// SM80-NEXT: {{.*}}warnings.mlir:[[#]]:10: note: this load is to run ahead of the loop{{$}}
// RUN: not %fsm_run %s --kernel=wide --emit=fsm --target=sm_80 --strict -o %t.no 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not ls %t.no
// STRICT: error: num_stages is reduced from 8 to 3
// RUN: %fsm_run %s --kernel=wide --spread=1 --device=sim --emit=ptx -o %t.ptx --grid=1 --arg='f32[98304]' --arg='f32[98304]' --arg=6 2>&1 | FileCheck %s --check-prefix=FEWER --implicit-check-not={{.}}

// --remarks: each load of a loop with stages, and why.
// RUN: %fsm_run %s --kernel=wide --spread=1 --remarks --device=sim --grid=1 --arg='f32[98304]' --arg='f32[98304]' --arg=6 2>&1 | FileCheck %s --check-prefix=AHEAD --implicit-check-not={{.}}
// AHEAD: {{^}}{{.*}}warnings.mlir:[[#LOOP:]]:3: warning: num_stages is reduced from 8 to 4: {{.*$}}
// AHEAD-NEXT: {{.*}}warnings.mlir:[[#LOOP+3]]:10: note: this load is to run ahead of the loop{{$}}
// AHEAD: {{^}}{{.*}}warnings.mlir:[[#LOOP+3]]:10: remark: this load runs 3 iterations ahead, into shared memory: one thread copies all that is read, which lies in one piece{{$}}
// 16384 numbers of 1024 threads, from their slot.
// AHEAD-NEXT: {{.*}}warnings.mlir:[[#LOOP+3]]:10: remark: a thread holds about 16 registers of blocks here, of 64{{$}}
fsm.kernel @wide(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 16384 : i32
  %o = fsm.range 0, 16384 : tensor<16384xi32>
  scf.for %i = %zero to %n step %one : i32 {
    %start = arith.muli %i, %width overflow<nsw> : i32
    %from = fsm.offset %in, %start : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%o] : !fsm.ptr<f32>, tensor<16384xi32> -> tensor<16384xf32>
    %y = arith.addf %x, %x : tensor<16384xf32>
    %to = fsm.offset %out, %start : !fsm.ptr<f32>, i32
    fsm.store %y, %to[%o] : tensor<16384xf32>, !fsm.ptr<f32>, tensor<16384xi32>
  } {fsm.num_stages = 8 : i32}
  fsm.return
}

// A loop of a helper is one loop of the text, however often it is called; no two slots of 128 KiB fit.
// RUN: %fsm_run %s --kernel=helped --remarks --emit=fsm --target=sm_90a -o %t.fsm 2>&1 | FileCheck %s --check-prefix=HELPED --implicit-check-not={{.}}
// RUN: FileCheck %s --check-prefix=TWICE < %t.fsm
// HELPED: {{^}}{{.*}}warnings.mlir:[[#HELPER:]]:3: warning: num_stages is reduced from 8 to 1: 8 stages need 1835008 bytes of shared memory a program, of which sm_90a has 232448 left; {{.*$}}
// HELPED-NEXT: {{.*}}warnings.mlir:[[#]]:10: note: this load is to run ahead of the loop{{$}}
// HELPED-NEXT: {{.*}}warnings.mlir:[[#]]:10: note: this load is to run ahead of the loop{{$}}
// HELPED: {{^}}{{.*}}warnings.mlir:[[#HELPER+2]]:10: remark: this load does not run ahead of its loop: shared memory has no room for it{{$}}
// HELPED-NEXT: {{.*}}warnings.mlir:[[#HELPER+7]]:10: remark: this load does not run ahead of its loop: shared memory has no room for it{{$}}
// 32768 numbers of 1024 threads, loaded before they are stored.
// HELPED-NEXT: {{.*}}warnings.mlir:[[#HELPER+4]]:5: remark: a thread holds about 32 registers of blocks here, of 64{{$}}
// TWICE-COUNT-4: fsm.load {{.*}}fsm.buffer = #fsm.load_buffer<none>
func.func @move(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 32768 : tensor<32768xi32>
  scf.for %i = %zero to %n step %one : i32 {
    %x_from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %x_from[%o] : !fsm.ptr<f32>, tensor<32768xi32> -> tensor<32768xf32>
    %x_to = fsm.offset %out, %i : !fsm.ptr<f32>, i32
    fsm.store %x, %x_to[%o] : tensor<32768xf32>, !fsm.ptr<f32>, tensor<32768xi32>
    %j = arith.addi %i, %n : i32
    %y_from = fsm.offset %in, %j : !fsm.ptr<f32>, i32
    %y = fsm.load %y_from[%o] : !fsm.ptr<f32>, tensor<32768xi32> -> tensor<32768xf32>
    %y_to = fsm.offset %out, %j : !fsm.ptr<f32>, i32
    fsm.store %y, %y_to[%o] : tensor<32768xf32>, !fsm.ptr<f32>, tensor<32768xi32>
  } {fsm.num_stages = 8 : i32}
  return
}

fsm.kernel @helped(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 32 : i32} {
  func.call @move(%out, %in, %n) : (!fsm.ptr<f32>, !fsm.ptr<f32>, i32) -> ()
  func.call @move(%out, %in, %n) : (!fsm.ptr<f32>, !fsm.ptr<f32>, i32) -> ()
  fsm.return
}

fsm.kernel @plain(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %o = fsm.range 0, 128 : tensor<128xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
  fsm.store %x, %out[%o] : tensor<128xf32>, !fsm.ptr<f32>, tensor<128xi32>
  fsm.return
}
