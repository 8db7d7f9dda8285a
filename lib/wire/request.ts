/** Requests as bytes, for those who call functions: the engine, the command line and tests. */
import { Writer } from 'protobufjs/minimal.js';
import type { KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { writeStruct } from './json.ts';
import { writeEntry, writeObject, writeReadiness } from './resource.ts';
import { fieldTag } from './slice.ts';

/** A RunFunctionRequest. Throws Internal at anything that is not JSON, naming its path. */
export function encodeRequest(request: Request): Uint8Array {
  const writer = Writer.create();
  writeMeta(writer, request.meta.tag);
  writeObserved(writer, request.observed);
  writeDesired(writer, request.desired);
  if (request.input !== undefined) {
    writer.uint32(fieldTag(4, 2)).fork();
    writeStruct(writer, request.input, 'input');
    writer.ldelim();
  }
  writer.uint32(fieldTag(5, 2)).fork();
  writeStruct(writer, request.context, 'context');
  writer.ldelim();
  for (const [name, items] of request.required)
    writeEntry(writer, 8, name, () => {
      for (const item of items) writeResource(writer, item, name);
    });
  return writer.finish();
}

function writeMeta(writer: Writer, tag: string): void {
  writer.uint32(fieldTag(1, 2)).fork();
  if (tag !== '') writer.uint32(fieldTag(1, 2)).string(tag);
  writer.ldelim();
}

function writeObserved(writer: Writer, { composite, resources }: Request['observed']): void {
  writer.uint32(fieldTag(2, 2)).fork();
  writeResource(writer, composite, 'observed composite');
  for (const [key, { resource, connectionDetails }] of resources)
    writeEntry(writer, 2, key, () => {
      writeObject(writer, resource, key);
      for (const [name, bytes] of Object.entries(connectionDetails)) writeEntry(writer, 2, name, bytes);
    });
  writer.ldelim();
}

function writeDesired(writer: Writer, { composite, compositeReady, resources }: Request['desired']): void {
  writer.uint32(fieldTag(3, 2)).fork();
  // No step has spoken of the XR yet: Crossplane leaves it out then.
  if (composite !== undefined || compositeReady !== 'Unspecified') {
    writer.uint32(fieldTag(1, 2)).fork();
    if (composite !== undefined) writeObject(writer, composite, 'desired composite');
    writeReadiness(writer, compositeReady);
    writer.ldelim();
  }
  for (const [key, { resource, ready }] of resources)
    writeEntry(writer, 2, key, () => {
      writeObject(writer, resource, key);
      writeReadiness(writer, ready);
    });
  writer.ldelim();
}

/** A Resource that is the first field of its message. */
function writeResource(writer: Writer, object: KubeObject, path: string): void {
  writer.uint32(fieldTag(1, 2)).fork();
  writeObject(writer, object, path);
  writer.ldelim();
}
