/**
 * What a provider reports of an error, for whoever reads the claim. It may repeat what was answered to it, also by somebody
 * whom the claim had it call, and values that came from a Secret: what failed is told without them.
 */

/** A text after one of these is of somebody else, whatever it is. */
const QUOTES = [
  'on the server (',
  'value: ',
  'HTTP response ',
  'HTTP version ',
  'HTTP status code ',
  'missing colon: ',
  '!!str ',
];
const LEFT_OUT = '…';
/** Names, versions, and addresses without a query. */
const NAME = /^[\w.:/@+~-]{0,253}$/;
const CLOSING: Readonly<Record<string, string>> = { '<': '>', '{': '}' };

export function withoutAnswers(text: string): string {
  const said: string[] = [];
  let at = 0;
  const last = new Map(Object.values(CLOSING).map((closing) => [closing, text.lastIndexOf(closing)]));
  while (at < text.length) {
    const here = text[at] ?? '';
    const end = last.get(CLOSING[here] ?? '') ?? -1;
    if (here === '"' || here === '`') {
      const next = endOfQuote(text, at);
      const quoted = text.slice(at + 1, next - 1);
      const isName = next <= text.length && NAME.test(quoted) && !QUOTES.some((one) => text.endsWith(one, at));
      said.push(isName ? text.slice(at, next) : `"${LEFT_OUT}"`);
      at = next;
    } else if (end > at) {
      // Pages and objects: whatever is between the first bracket and the last.
      said.push(LEFT_OUT);
      at = end + 1;
    } else {
      said.push(here);
      at += 1;
    }
  }
  return withoutDetail(said.join(''));
}

/** After its closing mark; beyond the text if it has none. */
function endOfQuote(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== text[start]) at += text[at] === '\\' ? 2 : 1;
  return at < text.length ? at + 1 : text.length + 1;
}

const STATUS = 'response status code ';

/** Of a registry: its word for the status is enough. */
function withoutDetail(text: string): string {
  const status = text.indexOf(STATUS);
  const word = status < 0 ? -1 : text.indexOf(': ', status);
  const detail = word < 0 ? -1 : text.indexOf(': ', word + 2);
  return detail < 0 ? text : text.slice(0, detail);
}
