import ctypes, json, random, statistics, subprocess, sys, threading, time, os
from pathlib import Path
import torch
here = Path(__file__).parent; sys.path.insert(0, str(here))
from bench.driver import Driver
from bench.package import Contract
from bench.products import Product
from bench import triton_matmul
spec = json.loads((here / "spec.json").read_text()); began = time.time(); MODE = sys.argv[1] if len(sys.argv) > 1 else "time"
SECONDS = float(os.environ.get("EACH", "0.35")); ROUNDS = int(os.environ.get("ROUNDS", "2"))
torch.zeros(1, device="cuda"); driver = Driver(); print(torch.cuda.get_device_name())
junk = torch.empty(256 << 20, dtype=torch.uint8, device="cuda"); order = random.Random(1); M = 4096
def load(data):
    m = ctypes.c_void_p(); driver("cuModuleLoadData", ctypes.byref(m), ctypes.c_char_p(data)); return m
def ours(v, c, a, b):
    k = Contract.parse((here / "ptx" / (v["stem"] + ".json")).read_text()); s = c.stride(0)
    f = driver.function(load((here / "ptx" / (v["stem"] + ".cubin")).read_bytes()), k.name, k.shared_bytes)
    programs = -(-M // v["bm"]) * -(-M // v["bn"]); tensors = (c, a, b); numbers = (M, M, M, s, s, s)
    hidden = k.hidden(programs, driver, [*(t.data_ptr() for t in tensors), *numbers])
    values = [*(ctypes.c_uint64(t.data_ptr()) for t in tensors), *(ctypes.c_int32(n) for n in numbers), *hidden]
    per = driver.ctas_per_multiprocessor(f, k.threads, k.shared_bytes)
    ctas = k.ctas(k.started(programs, k.at_once(132, per)))
    def launch(): driver.launch(f, (ctas, 1, 1), (k.threads, 1, 1), k.shared_bytes, values, torch.cuda.current_stream().cuda_stream, k.overlaps_launches)
    launch.info = f"{driver.function_attribute(f, 4)}r {driver.function_attribute(f, 3)}l {k.threads}t x{ctas}, {per} a multiprocessor"
    return launch
def triton80(case, tile, c, a, b):
    ptx, name, shared, threads = triton_matmul.compiled_for(case, tile, 80)
    f = driver.function(load(ptx.encode()), name, shared); values = triton_matmul.arguments_of(case, c, a, b)
    ctas = -(-M // tile[0]) * -(-M // tile[1])
    def launch(): driver.launch(f, (ctas, 1, 1), (threads, 1, 1), shared, values, torch.cuda.current_stream().cuda_stream)
    launch.info = f"{driver.function_attribute(f, 4)}r {driver.function_attribute(f, 3)}l {threads}t"
    return launch
a, b = torch.randn(M, M, device="cuda").half(), torch.randn(M, M, device="cuda").half(); c = torch.zeros(M, M, device="cuda", dtype=torch.half)
wide = a.double() @ b.double(); size = a.double().abs() @ b.double().abs()
todo = {"cublas": lambda: (lambda: torch.matmul(a, b, out=c))}
for v in spec: todo[v["stem"]] = lambda v=v: ours(v, c, a, b)
case = Product("f16", M, M, M, 0)
todo["triton-sm_80-128x128x32-4-4"] = lambda: triton80(case, (128, 128, 32, 4, 4), c, a, b)
if MODE == "ncu": todo = {n: t for n, t in todo.items() if n in ("cublas", "triton-sm_80-128x128x32-4-4") or n in sys.argv[2:]}
ls = {}
for n, make in todo.items():
    try:
        l = make()
        if MODE == "ncu": l(); torch.cuda.synchronize(); print("launched", n); continue
        c.fill_(float("nan")); l(); torch.cuda.synchronize()
        if n != "cublas":
            bad = (~((c.double() - wide).abs() <= 2.0**-10 * wide.abs() + 2.0**-17 * size + 1e-6)).sum().item()
            if bad: print("WRONG", n, bad)
        ls[n] = l
    except Exception as e: print("failed", n, str(e)[:200])
if MODE == "ncu": sys.exit()
samples = []; smi = subprocess.Popen(["nvidia-smi", "--query-gpu=clocks.sm,power.draw.instant", "--format=csv,noheader,nounits", "-lms", "20"], stdout=subprocess.PIPE, text=True)
def reader():
    for line in smi.stdout:
        try: samples.append((time.time(), *map(float, line.split(","))))
        except ValueError: pass
threading.Thread(target=reader, daemon=True).start()
S = {n: [] for n in ls}; U = {n: [] for n in ls}; C = {n: [] for n in ls}; graphs = {}
for n, l in ls.items():
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g):
        for _ in range(10): l()
    graphs[n] = g
for _ in range(15):
    for n in order.sample(list(ls), len(ls)):
        p, q = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(100000); junk.zero_(); p.record(); ls[n](); q.record(); torch.cuda.synchronize(); S[n].append(p.elapsed_time(q) * 1e3)
for _ in range(ROUNDS):
    for n in order.sample(list(ls), len(ls)):
        p, q = (torch.cuda.Event(enable_timing=True) for _ in range(2)); t0 = time.time()
        while time.time() < t0 + SECONDS / 2: graphs[n].replay(); torch.cuda.synchronize()
        t1 = time.time(); count = 0; p.record()
        while time.time() < t0 + SECONDS: graphs[n].replay(); count += 1; (count % 4 or torch.cuda.synchronize())
        q.record(); torch.cuda.synchronize(); U[n].append(p.elapsed_time(q) * 1e2 / count); C[n].append((t1, time.time()))
smi.kill()
S = {n: statistics.median(x) for n, x in S.items()}; us = {n: statistics.median(x) for n, x in U.items()}
def clock(n):
    x = [s for s in samples if any(lo <= s[0] <= hi for lo, hi in C[n])]
    return f"{statistics.mean(s[1] for s in x):.0f} MHz {statistics.mean(s[2] for s in x):.0f} W of {len(x)}" if x else "-"
T = "triton-sm_80-128x128x32-4-4"
for n in sorted(S, key=S.get):
    print(f"  {n:36s} {S[n]:7.2f} {2 * M**3 / S[n] / 1e6:6.1f} {S['cublas'] / S[n]:.3f} {S[T] / S[n]:.3f}  {us[n]:7.2f} ({min(U[n]):.2f} {max(U[n]):.2f}) {us['cublas'] / us[n]:.3f} {us[T] / us[n]:.3f} {clock(n)} {getattr(ls[n], 'info', '')}", flush=True)
print(len(samples), "samples", f"{time.time() - began:.0f} s")
