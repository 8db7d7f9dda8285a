/** Values for a plan: short, on one line, and never a secret. */
import type { z } from 'zod';
import { oneLine } from './errors.ts';
import { isJsonObject, type Json, type JsonObject, type KubeObject, own, sameJson, stringAt } from './json.ts';
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
  return shortened(textOf(value, path, object), 0);
}

/** Two values of one field like `shown`: of objects the members that differ, of long ones the part in which they differ. */
export function shownChange(
  values: { readonly old: Json | undefined; readonly new: Json | undefined },
  path: readonly (string | number)[],
  object: Shown,
): { readonly old?: string; readonly new?: string } {
  const [before, after] = differing(values.old, values.new).map((value) => textOf(value, path, object));
  const skip = skipped(before ?? '', after ?? '');
  const [old, now] = [shortened(before, skip), shortened(after, skip)];
  return { ...(old === undefined ? {} : { old }), ...(now === undefined ? {} : { new: now }) };
}

function differing(old: Json | undefined, now: Json | undefined): readonly (Json | undefined)[] {
  if (!isJsonObject(old) || !isJsonObject(now)) return [old, now];
  const differs = (key: string): boolean => !sameJson(own(old, key) ?? null, own(now, key) ?? null);
  const changed = (one: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(one).filter(([key]) => differs(key)));
  return [changed(old), changed(now)];
}

function textOf(value: Json | undefined, path: readonly (string | number)[], object: Shown): string | undefined {
  if (value === undefined) return undefined;
  return isSecret(path, object) ? '(secret)' : oneLine(JSON.stringify(masked(value)));
}

/** Characters of a common beginning that are shown before the difference. */
const CONTEXT = 20;

/** How many characters are left out at the beginning, because both values have them. */
function skipped(old: string, now: string): number {
  if (Math.max(old.length, now.length) <= MAX_LENGTH || old === '' || now === '') return 0;
  const differs = Array.from(old).findIndex((character, i) => character !== now[i]);
  const common = differs === -1 ? old.length : differs;
  if (common <= MAX_LENGTH / 2) return 0;
  const member = Math.max(...BEFORE_MEMBER.map((mark) => old.lastIndexOf(mark, common - 1))) + 1;
  return common - member <= MAX_LENGTH / 2 ? member : common - CONTEXT;
}

/** What a member of JSON comes after: one is shown from its key on. */
const BEFORE_MEMBER = [',', '{', '['] as const;

/** A value is cut after these, rather than within a key or a number, if one is among its last characters. */
const CUT_AFTER = /^.*[,{[:](?=.{0,32}$)/su;

function shortened(text: string | undefined, skip: number): string | undefined {
  if (text === undefined) return undefined;
  const rest = skip === 0 ? text : `...${text.slice(skip)}`;
  if (rest.length <= MAX_LENGTH) return rest;
  const most = rest.slice(0, MAX_LENGTH - 3);
  return `${CUT_AFTER.exec(most)?.[0] ?? most}...`;
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
