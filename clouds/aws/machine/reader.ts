/**
 * Who may read first-boot data: one instance, by a tag of the secret that the role of the machine compares with where a
 * request comes from. The instance has an ARN only once it exists; it asks until the tag is there.
 */
import { at, isJsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { HAND_OVER } from '#lib/cloud/hand-over.ts';
import { INSTANCE_TAG } from '../instance-tag.ts';
import { INSTANCE } from './instance-name.ts';
import type { Situation } from './situation.ts';

type Resources = ReadonlyMap<string, KubeObject>;

/** The tag lets one instance read the data, so the secret gets the tag once the instance exists. */
export function forItsInstance(resources: Resources, { observed }: Pick<Situation, 'observed'>): Resources {
  const secret = resources.get(HAND_OVER.secret);
  // A call may see less than an earlier one: the tag stays.
  const arn =
    stringAt(observed.get(INSTANCE), 'status', 'atProvider', 'arn') ??
    stringAt(observed.get(HAND_OVER.secret), 'spec', 'forProvider', 'tags', INSTANCE_TAG);
  if (secret === undefined || arn === undefined) return resources;
  return new Map([...resources, [HAND_OVER.secret, tagged(secret, arn)]]);
}

/** Whether the secret has the tag in AWS, so that its instance may read it, and delete it. */
export function isForItsInstance(key: string, object: KubeObject): boolean {
  return key !== HAND_OVER.secret || stringAt(object, 'status', 'atProvider', 'tags', INSTANCE_TAG) !== undefined;
}

function tagged(secret: KubeObject, arn: string): KubeObject {
  const forProvider = at(secret, 'spec', 'forProvider');
  const made = isJsonObject(forProvider) ? forProvider : {};
  const tags = isJsonObject(made['tags']) ? made['tags'] : {};
  return { ...secret, spec: { ...secret.spec, forProvider: { ...made, tags: { ...tags, [INSTANCE_TAG]: arn } } } };
}
