/** Command lines that end with one line on standard error, and with the exit code of its kind. */
import { expect, test } from 'vitest';
import { slipway } from './slipway.ts';

export interface Ending {
  /** What is wrong. */
  readonly name: string;
  readonly args: readonly string[];
  readonly code: number;
  /** The first line. */
  readonly line: string | RegExp;
  /** What is to be among all of them. */
  readonly last?: string | RegExp;
}

/** A test of each, as a process would end. */
export function testEndings(endings: readonly Ending[]): void {
  test.for(endings)('ends with one line and its exit code: $name', async ({ args, code, line, last = '' }) => {
    const ran = await slipway(...args);
    expect(ran.stderr.trimEnd().split('\n')[0]).toMatch(line);
    expect(ran.stderr).toMatch(last);
    expect(ran.stderr).not.toMatch(/^\s+at /m);
    expect(ran.code).toBe(code);
  });
}
