/** Talos as judge of its machine configuration. */
import { cached, type Found } from './cache.ts';
import { talosFile } from './build-talos.ts';
import { runCommand } from './run.ts';

export function talosOf(version: string): Found {
  return cached('bin', talosFile(version));
}

/** What Talos says on that kind of platform; undefined when it accepts the configuration without a word. */
export function talosProblem(talos: string, config: string, mode: 'cloud' | 'metal'): string | undefined {
  const { ok, output } = runCommand(talos, [mode], { input: config });
  return ok && output === 'ok' ? undefined : output;
}
