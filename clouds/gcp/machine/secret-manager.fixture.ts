/** A fake metadata service and a fake Secret Manager on one port. */
import { type Answer, serve, type Served } from '#lib/cloud/played-store.fixture.ts';

export interface PlayedGcp extends Served {
  /** Requests to Secret Manager, in order: method and path. */
  readonly calls: readonly string[];
}

/** The answer to a request for a version. */
export function version(data: Uint8Array | string): Answer {
  return {
    status: 200,
    body: { name: 'projects/123/secrets/fake/versions/1', payload: { data: Buffer.from(data).toString('base64') } },
  };
}

export const FETCHED = 'GET /v1/projects/fake-project/secrets/fake/versions/latest:access';

/** @param answers  of Secret Manager, in order; later requests get {} */
export async function playGcp(...answers: readonly Answer[]): Promise<PlayedGcp> {
  const calls: string[] = [];
  const left = [...answers];
  const served = await serve((what, headers) => {
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
  });
  return { ...served, calls };
}
