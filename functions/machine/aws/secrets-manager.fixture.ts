/** A played metadata service and a played Secrets Manager on one port, for scripts that run on an instance. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export const ROLE = { AccessKeyId: 'AKIAFAKE', SecretAccessKey: 'fake/secret', Token: 'fake-session' };

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface ApiCall {
  readonly action: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface PlayedAws {
  /** Of both services, with a slash at its end. */
  readonly url: string;
  /** What Secrets Manager was asked, in order. */
  readonly calls: readonly ApiCall[];
  stop(): void;
}

/** @param answers  of Secrets Manager, in order; then it answers {} */
export async function playAws(...answers: readonly Answer[]): Promise<PlayedAws> {
  const calls: ApiCall[] = [];
  const left = [...answers];
  const answer = (what: string, headers: IncomingHttpHeaders, body: Buffer): Answer => {
    if (what === 'PUT /latest/api/token') return { status: 200, body: 'session' };
    if (what === 'POST /') {
      calls.push({ action: String(headers['x-amz-target']), headers, body: JSON.parse(body.toString()) });
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
