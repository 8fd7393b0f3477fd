// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

fsm.kernel @memory(%slot: i32) {
  %a = fsm.shared_alloc : !fsm.shared<3xf32>
  // expected-error@+1 {{expected memory of mbarriers, got '!fsm.shared<3xf32>'}}
  fsm.mbarrier_arrive %a[%slot] : !fsm.shared<3xf32>
  fsm.return
}

// -----

fsm.kernel @one_number(%slot: i32) {
  %empty = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  // expected-error@+1 {{expected both 'registers' and 'others', or neither}}
  fsm.load_role registers 40 {
    fsm.mbarrier_wait %empty[%slot] phase %slot : !fsm.shared<3x!fsm.mbarrier>
  }
  fsm.return
}

// -----

fsm.kernel @by_eights(%slot: i32) {
  %empty = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  // expected-error@+1 {{expected registers by eights, got 41}}
  fsm.load_role registers 41 others 232 {
    fsm.mbarrier_wait %empty[%slot] phase %slot : !fsm.shared<3x!fsm.mbarrier>
  }
  fsm.return
}

// -----

fsm.kernel @two(%slot: i32) {
  %empty = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  fsm.load_role {
    fsm.mbarrier_wait %empty[%slot] phase %slot : !fsm.shared<3x!fsm.mbarrier>
  }
  // expected-error@+1 {{expected one load role in a kernel, got another one}}
  fsm.load_role {
    fsm.mbarrier_wait %empty[%slot] phase %slot : !fsm.shared<3x!fsm.mbarrier>
  }
  fsm.return
}
