/** The Cluster that a NodePool or a Machine belongs to. */
import type { KubeObject } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { API_VERSION } from '#lib/api/words.ts';
import type { Reply } from './reply.ts';

interface Member {
  readonly metadata: { readonly namespace: string };
  readonly spec: { readonly clusterRef: { readonly name: string } };
}

export interface RequiredCluster {
  /** Undefined before it was requested, and if there is none. */
  readonly object: KubeObject | undefined;
  /** The message in that case. */
  readonly waiting: string;
}

export function requireCluster(reply: Reply, { metadata, spec }: Member): RequiredCluster {
  const { namespace } = metadata;
  const { name } = spec.clusterRef;
  const found = reply.require('cluster', { apiVersion: API_VERSION, kind: 'Cluster', namespace, matchName: name });
  const waiting = `waiting for Cluster "${namespace}/${name}"${found === undefined ? '' : ': not found'}`;
  return { object: found?.[0], waiting };
}

/** The whole of it, its status included. Throws InvalidObserved. */
export function readCluster(object: KubeObject): Cluster {
  return parseAs(Cluster, object, describeObject(object), 'InvalidObserved');
}
