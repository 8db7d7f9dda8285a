/** Typing errors in YAML are told in plain words, with the line that is to be mended. */
import { LineCounter, parseAllDocuments } from 'yaml';
import { expect, test } from 'vitest';
import { faultOf } from './yaml-errors.ts';

/** As a command says it of a file. */
function saidOf(text: string): string | undefined {
  const lines = new LineCounter();
  const [fault] = parseAllDocuments(text, { lineCounter: lines }).flatMap((one) => faultOf(one, text) ?? []);
  return fault === undefined ? undefined : `line ${lines.linePos(fault.at).line}: ${fault.said}`;
}

const ALIAS =
  'stands for what has the anchor &NAME, and nothing before it has; accepted: quotes around a value that begins with *';

test.for([
  ['a tab', 'a:\n\tb: 1\n', 'line 2: it is indented with a tab; accepted: spaces'],
  ['no space after a colon', 'kind:Cluster\nmetadata: {}\n', /^line 1: this line is no key and value; .* after the/],
  [
    'no space after the last colon',
    'kind: Cluster\nname:prod\n',
    /^line 2: this line is no key and value; .* after the/,
  ],
  ['a colon in a value', 'x: y\na: b: c\n', 'line 2: a second ": " in one line; accepted: quotes around the value'],
  ['a colon in a value above a deeper line', 'a: b: c\n  d: e\n', /^line 1: a second ": "/],
  ['a deeper line', 'metadata:\n  name: prod\n    namespace: team-a\n', /^line 2: the next line is indented further /],
  ['a deeper line at the top', 'a: b\n  c: d\n', /^line 1: the next line is indented further than this one, /],
  ['a deeper line in a list', '- a: b\n    c: d\n', /^line 1: the next line is indented further than this one, /],
  ['a deeper line below a comment', 'a: b\n\n# c\n  c: d\n', /^line 4: it is indented otherwise than the lines /],
  ['a line between two indentations', 'a:\n    b: 1\n  c: 2\n', /^line 3: it is indented otherwise than the lines /],
  ['a key beside the items of a list', 'a:\n  - b: 1\n   c: 2\n', /^line 3: it is indented otherwise than the lines /],
  ['a key twice', 'a: 1\na: 2\n', 'line 2: key "a" is there twice; accepted: each key once'],
  [
    'an open quote',
    'x: y\na: "b\nc: 1\nd: 2\n',
    'line 2: a text that begins with " does not end; accepted: " at its end',
  ],
  ['an open single quote', "a: 'b\nc: 1\n", "line 1: a text that begins with ' does not end; accepted: ' at its end"],
  ['an open quote in a list', 'a: ["x", "b]\nc: 1\n', /^line 1: a text that begins with "/],
  ['an open bracket', 'x: y\na: [1, 2\nb: 1\nc: 2\n', /^line 2: a list that begins with \[ does not end; accepted: \]/],
  ['an open bracket above deeper keys', 's:\n  x: [a, b\n  y: 1\n  z: 2\n', /^line 2: a list that begins with \[/],
  ['an open bracket around a closed one', 'a: [[1, 2],\n    [3]\nb: 1\n', /^line 1: a list that begins with \[/],
  ['an open bracket at the end', 'a: [1, 2', /^line 1: a list that begins with \[ does not end; accepted: \]/],
  ['an open brace', 'x: y\na: {b: 1\nc: 1\n', /^line 2: a map that begins with \{ does not end; accepted: \}/],
  ['a bracket too many', 'a: 1\nb: [1]]\n', 'line 2: a ] without a [ before it; accepted: one ] for each ['],
  [
    'JSON after JSON',
    '{"a": 1}\n{"a": 2}\n',
    'line 2: another object begins here; accepted: --- on a line of its own between two objects',
  ],
  ['a brace too many', 'a: 1\nb: {c: 1}}\n', 'line 2: a } without a { before it; accepted: one } for each {'],
  ['an alias of nothing', 'a: 1\nb: *x\n', `line 2: *x ${ALIAS.replace('NAME', 'x')}`],
  ['a wildcard', 'a: *.example.com\n', `line 1: *.example.com ${ALIAS.replace('NAME', '.example.com')}`],
  ['an alias above its anchor', 'a: *x\nb: &x 1\n', /^line 1: \*x stands for /],
  ['a sign alone', 'a: 1\nb: *\n', 'line 2: a value cannot be & or * alone; accepted: quotes around it'],
  [
    'a sign that values cannot begin with',
    'a: 1\nb: @x\n',
    'line 2: a value cannot begin with @; accepted: quotes around it',
  ],
  [
    'a template',
    'a: 1\nb: {{ .Values.x }}\n',
    /^line 2: this looks like a template in \{\{ \}\}; accepted: YAML that is /,
  ],
  ['a template among others', 'a: 1\nb: [{{ .Values.x }}]\n', /^line 2: this looks like a template in /],
  ['a key of several values', 'x: 1\n? [a, b]\n: 1\n', 'line 2: a key is a list or a map; accepted: text'],
  ['anything else, in the words of the library', 'a: |x\n  b\n', /^line 1: Block scalar header includes extra/],
] as const)('%s', ([, text, said]) => {
  expect(saidOf(text)).toMatch(said);
});

test.for([
  'a: &x 1\nb: *x\n',
  'a: &x {b: &y 1}\nc: [*x, *y]\n',
  'a: &x\n  b: 1\nc:\n  <<: *x\n',
  '&x a: 1\nb: *x\n',
  '',
])('nothing is said of %j', (text) => {
  expect(saidOf(text)).toBeUndefined();
});
