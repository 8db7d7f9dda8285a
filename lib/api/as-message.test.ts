import { expect, test } from 'vitest';
import { asMessage } from './shortened.ts';

test('a message that fits is not changed', () => {
  expect(asMessage('waiting for Cluster "team-a/prod": not found')).toBe(
    'waiting for Cluster "team-a/prod": not found',
  );
  expect(asMessage('x'.repeat(1024))).toBe('x'.repeat(1024));
});

test.for(['a', 'ä', '😀', '\u{10ffff}'])('a long one of %s keeps its beginning and its end', (letter) => {
  const message = asMessage(`begin ${letter.repeat(3000)} end`);
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(1024);
  expect(message).toMatch(/^begin .* \.\.\. .* end$/u);
  expect(message).not.toContain('\ufffd');
  expect(message.isWellFormed()).toBe(true);
});

test('a cut never halves a character', () => {
  for (let before = 0; before < 8; before += 1)
    expect(asMessage(`${'x'.repeat(500 + before)}${'😀'.repeat(8)}${'x'.repeat(1000)}`).isWellFormed()).toBe(true);
});

test('a message has no line end and no control character', () => {
  expect(asMessage('a\nb\r\n\tc\u0000\u001bd\u0085e\u2028f  g')).toBe('a b c d e f  g');
});
