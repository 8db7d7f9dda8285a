/** The program of the package of provider-node as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleProgram, MAIN, programFiles } from '../../package/build/bundle.ts';
import { freePorts } from '../e2e/lab/ports.ts';
import type { Issuer } from '../support/authority.ts';
import { kubeconfigOf, type World } from './load-world.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface Program {
  readonly child: ChildProcess;
  /** Host and port. */
  readonly metrics: string;
}

/** @param folder  for its files @param options  of Node */
export async function startProgram(
  folder: string,
  { management }: World,
  issuer: Issuer,
  options: readonly string[] = [],
): Promise<Program> {
  const program = join(folder, MAIN);
  const kubeconfig = join(folder, 'kubeconfig');
  const bundle = await bundleProgram(ROOT, 'controllers/node');
  for (const { path, content } of programFiles(ROOT, bundle, true)) writeFileSync(join(folder, path), content);
  writeFileSync(kubeconfig, kubeconfigOf(management, issuer), { mode: 0o600 });
  const { metrics: port } = await freePorts('metrics');
  const metrics = `127.0.0.1:${port}`;
  const args = [`--kubeconfig=${kubeconfig}`, '--allow-local-addresses', `--metrics-address=${metrics}`];
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  return { child: spawn(process.execPath, [...options, program, ...args], { stdio: [...stdio] }), metrics };
}

/** Megabytes, as Linux counts them: now, or at most so far. */
export function memory(pid: number | undefined, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6;
}
