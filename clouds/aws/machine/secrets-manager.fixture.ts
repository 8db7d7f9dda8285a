/** A fake metadata service and a fake Secrets Manager on one port. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, serve, type Served } from '#lib/cloud/played-store.fixture.ts';

export const ROLE = { AccessKeyId: 'AKIAFAKE', SecretAccessKey: 'fake/secret', Token: 'fake-session' };

export interface ApiCall {
  readonly action: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Whether it was sent to a proxy, which is asked for the whole URL. */
  readonly proxied: boolean;
}

export interface PlayedAws extends Served {
  /** Requests to Secrets Manager, in order. */
  readonly calls: readonly ApiCall[];
}

/** @param answers  of Secrets Manager, in order; later requests get {} */
export async function playAws(...answers: readonly Answer[]): Promise<PlayedAws> {
  const calls: ApiCall[] = [];
  const left = [...answers];
  const served = await serve((asked, headers, body) => {
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
  });
  return { ...served, calls };
}
