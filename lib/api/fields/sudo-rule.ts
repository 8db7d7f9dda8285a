/** Rules of sudoers(5), of the form `hosts = (users:groups) options tags commands`, as visudo reads them. */

const WORD = '(\\\\.|[^\\s,:=!()"\\\\#])+';
const QUOTED = '"[^"]+"';
const USER = `(!\\s*)*(${QUOTED}|[%+]?[#:]?${WORD})`;
const ADDRESS = '[0-9.]+/[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(/[0-9]+)?';
const HOST = `(!\\s*)*(${QUOTED}|${ADDRESS}|#[0-9]+|(?!%)${WORD})`;

const listOf = (item: string): string => `${item}(\\s*,\\s*${item})*`;

const AS = `\\(\\s*(${listOf(USER)}(\\s*:\\s*${listOf(USER)})?|(:\\s*(${listOf(USER)})?)?)\\s*\\)`;
const OPTION = [
  '(ROLE|TYPE)=[^\\s,=:]+',
  '(CWD|CHROOT)=([/~](\\\\.|[^\\s,\\\\])*|\\*)',
  'TIMEOUT=(?=[0-9])([0-9]+[dD])?([0-9]+[hH])?([0-9]+[mM])?([0-9]+[sS]?)?',
  '(NOTBEFORE|NOTAFTER)=[0-9]{10}([0-9]{2}){0,2}([.][0-9]+)?(Z|[+-][0-9]{2}([0-9]{2})?)?',
].join('|');
const TAG = '(NO)?(PASSWD|EXEC|SETENV|LOG_INPUT|LOG_OUTPUT|MAIL|FOLLOW|INTERCEPT)\\s*:\\s*';

/** By the bytes of each: in hexadecimal or base64. */
const DIGEST = [28, 32, 48, 64]
  .map((bytes) => `sha${bytes * 8}\\s*:\\s*([0-9a-fA-F]{${bytes * 2}}|[A-Za-z0-9+/]{${Math.ceil((bytes * 4) / 3)}}=*)`)
  .join('|');
const WORDS = '(\\\\[,:=#*?!^ \\\\\\[\\]]|[^,:#\\\\])';
const ARGUMENTS = `(\\s+${WORDS}*)?`;
const COMMAND = [
  `/(?!\\s)${WORDS}+`,
  `\\^[^\\s]*\\$${ARGUMENTS}`,
  `sudoedit\\b${ARGUMENTS}`,
  'list\\b',
  '[A-Z][A-Z0-9_]*',
].join('|');
const ENTRY = `(${AS}\\s*)?((${OPTION})\\s+)*(${TAG})*((${listOf(`(${DIGEST})`)})\\s+)?(!\\s*)*(${COMMAND})\\s*`;
const RULE = `${listOf(HOST)}\\s*=\\s*${ENTRY}(,\\s*${ENTRY})*`;
// A number after it is a user.
const SUDO = new RegExp(`^\\s*${RULE}(:\\s*${RULE})*(#(?![0-9-]).*)?$`);

export function isSudoRule(text: string): boolean {
  return SUDO.test(text);
}
