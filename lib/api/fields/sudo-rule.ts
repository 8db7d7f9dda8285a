/**
 * Rules of sudoers(5), of the form `hosts = (users:groups) options tags commands`, as visudo reads them. Each token is
 * taken once and never given back, so that a rule of any length is read in one pass.
 */

const token = (...alternatives: readonly string[]): RegExp => new RegExp(`(?:${alternatives.join('|')})`, 'y');

const WORD = String.raw`(?:\\.|[^\s,:=!()"\\#])+`;
const QUOTED = '"[^"]+"';
const NOT = String.raw`(?:!\s*)*`;
const ADDRESS = '[0-9a-fA-F.]*:[0-9a-fA-F:.]*(?:/[0-9]+)?';
const USER = token(`${NOT}(?:${QUOTED}|[%+]?[#:]?${WORD})`);
const HOST = token(`${NOT}(?:${QUOTED}|${ADDRESS}|#[0-9]+|(?!%)${WORD})`);

const SPACE = token(String.raw`\s*`);
const SPACES = token(String.raw`\s+`);
const COMMA = token(String.raw`\s*,\s*`);
const COLON = token(String.raw`\s*:\s*`);
const EQUALS = token(String.raw`\s*=\s*`);
const OPEN = token(String.raw`\(\s*`);
const CLOSE = token(String.raw`\s*\)\s*`);
// A number after it is a user.
const COMMENT = token('#(?![0-9-]).*');
const END = token('$');

const OPTION = token(
  String.raw`(?:ROLE|TYPE)=[^\s,=:]+\s+`,
  String.raw`(?:CWD|CHROOT)=(?:[/~](?:\\.|[^\s,\\])*|\*)\s+`,
  String.raw`TIMEOUT=(?=[0-9])(?:[0-9]+[dD])?(?:[0-9]+[hH])?(?:[0-9]+[mM])?(?:[0-9]+[sS]?)?\s+`,
  String.raw`(?:NOTBEFORE|NOTAFTER)=[0-9]{10}(?:[0-9]{2}){0,2}(?:[.][0-9]+)?(?:Z|[+-][0-9]{2}(?:[0-9]{2})?)?\s+`,
);
const TAG = token(String.raw`(?:NO)?(?:PASSWD|EXEC|SETENV|LOG_INPUT|LOG_OUTPUT|MAIL|FOLLOW|INTERCEPT)\s*:\s*`);

/** By the bytes of each: in hexadecimal or base64. */
const DIGEST = token(
  ...[28, 32, 48, 64].map(
    (bytes) =>
      String.raw`sha${bytes * 8}\s*:\s*(?:[0-9a-fA-F]{${bytes * 2}}|[A-Za-z0-9+/]{${Math.ceil((bytes * 4) / 3)}}=*)`,
  ),
);
const WORDS = String.raw`(?:\\[,:=#*?!^ \\\[\]]|[^,:#\\])`;
const ARGUMENTS = String.raw`(?:\s${WORDS}*)?`;
const COMMAND = token(
  String.raw`/(?!\s)${WORDS}+`,
  String.raw`\^\S*\$(?=[\s,:#]|$)${ARGUMENTS}`,
  String.raw`sudoedit\b${ARGUMENTS}`,
  String.raw`list\b`,
  '[A-Z][A-Z0-9_]*',
);
const NEGATION = token(NOT);

/** Goes on after the token if it comes next. */
type Take = (token: RegExp) => boolean;

export function isSudoRule(text: string): boolean {
  let at = 0;
  const take: Take = (token) => {
    token.lastIndex = at;
    const comes = token.test(text);
    if (comes) at = token.lastIndex;
    return comes;
  };
  take(SPACE);
  do if (!isRule(take)) return false;
  while (take(COLON));
  take(COMMENT);
  return take(END);
}

function isRule(take: Take): boolean {
  return isListOf(take, HOST) && take(EQUALS) && areEntries(take);
}

function isListOf(take: Take, item: RegExp): boolean {
  do if (!take(item)) return false;
  while (take(COMMA));
  return true;
}

function areEntries(take: Take): boolean {
  do if (!isEntry(take)) return false;
  while (take(COMMA));
  return true;
}

function isEntry(take: Take): boolean {
  if (take(OPEN) && !isRunAs(take)) return false;
  while (take(OPTION));
  while (take(TAG));
  if (take(DIGEST) && !((!take(COMMA) || isListOf(take, DIGEST)) && take(SPACES))) return false;
  take(NEGATION);
  return take(COMMAND) && take(SPACE);
}

/** Users, groups after a colon, or both, or neither. */
function isRunAs(take: Take): boolean {
  if (take(CLOSE)) return true;
  const users = take(USER);
  if (users && take(COMMA) && !isListOf(take, USER)) return false;
  if (!take(COLON)) return users && take(CLOSE);
  return (!users && take(CLOSE)) || (isListOf(take, USER) && take(CLOSE));
}
