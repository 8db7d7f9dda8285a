/** `etcd` in the kubeadm configuration of a claim: on the control-plane machines, or external. */
import { z } from 'zod';
import { objectName } from '#lib/api/fields/text.ts';
import { eachOnce } from '#lib/api/schema/once.ts';
import { flags } from '../claim-config.ts';

const DATA_FOLDER = '/var/lib/etcd';

const Endpoint = z.string().regex(/^https:\/\/[^\s/?#@]+$/, {
  error: 'is not accepted; accepted: an https URL without a path, such as https://10.0.0.20:2379',
});

/** `https://ETCD` and `https://etcd:443` are the same endpoint. */
const hostOf = (endpoint: string): string => (URL.canParse(endpoint) ? new URL(endpoint).host : endpoint);

const External = z.strictObject({
  endpoints: eachOnce(z.array(Endpoint).min(1), 'endpoint', hostOf).describe(
    'Client URLs of the etcd members, each once.',
  ),
  caSecret: objectName()
    .optional()
    .describe(
      'Name of the Secret with the certificate authority of the etcd servers under tls.crt. It needs the label slipway.dev/cluster with the name of the Cluster. Default: <cluster>-etcd, which needs no label.',
    ),
  clientSecret: objectName()
    .optional()
    .describe(
      'Name of the Secret with the client certificate of the Kubernetes API, under tls.crt and tls.key. It needs the label slipway.dev/cluster with the name of the Cluster. Default: <cluster>-apiserver-etcd-client, which needs no label.',
    ),
});

// No defaults here: next to external, even a field with its default value is refused.
const Said = z.strictObject({
  dataDir: z.string().min(1).optional().describe('Data directory of etcd. Default: /var/lib/etcd.'),
  extraArgs: flags().unwrap().optional().describe('Flags without their dashes.'),
  external: External.optional().describe(
    'An etcd that you run yourself; you supply its Secrets. It cannot be combined with other settings of etcd, or changed later.',
  ),
});

const isOneOfTwo = ({ dataDir, extraArgs, external }: z.output<typeof Said>): boolean =>
  external === undefined || (dataDir === undefined && extraArgs === undefined);

/** Where etcd runs and how, with all defaults. */
export const Etcd = Said.refine(isOneOfTwo, {
  error:
    'has external together with dataDir or extraArgs, which apply to etcd on the machines; accepted: only one of the two',
}).transform(({ dataDir = DATA_FOLDER, extraArgs = {}, external }) => ({ dataDir, extraArgs, external }));
