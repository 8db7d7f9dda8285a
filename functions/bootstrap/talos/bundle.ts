/** The secrets bundle of a Talos cluster, created once. The authorities are named as in Cluster API. */
import type { World } from '#lib/fn/world.ts';
import { authorityPart, type Part, pinned, recordPart, serviceAccountPart } from '../parts.ts';
import { BOOTSTRAP_TOKEN } from '../pki/token.ts';

export const CA = authorityPart('ca', 'ca', 'kubernetes');
export const ETCD_CA = authorityPart('etcd-ca', 'etcd', 'etcd-ca');
export const PROXY_CA = authorityPart('proxy-ca', 'proxy', 'front-proxy-ca');
export const SERVICE_ACCOUNT = serviceAccountPart('sa', 'sa');

/** Signs certificates of the Talos API and of its clients. */
export const TALOS_CA = authorityPart('talos-ca', 'talos-ca', 'talos', 'Ed25519');

const BYTES = 32;
const random = (encoding: 'base64' | 'base64url-padded') => ({
  make: (world: World) => encoded(world, encoding),
  accepts: encoding === 'base64' ? /^[A-Za-z0-9+/]{43}=$/ : /^[A-Za-z0-9_-]{43}=$/,
  words: `${BYTES} bytes in base64`,
});

/** Keys are the names in Talos. */
export const BUNDLE = pinned(
  recordPart(
    { key: 'talos', suffix: 'talos' },
    {
      id: random('base64url-padded'),
      secret: random('base64'),
      bootstraptoken: BOOTSTRAP_TOKEN,
      trustdtoken: BOOTSTRAP_TOKEN,
      secretboxencryptionsecret: random('base64'),
    },
  ),
);

/** In the order of their Secrets. */
export const PARTS: readonly Part[] = [CA, ETCD_CA, PROXY_CA, SERVICE_ACCOUNT, TALOS_CA, BUNDLE];

/** Talos also pads URL-safe base64. */
function encoded({ randomBytes }: World, encoding: 'base64' | 'base64url-padded'): string {
  const text = Buffer.from(randomBytes(BYTES)).toString('base64');
  return encoding === 'base64' ? text : text.replaceAll('+', '-').replaceAll('/', '_');
}
