/** Replies of functions as bytes. */
import { Writer } from 'protobufjs/minimal.js';
import type { Condition } from '#lib/api/conditions.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Refused } from '#lib/fn/refused.ts';
import type { Event, ReplyData } from '#lib/fn/reply.ts';
import type { Desired, Selector } from '#lib/fn/request.ts';
import type { Incoming } from './incoming.ts';
import { writeStruct } from './json.ts';
import { writeEntry, writeObject, writeReadiness } from './resource.ts';
import { bytesOf, fieldTag, type Slice } from './slice.ts';

const SEVERITY = { Fatal: 1, Warning: 2, Normal: 3 } as const;
const STATUS = { Unknown: 1, True: 2, False: 3 } as const;
const TARGET_COMPOSITE = 1;

const TAG = fieldTag(1, 2);
const STATE = fieldTag(2, 2);
const CONTEXT = fieldTag(4, 2);
const DETAIL = fieldTag(2, 2);
const OBJECT = fieldTag(1, 2);

/** What an answer repeats of its request, as it came. */
export interface Came {
  readonly tag: string;
  readonly desired: { readonly composite?: { readonly details: readonly Slice[] } | undefined };
  readonly cameAs: Pick<Incoming['cameAs'], 'get'>;
}

/** Of a request that has no bytes. */
export const NOTHING_CAME: Came = { tag: '', desired: {}, cameAs: { get: () => undefined } };

/**
 * A RunFunctionResponse. Of the composite only identity, status and readiness are desired; its connection details
 * belong to other steps and go on as they came, like every resource that is desired unchanged.
 */
export function encodeReply(message: Came, { apiVersion, kind }: KubeObject, reply: ReplyData): Uint8Array {
  const writer = Writer.create();
  writeMeta(writer, message.tag, reply.ttl);
  writer.uint32(STATE).fork();
  writer.uint32(fieldTag(1, 2)).fork();
  writeObject(writer, { apiVersion, kind, status: reply.status }, 'status');
  for (const detail of message.desired.composite?.details ?? []) writer.uint32(DETAIL).bytes(bytesOf(detail));
  writeReadiness(writer, reply.compositeReady);
  writer.ldelim();
  for (const [key, one] of reply.resources)
    writeEntry(writer, 2, key, () => writeDesired(writer, one, key, message.cameAs));
  writer.ldelim();
  for (const event of reply.events) writeResult(writer, event);
  writeContext(writer, reply.context);
  writeRequirements(writer, reply.requirements);
  for (const condition of reply.conditions) writeCondition(writer, condition);
  return writer.finish();
}

/** A fatal result. @param withDesired whether it repeats what earlier steps desire, as it came */
export function encodeRefused(message: Incoming | undefined, refused: Refused, withDesired: boolean): Uint8Array {
  const writer = Writer.create();
  writeMeta(writer, message?.tag ?? '', refused.ttl);
  if (withDesired && message?.desired.whole !== undefined) writer.uint32(STATE).bytes(bytesOf(message.desired.whole));
  writeResult(writer, { severity: 'Fatal', message: refused.message, reason: refused.reason });
  if (withDesired && refused.context !== undefined) writeContext(writer, refused.context);
  writeCondition(writer, refused.condition);
  return writer.finish();
}

function writeMeta(writer: Writer, tag: string, ttl: number): void {
  const seconds = Math.floor(ttl);
  const nanos = Math.round((ttl - seconds) * 1e9);
  writer.uint32(fieldTag(1, 2)).fork();
  if (tag !== '') writer.uint32(TAG).string(tag);
  writer.uint32(fieldTag(2, 2)).fork();
  if (seconds !== 0) writer.uint32(fieldTag(1, 0)).int64(seconds);
  if (nanos !== 0) writer.uint32(fieldTag(2, 0)).int32(nanos);
  writer.ldelim().ldelim();
}

function writeDesired(writer: Writer, one: Desired, key: string, cameAs: Came['cameAs']): void {
  const whole = cameAs.get(one);
  if (whole !== undefined) return void writer.raw(bytesOf(whole));
  const { resource, ready } = one;
  const object = cameAs.get(resource);
  if (object === undefined) writeObject(writer, resource, `resource "${key}"`);
  else writer.uint32(OBJECT).bytes(bytesOf(object));
  writeReadiness(writer, ready);
}

function writeContext(writer: Writer, context: JsonObject): void {
  writer.uint32(CONTEXT).fork();
  writeStruct(writer, context, 'context');
  writer.ldelim();
}

function writeResult(
  writer: Writer,
  { severity, message, reason }: Omit<Event, 'severity'> & { severity: keyof typeof SEVERITY },
): void {
  writer.uint32(fieldTag(3, 2)).fork();
  writer.uint32(fieldTag(1, 0)).int32(SEVERITY[severity]);
  if (message !== '') writer.uint32(fieldTag(2, 2)).string(message);
  writer.uint32(fieldTag(3, 2)).string(reason);
  writer.uint32(fieldTag(4, 0)).int32(TARGET_COMPOSITE);
  writer.ldelim();
}

function writeCondition(writer: Writer, { type, status, reason, message }: Condition): void {
  writer.uint32(fieldTag(6, 2)).fork();
  if (type !== '') writer.uint32(fieldTag(1, 2)).string(type);
  writer.uint32(fieldTag(2, 0)).int32(STATUS[status]);
  if (reason !== '') writer.uint32(fieldTag(3, 2)).string(reason);
  if (message !== undefined) writer.uint32(fieldTag(4, 2)).string(message);
  writer.uint32(fieldTag(5, 0)).int32(TARGET_COMPOSITE);
  writer.ldelim();
}

/** Crossplane calls a function that answers with requirements, even empty ones, a second time. */
function writeRequirements(writer: Writer, requirements: ReplyData['requirements']): void {
  if (requirements.size === 0) return;
  writer.uint32(fieldTag(5, 2)).fork();
  for (const [name, selector] of requirements) writeEntry(writer, 2, name, () => writeSelector(writer, selector));
  writer.ldelim();
}

function writeSelector(writer: Writer, { apiVersion, kind, namespace, matchName, matchLabels }: Selector): void {
  if (apiVersion !== '') writer.uint32(fieldTag(1, 2)).string(apiVersion);
  if (kind !== '') writer.uint32(fieldTag(2, 2)).string(kind);
  if (matchName !== undefined) writer.uint32(fieldTag(3, 2)).string(matchName);
  if (matchLabels !== undefined) {
    writer.uint32(fieldTag(4, 2)).fork();
    for (const [label, value] of Object.entries(matchLabels)) writeEntry(writer, 1, label, value);
    writer.ldelim();
  }
  if (namespace !== undefined) writer.uint32(fieldTag(5, 2)).string(namespace);
}
