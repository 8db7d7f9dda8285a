/** One watch request: its events until it ends. */
import type { IncomingMessage } from 'node:http';
import { type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { Random } from './backoff.ts';
import { type Budget, LIMITS } from './budget.ts';
import type { KubeClient } from './client.ts';
import { beginOf, MIB, opened, parsed, refusalOf, WITHIN, wholeText } from './exchange.ts';
import { queryOf, type Selection } from './pages.ts';
import { KubeRefusal, Unreachable } from './refusal.ts';
import { pathOf, type Resource } from './resource.ts';
import type { Timing } from './timing.ts';
import { ANSWER_IS_NOT_JSON, tooLarge, type Trouble, troubleOf } from './trouble.ts';

export type WatchEvent =
  /** The server accepted the watch. */
  | { readonly type: 'Open' }
  | { readonly type: 'Set' | 'Gone'; readonly object: KubeObject }
  | { readonly type: 'Bookmark'; readonly resourceVersion: string };

export interface WatchParts {
  readonly client: KubeClient;
  readonly timing: Timing;
  readonly random: Random;
  /** Seconds after which the server ends a watch. @default 240 to 300 */
  readonly lasts?: { readonly least: number; readonly most: number };
}

/** At a random point in between, so that not all watches begin again together. */
const LASTS = { least: 240, most: 300 } as const;
/**
 * Seconds. API servers send bookmarks once a minute, and promise none: a kind at rest was silent for 121 seconds
 * (Kubernetes 1.35). So a watch that is silent for longer is only perhaps dead, beyond a load balancer. It begins again
 * where it was, which is no failure and costs one request. A server that is gone without a load balancer in between is
 * noticed by the kernel within 40 seconds.
 */
const SILENCE = 150;
const LONGEST_LINE = 8 * MIB;

const GARBLED: Trouble = { kind: 'NotKubernetes', why: 'an event is not JSON' };

/**
 * Events after a resource version, in order, until the server ends the watch or the signal is aborted.
 * Throws KubeRefusal (status 410: the version is too old, list again) and Unreachable (Silent: watch again).
 */
export async function* watched(
  { client, timing, random, lasts = LASTS }: WatchParts,
  resource: Resource,
  selection: Selection,
  resourceVersion: string,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent> {
  const what = `watch ${resource.kind}`;
  const begin = beginOf(client.endpoint, { what });
  const query = queryOf({
    ...selection,
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion,
    timeoutSeconds: String(Math.round(lasts.least + (lasts.most - lasts.least) * random())),
  });
  const quiet = new Quiet(timing);
  try {
    quiet.within(WITHIN, { kind: 'Timeout', why: `no answer within ${WITHIN} s` });
    const { budget } = client;
    await budget?.turn(begin);
    const both = AbortSignal.any([signal, quiet.signal, ...(budget === undefined ? [] : [budget.signal])]);
    const path = `${pathOf(resource, selection.namespace)}?${query}`;
    const answer = await opened(client.watching, { method: 'GET', path, what, signal: both }, timing);
    if (answer.statusCode !== 200) throw await refused(answer, begin);
    if (answer.headers['content-type']?.startsWith('application/json') !== true)
      throw new Unreachable(begin, ANSWER_IS_NOT_JSON);
    yield { type: 'Open' };
    for await (const line of linesOf(answer, quiet, budget)) {
      budget?.reads(line);
      budget?.check(begin);
      const event = eventOf(line, resource, begin);
      if (event === undefined) continue;
      budget?.happened();
      budget?.check(begin);
      yield event;
    }
  } catch (thrown) {
    if (signal.aborted) return;
    client.budget?.check(begin);
    if (thrown instanceof KubeRefusal || thrown instanceof Unreachable) throw thrown;
    throw new Unreachable(begin, quiet.trouble ?? troubleOf(thrown));
  } finally {
    quiet.end();
  }
}

/** Ends a request of which nothing comes. */
class Quiet {
  readonly #timing: Timing;
  readonly #ended = new AbortController();
  readonly signal = this.#ended.signal;
  /** Why it was ended. */
  trouble: Trouble | undefined;
  #cancel: (() => void) | undefined;

  constructor(timing: Timing) {
    this.#timing = timing;
  }

  within(seconds: number, trouble: Trouble): void {
    this.end();
    this.#cancel = this.#timing.after(seconds, () => {
      this.trouble = trouble;
      this.#ended.abort();
    });
  }

  end(): void {
    this.#cancel?.();
  }
}

async function refused(answer: IncomingMessage, begin: string): Promise<KubeRefusal> {
  return refusalOf(answer.statusCode ?? 0, parsed(await wholeText(answer, MIB)), begin, answer.headers['retry-after']);
}

async function* linesOf(answer: IncomingMessage, quiet: Quiet, budget?: Budget): AsyncGenerator<string> {
  const longest = budget === undefined ? LONGEST_LINE : LIMITS.answer;
  const heard = (): void => quiet.within(SILENCE, { kind: 'Silent', why: `silent for ${SILENCE} s` });
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let size = 0;
  heard();
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    heard();
    budget?.came(chunk.length);
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    parts.push(first);
    size += first.length;
    for (const next of more) {
      yield parts.join('');
      parts = [next];
      size = next.length;
    }
    if (size > longest) throw tooLarge('an event', longest);
  }
  // What is left without an end of line was cut off: its event comes again with the next watch.
}

function eventOf(line: string, { apiVersion, kind }: Resource, begin: string): WatchEvent | undefined {
  if (line.trim() === '') return undefined;
  const event = parsed(line);
  const object = at(event, 'object');
  const type = stringAt(event, 'type');
  const resourceVersion = stringAt(object, 'metadata', 'resourceVersion');
  if (type === 'ERROR') throw refusalOf(Number(at(object, 'code')) || 500, object, begin);
  if (!isJsonObject(object) || resourceVersion === undefined) throw new Unreachable(begin, GARBLED);
  if (type === 'BOOKMARK') return { type: 'Bookmark', resourceVersion };
  if (type === 'ADDED' || type === 'MODIFIED') return { type: 'Set', object: { ...object, apiVersion, kind } };
  if (type === 'DELETED') return { type: 'Gone', object: { ...object, apiVersion, kind } };
  throw new Unreachable(begin, GARBLED);
}
