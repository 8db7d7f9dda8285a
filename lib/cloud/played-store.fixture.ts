/** A fake cloud on one port, and a way to run the scripts of a first boot with it as on a machine. */
import { spawn } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';

export interface Answer {
  readonly status: number;
  /** Sent as JSON, but for a text. */
  readonly body: unknown;
}

/** @param asked  method and path; the whole URL if it was sent to a proxy */
export type Answers = (asked: string, headers: IncomingHttpHeaders, body: Buffer) => Answer;

export interface Served {
  /** With a trailing slash. */
  readonly url: string;
  stop(): void;
}

export async function serve(answers: Answers): Promise<Served> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, body } = answers(`${request.method} ${request.url}`, request.headers, Buffer.concat(chunks));
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, stop: () => server.close() };
}

/** Result of a script. */
export interface Ran {
  readonly code: number | null;
  /** Its standard error. */
  readonly log: string;
}

/**
 * Runs a script with sh, with paths of this machine instead of those of the instance.
 * @param places each must occur in the script
 */
export async function runOnHost(script: string, places: Readonly<Record<string, string>>): Promise<Ran> {
  let text = script;
  for (const [there, instead] of Object.entries(places)) {
    expect(text).toContain(there);
    text = text.replaceAll(there, instead);
  }
  const running = spawn('/bin/sh', ['-c', text], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  running.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => running.on('close', resolve));
  return { code, log };
}
