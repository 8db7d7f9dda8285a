/** Volumes that are attached to a Node, by what the attacher and by what the Node say now. */
import { type Json, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import type { AttachedVolume } from '#lib/node/situation.ts';
import { nameOf } from '#lib/node/node.ts';
import { NODES, PERSISTENT_VOLUMES, VOLUME_ATTACHMENTS } from './kinds.ts';

/** Throws KubeRefusal, Unreachable. */
export async function volumesOn(client: KubeClient, node: KubeObject): Promise<readonly AttachedVolume[]> {
  const { items } = await client.list(VOLUME_ATTACHMENTS, {});
  const names = items
    .filter((attachment) => stringAt(attachment, 'spec', 'nodeName') === nameOf(node))
    .map((attachment) => stringAt(attachment, 'spec', 'source', 'persistentVolumeName') ?? nameOf(attachment));
  const volumes = await Promise.all(
    [...new Set(names)].map(async (name) => ({ name, volume: await client.find(PERSISTENT_VOLUMES, { name }) })),
  );
  const now = await client.find(NODES, { name: nameOf(node) });
  const known = new Set(volumes.map(({ volume }) => handleOf(volume)));
  return [
    ...volumes.map(({ name, volume }) => ({ name, ...claimOf(volume) })),
    ...attachedTo(now)
      .filter((name) => !known.has(name))
      .map((name) => ({ name })),
  ];
}

/** As it is in `status.volumesAttached` of a Node. */
function handleOf(volume: KubeObject | undefined): string | undefined {
  const driver = stringAt(volume, 'spec', 'csi', 'driver');
  const handle = stringAt(volume, 'spec', 'csi', 'volumeHandle');
  return driver === undefined || handle === undefined ? undefined : `kubernetes.io/csi/${driver}^${handle}`;
}

function claimOf(volume: KubeObject | undefined): Pick<AttachedVolume, 'claim'> {
  const name = stringAt(volume, 'spec', 'claimRef', 'name');
  const namespace = stringAt(volume, 'spec', 'claimRef', 'namespace');
  return name === undefined || namespace === undefined ? {} : { claim: `${namespace}/${name}` };
}

function attachedTo(node: KubeObject | undefined): readonly string[] {
  const list = at(node, 'status', 'volumesAttached');
  return (Array.isArray(list) ? (list as readonly Json[]) : []).flatMap((one) => stringAt(one, 'name') ?? []);
}
