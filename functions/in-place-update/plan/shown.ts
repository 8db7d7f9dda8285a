/** Values as a plan may show them: short, on one line, and never a secret. */
import { oneLine } from '#lib/api/errors.ts';
import { isJsonObject, type Json, type KubeObject } from '#lib/api/json.ts';
import { MachineSpec } from '#lib/api/kinds/machine.ts';
import { isSecretAt } from '#lib/api/schema/path.ts';
import { API_VERSION } from '#lib/api/words.ts';
import type { Path } from '../diff.ts';

const LONGEST = 80;

/** What stands where no schema of ours says whether it is a secret. */
const SUSPICIOUS = /secret|token|password|passwd|credential|private|certificatekey|userdata|apikey|hash$/i;

/** The value as JSON; undefined when there is none. */
export function shown(value: Json | undefined, path: Path, { kind, apiVersion }: KubeObject): string | undefined {
  if (value === undefined) return undefined;
  const isMachine = kind === 'Machine' && apiVersion === API_VERSION && path[0] === 'spec';
  if (isMachine && isSecretAt(MachineSpec, path.slice(1))) return '(secret)';
  if (path.some((step) => typeof step === 'string' && SUSPICIOUS.test(step))) return '(secret)';
  const text = oneLine(JSON.stringify(masked(value)));
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 3)}...`;
}

function masked(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => masked(item) ?? null);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, SUSPICIOUS.test(key) ? '(secret)' : masked(member)]),
  );
}
