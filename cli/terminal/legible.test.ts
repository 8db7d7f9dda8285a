import { describe, expect, test } from 'vitest';
import { LiveRegion } from './live.ts';
import { legible, legibleLines } from './legible.ts';
import { drawsFrames, styleFor } from './style.ts';
import { SteadyColumns, table, wrapped } from './table.ts';

describe('text of others', () => {
  test.for([
    ['p\u001B[31mred', String.raw`p\u{1b}[31mred`],
    ['a\u009B2Jb', String.raw`a\u{9b}2Jb`],
    ['a\rb\nc', String.raw`a\u{d}b\u{a}c`],
    ['gnp\u202Eexe', String.raw`gnp\u{202e}exe`],
    ['Grüße → 日本', 'Grüße → 日本'],
  ])('has no control character: %j', ([text, shown]) => {
    expect(legible(text!)).toBe(shown);
  });

  test('keeps its lines and tabs where it has several', () => {
    expect(legibleLines('a:\n\tb\u001B[2J\r\n')).toBe('a:\n\tb\\u{1b}[2J\\u{d}\n');
  });
});

describe('a terminal', () => {
  const terminal = { isTTY: true } as NodeJS.WriteStream;

  test.for([
    { TERM: 'dumb', colour: false, frames: false },
    { TERM: 'xterm', NO_COLOR: '1', colour: false, frames: true },
    { TERM: 'xterm', colour: true, frames: true },
  ])('gets no escape code that it does not know: %j', ({ TERM, NO_COLOR, colour, frames }) => {
    const environment = { TERM, ...(NO_COLOR === undefined ? {} : { NO_COLOR }) };
    expect(styleFor(terminal, environment)('good', 'a') !== 'a').toBe(colour);
    expect(drawsFrames(terminal, environment)).toBe(frames);
  });

  test.for([0, 1, 2, 40, 80])('of %i columns shows no line that wraps', (columns) => {
    const written: string[] = [];
    const region = new LiveRegion({ columns, rows: 24, write: (text) => written.push(text) }, () => 0);
    region.draw(() => [`Machine ${'prod-'.repeat(40)}`, 'short']);
    const lines = written.join('').replaceAll('\u001B[K', '').split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(columns === 0 ? 80 : Math.max(columns, 2));
  });
});

describe('columns', () => {
  test('of a frame are never narrower than those of the frame before', () => {
    const columns = new SteadyColumns();
    const frame = (rows: readonly (readonly string[])[]): readonly string[] => table(rows, { columns });
    expect(frame([['a-long-name', 'ready']])).toEqual(['a-long-name  ready']);
    expect(frame([['short', 'ready']])).toEqual(['short        ready']);
  });

  test('of all rows stay where they are when one name is too long for the terminal', () => {
    const columns = new SteadyColumns();
    const rows = [
      ['Cluster prod', 'not ready'],
      ['├─ SecurityGroupIngressRule prod-ingress-controlplane', 'not ready', 'not created yet'],
      ['└─ 1/1 resources', 'ready'],
    ];
    expect(table(rows, { width: 40, columns })).toEqual([
      'Cluster prod                   not ready',
      '├─ SecurityGroupIngressRule',
      '│    prod-ingress-controlplane',
      '│    not ready',
      '│    not created yet',
      '└─ 1/1 resources               ready',
    ]);
    expect(table([['Cluster prod', 'ready']], { width: 40, columns })).toEqual([
      'Cluster prod                   ready',
    ]);
  });

  test('of a narrow terminal break their last one at words, below where it begins', () => {
    expect(table([['Cluster prod', 'waiting for Cluster "team-b/nope": not found']], { width: 40 })).toEqual([
      'Cluster prod  waiting for Cluster',
      '              "team-b/nope": not found',
    ]);
  });

  test('count wide characters and emoji twice, and never break one', () => {
    const rows = [
      ['池 日本語', 'ready'],
      ['pool 🚀', 'ready'],
      ['pool', 'ready'],
    ];
    expect(table(rows)).toEqual(['池 日本語  ready', 'pool 🚀    ready', 'pool       ready']);
    expect(wrapped('日本語日本語日本語', 8)).toEqual(['日本語日', '本語日本', '語']);
    const written: string[] = [];
    new LiveRegion({ columns: 8, rows: 24, write: (text) => written.push(text) }, () => 0).draw(() => ['日本語日本語']);
    expect(written.join('')).toBe('日本語…\u001B[K\n');
  });

  test('of a very narrow one put the last one on lines of its own', () => {
    expect(table([['├─ Machine prod-0', 'ready', 'waiting for its Cluster']], { width: 24 })).toEqual([
      '├─ Machine prod-0  ready',
      '│    waiting for its',
      '│    Cluster',
    ]);
    expect(table([['│  └─ Machine prod-control-plane-0', 'not ready', 'why']], { width: 24 })).toEqual([
      '│  └─ Machine',
      '│       prod-control-',
      '│       plane-0',
      '│       not ready',
      '│       why',
    ]);
  });
});
