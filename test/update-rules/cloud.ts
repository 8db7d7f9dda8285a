/** What a test of the tables of fields needs from a cloud. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { CloudFields } from '#lib/cloud/fields.ts';

export interface CloudUnderTest {
  /** As people call it. */
  readonly name: string;
  readonly fields: CloudFields;
  /** Two values for each field that becomes part of the object in the cloud. */
  readonly edits: Readonly<Record<string, readonly [JsonObject, JsonObject]>>;
  /** The virtual machine of a Machine. @param observed as it is */
  readonly instance: (spec: JsonObject, observed?: KubeObject) => Promise<KubeObject>;
}
