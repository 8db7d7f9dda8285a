/** The echo function as a process of its own, started with any flags. */
import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = join(dirname(fileURLToPath(import.meta.url)), 'echo', 'main.ts');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface EchoProcess {
  readonly child: ChildProcess;
  /** host:port it listens on; rejects when it ends first. */
  readonly address: Promise<string>;
  readonly ended: Promise<Ended>;
}

export function startEcho(flags: readonly string[], env: Readonly<Record<string, string>> = {}): EchoProcess {
  const child = spawn(process.execPath, [MAIN, '--address', '127.0.0.1:0', '--metrics-address', '', ...flags], {
    env: { ...process.env, TLS_SERVER_CERTS_DIR: '', ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => void child.once('close', (code) => resolve({ code, stdout, stderr })));
  const address = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const found = /"address":"([^"]+)"/.exec(stdout)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () => reject(new Error(`ended before it listened: ${stderr}`)));
  });
  address.catch(() => {}); // whoever waits for it hears of it
  return { child, address, ended };
}
