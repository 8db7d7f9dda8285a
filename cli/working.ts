/** A line on the terminal while a command works, so that nobody takes it for one that hangs. */
import { counted } from '#lib/api/counted.ts';
import type { Engine } from '#simulator/engine.ts';
import type { Callable } from './callable.ts';
import { drawsFrames } from './terminal/style.ts';
import { duration } from './terminal/table.ts';

export interface Working {
  /** Shows where the work is, if it is time to. */
  at(where: () => string): void;
  /** Removes the line for good: output begins where it was. */
  end(): void;
}

/** Milliseconds before the line appears, and between two of its states. */
const FIRST = 1000;
const NEXT = 200;

/** Without a terminal nothing is written. @param what  the command does, such as `planning` */
export function workingLine(
  what: string,
  stream: NodeJS.WriteStream = process.stderr,
  now: () => number = () => performance.now(),
): Working {
  if (!drawsFrames(stream)) return { at: () => {}, end: () => {} };
  let due = now() + FIRST;
  let drawn = false;
  let isOver = false;
  return {
    at(where) {
      if (isOver || now() < due) return;
      due = now() + NEXT;
      drawn = true;
      stream.write(`\r${what}: ${where()}\u001B[K`);
    },
    end() {
      if (drawn && !isOver) stream.write('\r\u001B[K');
      isOver = true;
    },
  };
}

/** Counts calls of functions. */
export function watchCalls(
  { caller }: Pick<Callable, 'caller'>,
  line: Working,
): Pick<Callable, 'caller'> & Pick<Working, 'end'> {
  let calls = 0;
  return {
    caller(name) {
      calls += 1;
      line.at(() => `${counted(calls, 'call')} of functions`);
      return caller(name);
    },
    end: () => line.end(),
  };
}

/** Shows the time of a simulation whose tree is not shown. */
export function watchEngine(engine: Engine, line: Working = workingLine('simulating')): Pick<Working, 'end'> {
  const unsubscribe = engine.subscribe(() => line.at(() => duration(engine.seconds)));
  return {
    end() {
      unsubscribe();
      line.end();
    },
  };
}
