// A GPU that has no clusters.

// RUN: %fsm_opt %s --verify-diagnostics --fsm-check-resources=target=sm_80

// expected-error@+1 {{asks for a cluster of 2 ctas, and sm_80 has no clusters: leave out 'num_ctas'}}
fsm.kernel @cluster() attributes {num_warps = 4 : i32, num_ctas = 2 : i32} {
  fsm.return
}
