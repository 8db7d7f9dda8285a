/** How a machine joins its cluster: words that the contract "node join" and WorkloadNode share. */
import { z } from 'zod';
import { onAdmission } from '../schema/rules.ts';
import { duration } from './text.ts';

/** By a bootstrap token of Kubernetes, which is written into the cluster. */
export const BOOTSTRAP_KINDS = ['Kubeadm', 'K0sController', 'K0sWorker'] as const;

/** By a token that the cluster itself makes when it is asked, and which comes back. */
export const ASKED_KINDS = ['CanonicalKubernetesControlPlane', 'CanonicalKubernetesWorker'] as const;

export const JOIN_KINDS = [...BOOTSTRAP_KINDS, ...ASKED_KINDS] as const;

export type BootstrapKind = (typeof BOOTSTRAP_KINDS)[number];
export type AskedKind = (typeof ASKED_KINDS)[number];
export type JoinKind = (typeof JOIN_KINDS)[number];

/** A machine needs a few minutes to boot; then its token is extended until its Node is there. */
export const JOIN_TTL = '15m';

/** A token that was asked for cannot be extended, and the machine is created only once it is there. */
export const ASKED_TTL = '1h';

export function isAsked(kind: JoinKind): kind is AskedKind {
  return kind === 'CanonicalKubernetesControlPlane' || kind === 'CanonicalKubernetesWorker';
}

const Join = z.strictObject({
  kind: z
    .enum(JOIN_KINDS)
    .describe('What the token allows: joining a cluster of that tool, and in that role where its tokens have one.'),
  secretRef: z
    .strictObject({
      name: z.string().min(1).max(253).describe('Name of the Secret.'),
      key: z.string().min(1).max(253).describe('Key of it: a bootstrap token, or what k8sd made.'),
    })
    .describe(
      'The token. With CanonicalKubernetes… the provider asks the cluster for it, and writes the Secret if there is none.',
    ),
  authSecretRef: z
    .strictObject({ name: z.string().min(1).max(253).describe('Name of the Secret.') })
    .optional()
    .describe('With CanonicalKubernetes… required: what k8sd accepts in the header capi-auth-token, key token.'),
  ttl: duration()
    .default(JOIN_TTL)
    .describe(
      'How long the token is valid. It is extended while the Node has not registered; one that the cluster made is replaced when it has expired.',
    ),
  shared: z
    .boolean()
    .default(false)
    .describe(
      'Whether other machines join by the token too. It is then neither written nor deleted, but expires after the last of them has joined.',
    ),
});

export const WorkloadNodeJoin = onAdmission(Join, {
  cel: "!self.kind.startsWith('CanonicalKubernetes') || has(self.authSecretRef)",
  message: 'authSecretRef is required by this kind, for k8sd has to be asked',
});

export type WorkloadNodeJoin = z.input<typeof WorkloadNodeJoin>;
