/** Talos as validator of its machine configuration. */
import { cached, type Found } from './cache.ts';
import { talosFile } from './build-talos.ts';
import { runCommand } from './run.ts';

export function talosOf(version: string): Found {
  return cached('bin', talosFile(version));
}

/** The error of Talos on that kind of platform; undefined when it accepts the configuration without a message. */
export function talosProblem(talos: string, config: string, mode: 'cloud' | 'metal'): string | undefined {
  const { ok, output } = runCommand(talos, [mode], { input: config });
  return ok && output === 'ok' ? undefined : output;
}
