"""job.json: {"singles": n, "sustained": repeats, "cases": [{"type","m","n","k","pad","tiles":[{name,ptx,contract,bm,bn,bk,persistent,programs?}]}], "triton": bool}"""
import json, sys, random, time, dataclasses, os
sys.dont_write_bytecode = True
import torch
from bench import measure_products as mp
from bench.driver import Driver, DriverError
from bench.package import Contract
from bench.products import Product, Tile, array
from bench.tables import Measured, Point, median
job = json.load(open("job.json"))
mp.SINGLES = job.get("singles", 61)
torch.cuda.init(); torch.zeros(1, device="cuda")
driver = Driver()
print(torch.cuda.get_device_name(), flush=True)
out = os.environ.get("OUT", ".")
for c in job["cases"]:
    case = Product(c["type"], c["m"], c["n"], c["k"], c.get("pad", 0))
    torch.manual_seed(1)
    matrices = mp.Matrices(case)
    single = {}; sust = {}; launchers = {}
    one = None
    def cublas(index):
        cc, a, b = matrices.sets[index]
        torch.matmul(a, b, out=cc)
    launchers["cublas"] = cublas
    launchers["cublas again"] = cublas
    if job.get("triton"):
        point = Point("x", 1, 1)
        for name, (launch, use) in mp.opponents(driver, case, matrices, point).items():
            if name.startswith("triton") and "sm_80" not in name:
                launchers[name] = launch
    st = (case.columns + case.padding, case.inner + case.padding, case.columns + case.padding)
    args = (array(case.kind.result, 1), array(case.kind.stored, 1), array(case.kind.stored, 1), *map(str, (case.rows, case.columns, case.inner, *st)))
    uses = {}
    for t in c["tiles"]:
        tile = Tile(t["bm"], t["bn"], t["bk"], 0, 8, "sm_90a", {}, args, "auto", t["persistent"])
        try:
            launch, use = mp.fsm_launcher(driver, case, tile, open(t["ptx"]).read(), Contract.parse(open(t["contract"]).read()), matrices)
            launch(0); torch.cuda.synchronize()
            launchers[t["name"]] = launch; uses[t["name"]] = use
        except Exception as e:
            print("REFUSED", t["name"], str(e)[:300], flush=True)
            if "719" in str(e) or "700" in str(e) or "715" in str(e): sys.exit(1)
    for n in launchers:
        single[n] = Measured(use={}); sust[n] = Measured(use={})
    order = random.Random(7)
    mp.time_single(case, launchers, single, matrices, order)
    if job.get("sustained"):
        graphs = {}
        for n, l in launchers.items():
            t0 = time.monotonic(); l(1); torch.cuda.synchronize()
            k = max(2, min(400, int(mp.SUSTAINED / 5 / max(1e-6, time.monotonic() - t0))))
            graphs[n] = (mp.graph_of(l, k, matrices.count), k)
        mp.time_sustained(case, graphs, sust, matrices, job["sustained"], order)
    base = median(single["cublas"].seconds); sb = median(sust["cublas"].seconds) if job.get("sustained") else 0
    print(f"## {case.title}")
    for n in sorted(launchers, key=lambda n: median(single[n].seconds)):
        m = median(single[n].seconds); q = sorted(single[n].seconds); sp = (q[3*len(q)//4]-q[len(q)//4])/m*100
        s = median(sust[n].seconds) if job.get("sustained") else 0
        print(f"| {n} | {m*1e6:.2f} us | {case.operations/m*1e-12:.0f} | {base/m:.4f} | iqr {sp:.1f} % | " + (f"sust {s*1e6:.2f} | {case.operations/s*1e-12:.0f} | {sb/s:.4f} |" if s else "") + f" {single[n].fault or ''} {sust[n].fault or ''} {uses.get(n, {}).get('registers','')} {uses.get(n, {}).get('local_bytes','')}", flush=True)
    del matrices, launchers
    torch.cuda.empty_cache()
