/** The cloud object that a cloud makes of a managed resource: its id, its ARN, and what the cloud itself fills in. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Dice } from '../clock/dice.ts';
import { metaOf } from '../store/object.ts';
import type { CloudKind, CloudObject } from './kind.ts';
import type { Region } from './region.ts';
import { externalName } from './resource.ts';

/** No id is used twice, also not for a resource that is created again under its name. */
export function newThing(
  resource: KubeObject,
  kind: CloudKind,
  attributes: JsonObject,
  { dice, region }: { readonly dice: Dice; readonly region: Region },
): CloudObject {
  const { name = '', namespace = '' } = metaOf(resource);
  const creations = region.countCreation(kind, { name, namespace });
  const id =
    kind.idPrefix === undefined
      ? (externalName(resource) ?? name)
      : `${kind.idPrefix}${dice.hex(17, kind.kind, namespace, name, creations)}`;
  const arn = kind.arn(id, attributes);
  const find = (other: string): CloudObject | undefined => region.find(other);
  const created = kind.created?.({ id, arn, name, attributes, creations, dice, find });
  return {
    kind,
    owner: { name, namespace },
    id,
    arn,
    attributes: { ...attributes, ...created?.attributes },
    outputs: { id, ...(kind.withoutArn === true ? {} : { arn }), ...created?.outputs },
  };
}
