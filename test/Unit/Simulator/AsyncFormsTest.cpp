//===- AsyncFormsTest.cpp - Asynchronous copies: what is taken and refused -===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedules.h"

using namespace fsm::sim;

namespace {

std::string errorOf(const std::string &body) {
  fsm::Result<Module> module =
      Module::parse(".version 8.6\n.target sm_90\n.address_size 64\n.entry k() {"
                    " .reg .b64 %d<4>; .reg .b32 %r<4>; .reg .pred %p<3>;\n" +
                    body + "\nret; }");
  return module ? "" : module.error().message;
}

TEST(AsyncForms, formsThatAreRefused) {
  const std::pair<const char *, const char *> refused[] = {
      {"cp.async.ca.shared.global [%d1], [%d2], 2;", "expected a copy of 4, 8 or 16 bytes"},
      {"cp.async.ca.shared.global [%d1], [%d2], %r1;", "expected a copy of 4, 8 or 16 bytes"},
      {"cp.async.cg.shared.global [%d1], [%d2], 8;", "expected a copy of 16 bytes"},
      {"cp.async.ca.shared.global %d1, [%d2], 8;", "expected an address in brackets"},
      {"cp.async.shared.global [%d1], [%d2], 8;",
       "a form other than 'cp.async.ca.shared.global' and 'cp.async.cg.shared.global' of 'cp' is "
       "not supported"},
      {"cp.async.cg.shared.global.L3 [%d1], [%d2], 16;", "modifier '.L3' of 'cp' is not supported"},
      {"cp.sync [%d1], [%d2];", "a form other than 'cp.async' of 'cp' is not supported"},
      {"cp.async.wait_group %r1;", "expected the number of groups that may be in flight"},
      {"cp.async.commit_group 1;", "expected 0 operands of 'cp', got 1"},
      {"cp.async.bulk.prefetch.L1.global [%d1], 16;",
       "a form other than 'cp.async.bulk.prefetch.L2.global' of 'cp' is not supported"},
      {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%d1], [%d2], 16, "
       "[%d3];",
       "this direction or completion of 'cp' is not supported"},
      {"cp.async.bulk.global.shared::cta.mbarrier::complete_tx::bytes [%d1], [%d2], 16, [%d3];",
       "this direction or completion of 'cp' is not supported"},
      {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
       "[%d1], [%d2], 16, [%d3];",
       "modifier '.multicast::cluster' of 'cp' is not supported"},
      {"cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [%d1], [%d2], 16, "
       "[%d3];",
       "expected 3 operands of 'cp', got 4"},
      {"cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [%d1], [%d2], "
       "[%d3];",
       "expected a tensor map and its indices in brackets"},
      {"cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%d1], [%d2, "
       "{%r1}], [%d3];",
       "expected 2 indices of the tensor, got 1"},
      {"cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [%d1], [%d2, "
       "{[%d3]}], [%d3];",
       "expected a register or a number"},
      {"cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [%d1, {%r1}], "
       "[%d2], [%d3];",
       "expected a tensor map and its indices in brackets"},
      {"cp.async.bulk.tensor.6d.shared::cta.global.mbarrier::complete_tx::bytes [%d1], [%d2, "
       "{%r1}], [%d3];",
       "needs a number of dimensions: one of .1d"},
      {"cp.async.bulk.tensor.1d.global.shared::cta.mbarrier::complete_tx::bytes [%d2, {%r1}], "
       "[%d1], [%d3];",
       "this direction or completion of 'cp' is not supported"},
      {"cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [%d1], "
       "[%d2, {%r1, %r1, %r1, %r1}], [%d3];",
       "modifier '.im2col' of 'cp' is not supported"},
      {"cp.async.tensor.1d [%d1];", "a form other than 'cp.async.bulk.tensor'"},
      {"cp.async.bulk.prefetch.tensor.1d.global [%d1, {%r1}];",
       "a form other than 'cp.async.bulk.prefetch.tensor.L2.global'"},
      {"cp.reduce.async.bulk.tensor.1d.global.shared::cta.cas.bulk_group [%d2, {%r1}], [%d1];",
       "an operation: one of .add"},
      {"ld.global.b32 %r1, [%d1, {%r1}];", "operand 1 of 'ld' is not of a kind that it takes"},
      {"setmaxnreg.inc.sync.aligned.u32 100;",
       "expected a number of registers from 24 to 256, a multiple of 8"},
      {"setmaxnreg.inc.sync.u32 104;", "the form without '.aligned'"},
      {"cp.async.ca.shared.global [%d1], [%d2], 4, {%r1, %r2};", "expected a register or a number"},
      {"cp.async.bulk.global.shared::cta.bulk_group [%d1], [%d2], [%d3];",
       "expected a register or a number"},
      {"mbarrier.init.shared.b64 [%d1], [%d2];", "expected a register or a number"},
      {"mbarrier.arrive.shared.b64 {%d1, %d2}, [%d3];", "expected a register or a number"},
      {"mbarrier.init.shared.b64 %d1, 1;", "expected an address in brackets"},
      {"mbarrier.arrive.shared.b32 _, [%d1];", "'mbarrier' needs a type: one of .b64"},
      {"mbarrier.arrive.expect_tx.shared.b64 _, [%d1];",
       "expected 3 operands of 'mbarrier', got 2"},
      {"mbarrier.report.shared.b64 [%d1];", "modifier '.report' of 'mbarrier' is not supported"},
      {"mbarrier.test_wait.shared.b64 _, [%d1], %d2;",
       "expected a predicate for what a wait finds"},
      {"fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;",
       "'fence' needs a proxy: one of .async, .alias"},
      {"fence.acq_rel.galaxy;", "modifier '.galaxy' of 'fence' is not supported"},
  };
  for (auto [body, message] : refused) {
    std::string found = errorOf(body);
    EXPECT_NE(found.find(message), found.npos) << body << ": " << found;
  }
}

