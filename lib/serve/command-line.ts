/** How a process of Slipway reads its command line: strictly, and each refusal names the flag and what is accepted. */
import { isDuration, seconds } from '#lib/api/fields/text.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { oneOf as among } from '#lib/api/nearest.ts';
import { type Address, parseAddress } from './address.ts';

/** Throws SlipwayError UnknownSubject for what `parse`, a call of node:util's parseArgs, does not know. */
export function strictly<T>(parse: () => T): T {
  try {
    return parse();
  } catch (thrown) {
    const message = thrown instanceof Error ? (thrown.message.split(/\.?\s*\n|\. /)[0] ?? '') : String(thrown);
    throw new SlipwayError('UnknownSubject', `cannot read the command line: ${message}; --help lists what is accepted`);
  }
}

function refused(flag: string, text: string, accepted: string): SlipwayError {
  return new SlipwayError('UnknownSubject', `cannot accept ${flag} "${text}": accepted: ${accepted}`);
}

export function addressOf(flag: string, text: string): Address {
  const address = parseAddress(text);
  if (address !== undefined) return address;
  throw refused(flag, text, 'HOST:PORT such as :9443, 0.0.0.0:9443 or [::1]:9443');
}

export function megabytesOf(flag: string, text: string): number {
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text);
  throw refused(flag, text, 'megabytes from 1 to 9999');
}

export function countOf(flag: string, text: string): number {
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text);
  throw refused(flag, text, 'a number from 1 to 9999');
}

/** In seconds. */
export function durationOf(flag: string, text: string): number {
  if (isDuration(text)) return seconds(text);
  throw refused(flag, text, 'a duration such as 90s or 10m');
}

export function oneOf<T extends string>(flag: string, text: string, accepted: readonly T[]): T {
  const found = accepted.find((word) => word === text);
  if (found !== undefined) return found;
  throw refused(flag, text, among(text, accepted));
}
