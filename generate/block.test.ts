import { expect, test } from 'vitest';
import { withBlock } from './block.ts';

const BEGIN = '<!-- generated: input, by npm run generate -->';
const END = '<!-- /generated -->';
const page = (inside: string) => `# Page\n\n${BEGIN}\n${inside}${END}\n\nMore.\n`;

test('only the text between the markers is replaced', () => {
  expect(withBlock(page('\nold\n\n'), 'README.md', 'input', 'new')).toBe(page('\nnew\n\n'));
});

test('generating a page again does not change it', () => {
  const once = withBlock(page(''), 'README.md', 'input', 'new');
  expect(withBlock(once, 'README.md', 'input', 'new')).toBe(once);
});

test.for([
  ['has no markers', '# Page\n'],
  ['does not end its part', `# Page\n\n${BEGIN}\n`],
  ['has the part twice', page('') + page('')],
  ['has another part', page('').replace('input', 'output')],
])('a page that %s is refused by its name', ([, text = '']) => {
  expect(() => withBlock(text, 'docs/a.md', 'input', 'new')).toThrow('cannot generate "input" of "docs/a.md"');
});
