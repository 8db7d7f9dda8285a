/** Waiting on the way out of this process, where nothing can be awaited. */

/** Looks every 50 ms until it is so, at most so long; gives whether it is. */
export function waitNow(isSo: () => boolean, milliseconds: number): boolean {
  const end = Date.now() + milliseconds;
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (!isSo()) {
    if (Date.now() > end) return false;
    Atomics.wait(never, 0, 0, 50);
  }
  return true;
}
