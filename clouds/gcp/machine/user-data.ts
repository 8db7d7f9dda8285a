/** First-boot data as metadata of a machine. */
import { at, type Json, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';

const KEY = 'user-data';
/** cloud-init reads it; other programs take the value as it is. */
const ENCODING = 'user-data-encoding';

/** As text if it is text, otherwise as base64, which only cloud-init reads. */
export function metadataOf(data: Uint8Array): Readonly<Record<string, string>> {
  const text = Buffer.from(data).toString();
  const isText = Buffer.from(text).equals(Buffer.from(data));
  return isText ? { [KEY]: text } : { [KEY]: Buffer.from(data).toString('base64'), [ENCODING]: 'base64' };
}

/** What an existing machine was created with. */
export function metadataIn(instance: KubeObject): JsonObject | undefined {
  const made: Json | undefined = at(instance, 'spec', 'initProvider', 'metadata');
  return stringAt(made, KEY) === undefined ? undefined : (made as JsonObject);
}

export function dataIn(metadata: JsonObject): Uint8Array {
  return Buffer.from(stringAt(metadata, KEY) ?? '', metadata[ENCODING] === 'base64' ? 'base64' : 'utf8');
}
