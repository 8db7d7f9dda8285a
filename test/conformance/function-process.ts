/** Functions as separate processes, started as in a container; each ends with its test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { type ClientOptions, connectFunction, type FunctionClient } from '#lib/wire/client.ts';
import type { Request } from '#lib/fn/request.ts';
import { aRequest } from '../support/request.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LogLine {
  readonly msg?: string;
  readonly level?: number;
  readonly address?: string;
  readonly metricsAddress?: string;
  readonly [field: string]: unknown;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** The n-th line with this message, as soon as it is written; rejects when the process ends before. */
  readonly logged: (msg: string, n?: number) => Promise<LogLine>;
}

export interface StartOptions {
  /** Folder of its main.ts, relative to this one. @default echo */
  readonly main?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a function with exactly these flags. */
export function start(flags: readonly string[], options: StartOptions = {}): Started {
  const main = join(import.meta.dirname, options.main ?? 'echo', 'main.ts');
  const child = spawn(process.execPath, [main, ...flags], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, TLS_SERVER_CERTS_DIR: '', ...options.env },
  });
  let stdout = '';
  let stderr = '';
  const news = new EventTarget();
  const tell = (): void => void news.dispatchEvent(new Event('news'));
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    tell();
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => void child.once('close', (code) => resolve({ code, stdout, stderr })));
  void ended.then(tell);
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    child,
    ended,
    logged: (msg, n = 1) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = linesOf(stdout).filter((line) => line.msg === msg)[n - 1];
          if (found !== undefined) resolve(found);
          else if (child.exitCode !== null || child.signalCode !== null)
            reject(new Error(`ended without "${msg}":\n${stdout}${stderr}`));
          else news.addEventListener('news', look, { once: true });
        };
        look();
      }),
  };
}

function linesOf(stdout: string): readonly LogLine[] {
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine);
}

export interface Running extends Started {
  readonly address: string;
  /** http://host:port of the metrics port. */
  readonly plain: string;
  readonly client: FunctionClient;
}

/** Starts a function on free ports and waits until it listens. */
export async function running(flags: readonly string[], options: StartOptions = {}): Promise<Running> {
  const ports = ['--address', '127.0.0.1:0', '--metrics-address', '127.0.0.1:0'];
  const started = start([...ports, ...flags], options);
  const { address = '', metricsAddress = '' } = await started.logged('listening');
  return { ...started, address, plain: `http://${metricsAddress}`, client: clientOf(address) };
}

/** A client that is closed when the test ends. */
export function clientOf(address: string, options: ClientOptions = {}): FunctionClient {
  const client = connectFunction(address, 'echo', options);
  onTestFinished(() => client.close());
  return client;
}

export function ask(input: JsonObject = {}): Request {
  const composite = { apiVersion: 'example.org/v1', kind: 'XEcho', metadata: { name: 'one', namespace: 'team-a' } };
  return aRequest({ composite, input });
}
