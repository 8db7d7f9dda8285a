/** Waits synchronously, for exit handlers, which cannot await. */

/** Checks every 50 ms, for at most the given time; returns whether the check succeeded. */
export function waitNow(isSo: () => boolean, milliseconds: number): boolean {
  const end = Date.now() + milliseconds;
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (!isSo()) {
    if (Date.now() > end) return false;
    Atomics.wait(never, 0, 0, 50);
  }
  return true;
}
