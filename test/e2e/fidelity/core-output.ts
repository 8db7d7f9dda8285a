/**
 * Reads the output of the render command of core: RenderResponse of proto/render/v1alpha1/render.proto in crossplane.
 */
import { fromBinary, toJson } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import type { KubeObject } from '#lib/api/json.ts';
import type { PipelineEvent } from '#simulator/reconcile/pipeline.ts';

export interface CoreOutput {
  readonly composite: KubeObject | undefined;
  readonly deleted: readonly KubeObject[];
  readonly events: readonly PipelineEvent[];
}

/** Field numbers. */
const RESPONSE_COMPOSITE = 2;
const OUTPUT = { composite: 1, deleted: 3, events: 4 } as const;
const EVENT = { type: 1, reason: 2, message: 3 } as const;

export function readCoreOutput(bytes: Uint8Array): CoreOutput {
  const [output = new Uint8Array()] = fieldsOf(bytes, RESPONSE_COMPOSITE);
  const [composite] = fieldsOf(output, OUTPUT.composite).map(objectOf);
  return {
    composite,
    deleted: fieldsOf(output, OUTPUT.deleted).map(objectOf),
    events: fieldsOf(output, OUTPUT.events).map(eventOf),
  };
}

/** All values of one length-delimited field of a message. */
function fieldsOf(message: Uint8Array, wanted: number): readonly Uint8Array[] {
  const reader = new BinaryReader(message);
  const found: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === wanted && type === WireType.LengthDelimited) found.push(reader.bytes());
    else reader.skip(type, field);
  }
  return found;
}

function objectOf(bytes: Uint8Array): KubeObject {
  return toJson(StructSchema, fromBinary(StructSchema, bytes)) as unknown as KubeObject;
}

function eventOf(bytes: Uint8Array): PipelineEvent {
  const text = (field: number): string => new TextDecoder().decode(fieldsOf(bytes, field)[0]);
  const severity = text(EVENT.type) === 'Warning' ? 'Warning' : 'Normal';
  return { severity, reason: text(EVENT.reason), message: text(EVENT.message) };
}
