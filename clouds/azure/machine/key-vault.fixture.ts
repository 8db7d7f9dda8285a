/** A fake metadata service and a fake Key Vault on one port. */
import { type Answer, serve, type Served } from '#lib/cloud/played-store.fixture.ts';

export interface PlayedAzure extends Served {
  /** Paths of requests to Key Vault, in order. */
  readonly calls: readonly string[];
}

export const IDENTITY =
  '/subscriptions/fake/resourceGroups/fake/providers/Microsoft.ManagedIdentity/userAssignedIdentities/fake';

/** The answer to a request for a secret. */
export function secret(value: string): Answer {
  return { status: 200, body: { value, id: 'https://fake.vault.azure.net/secrets/fake/1' } };
}

/** @param answers  of Key Vault, in order; later requests get {} */
export async function playAzure(...answers: readonly Answer[]): Promise<PlayedAzure> {
  const calls: string[] = [];
  const left = [...answers];
  const served = await serve((asked, headers) => {
    const { pathname, searchParams } = new URL(asked.split(' ')[1] ?? '', 'http://fake');
    if (pathname === '/metadata/identity/oauth2/token') {
      const isRight =
        headers['metadata'] === 'true' &&
        searchParams.get('resource') === 'https://vault.azure.net' &&
        searchParams.get('api-version') === '2018-02-01' &&
        searchParams.get('msi_res_id') === IDENTITY;
      return isRight ? { status: 200, body: { access_token: 'fake-token' } } : { status: 400, body: '' };
    }
    if (headers['authorization'] !== 'Bearer fake-token') return { status: 401, body: '' };
    if (searchParams.get('api-version') !== '7.4') return { status: 400, body: '' };
    calls.push(pathname);
    return left.shift() ?? { status: 200, body: {} };
  });
  return { ...served, calls };
}
