/** How a suite tells where it is, on standard error, and its results in colour. */
import type { Outcome } from './table.ts';

const started = Date.now();

/** With the seconds since the suite began. */
export function tell(line: string): void {
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${line}\n`);
}

/** Never returns: Ctrl-C ends the suite. */
export async function hold(kubectl: string, kubeconfig: string): Promise<void> {
  tell(`holding; look around with: KUBECONFIG=${kubeconfig} ${kubectl} get managed -A`);
  await new Promise(() => {
    setInterval(() => undefined, 60_000);
  });
}

export function painted(result: Outcome['result']): string {
  const colour = { passed: 32, failed: 31, skipped: 33 }[result];
  return process.env['FORCE_COLOR'] === '1' ? `\u001B[${colour}m${result}\u001B[39m` : result;
}
