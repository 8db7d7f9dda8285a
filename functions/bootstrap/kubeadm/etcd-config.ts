/** `etcd` of kubeadm's configuration in a claim: on the control plane's machines, or elsewhere. */
import { z } from 'zod';
import { objectName } from '#lib/api/fields/text.ts';
import { flags } from '../claim-config.ts';

const DATA_FOLDER = '/var/lib/etcd';

const Endpoint = z.string().regex(/^https:\/\/[^\s/?#@]+$/, {
  error: 'is not accepted; accepted: an https URL without a path, such as https://10.0.0.20:2379',
});

/** `https://ETCD` and `https://etcd:443` are one. */
const hostOf = (endpoint: string): string => (URL.canParse(endpoint) ? new URL(endpoint).host : endpoint);

const areDistinct = (endpoints: readonly string[]): boolean => new Set(endpoints.map(hostOf)).size === endpoints.length;

const External = z.strictObject({
  endpoints: z
    .array(Endpoint)
    .min(1)
    .refine(areDistinct, { error: 'names one endpoint twice; accepted: each once' })
    .describe('Where its members answer clients.'),
  caSecret: objectName()
    .optional()
    .describe('Name of the Secret with the authority of its servers under tls.crt. Left out, <cluster>-etcd.'),
  clientSecret: objectName()
    .optional()
    .describe(
      'Name of the Secret with what the Kubernetes API shows it, under tls.crt and tls.key. Left out, <cluster>-apiserver-etcd-client.',
    ),
});

// No defaults of its own: beside external also what is said in the words of a default is refused.
const Said = z.strictObject({
  dataDir: z.string().min(1).optional().describe('Where etcd keeps its data. Left out, /var/lib/etcd.'),
  extraArgs: flags().unwrap().optional().describe('Flags without their dashes.'),
  external: External.optional().describe(
    'An etcd that somebody else runs; its Secrets are supplied. It stands alone here, and is chosen once.',
  ),
});

const isOneOfTwo = ({ dataDir, extraArgs, external }: z.output<typeof Said>): boolean =>
  external === undefined || (dataDir === undefined && extraArgs === undefined);

/** Where etcd runs and how, with every default in its place. */
export const Etcd = Said.refine(isOneOfTwo, {
  error: 'has external beside dataDir or extraArgs, which are of an etcd on the machines; accepted: one of both',
}).transform(({ dataDir = DATA_FOLDER, extraArgs = {}, external }) => ({ dataDir, extraArgs, external }));
