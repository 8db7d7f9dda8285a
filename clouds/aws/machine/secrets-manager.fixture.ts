/**
 * A fake metadata service and a fake Secrets Manager on one port, and a way to run scripts with them as on an instance.
 */
import { spawn } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';

export const ROLE = { AccessKeyId: 'AKIAFAKE', SecretAccessKey: 'fake/secret', Token: 'fake-session' };

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface ApiCall {
  readonly action: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Whether it was sent to a proxy, which is asked for the whole URL. */
  readonly proxied: boolean;
}

export interface PlayedAws {
  /** URL of both services, with a trailing slash. */
  readonly url: string;
  /** Requests to Secrets Manager, in order. */
  readonly calls: readonly ApiCall[];
  stop(): void;
}

/** @param answers  of Secrets Manager, in order; later requests get {} */
export async function playAws(...answers: readonly Answer[]): Promise<PlayedAws> {
  const calls: ApiCall[] = [];
  const left = [...answers];
  const answer = (asked: string, headers: IncomingHttpHeaders, body: Buffer): Answer => {
    const what = asked.replace(/ http:\/\/[^/]+/, ' ');
    const proxied = what !== asked;
    if (what === 'PUT /latest/api/token') return { status: 200, body: 'session' };
    if (what === 'POST /') {
      calls.push({ action: String(headers['x-amz-target']), headers, body: JSON.parse(body.toString()), proxied });
      return left.shift() ?? { status: 200, body: {} };
    }
    if (headers['x-aws-ec2-metadata-token'] !== 'session') return { status: 401, body: '' };
    const roles = 'GET /latest/meta-data/iam/security-credentials/';
    if (what === roles) return { status: 200, body: 'prod-node' };
    return what === `${roles}prod-node` ? { status: 200, body: ROLE } : { status: 404, body: '' };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, body } = answer(`${request.method} ${request.url}`, request.headers, Buffer.concat(chunks));
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, calls, stop: () => server.close() };
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
