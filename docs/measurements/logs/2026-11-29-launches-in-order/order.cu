// What launches that begin early may not change: order by streams, events, graphs, host functions, copies, cooperative kernels, locks.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <vector>
#include <string>
#define CK(x) do { cudaError_t r = (x); if (r) { printf("%s:%d %s: %s\n", __FILE__, __LINE__, #x, cudaGetErrorString(r)); fflush(stdout); exit(1); } } while (0)
enum Dep { kNone, kFront, kBehind };   // where launch_dependents is
static constexpr int N = 1 << 20, B = 256;
template <int dep> __global__ void add(int *out, const int *in, int shift, long spin) {
  if (dep == kFront) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (dep == kBehind) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  long t = clock64(); while (clock64() - t < spin) {}
  int i = blockIdx.x * B + threadIdx.x;
  out[i] = __ldg(in + ((i + shift) & (N - 1))) + 1;
}
template <int dep> __global__ void sum(int *out, const int *a, const int *b) {
  if (dep == kFront) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (dep == kBehind) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  int i = blockIdx.x * B + threadIdx.x;
  out[i] = __ldg(a + i) > __ldg(b + i) ? a[i] : b[i];
  if (__ldg(a + i) != __ldg(b + i)) out[i] = -1000000;
}
// Another's kernel: slow, knows nothing of it.
__global__ void slow(int *out, int value, long spin) {
  long t = clock64(); while (clock64() - t < spin) {}
  out[blockIdx.x * B + threadIdx.x] = value;
}
// Another's kernel that reads in front of its wait what the launch before the one before it wrote.
__global__ void eager(int *out, const int *old) {
  int i = blockIdx.x * B + threadIdx.x, x = *(const volatile int *)(old + i);
  asm volatile("griddepcontrol.wait;" ::: "memory");
  out[i] = x;
}
// Programs that wait for one another: all must run.
template <int dep> __global__ void meet(int *count, int *out, int round) {
  if (dep == kFront) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (dep == kBehind) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  if (threadIdx.x == 0) {
    atomicAdd(count, 1);
    while (*(volatile int *)count < (round + 1) * (int)gridDim.x) {}
    out[blockIdx.x] = round + 1;
  }
}
static bool kPdl = true, kCoop = false;
template <class... P, class... A> static void go(cudaStream_t s, int grid, size_t shared, void (*k)(P...), A... a) {
  cudaLaunchConfig_t c = {}; c.gridDim = dim3(grid); c.blockDim = dim3(B); c.dynamicSmemBytes = shared; c.stream = s;
  cudaLaunchAttribute at[2]; memset(at, 0, sizeof at); c.attrs = at;
  if (kPdl) { at[c.numAttrs].id = cudaLaunchAttributeProgrammaticStreamSerialization; at[c.numAttrs++].val.programmaticStreamSerializationAllowed = 1; }
  if (kCoop) { at[c.numAttrs].id = cudaLaunchAttributeCooperative; at[c.numAttrs++].val.cooperative = 1; }
  CK(cudaLaunchKernelEx(&c, k, P(a)...));
}
static int *a, *b, *c, *d, *e2, *host; static std::vector<int> h(N);
static long wrong(const int *p, int want) {
  CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(), p, N * 4, cudaMemcpyDeviceToHost));
  long w = 0; for (int x : h) w += x != want; return w;
}
static void clear() { CK(cudaDeviceSynchronize()); for (int *p : {a, b, c, d, e2}) CK(cudaMemset(p, 0, N * 4)); CK(cudaDeviceSynchronize()); }
template <class F> static void inGraph(int times, F f) {
  cudaStream_t s; CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)); cudaGraph_t g; cudaGraphExec_t e;
  CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal)); f(s); CK(cudaStreamEndCapture(s, &g)); CK(cudaGraphInstantiate(&e, g, 0));
  for (int i = 0; i < times; ++i) CK(cudaGraphLaunch(e, s));
  CK(cudaStreamSynchronize(s));
}
template <int dep> static void tests(const char *name) {
  auto say = [&](const char *what, long w) { printf("%-7s %s%-60s %ld wrong\n", name, kPdl ? "" : "(not overlapping) ", what, w); fflush(stdout); };
  const int G = N / B; long spin = 3000;
  cudaStream_t s1, s2, blocking; CK(cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking)); CK(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking)); CK(cudaStreamCreate(&blocking));
  auto chain = [&](cudaStream_t s, int n) { for (int i = 0; i < n; i += 2) { go(s, G, 0, add<dep>, b, a, 4099, spin); go(s, G, 0, add<dep>, a, b, 70001, 0); } };
  clear(); chain(s1, 400); say("one stream", wrong(a, 400));
  clear(); chain(0, 400); say("the legacy stream", wrong(a, 400));
  clear(); inGraph(10, [&](cudaStream_t s) { chain(s, 40); }); say("a graph", wrong(a, 400));
  clear(); for (int i = 0; i < 100; ++i) { chain(i % 2 ? blocking : 0, 4); } say("legacy and a blocking stream in turns", wrong(a, 400));
  clear(); for (int i = 0; i < 100; ++i) { chain(i % 2 ? blocking : 0, 2); go(i % 2 ? blocking : 0, G, 0, add<dep>, b, a, 1, spin); go(i % 2 ? 0 : blocking, G, 0, add<dep>, a, b, 1, 0); }
  say("legacy and a blocking stream, a pair across", wrong(a, 400));
  cudaEvent_t e, f; CK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming)); CK(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
  // s2 has its own intermediate; d is written by s2 alone.
  auto join = [&](cudaStream_t s, int n) {
    for (int i = 0; i < n; ++i) {
      CK(cudaEventRecord(e, s)); CK(cudaStreamWaitEvent(s2, e, 0));
      go(s, G, 0, add<dep>, b, a, 5, i % 2 ? spin : 0); go(s2, G, 0, add<dep>, d, a, 7, i % 2 ? 0 : spin);
      go(s2, G, 0, add<dep>, c, d, 9, i % 3 ? 0 : spin); go(s, G, 0, add<dep>, e2, b, 9, i % 5 ? 0 : spin);
      CK(cudaEventRecord(f, s2)); CK(cudaStreamWaitEvent(s, f, 0));
      go(s, G, 0, sum<dep>, b, e2, c); go(s, G, 0, add<dep>, a, b, 3, 0);
    }
  };
  clear(); join(s1, 100); say("two streams and events", wrong(a, 300));
  clear(); inGraph(10, [&](cudaStream_t s) { join(s, 10); }); say("a graph that forks and joins", wrong(a, 300));
  auto copies = [&](cudaStream_t s, int n) {
    for (int i = 0; i < n; ++i) {
      go(s, G, 0, add<dep>, b, a, 5, spin); CK(cudaMemcpyAsync(c, b, N * 4, cudaMemcpyDeviceToDevice, s)); CK(cudaMemsetAsync(b, 0, N * 4, s));
      go(s, G, 0, add<dep>, a, c, 7, 0);
    }
  };
  clear(); copies(s1, 100); say("copies and fills between", wrong(a, 200));
  clear(); inGraph(10, [&](cudaStream_t s) { copies(s, 10); }); say("the same in a graph", wrong(a, 200));
  auto hosts = [&](cudaStream_t s, int n) {   // host memory goes round by a function of the host
    for (int i = 0; i < n; ++i) {
      go(s, G, 0, add<dep>, b, a, 5, spin); CK(cudaMemcpyAsync(host, b, N * 4, cudaMemcpyDeviceToHost, s));
      CK(cudaLaunchHostFunc(s, [](void *p) { int *x = (int *)p; for (int j = 0; j < N; ++j) ++x[j]; }, host));
      go(s, G, 0, add<dep>, a, host, 7, 0);
    }
  };
  clear(); hosts(s1, 10); say("functions of the host between", wrong(a, 30));
  clear(); inGraph(2, [&](cudaStream_t s) { hosts(s, 5); }); say("the same in a graph", wrong(a, 30));
  // Two kernels back: ours, which is slow, ours, and another's, which begins early.
  long bad = 0; clear();
  for (int i = 1; i <= 30; ++i) {
    CK(cudaMemset(c, 0, N * 4)); CK(cudaDeviceSynchronize());
    go(s1, 32, 120 << 10, add<dep>, c, a, 1, 200000L); go(s1, 32, 120 << 10, add<dep>, b, a, 1, 0); go(s1, 32, 0, eager, d, c);
    CK(cudaStreamSynchronize(s1)); CK(cudaMemcpy(h.data(), d, 32 * B * 4, cudaMemcpyDeviceToHost)); for (int j = 0; j < 32 * B; ++j) bad += h[j] != 1;
  }
  say("another's kernel that reads early what two launches back wrote", bad);
}
template <int dep> static void locks(const char *name) {
  cudaDeviceProp p; CK(cudaGetDeviceProperties(&p, 0)); int per = 0; size_t shared = 120 << 10;
  for (bool large : {false, true}) for (bool coop : {false, true}) {
    CK(cudaFuncSetAttribute(meet<dep>, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 << 10));
    CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, meet<dep>, B, large ? shared : 0)); int g = per * p.multiProcessorCount;
    cudaStream_t s; CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)); clear(); kCoop = coop;
    for (int i = 0; i < 200; ++i) { go(s, g, large ? shared : 0, meet<dep>, c, d, i); kCoop = false; if (i % 3 == 0) go(s, N / B, 0, add<dep>, b, a, 1, 3000L); kCoop = coop; }
    kCoop = false; CK(cudaStreamSynchronize(s)); CK(cudaMemcpy(h.data(), d, g * 4, cudaMemcpyDeviceToHost)); long w = 0; for (int j = 0; j < g; ++j) w += h[j] != 200;
    printf("%-7s programs that wait for one another, %d of them%s%s: %ld wrong\n", name, g, large ? ", large" : "", coop ? ", cooperative" : "", w); fflush(stdout);
  }
  // On two streams, of which each launch fills the GPU.
  CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, meet<dep>, B, shared)); int g = per * p.multiProcessorCount; cudaStream_t s[2]; for (auto &x : s) CK(cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking));
  clear(); for (int i = 0; i < 100; ++i) for (int k : {0, 1}) { go(s[k], g, shared, meet<dep>, k ? b : c, k ? a : d, i); go(s[k], g, 0, slow, (k ? a : d) + N / 2, i, 1000L); }
  CK(cudaDeviceSynchronize()); printf("%-7s the same on two streams: ended\n", name); fflush(stdout);
}
int main(int, char **v) {
  for (int **p : {&a, &b, &c, &d, &e2}) CK(cudaMalloc(p, N * 4)); CK(cudaMallocHost(&host, N * 4));
  auto attr = [](auto k) { CK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 << 10)); };
  attr(add<kNone>); attr(add<kFront>); attr(add<kBehind>);
  int dep = atoi(v[2]); bool isLocks = !strcmp(v[1], "locks"); kPdl = dep >= 0; const char *names[] = {"none", "front", "behind"};
  if (dep < 1) isLocks ? locks<kNone>(names[0]) : tests<kNone>(names[0]);
  if (dep == 1) isLocks ? locks<kFront>(names[1]) : tests<kFront>(names[1]);
  if (dep == 2) isLocks ? locks<kBehind>(names[2]) : tests<kBehind>(names[2]);
  return 0;
}
