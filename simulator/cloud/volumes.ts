/** Disks of machines that drivers in the cluster attach and detach, without the provider. */
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { CloudObject, VolumeList } from './kind.ts';
import { forProviderOf, initProvider, mayLateInitialize } from './resource.ts';

export function withVolume(thing: CloudObject, { list, by }: VolumeList, volume: string): CloudObject {
  return withBlocks(thing, list, [...blocksOf(thing.attributes[list]), { [by]: volume }]);
}

export function withoutVolume(thing: CloudObject, { list, by }: VolumeList, volume: string): CloudObject {
  return withBlocks(
    thing,
    list,
    blocksOf(thing.attributes[list]).filter((block) => block[by] !== volume),
  );
}

/**
 * The arguments that the provider adds if it is not told them: a list that it does not read becomes empty, unless one in
 * initProvider says that changes of it are nobody's concern.
 */
export function emptied(resource: KubeObject, { kind: { volumes }, attributes }: CloudObject): JsonObject {
  if (volumes?.untold !== 'emptied' || blocksOf(attributes[volumes.list]).length === 0) return {};
  return blocksOf(initProvider(resource)[volumes.list]).length > 0 ? {} : { [volumes.list]: [] };
}

/**
 * A provider that reads the list looks for each disk in the list that it is told, and fails if that is null. Late
 * initialisation would fill it in first.
 */
export function failsOver(resource: KubeObject, { kind: { volumes }, attributes }: CloudObject): boolean {
  if (volumes?.untold !== 'read' || mayLateInitialize(resource) || blocksOf(attributes[volumes.list]).length === 0)
    return false;
  return [initProvider(resource), forProviderOf(resource)].every((told) => blocksOf(told[volumes.list]).length === 0);
}

function withBlocks(thing: CloudObject, list: string, blocks: readonly JsonObject[]): CloudObject {
  return { ...thing, attributes: { ...thing.attributes, [list]: blocks } };
}

function blocksOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}
