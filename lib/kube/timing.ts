/** Time for everything that waits: the real one, or one that a test sets. */

export interface Timing {
  /** Milliseconds since 1970. A clock can be set forwards or back: for what is written down, not for durations. */
  now(): number;
  /** Milliseconds since some moment; it only rises, whatever happens to the clock. */
  elapsed(): number;
  /** Calls back once after so many seconds; the result cancels it. */
  after(seconds: number, run: () => void): () => void;
}

/** Node's timers hold at most 2^31 milliseconds. */
const LONGEST = 2_000_000;

export const REAL_TIME: Timing = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(seconds, run) {
    const timer = setTimeout(run, Math.min(seconds, LONGEST) * 1000);
    return () => clearTimeout(timer);
  },
};

/** Resolves after so many seconds, or at once when the signal, if there is one, is aborted. */
export function pause(timing: Timing, seconds: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal?.aborted === true) return Promise.resolve();
  const cancel = timing.after(seconds, resolve);
  const abort = (): void => {
    cancel();
    resolve();
  };
  signal?.addEventListener('abort', abort, { once: true });
  return promise.finally(() => signal?.removeEventListener('abort', abort));
}
