/** The Secret with the scripts for an in-place update: one key for each updater. */
import type { MachineUpdate } from '#lib/api/contracts/machine-update.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { readNodeUpdate } from '#lib/fn/node-update.ts';
import type { Request } from '#lib/fn/request.ts';
import { labelsOf } from '#lib/cloud/labels.ts';

export interface Scripts {
  /** Scripts by updater. */
  readonly byUpdater: ReadonlyMap<string, string>;
  /** Fields of the update that they change. */
  readonly fields: ReadonlySet<string>;
  /** What steps wait for before they can write their scripts. */
  readonly waiting: string | undefined;
}

/** Scripts of earlier steps for this update; parts of one updater in the order of the steps. */
export function scriptsOf(request: Request, { id }: MachineUpdate): Scripts {
  const byUpdater = new Map<string, string>();
  const fields = new Set<string>();
  const update = readNodeUpdate(request, id);
  for (const { updater, fields: covered, script } of update?.scripts ?? []) {
    byUpdater.set(updater, `${byUpdater.get(updater) ?? ''}${script}`);
    for (const field of covered) fields.add(field);
  }
  const waiting = Object.values(update?.waiting ?? {});
  return { byUpdater, fields, waiting: waiting.length === 0 ? undefined : waiting.join('; ') };
}

/** A separate Secret for each update: a node that runs one never reads the scripts of the next one. */
export function scriptsKey(id: string): string {
  return `update-${id}`;
}

/** Whether it is such a Secret, of any update. @param key composition resource name */
export function isScripts(key: string): boolean {
  return key.startsWith(scriptsKey(''));
}

export function scriptsSecret(machine: Machine, id: string, { byUpdater }: Scripts): KubeObject {
  const { namespace } = machine.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: scriptsName(machine, id), namespace, labels: labelsOf(machine) },
    data: Object.fromEntries([...byUpdater].map(([updater, text]) => [updater, Buffer.from(text).toString('base64')])),
  };
}

export function scriptsName({ metadata }: Machine, id: string): string {
  return `${metadata.name}-${scriptsKey(id)}`;
}
