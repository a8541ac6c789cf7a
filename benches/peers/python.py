"""Cases of amp's device benchmark in PyTorch and CuPy, as far as they are installed.

    python3 python.py [--quick] FILE

writes what the device benchmark's `--beside` takes: medians by the device's clock. Results are compared
with NumPy's.
"""

import json
import sys

import numpy

QUICK = "--quick" in sys.argv
ROUNDS = 3 if QUICK else 25
S = 0.75


def size(full, quick):
    return quick if QUICK else full


def floats(seed, *shape):
    return numpy.random.default_rng(seed).uniform(-1, 1, shape).astype(numpy.float32)


def check(name, found, expected):
    places = numpy.random.default_rng(0).integers(0, expected.size, 1000)
    found, expected = numpy.ravel(found)[places], numpy.ravel(expected)[places]
    if not numpy.allclose(found, expected, rtol=1e-3, atol=1e-3):
        raise SystemExit(f"{name}: a result is wrong")


def median(measure):
    """The median of what `measure` returns, in seconds."""
    times = sorted([measure() for _ in range(ROUNDS + ROUNDS // 5)][ROUNDS // 5 :])
    return times[len(times) // 2]


def torch_cases(torch):
    # A product of floats is one of all their bits.
    torch.backends.cuda.matmul.allow_tf32 = False

    def timed(run):
        def measure():
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            run()
            end.record()
            end.synchronize()
            return start.elapsed_time(end) / 1e3

        return median(measure)

    device = lambda data: torch.from_numpy(data).cuda()
    n = size(1 << 28, 1 << 18)
    a, b = floats(1, n), floats(2, n)
    on_a, on_b, c = device(a), device(b), torch.empty(n, device="cuda")
    time = timed(lambda: torch.add(on_a, on_b, alpha=S, out=c))
    check("triad", c.cpu().numpy(), a + S * b)
    yield "triad", "GB/s", 12 * n, time
    time = timed(lambda: torch.sum(on_a))
    check("sum", torch.sum(on_a).item(), a.sum(dtype=numpy.float64))
    yield "sum", "GB/s", 4 * n, time
    yield "reduce", "GB/s", 4 * n, time
    yield "scan", "GB/s", 8 * n, timed(lambda: torch.cumsum(on_a, 0, out=c))
    yield "select", "GB/s", 4 * n, timed(lambda: torch.masked_select(on_a, on_a > 0))
    yield "random-uniform", "GB/s", 4 * n, timed(lambda: c.uniform_())
    del on_a, on_b, c

    v = torch.randint(0, 256, (n,), device="cuda", dtype=torch.uint8)
    yield "histogram", "GB/s", n, timed(lambda: torch.bincount(v, minlength=256))
    del v
    n = size(1 << 26, 1 << 16)
    keys = torch.randint(-(1 << 31), (1 << 31) - 1, (n,), device="cuda", dtype=torch.int32)
    yield "sort-pairs", "GB/s", 8 * n, timed(lambda: torch.sort(keys, stable=True))
    del keys

    n = size(1 << 14, 1 << 9)
    a = floats(1, n, n)
    on_a, b = device(a), torch.empty(n, n, device="cuda")
    time = timed(lambda: b.copy_(on_a.t()))
    check("transpose", b.cpu().numpy(), a.T)
    yield "transpose", "GB/s", 8 * n * n, time
    del on_a, b

    n = size(4096, 256)
    a, b = floats(1, n, n), floats(2, n, n)
    on_a, on_b, c = device(a), device(b), torch.empty(n, n, device="cuda")
    time = timed(lambda: torch.matmul(on_a, on_b, out=c))
    check("product", c.cpu().numpy(), a @ b)
    yield "product-fast", "GFLOP/s", 2 * n**3, time
    yield "gemm-fast", "GFLOP/s", 2 * n**3, time
    del on_a, on_b, c

    n = size(1 << 14, 1 << 8)
    a, x = torch.rand(n, n, device="cuda"), torch.rand(n, device="cuda")
    y = torch.empty(n, device="cuda")
    yield "gemv", "GB/s", 4 * n * n, timed(lambda: torch.mv(a, x, out=y))


def cupy_cases(cupy):
    def timed(run):
        def measure():
            start, end = cupy.cuda.Event(), cupy.cuda.Event()
            start.record()
            run()
            end.record()
            end.synchronize()
            return cupy.cuda.get_elapsed_time(start, end) / 1e3

        return median(measure)

    n = size(1 << 28, 1 << 18)
    a, b = floats(1, n), floats(2, n)
    on_a, on_b, c = cupy.asarray(a), cupy.asarray(b), cupy.empty(n, numpy.float32)
    triad = cupy.ElementwiseKernel("float32 a, float32 b, float32 s", "float32 c", "c = a + s * b")
    time = timed(lambda: triad(on_a, on_b, numpy.float32(S), c))
    check("triad", c.get(), a + S * b)
    yield "triad", "GB/s", 12 * n, time
    time = timed(lambda: on_a.sum())
    check("sum", on_a.sum().get(), a.sum(dtype=numpy.float64))
    yield "sum", "GB/s", 4 * n, time
    yield "reduce", "GB/s", 4 * n, time
    yield "scan", "GB/s", 8 * n, timed(lambda: cupy.cumsum(on_a, out=c))
    del on_a, on_b, c

    n = size(1 << 26, 1 << 16)
    keys = cupy.random.randint(0, 1 << 32, n, dtype=numpy.uint32)
    yield "sort", "GB/s", 4 * n, timed(lambda: cupy.sort(keys))
    del keys
    n = size(1 << 24, 1 << 12)
    signal = cupy.random.random(n, numpy.float32) + 0j
    signal = signal.astype(numpy.complex64)
    flops = 5 * n * (n.bit_length() - 1)
    yield "fft", "GFLOP/s", flops, timed(lambda: cupy.fft.fft(signal))
    del signal

    n = size(4096, 256)
    a, b = floats(1, n, n), floats(2, n, n)
    on_a, on_b, c = cupy.asarray(a), cupy.asarray(b), cupy.empty((n, n), numpy.float32)
    time = timed(lambda: cupy.matmul(on_a, on_b, out=c))
    check("product", c.get(), a @ b)
    yield "product-fast", "GFLOP/s", 2 * n**3, time


def main():
    cases = {}
    for peer, module, make in [("PyTorch", "torch", torch_cases), ("CuPy", "cupy", cupy_cases)]:
        try:
            library = __import__(module)
            available = library.cuda.is_available()
        except ImportError:
            available = False
        if not available:
            print(f"{peer} is not installed, or has no device")
            continue
        for name, unit, amount, seconds in make(library):
            rate = amount / seconds / 1e9
            print(f"{name:16} {unit:>8}  {peer:8} {rate:10.2f}")
            case = cases.setdefault(name, {"name": name, "unit": unit, "versions": []})
            case["versions"].append({"version": peer, "value": rate})
    empty = dict.fromkeys(["accelerator", "driver", "host", "commit"], "")
    with open(sys.argv[-1], "w") as file:
        json.dump(empty | {"rounds": ROUNDS, "quick": QUICK, "cases": list(cases.values())}, file)


main()
