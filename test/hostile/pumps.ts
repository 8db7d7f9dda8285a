/**
 * Texts on which a careless regular expression takes for ever: a part that may come again and again, many times, and an
 * end that does not fit. They are made from the expression alone, so that nobody has to know where it is weak.
 */
import fc from 'fast-check';

/** What separates, brackets or nests somewhere: for code other than expressions. */
const UNITS = ['a', '\n', '.', '/', ',', '"', '[', '&a ', '- ', '%'];
const ENDS = ['', '\u0000', '!', '=!'];
const STARTS = ['', 'a', '1'];
const SEED = 4711;
const SAMPLES = 12;

/** @param longest most characters of a text */
export function pumpsOf({ source }: RegExp, longest: number): readonly string[] {
  const units = [...new Set(repeatedIn(source).flatMap(examplesOf))];
  return units.flatMap((unit) => pumped(unit, longest));
}

export const plainPumps = (longest: number): readonly string[] =>
  UNITS.map((unit) => unit.repeat(Math.floor(longest / unit.length)));

function pumped(unit: string, longest: number): readonly string[] {
  return STARTS.flatMap((start) =>
    ENDS.map((end) => start + unit.repeat(Math.floor((longest - start.length - end.length) / unit.length)) + end),
  );
}

/** The atoms of an expression that a quantifier repeats: groups, classes and single characters. */
function repeatedIn(source: string): readonly string[] {
  const found = new Set<string>();
  const open: number[] = [];
  let from = 0;
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at];
    let isAtom = true;
    if (char === '\\') {
      from = at;
      at += /^\\[pP]\{/.test(source.slice(at)) ? source.slice(at).indexOf('}') : 1;
    } else if (char === '[') {
      from = at;
      for (at += 1; at < source.length && source[at] !== ']'; at += 1) if (source[at] === '\\') at += 1;
    } else if (char === '(') {
      open.push(at);
      isAtom = false;
    } else if (char === ')') from = open.pop() ?? 0;
    else if ('*+?{|^$'.includes(char ?? '')) isAtom = false;
    else from = at;
    if (isAtom && /^[*+{]/.test(source.slice(at + 1))) found.add(source.slice(from, at + 1));
  }
  return [...found];
}

/** Without what looks around, which has no length. */
function examplesOf(atom: string): readonly string[] {
  const plain = atom.replaceAll(/\(\?<?[=!](?:[^()\\[]|\\.|\[(?:[^\]\\]|\\.)*\])*\)/g, '').replaceAll(/\\b/gi, '');
  try {
    const texts = fc.sample(fc.stringMatching(new RegExp(`^(?:${plain})$`), { size: 'xsmall' }), {
      seed: SEED,
      numRuns: SAMPLES,
    });
    return texts.filter((text) => text.length > 0 && text.length < 24);
  } catch {
    // It refers to a group outside, or has what fast-check does not know.
    return [];
  }
}