TEST(AsyncForms, mapsThatAreRefused) {
  const std::pair<const char *, const char *> refused[] = {
      {"fence.proxy.tensormap::generic.sc.cta;", "'fence' needs an order: one of .release, .acquire"},
      {"fence.proxy.tensormap::generic.acquire.gpu;", "expected 2 operands of 'fence', got 0"},
      {"fence.proxy.tensormap::generic.acquire.gpu [%d1], 64;", "expected the 128 bytes of a map"},
      {"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d1], [%d2], 128;",
       "a form other than 'tensormap.replace'"},
      {"tensormap.replace.tile.rank.global.b512.b32 [%d1], 1;", "a map that is not '.b1024'"},
      {"tensormap.replace.tile.box_dim.global.b1024.b32 [%d1], 5, 8;", "expected a dimension below 5"},
      {"tensormap.replace.tile.global_stride.global.b1024.b64 [%d1], %r1, 16;", "expected a dimension below 4"},
      {"tensormap.replace.tile.box_dim.global.b1024.b32 [%d1], 8;", "expected 3 operands of 'tensormap', got 2"},
      {"tensormap.replace.im2col.rank.global.b1024.b32 [%d1], 1;", "how the map is used: one of .tile"},
  };
  for (auto [body, message] : refused) {
    std::string found = errorOf(body);
    EXPECT_NE(found.find(message), found.npos) << body << ": " << found;
  }
}

TEST(AsyncForms, policiesThatAreRefused) {
  const std::pair<const char *, const char *> refused[] = {
      {"createpolicy.fractional.L2::evict_never.b64 %d3;", "what stays in the cache: one of .L2::evict_last"},
      {"createpolicy.fractional.L2::evict_last.b32 %d3;", "a type other than .b64"},
      {"createpolicy.range.L2::evict_last.b64 %d3, %d1, 64, 64;", "expected an address in brackets"},
      {"ld.global.b32 %r1, [%d1], %d3;", "expected 2 operands of 'ld', got 3"},
  };
  for (auto [body, message] : refused) {
    std::string found = errorOf(body);
    EXPECT_NE(found.find(message), found.npos) << body << ": " << found;
  }
}

/// Hints and policies change nothing that is computed.
TEST(AsyncForms, formsThatAreTaken) {
  for (const char *body :
       {"cp.async.ca.shared::cta.global.L2::cache_hint.L2::256B [%d1], [%d2], 4, %d3;",
        "cp.async.cg.shared.global.L2::cache_hint [%d1], [%d2], 16, %p1, %d3;",
        "cp.async.ca.shared.global [%d1+4], [%d2+8], 8, %r1;",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%d1], "
        "[%d2], %r1, [%d3], %d1;",
        "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%d1], [%d2], %r1, %d1;",
        "cp.async.bulk.prefetch.L2.global.L2::cache_hint [%d1], %r1, %d2;",
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [%d1], %r1, %r2;",
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1];",
        "mbarrier.arrive_drop.expect_tx.shared::cta.relaxed.cluster.b64 %d1, [%d2], %r1;",
        "barrier.cta.arrive.aligned 1, 64;",
        "barrier.cta.sync %r1, %r2;",
        "membar.gl;",
        "fence.sc.sys;",
        "fence.acq_rel.gpu;",
        "fence.proxy.async.global;",
        "fence.proxy.alias;",
        "fence.mbarrier_init.release.cluster;",
        "fence.proxy.tensormap::generic.release.cta;",
        "fence.proxy.tensormap::generic.acquire.gpu [%d1], 128;",
        "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%d1], %d2;",
        "tensormap.replace.tile.box_dim.global.b1024.b32 [%d1], 4, %r1;",
        "createpolicy.fractional.L2::evict_first.b64 %d3, 1.0;",
        "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %d3;",
        "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %d3, [%d1], 0x100000, 0x200000;",
        "createpolicy.cvt.L2.b64 %d3, 0x10000000;",
        "ld.global.L1::evict_first.L2::cache_hint.v2.b32 {%r1, %r2}, [%d1], %d3;",
        "st.global.L2::cache_hint.b32 [%d1+4], %r1, %d3;",
        "griddepcontrol.wait;",
        "griddepcontrol.launch_dependents;",
        "prefetch.global.L2 [%d1];",
        "elect.sync _|%p1, -1;"})
    EXPECT_EQ(errorOf(body), "") << body;
}

} // namespace
