/** Runs one function as a process. */
import { isMainThread } from 'node:worker_threads';
import { SlipwayError } from '#lib/api/errors.ts';
import { helpText, parseFlags } from './flags.ts';
import type { Load } from './thread.ts';

/**
 * Runs a function until SIGTERM or SIGINT. Exits with 1 when it cannot serve and with 2 when its command line
 * makes no sense, each with one clear line. The main thread loads no function and the others no server: each has
 * memory only for its own part.
 * @param name package name, such as function-cluster
 */
export async function serve(name: string, load: Load): Promise<void> {
  try {
    const flags = parseFlags(process.argv.slice(2), process.env);
    if (flags.help) process.stdout.write(helpText(name));
    else if (isMainThread) await (await import('./main-thread.ts')).serveCalls(name, flags);
    else await (await import('./thread.ts')).answerCalls(name, load, flags);
  } catch (thrown) {
    const error = SlipwayError.from(thrown);
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(error.code === 'UnknownSubject' ? 2 : 1);
  }
}
