/** Configuration files of bootstrappers, read by the types and flags of their own projects. */
import { cached, type Found } from './cache.ts';
import { withFile } from './cloud-init.ts';
import { type Decoder, decoderFile } from './build-decoders.ts';
import { type Outcome, runCommand } from './run.ts';

export function decoderOf(name: Decoder): Found {
  return cached('bin', decoderFile(name));
}

/** Why its own types refuse /etc/k0s.yaml, with every field that they do not have; undefined when they accept it. */
export function k0sProblem(decoder: string, text: string): string | undefined {
  return problemIn(runCommand(decoder, [], { input: text }));
}

export type RancherCommand = 'server' | 'agent';

/** The same for config.yaml of k3s and its command line. */
export function k3sProblem(decoder: string, command: RancherCommand, text: string): string | undefined {
  return withFile(text, (path) => problemIn(runCommand(decoder, [command, path])));
}

export type CanonicalFile = 'bootstrap' | 'control-plane' | 'worker';

/** The same for the file of `k8s bootstrap` and `k8s join-cluster`. */
export function canonicalProblem(decoder: string, file: CanonicalFile, text: string): string | undefined {
  return problemIn(runCommand(decoder, [file], { input: text }));
}

function problemIn({ ok, output }: Outcome): string | undefined {
  return ok && output === 'ok' ? undefined : output;
}
