import { beforeEach, expect, test, vi } from 'vitest';
import { watchCalls, workingLine } from './working.ts';

beforeEach(() => {
  vi.stubEnv('TERM', 'xterm');
  return () => vi.unstubAllEnvs();
});

const caller = (): never => {
  throw new Error('not called');
};

function shownBy(stream: { readonly isTTY: boolean }, times: readonly number[]): string {
  const written: string[] = [];
  const clock = [...times];
  const line = workingLine(
    'planning',
    { ...stream, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream,
    () => clock.shift() ?? 0,
  );
  line.at(() => 'at 1');
  line.at(() => 'at 2');
  line.end();
  return written.join('');
}

test('a command that works for more than a second says so on a terminal, and takes the line away', () => {
  expect(shownBy({ isTTY: true }, [0, 500, 1500, 1500])).toBe('\rplanning: at 2\u001B[K\r\u001B[K');
});

test('what is counted after its end does not bring the line back', () => {
  const written: string[] = [];
  let now = 0;
  const stream = { isTTY: true, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  const line = workingLine('planning', stream, () => (now += 2000));
  line.at(() => 'at 1');
  line.end();
  line.at(() => 'at 2');
  line.end();
  expect(written.join('')).toBe('\rplanning: at 1\u001B[K\r\u001B[K');
});

test('a fast one, and one without a terminal, write nothing', () => {
  expect(shownBy({ isTTY: true }, [0, 10, 20])).toBe('');
  expect(shownBy({ isTTY: false }, [0, 5000, 9000])).toBe('');
});

test('calls of functions are counted', () => {
  const said: string[] = [];
  const watched = watchCalls({ caller }, { at: (where) => said.push(where()), end: () => {} });
  for (const name of ['a', 'b']) expect(() => watched.caller(name)).toThrow('not called');
  expect(said).toEqual(['1 call of functions', '2 calls of functions']);
});
