/**
 * One watch request: its events until it ends. An API server closes a watch after `timeoutSeconds`, and sends a bookmark
 * about once a minute; a connection that is silent for much longer is dead, although its socket does not say so.
 */
import type { IncomingMessage } from 'node:http';
import { type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { Random } from './backoff.ts';
import { type KubeClient, queryOf, type Selection } from './client.ts';
import { MIB, opened, refusalOf, wholeText } from './exchange.ts';
import { KubeRefusal, plainCause, Unreachable } from './refusal.ts';
import { pathOf, type Resource } from './resource.ts';
import type { Timing } from './timing.ts';

export type WatchEvent =
  /** The server accepted the watch. */
  | { readonly type: 'Open' }
  | { readonly type: 'Set' | 'Gone'; readonly object: KubeObject }
  | { readonly type: 'Bookmark'; readonly resourceVersion: string };

export interface WatchParts {
  readonly client: KubeClient;
  readonly timing: Timing;
  readonly random: Random;
}

/** Seconds. The server ends a watch at a random point in this range, so that not all watches begin again together. */
const LASTS = { least: 240, most: 300 } as const;
/** Seconds. Bookmarks come once a minute: two are missing. */
const SILENCE = 150;
const LONGEST_LINE = 8 * MIB;

/**
 * Events after a resource version, in order, until the server ends the watch or the signal is aborted.
 * Throws KubeRefusal (status 410: the version is too old, list again) and Unreachable.
 */
export async function* watched(
  { client, timing, random }: WatchParts,
  resource: Resource,
  selection: Selection,
  resourceVersion: string,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent> {
  const what = `watch ${resource.kind}`;
  const begin = `cannot ${what} at "${client.endpoint.server}"`;
  const query = queryOf({
    ...selection,
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion,
    timeoutSeconds: String(Math.round(LASTS.least + (LASTS.most - LASTS.least) * random())),
  });
  const silent = new AbortController();
  let cancel: (() => void) | undefined;
  const heard = (): void => {
    cancel?.();
    cancel = timing.after(SILENCE, () => silent.abort());
  };
  heard();
  try {
    const both = AbortSignal.any([signal, silent.signal]);
    const path = `${pathOf(resource, selection.namespace)}?${query}`;
    const answer = await opened(client.endpoint, { method: 'GET', path, what, signal: both });
    if (answer.statusCode !== 200) throw await refused(answer, begin);
    yield { type: 'Open' };
    for await (const line of linesOf(answer, heard)) {
      const event = eventOf(line, resource, begin);
      if (event !== undefined) yield event;
    }
  } catch (thrown) {
    if (signal.aborted) return;
    if (thrown instanceof KubeRefusal || thrown instanceof Unreachable) throw thrown;
    const why = silent.signal.aborted ? `silent for ${SILENCE} s` : plainCause(thrown);
    throw new Unreachable(`${begin}: ${why}`, why, thrown);
  } finally {
    cancel?.();
  }
}

async function refused(answer: IncomingMessage, begin: string): Promise<KubeRefusal> {
  return refusalOf(answer.statusCode ?? 0, parsed(await wholeText(answer, MIB)), begin, answer.headers['retry-after']);
}

async function* linesOf(answer: IncomingMessage, heard: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    heard();
    size += chunk.length;
    const text = decoder.decode(chunk, { stream: true });
    const [first = '', ...more] = text.split('\n');
    parts.push(first);
    for (const next of more) {
      yield parts.join('');
      parts = [next];
      size = next.length;
    }
    if (size > LONGEST_LINE) throw new Error(`an event is larger than ${LONGEST_LINE / MIB} MiB`);
  }
  // What is left without an end of line was cut off: its event comes again with the next watch.
}

function eventOf(line: string, { apiVersion, kind }: Resource, begin: string): WatchEvent | undefined {
  if (line.trim() === '') return undefined;
  const event = parsed(line);
  const object = at(event, 'object');
  const type = stringAt(event, 'type');
  if (!isJsonObject(object) || type === undefined)
    throw new Unreachable(`${begin}: an event is not JSON`, 'an event is not JSON');
  if (type === 'ERROR') throw refusalOf(Number(at(object, 'code') ?? 500), object, begin);
  if (type === 'BOOKMARK')
    return { type: 'Bookmark', resourceVersion: stringAt(object, 'metadata', 'resourceVersion') ?? '' };
  return { type: type === 'DELETED' ? 'Gone' : 'Set', object: { ...object, apiVersion, kind } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
