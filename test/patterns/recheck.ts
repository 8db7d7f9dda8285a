/**
 * Asks recheck about an expression. It is downloaded into the cache when it is needed, because few changes do, without the
 * binaries that make it faster.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const PACKAGE = 'recheck@4.5.0';
const CACHE = join(import.meta.dirname, '../../.cache', PACKAGE);
/** Milliseconds for one expression. */
const TIMEOUT = 60_000;

type Verdict =
  | { readonly status: 'safe' }
  | { readonly status: 'unknown'; readonly error: { readonly kind: string } }
  | {
      readonly status: 'vulnerable';
      readonly complexity: { readonly summary: string };
      readonly attack: { readonly pattern: string };
    };

interface Recheck {
  check(source: string, flags: string, limits: { readonly timeout: number }): Promise<Verdict>;
}

export function recheck(): Recheck {
  const folder = join(CACHE, 'node_modules/recheck');
  if (!existsSync(folder))
    execFileSync('npm', ['install', '--prefix', CACHE, '--omit=optional', '--no-audit', '--no-fund', PACKAGE], {
      stdio: 'inherit',
    });
  return createRequire(import.meta.url)(folder) as Recheck;
}

/** What is wrong with an expression, written as a literal; undefined: it is linear. */
export async function faultOf(judge: Recheck, expression: string): Promise<string | undefined> {
  const end = expression.lastIndexOf('/');
  const verdict = await judge.check(expression.slice(1, end), expression.slice(end + 1), { timeout: TIMEOUT });
  if (verdict.status === 'safe') return undefined;
  return verdict.status === 'unknown'
    ? `recheck gives up: ${verdict.error.kind}`
    : `${verdict.complexity.summary}: ${verdict.attack.pattern}`;
}
