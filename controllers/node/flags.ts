/** The command line of provider-node. */
import { parseArgs } from 'node:util';
import type { Address } from '#lib/serve/address.ts';
import { addressOf, countOf, durationOf, strictly } from '#lib/serve/command-line.ts';
import { UPDATER_IMAGE } from './updates/image.ts';

export interface Flags {
  readonly help: boolean;
  readonly debug: boolean;
  readonly leaderElection: boolean;
  /** Seconds between looks at an object about which nothing is heard. */
  readonly poll: number;
  /** Looks that begin in a second; after a quiet time ten times as many at once. */
  readonly rate: number;
  readonly metricsAddress: Address | undefined;
  /** File; undefined: the cluster that the pod runs in. */
  readonly kubeconfig: string | undefined;
  readonly allowLocalAddresses: boolean;
  readonly updaterImage: string;
}

export const HELP = `provider-node: looks after the Nodes of workload clusters. Crossplane starts it.

  --leader-election              only one of several replicas acts (default: $LEADER_ELECTION, else off)
  --poll DURATION                how often to look at an object about which nothing is heard (default: 10m)
  --max-reconcile-rate N         looks in a second, and ten times as many at once after a quiet time (default: 10)
  --metrics-address HOST:PORT    plain HTTP with /metrics, /healthz and /readyz; empty: off (default: :8080)
  --kubeconfig FILE              of the management cluster (default: the cluster that the pod runs in)
  --allow-local-addresses        accept kubeconfigs whose server is an address of this host; for tests
  --updater-image IMAGE          of the pod that runs updaters on a Node, where the ProviderConfig names none: a copy of
                                 the default one, or any with sh and nsenter (default: the one of this release)
  --debug                        log every action
  --metrics-bind-address, --sync, --poll-jitter-percentage, --poll-state-metric
                                 of other providers: the first is --metrics-address, the others change nothing
  --help                         this text

Exit codes: 0 stopped · 1 failed, or another replica took over · 2 usage
`;

const OPTIONS = {
  help: { type: 'boolean', default: false },
  debug: { type: 'boolean', short: 'd', default: false },
  'leader-election': { type: 'boolean', short: 'l' },
  poll: { type: 'string', default: '10m' },
  'max-reconcile-rate': { type: 'string', default: '10' },
  'metrics-address': { type: 'string' },
  kubeconfig: { type: 'string' },
  'updater-image': { type: 'string' },
  'allow-local-addresses': { type: 'boolean', default: false },
  // One DeploymentRuntimeConfig is often that of all providers: what is usual there must not stop this one.
  'metrics-bind-address': { type: 'string', default: ':8080' },
  sync: { type: 'string' },
  'poll-jitter-percentage': { type: 'string' },
  'poll-state-metric': { type: 'string' },
} as const;

/** Throws SlipwayError UnknownSubject for what it does not know. */
export function parseFlags(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Flags {
  const { values } = strictly(() => parseArgs({ args: [...argv], strict: true, options: OPTIONS }));
  const metrics = values['metrics-address'] ?? values['metrics-bind-address'];
  return {
    help: values.help,
    debug: values.debug,
    leaderElection: values['leader-election'] ?? env['LEADER_ELECTION'] === 'true',
    poll: durationOf('--poll', values.poll),
    rate: countOf('--max-reconcile-rate', values['max-reconcile-rate']),
    metricsAddress: metrics === '' ? undefined : addressOf('--metrics-address', metrics),
    kubeconfig: values.kubeconfig,
    allowLocalAddresses: values['allow-local-addresses'],
    updaterImage: values['updater-image'] ?? UPDATER_IMAGE,
  };
}
