"""OpenCV's operations on UMat, which run on the device, against the same on the CPU."""
import sys

import cv2
import numpy as np

random = np.random.default_rng(1)
image = random.integers(0, 256, (477, 643, 3), dtype=np.uint8)
gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
floats = gray.astype(np.float32) / 255
affine = np.float32([[0.9, 0.1, 5], [-0.1, 1.1, 3]])
perspective = np.float32([[0.9, 0.1, 5], [-0.1, 1.1, 3], [1e-4, 0, 1]])
laplace = np.float32([[0, 1, 0], [1, -4, 1], [0, 1, 0]])

# name: operation on an image, a gray one, and one of floats
OPERATIONS = {
    "cvtColor": lambda a, g, f: cv2.cvtColor(a, cv2.COLOR_BGR2GRAY),
    "cvtColor HSV": lambda a, g, f: cv2.cvtColor(a, cv2.COLOR_BGR2HSV),
    "GaussianBlur": lambda a, g, f: cv2.GaussianBlur(a, (7, 7), 1.5),
    "blur": lambda a, g, f: cv2.blur(g, (5, 5)),
    "medianBlur": lambda a, g, f: cv2.medianBlur(a, 5),
    "bilateralFilter": lambda a, g, f: cv2.bilateralFilter(a, 5, 30, 30),
    "Sobel": lambda a, g, f: cv2.Sobel(f, cv2.CV_32F, 1, 0),
    "Laplacian": lambda a, g, f: cv2.Laplacian(f, cv2.CV_32F, ksize=3),
    "Canny": lambda a, g, f: cv2.Canny(g, 50, 150),
    "erode": lambda a, g, f: cv2.erode(g, np.ones((5, 5), np.uint8)),
    "dilate": lambda a, g, f: cv2.dilate(g, np.ones((3, 3), np.uint8)),
    "threshold": lambda a, g, f: cv2.threshold(g, 100, 255, cv2.THRESH_BINARY)[1],
    "adaptiveThreshold": lambda a, g, f: cv2.adaptiveThreshold(g, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 11, 2),
    "resize": lambda a, g, f: cv2.resize(a, (320, 240), interpolation=cv2.INTER_LINEAR),
    "resize by area": lambda a, g, f: cv2.resize(a, (321, 238), interpolation=cv2.INTER_AREA),
    "warpAffine": lambda a, g, f: cv2.warpAffine(f, affine, (640, 480)),
    "warpPerspective": lambda a, g, f: cv2.warpPerspective(f, perspective, (640, 480)),
    "pyrDown": lambda a, g, f: cv2.pyrDown(a),
    "pyrUp": lambda a, g, f: cv2.pyrUp(g),
    "flip": lambda a, g, f: cv2.flip(a, 1),
    "transpose": lambda a, g, f: cv2.transpose(a),
    "add": lambda a, g, f: cv2.add(a, a),
    "multiply": lambda a, g, f: cv2.multiply(f, f),
    "addWeighted": lambda a, g, f: cv2.addWeighted(a, 0.3, a, 0.6, 10),
    "absdiff": lambda a, g, f: cv2.absdiff(g, cv2.flip(g, 0)),
    "bitwise_and": lambda a, g, f: cv2.bitwise_and(g, cv2.flip(g, 1)),
    "exp": lambda a, g, f: cv2.exp(f),
    "log": lambda a, g, f: cv2.log(cv2.add(f, 1)),
    "sqrt": lambda a, g, f: cv2.sqrt(f),
    "pow": lambda a, g, f: cv2.pow(f, 2.5),
    "magnitude": lambda a, g, f: cv2.magnitude(f, cv2.flip(f, 0)),
    "phase": lambda a, g, f: cv2.phase(f, cv2.flip(f, 0)),
    "integral": lambda a, g, f: cv2.integral(g),
    "matchTemplate": lambda a, g, f: cv2.matchTemplate(f, cv2.resize(f, (32, 24)), cv2.TM_SQDIFF),
    "filter2D": lambda a, g, f: cv2.filter2D(f, -1, laplace),
    "sepFilter2D": lambda a, g, f: cv2.sepFilter2D(f, -1, np.float32([1, 2, 1]) / 4, np.float32([1, 0, -1])),
    "gemm": lambda a, g, f: cv2.gemm(f, cv2.transpose(f), 1, None, 0),
    "dft": lambda a, g, f: cv2.dft(f),
    "LUT": lambda a, g, f: cv2.LUT(g, np.arange(255, -1, -1, dtype=np.uint8)),
    "equalizeHist": lambda a, g, f: cv2.equalizeHist(g),
    "normalize": lambda a, g, f: cv2.normalize(f, None, 0, 1, cv2.NORM_MINMAX),
    "CLAHE": lambda a, g, f: cv2.createCLAHE(2.0, (8, 8)).apply(g),
    "split": lambda a, g, f: cv2.split(a)[1],
    "reduce": lambda a, g, f: cv2.reduce(f, 0, cv2.REDUCE_SUM),
}
# OpenCV computes these on the CPU by other formulas: an angle by a polynomial, sums by a transform.
TOLERANCE = {"phase": 2e-4, "matchTemplate": 2e-3}


def on_device(operation):
    result = operation(cv2.UMat(image), cv2.UMat(gray), cv2.UMat(floats))
    return result.get() if isinstance(result, cv2.UMat) else result


cv2.ocl.setUseOpenCL(True)
if not cv2.ocl.useOpenCL():
    sys.exit("OpenCV finds no device")
wrong = 0
for name, operation in OPERATIONS.items():
    cv2.ocl.setUseOpenCL(False)
    want = np.asarray(operation(image, gray, floats))
    cv2.ocl.setUseOpenCL(True)
    got = np.asarray(on_device(operation))
    if want.shape != got.shape:
        print(f"{name}: {got.shape} in place of {want.shape}")
        wrong += 1
        continue
    scale = max(1e-9, np.abs(want.astype(np.float64)).max())
    most = 1 if want.dtype == np.uint8 else TOLERANCE.get(name, 1e-4) * scale
    off = np.abs(want.astype(np.float64) - got.astype(np.float64))
    if (off > most).mean() > 0.001:
        print(f"{name}: off by {off.max()} of {scale}, {100 * (off > most).mean()} % of the elements")
        wrong += 1
print(f"{len(OPERATIONS)} operations on {cv2.ocl.Device.getDefault().name()}, {wrong} wrong")
sys.exit(wrong != 0)
