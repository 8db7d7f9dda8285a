/** Some two hundred things that people write and that nothing accepts, each alone in a claim that is right otherwise. */
import { BOOTSTRAP } from './inputs/bootstrap.ts';
import { OF_CLUSTER } from './inputs/cluster.ts';
import { HOST } from './inputs/host.ts';
import { cluster, type Input, pool } from './inputs/input.ts';
import { named } from './inputs/names.ts';
import { OF_POOL } from './inputs/pool.ts';

export type { Input } from './inputs/input.ts';

export const INPUTS: readonly Input[] = [
  ...named('Cluster'),
  ...named('NodePool'),
  { name: 'the name of the pool of a control plane', kind: 'NodePool', spec: {}, called: 'prod-control-plane' },
  ...cluster(HOST),
  ...pool(HOST),
  ...BOOTSTRAP,
  ...OF_CLUSTER,
  ...OF_POOL,
];
