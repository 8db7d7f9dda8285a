/** No kubelet is newer than the oldest API server: by what Machines say, and by what their images have. */
import { compare } from 'semver';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import type { Engine } from '#simulator/engine.ts';
import { CLUSTER, POOL } from './life.ts';
import { NAMESPACE, VERSION_OF } from './platform.ts';

/** The kubelet that is too new; undefined: none. */
export function newestKubelet(engine: Engine): string | undefined {
  const machines = engine.list({ apiVersion: CLUSTER.apiVersion, kind: 'Machine', namespace: NAMESPACE });
  const isServer = ({ metadata }: KubeObject): boolean => metadata?.labels?.[LABEL.role] === 'control-plane';
  const servers = machines
    .filter(isServer)
    .flatMap((one) => versionsOf(engine, one).map((text) => [one, text] as const));
  const [oldest] = servers.toSorted(([, a], [, b]) => compare(a, b));
  if (oldest === undefined) return undefined;
  for (const machine of machines)
    for (const version of versionsOf(engine, machine))
      if (!isServer(machine) && compare(version, oldest[1]) > 0)
        return `the kubelet of ${nameOf(machine)} is ${version}, newer than the API server of ${nameOf(oldest[0])}, ${oldest[1]}${oldest[0].metadata?.deletionTimestamp === undefined ? '' : ', which still drains'}`;
  return undefined;
}

/** What its claim says, and what is on its image. */
function versionsOf(engine: Engine, machine: KubeObject): readonly string[] {
  const refs = at(machine, 'spec', 'crossplane', 'resourceRefs');
  const ref = (Array.isArray(refs) ? refs : []).find((one: unknown) => stringAt(one, 'kind') === 'Instance');
  const instance = engine.get({
    apiVersion: stringAt(ref, 'apiVersion') ?? '',
    kind: 'Instance',
    namespace: NAMESPACE,
    name: stringAt(ref, 'name') ?? '',
  });
  const image = VERSION_OF.get(stringAt(instance, 'spec', 'forProvider', 'ami') ?? '');
  const version = stringAt(machine, 'spec', 'version');
  return [version, isClaimed(engine, machine) ? undefined : image].filter((one) => one !== undefined);
}

/** Whether the claims ask for this image and this version together, whatever is on the image. */
function isClaimed(engine: Engine, { metadata, spec }: KubeObject): boolean {
  const pool = engine.get({ ...POOL, name: metadata?.labels?.[LABEL.nodePool] ?? '' });
  const version = stringAt(pool, 'spec', 'version') ?? stringAt(engine.get(CLUSTER), 'spec', 'version');
  const image = stringAt(pool, 'spec', 'machine', 'image');
  return image !== undefined && version === spec?.['version'] && image === stringAt(spec, 'machine', 'image');
}

function nameOf({ metadata }: KubeObject): string {
  return metadata?.name ?? '';
}
