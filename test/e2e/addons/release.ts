/** What a Release of provider-helm asks for, what has to be done about it, and what is reported, all as data. */
import { at, isJsonObject, type Json, type JsonObject, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import type { Chart, Installed } from './helm.ts';

export interface ValueSource {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
  readonly key: string;
  readonly optional: boolean;
}

export interface Release {
  /** In the workload cluster. */
  readonly name: string;
  readonly namespace: string;
  readonly chart: Chart;
  readonly values: JsonObject;
  /** A later one wins, and `values` over all of them. */
  readonly valuesFrom: readonly ValueSource[];
  /** Seconds; undefined: it is ready once it is applied. */
  readonly wait: number | undefined;
  /** What may be done to the release. */
  readonly may: (action: 'Create' | 'Update' | 'Delete') => boolean;
}

const WAIT = 60;

export function releaseOf({ metadata, spec }: KubeObject): Release {
  const asked = at(spec, 'forProvider');
  const text = (...path: readonly string[]): string => stringAt(asked, ...path) ?? '';
  const policies = listAt(spec, 'managementPolicies').map(String);
  return {
    name: metadata?.annotations?.['crossplane.io/external-name'] ?? metadata?.name ?? '',
    namespace: text('namespace'),
    chart: { repository: text('chart', 'repository'), name: text('chart', 'name'), version: text('chart', 'version') },
    values: objectAt(asked, 'values'),
    valuesFrom: listAt(asked, 'valuesFrom').map(sourceOf),
    wait: at(asked, 'wait') === true ? WAIT : undefined,
    may: (action) => policies.length === 0 || policies.includes('*') || policies.includes(action),
  };
}

function sourceOf(one: unknown): ValueSource {
  const kind = at(one, 'secretKeyRef') === undefined ? 'ConfigMap' : 'Secret';
  const ref = at(one, kind === 'Secret' ? 'secretKeyRef' : 'configMapKeyRef');
  return {
    kind,
    name: stringAt(ref, 'name') ?? '',
    key: stringAt(ref, 'key') ?? 'values.yaml',
    optional: at(ref, 'optional') === true,
  };
}

/** As Helm merges them, a later one winning: objects by key, everything else as a whole. */
export function merged(values: readonly JsonObject[]): JsonObject {
  const all: Record<string, Json | undefined> = {};
  for (const [key, value] of values.flatMap((one) => Object.entries(one))) {
    const before = all[key];
    all[key] = isJsonObject(before) && isJsonObject(value) ? merged([before, value]) : value;
  }
  return all;
}

export type Step = 'create' | 'update' | undefined;

/** Undefined: nothing. @param values  with those of Secrets and ConfigMaps */
export function stepFor({ chart, may }: Release, values: JsonObject, installed: Installed | undefined): Step {
  if (installed === undefined) return may('Create') ? 'create' : undefined;
  const isSame =
    installed.state === 'deployed' &&
    installed.chart === chart.name &&
    plain(installed.version) === plain(chart.version) &&
    sameJson(installed.values, values);
  return isSame || !may('Update') ? undefined : 'update';
}

const plain = (version: string): string => version.replace(/^v/, '');

/** @param trouble  what went wrong, in words. @param now  RFC 3339 */
export function statusOf(
  installed: Installed | undefined,
  trouble: string | undefined,
  generation: number,
  now: string,
): JsonObject {
  const isReady = installed?.state === 'deployed';
  const condition = (type: string, status: boolean, reason: string, message?: string): JsonObject => ({
    type,
    status: status ? 'True' : 'False',
    reason,
    lastTransitionTime: now,
    ...(message === undefined ? {} : { message }),
  });
  const { version, revision, state } = installed ?? {};
  return {
    observedGeneration: generation,
    ...(installed === undefined
      ? {}
      : { atProvider: { version: version ?? '', revision: revision ?? 0, state: state ?? '' } }),
    conditions: [
      trouble === undefined
        ? condition('Synced', true, 'ReconcileSuccess')
        : condition('Synced', false, 'ReconcileError', trouble),
      isReady ? condition('Ready', true, 'Available') : condition('Ready', false, 'Creating'),
    ],
  };
}

function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

function objectAt(value: unknown, ...path: readonly string[]): JsonObject {
  const found = at(value, ...path);
  return isJsonObject(found) ? found : {};
}
