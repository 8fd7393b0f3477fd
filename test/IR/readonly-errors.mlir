// Whatever writes through a pointer that may come from an argument with `fsm.readonly` is refused, whichever way the pointer
// goes. Addresses that come from elsewhere, loads, and stores of the pointer itself are not.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

// expected-note@+1 {{the argument is here}}
fsm.kernel @store(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32> {fsm.readonly}, %x: f32, %n: i32) {
  %moved = fsm.offset %q, %n : !fsm.ptr<f32>, i32
  fsm.store %x, %p : f32, !fsm.ptr<f32>
  // expected-error @below {{'fsm.store' op expected a pointer that may be written through, got one that may come from argument 1, which promises 'fsm.readonly'}}
  fsm.store %x, %moved : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// expected-note@+1 {{the argument is here}}
fsm.kernel @update(%p: !fsm.ptr<i32> {fsm.readonly}, %n: i32) {
  // expected-error @below {{'fsm.atomic_rmw' op expected a pointer that may be written through}}
  %old = fsm.atomic_rmw <add> %n, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// expected-note@+1 {{the argument is here}}
fsm.kernel @compare(%p: !fsm.ptr<i32> {fsm.readonly}, %n: i32) {
  // expected-error @below {{'fsm.atomic_cas' op expected a pointer that may be written through}}
  %old = fsm.atomic_cas %n, %n, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// expected-note@+1 {{the argument is here}}
fsm.kernel @chosen(%p: !fsm.ptr<i32> {fsm.readonly}, %q: !fsm.ptr<i32>, %c: i1, %n: i32) {
  %either = scf.if %c -> (!fsm.ptr<i32>) {
    scf.yield %q : !fsm.ptr<i32>
  } else {
    scf.yield %p : !fsm.ptr<i32>
  }
  %again = arith.select %c, %q, %either : !fsm.ptr<i32>
  // expected-error @below {{'fsm.store' op expected a pointer that may be written through}}
  fsm.store %n, %again : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// expected-note@+1 {{the argument is here}}
fsm.kernel @carried(%p: !fsm.ptr<i32> {fsm.readonly}, %q: !fsm.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = scf.for %i = %zero to %n step %one iter_args(%at = %q) -> (!fsm.ptr<i32>) : i32 {
    // expected-error @below {{'fsm.store' op expected a pointer that may be written through}}
    fsm.store %i, %at : i32, !fsm.ptr<i32>
    scf.yield %p : !fsm.ptr<i32>
  }
  fsm.return
}

// -----

// expected-note@+1 {{the argument is here}}
fsm.kernel @behind(%p: !fsm.ptr<i32> {fsm.readonly}, %q: !fsm.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = scf.for %i = %zero to %n step %one iter_args(%at = %p) -> (!fsm.ptr<i32>) : i32 {
    scf.yield %q : !fsm.ptr<i32>
  }
  // expected-error @below {{'fsm.store' op expected a pointer that may be written through}}
  fsm.store %n, %last : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// expected-note@+1 {{the argument is here}}
fsm.kernel @while(%p: !fsm.ptr<i32> {fsm.readonly}, %q: !fsm.ptr<i32>, %c: i1, %n: i32) {
  %last = scf.while (%at = %q) : (!fsm.ptr<i32>) -> !fsm.ptr<i32> {
    scf.condition(%c) %at : !fsm.ptr<i32>
  } do {
  ^bb0(%now: !fsm.ptr<i32>):
    // expected-error @below {{'fsm.store' op expected a pointer that may be written through}}
    fsm.store %n, %now : i32, !fsm.ptr<i32>
    scf.yield %p : !fsm.ptr<i32>
  }
  fsm.return
}

// -----

// expected-note@+1 {{the argument is here}}
fsm.kernel @left(%p: !fsm.ptr<i32> {fsm.readonly}, %c: i1, %n: i32) {
  %last = scf.while (%at = %p) : (!fsm.ptr<i32>) -> !fsm.ptr<i32> {
    scf.condition(%c) %at : !fsm.ptr<i32>
  } do {
  ^bb0(%now: !fsm.ptr<i32>):
    scf.yield %now : !fsm.ptr<i32>
  }
  %address = fsm.ptr_to_int %last : !fsm.ptr<i32> -> i64
  %back = fsm.int_to_ptr %address : i64 -> !fsm.ptr<i32>
  // expected-error @below {{'fsm.store' op expected a pointer that may be written through}}
  fsm.store %n, %back : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

fsm.kernel @legal(%p: !fsm.ptr<i32> {fsm.readonly}, %table: !fsm.ptr<!fsm.ptr<i32>> {fsm.readonly},
                  %to: !fsm.ptr<!fsm.ptr<i32>>, %address: i64) {
  %x = fsm.load %p : !fsm.ptr<i32> -> i32
  %volatile = fsm.load %p volatile : !fsm.ptr<i32> -> i32
  %read = fsm.load %table : !fsm.ptr<!fsm.ptr<i32>> -> !fsm.ptr<i32>
  fsm.store %x, %read : i32, !fsm.ptr<i32>
  fsm.store %p, %to : !fsm.ptr<i32>, !fsm.ptr<!fsm.ptr<i32>>
  %made = fsm.int_to_ptr %address : i64 -> !fsm.ptr<i32>
  fsm.store %volatile, %made : i32, !fsm.ptr<i32>
  fsm.return
}
