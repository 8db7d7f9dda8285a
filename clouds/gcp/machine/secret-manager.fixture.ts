/**
 * A fake metadata service and a fake Secret Manager on one port, and a way to run scripts with them as on a machine.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface PlayedGcp {
  /** URL of both services, with a trailing slash. */
  readonly url: string;
  /** Requests to Secret Manager, in order: method and path. */
  readonly calls: readonly string[];
  stop(): void;
}

const VERSION = 'projects/123/secrets/fake/versions/1';

/** The answer to a request for a version. */
export function version(data: Uint8Array | string): Answer {
  return { status: 200, body: { name: VERSION, payload: { data: Buffer.from(data).toString('base64') } } };
}

export const FETCHED = 'GET /v1/projects/fake-project/secrets/fake/versions/latest:access';
export const DESTROYED = `POST /v1/${VERSION}:destroy`;

/** @param answers  of Secret Manager, in order; later requests get {} */
export async function playGcp(...answers: readonly Answer[]): Promise<PlayedGcp> {
  const calls: string[] = [];
  const left = [...answers];
  const server = createServer((request, response) => {
    const { status, body } = answer(`${request.method} ${request.url}`, request.headers);
    request.resume().on('end', () => {
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  const answer = (what: string, headers: Readonly<Record<string, string | readonly string[] | undefined>>): Answer => {
    if (what.includes(' /computeMetadata/')) {
      if (headers['metadata-flavor'] !== 'Google') return { status: 403, body: '' };
      if (what.endsWith('/project/project-id')) return { status: 200, body: 'fake-project' };
      if (what.endsWith('/instance/service-accounts/default/token'))
        return { status: 200, body: { access_token: 'fake-token', expires_in: 3599 } };
      return { status: 404, body: '' };
    }
    if (headers['authorization'] !== 'Bearer fake-token') return { status: 401, body: '' };
    calls.push(what);
    return left.shift() ?? { status: 200, body: {} };
  };
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
