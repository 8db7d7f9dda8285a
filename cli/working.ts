/** A line on the terminal while a command works, so that nobody takes it for one that hangs. */
import type { Callable } from './callable.ts';
import { drawsFrames } from './terminal/style.ts';

interface Working extends Pick<Callable, 'caller'> {
  /** Removes the line. */
  end(): void;
}

/** Milliseconds before the line appears, and between two of its states. */
const FIRST = 1000;
const NEXT = 200;

/**
 * Counts calls of functions; without a terminal nothing is written.
 * @param what the command does
 */
export function watchWork(
  what: string,
  { caller }: Pick<Callable, 'caller'>,
  stream: NodeJS.WriteStream = process.stderr,
  now: () => number = () => performance.now(),
): Working {
  if (!drawsFrames(stream)) return { caller, end: () => {} };
  let due = now() + FIRST;
  let calls = 0;
  let drawn = false;
  return {
    caller(name) {
      calls += 1;
      if (now() >= due) {
        due = now() + NEXT;
        drawn = true;
        stream.write(`\r${what}: ${calls} calls of functions\u001B[K`);
      }
      return caller(name);
    },
    end() {
      if (drawn) stream.write('\r\u001B[K');
    },
  };
}
