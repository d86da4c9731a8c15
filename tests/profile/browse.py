#!/usr/bin/env python3
"""Opens a report in headless Chromium at two widths, light and dark, clicks through all of it, and fails on any error on the
console, any request, and anything wider than the page.

    browse.py PAGE [--expect TEXT ...] [--click SELECTOR ...] [--shot FILE,WIDTH,light|dark,SELECTOR,HEIGHT ...]

--expect: the page has to say that. --shot writes a picture of what SELECTOR finds, HEIGHT pixels of it at most, behind the clicks
that --click asks for; then nothing is clicked through. Ends with 77 where there is no Chromium."""
import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


class Browser:
    """Chromium and its protocol, over a pair of pipes: a JSON message each, with a 0 behind it."""

    def __init__(self, chromium, folder):
        to_read, self.to = os.pipe()
        self.come, from_write = os.pipe()

        def pipes():
            os.dup2(to_read, 103)
            os.dup2(from_write, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio",
             "--disable-background-networking", "--disable-component-update", "--no-first-run", "--remote-debugging-pipe",
             "--user-data-dir=" + folder, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=pipes)
        os.close(to_read)
        os.close(from_write)
        self.number, self.rest, self.session, self.events = 0, b"", None, []

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.come, 1 << 16)
            if not more:
                sys.exit("browse: Chromium has gone")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        call = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            call["sessionId"] = self.session
        os.write(self.to, json.dumps(call).encode() + b"\0")
        while True:
            m = self.message()
            if m.get("id") == self.number:
                if "error" in m:
                    sys.exit(f"browse: {method}: {m['error']}")
                return m["result"]
            self.events.append(m)

    def wait(self, method):
        while True:
            for n, m in enumerate(self.events):
                if m.get("method") == method:
                    return self.events.pop(n)
            self.events.append(self.message())

    def run(self, script):
        r = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in r:
            sys.exit(f"browse: {script}: {json.dumps(r['exceptionDetails'])[:600]}")
        return r["result"].get("value")


# Clicks every button, line and summary that shows while there are new ones, and tries each choice.
CLICK_ALL = """(async () => {
  const done = new Set(), settle = () => new Promise(r => setTimeout(r, 0));
  let clicks = 0;
  for (const select of document.querySelectorAll('select'))
    for (let n = 0; n < select.options.length; n++) {
      select.selectedIndex = n; select.dispatchEvent(new Event('change')); clicks++;
    }
  const kernels = [...document.querySelectorAll('.kernel')];
  for (const kernel of kernels) {
    kernel.click(); clicks++; await settle();
    for (let round = 0; round < 4; round++)
      for (const e of document.querySelectorAll('main button:not(.kernel):not([disabled]), tr.run, summary')) {
        const key = round + e.outerHTML.slice(0, 120) + [...document.querySelectorAll(e.localName)].indexOf(e) + kernels.indexOf(kernel);
        if (done.has(key)) continue;
        done.add(key); e.click(); clicks++; await settle();
      }
  }
  for (const input of document.querySelectorAll('input')) { input.value = 'gld'; input.dispatchEvent(new Event('input')); }
  for (let n = 0; n < 2; n++) document.getElementById('theme').click();
  return clicks;
})()"""

WIDER = """(() => { const w = document.documentElement.clientWidth, bad = [];
  if (document.documentElement.scrollWidth > w) for (const e of document.querySelectorAll('body *')) {
    let inside = false; for (let p = e.parentElement; p; p = p.parentElement) if (getComputedStyle(p).overflowX !== 'visible') inside = true;
    if (!inside && e.getBoundingClientRect().right > w + 1) bad.push(e.localName + '.' + e.className); }
  return bad.slice(0, 5).join(' '); })()"""


def faults(browser):
    told = []
    for m in browser.events:
        method, p = m.get("method"), m.get("params", {})
        if method == "Runtime.exceptionThrown":
            told.append("exception: " + json.dumps(p["exceptionDetails"])[:600])
        elif method == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
            told.append("console: " + json.dumps(p["args"])[:300])
        elif method == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
            told.append("log: " + p["entry"]["text"])
        elif method == "Network.requestWillBeSent" and not p["request"]["url"].startswith(("file:", "data:")):
            told.append("request: " + p["request"]["url"])
    browser.events = []
    return told


def open_page(browser, page, width, dark):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
    browser.events = []
    browser.call("Page.navigate", url="file://" + os.path.abspath(page))
    browser.wait("Page.loadEventFired")
    browser.run("document.fonts.ready.then(() => 0)")


def shoot(browser, a, path, width, side, selector, height):
    open_page(browser, a.page, int(width), side == "dark")
    for click in a.click:
        browser.run(f"document.querySelector({json.dumps(click)}).click()")
    clip = browser.run(f"""(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
      return {{ x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: Math.min(r.height, {int(height)}), scale: 1 }}; }})()""")
    r = browser.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
    with open(path, "wb") as f:
        f.write(base64.b64decode(r["data"]))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("page")
    options.add_argument("--shot", action="append", default=[])
    options.add_argument("--click", action="append", default=[])
    options.add_argument("--expect", action="append", default=[])
    a = options.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        print("browse: skipped, there is no Chromium (apt-get install chromium)")
        sys.exit(SKIPPED)
    failed = False
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(chromium, folder)
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        browser.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            browser.call(domain + ".enable")
        browser.call("Page.addScriptToEvaluateOnNewDocument", source="try { localStorage.clear(); } catch {}")
        for shot in a.shot:
            shoot(browser, a, *shot.split(","))
        for width, dark in () if a.shot else ((1280, False), (390, False), (1280, True), (390, True)):
            open_page(browser, a.page, width, dark)
            text = browser.run("document.body.innerText")
            for expected in a.expect:
                if expected not in text:
                    print(f"browse: {a.page} does not say: {expected}")
                    failed = True
            clicks = browser.run(CLICK_ALL)
            wider = browser.run(WIDER)
            told = faults(browser) + ([f"wider than the page: {wider}"] if wider else [])
            for line in told:
                print(f"browse: {a.page} at {width}{' dark' if dark else ''}: {line}")
            failed = failed or bool(told)
            print(f"browse: {a.page} at {width}{' dark' if dark else ''}: {clicks} clicks")
        browser.process.terminate()
        browser.process.wait()
    sys.exit(1 if failed else 0)


main()
