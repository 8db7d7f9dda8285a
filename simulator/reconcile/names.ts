/** Names that Crossplane generates: of composed resources without one, and of the field managers that apply them. */
import type { KubeObject } from '#lib/api/json.ts';
import { sha256 } from '#lib/api/names.ts';
import { metaOf } from '../store/object.ts';
import { groupOf } from '../store/ref.ts';

const LIMIT = 63;
const HASH_LENGTH = 12;

/** The name of a composed resource without one: the name of its parent and a hash of parent and key. */
export function childName(generateName: string, parentUid: string, key: string): string {
  const hash = sha256(`${parentUid}${key}`).slice(0, HASH_LENGTH);
  const prefix = generateName === '' || generateName.endsWith('-') ? generateName : `${generateName}-`;
  if (prefix.length + HASH_LENGTH <= LIMIT) return prefix + hash;
  const room = LIMIT - HASH_LENGTH;
  return prefix[room - 1] === '-' ? prefix.slice(0, room) + hash : `${prefix.slice(0, room - 1)}-${hash}`;
}

/** The manager that applies the references and status of an XR. */
export const XR_MANAGER = 'apiextensions.crossplane.io/composite';

/** The manager that applies the resources of one XR: unique per name and kind, so that two XRs never share one. */
export function composedManager(xr: KubeObject): string {
  const group = groupOf(xr.apiVersion);
  const groupKind = group === '' ? xr.kind : `${xr.kind}.${group}`;
  return `apiextensions.crossplane.io/composed/${sha256(`${metaOf(xr).name ?? ''}${groupKind}`)}`;
}
