/** Values for a plan: short, on one line, and never a secret. */
import type { z } from 'zod';
import { oneLine } from './errors.ts';
import { isJsonObject, type Json, type JsonObject, type KubeObject, own, stringAt } from './json.ts';
import { ClusterSpec } from './kinds/cluster.ts';
import { MachineSpec } from './kinds/machine.ts';
import { NodePoolSpec } from './kinds/node-pool.ts';
import { remembered } from './remembered.ts';
import { isSecretAt } from './schema/path.ts';
import { withoutUserinfo } from './shown-text.ts';
import { GROUP } from './words.ts';

const MAX_LENGTH = 80;

const SPECS: Readonly<Record<string, z.ZodType>> = {
  Cluster: ClusterSpec,
  NodePool: NodePoolSpec,
  Machine: MachineSpec,
};

/** The text for a value if no schema of ours says whether it is a secret. */
const SUSPICIOUS = /secret|token|password|passwd|credential|private|certificatekey|userdata|apikey|hash$/i;

/**
 * The value at a path of an object as JSON, at most 80 characters; undefined when there is none, `(secret)` for one
 * that our schemas call a secret, that has a name of one, or that a Secret holds.
 */
export function shown(value: Json | undefined, path: readonly (string | number)[], object: Shown): string | undefined {
  if (value === undefined) return undefined;
  if (isSecret(path, object)) return '(secret)';
  const text = oneLine(JSON.stringify(masked(value)));
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 3)}...`;
}

type Shown = Pick<KubeObject, 'kind' | 'apiVersion'> & Partial<Pick<KubeObject, 'spec'>>;

/** Whether a value at this path may not be shown. */
export function isSecret(path: readonly (string | number)[], { kind, apiVersion, spec: content }: Shown): boolean {
  // In any version of our API.
  const isOurs = apiVersion.startsWith(`${GROUP}/`) && path[0] === 'spec' && Object.hasOwn(SPECS, kind);
  if (isOurs && isSecretOfOurs(JSON.stringify([kind, ...path]))) return true;
  if (kind === 'Secret' && /^(data|stringData)$/.test(String(path[0]))) return true;
  if (isManifestOfSecret(content) && /^(data|stringData)$/.test(String(path[3]))) return true;
  return path.some((step) => typeof step === 'string' && SUSPICIOUS.test(step));
}

/** By kind and path: a plan asks the same for each of its machines. */
const isSecretOfOurs = remembered((text) => {
  const [kind = '', , ...path] = JSON.parse(text) as readonly string[];
  const spec = own(SPECS, kind);
  return spec !== undefined && isSecretAt(spec, path);
}, 500);

/** provider-kubernetes applies it, so it is in spec.forProvider.manifest. */
function isManifestOfSecret(spec: JsonObject | undefined): boolean {
  return stringAt(spec, 'forProvider', 'manifest', 'kind') === 'Secret';
}

function masked(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => masked(item) ?? null);
  if (typeof value === 'string') return withoutUserinfo(value);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      withoutUserinfo(key),
      SUSPICIOUS.test(key) ? '(secret)' : masked(member),
    ]),
  );
}
