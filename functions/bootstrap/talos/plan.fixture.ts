/** Plans of Talos machines in readable form: as YAML, with keys, certificates and tokens masked. */
import { stringify } from 'yaml';
import { TalosPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { JsonObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { aBootstrappedCluster, machineOf, machineRequest, type MACHINES } from '../../../test/support/first-boot.ts';
import { replyOf } from '../../../test/support/function-laws.ts';
import { run } from '../fn.ts';

export type Kind = keyof typeof MACHINES;

export interface Wanted {
  readonly spec?: JsonObject;
  /** Of the Cluster, and of the machine unless its pool sets another one. */
  readonly config?: JsonObject;
  readonly poolConfig?: JsonObject;
  readonly clusterSpec?: JsonObject;
}

export async function requestOf(kind: Kind, wanted: Wanted = {}): Promise<Request> {
  const { spec, config = {}, poolConfig = config, clusterSpec } = wanted;
  const bootstrap = { provider: 'talos', config };
  const cluster = await aBootstrappedCluster({ spec: { ...clusterSpec, bootstrap }, initialized: kind !== 'init' });
  return machineRequest(cluster, machineOf(kind, spec, poolConfig, 'talos'));
}

export async function planOf(kind: Kind, wanted?: Wanted): Promise<TalosPlan> {
  const reply = await replyOf(run, await requestOf(kind, wanted));
  return TalosPlan.parse(reply.context['slipway.dev/bootstrap-plan']);
}

export function documentOf({ documents }: TalosPlan, kind: string): JsonObject | undefined {
  return documents.find((document) => document['kind'] === kind) as JsonObject | undefined;
}

/** All text in it, including text encoded as base64. */
export function everythingIn(plan: TalosPlan): string {
  const text = JSON.stringify(plan);
  const inside = [...text.matchAll(/"([A-Za-z0-9+/]{40,}={0,2})"/g)].map(([, found = '']) =>
    Buffer.from(found, 'base64').toString(),
  );
  return [text, ...inside].join('\n');
}

export function masked({ documents, ...plan }: TalosPlan): string {
  return [plan, ...documents]
    .map((document) => `---\n${stringify(document, { lineWidth: 0 })}`)
    .join('')
    .replaceAll(/LS0tLS1CRUdJTi[A-Za-z0-9+/=]+/g, 'masked PEM in base64')
    .replaceAll(/(-----BEGIN [A-Z0-9 ]+-----\n)[^-]+/g, '$1masked\n')
    .replaceAll(/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, 'masked.token')
    .replaceAll(/[A-Za-z0-9+/_-]{43}=/g, 'masked');
}
