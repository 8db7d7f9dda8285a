/**
 * Requests of a real Crossplane as files: of each function and kind of object the largest one that is settled, and the one
 * whose answer adds most while it is at work. They may hold keys and passwords: no other user reads them, and git
 * never sees them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { TTL } from '#lib/api/words.ts';
import { decodeAnswer } from '#lib/wire/answer.ts';
import { decodeRequest, incoming } from '#lib/wire/incoming.ts';

const ROOT = join(import.meta.dirname, '../..');
const STATES = { settled: 'settled', 'at-work': 'at work' } as const;
type InName = keyof typeof STATES;

/** One request, as Crossplane sent it. */
export interface RecordedRequest {
  /** The folder of the function. */
  readonly called: string;
  /** Of the object that it was called for. */
  readonly kind: string;
  /** How many composed resources were observed. */
  readonly observed: number;
  readonly state: (typeof STATES)[InName];
  readonly bytes: Uint8Array;
}

export class Recording {
  readonly #folder: string;
  readonly #most = new Map<string, number>();

  /** Throws TypeError for a folder that is not empty, or that git would see. */
  constructor(folder: string) {
    this.#folder = recordingFolder(folder);
  }

  /** @param called the folder of the function */
  keep(called: string, request: Uint8Array, answer: Uint8Array): void {
    const { kind } = decodeRequest(request).observed.composite;
    const isSettled = (decodeAnswer(answer).ttl ?? 0) >= TTL.following;
    const state: InName = isSettled ? 'settled' : 'at-work';
    const size = isSettled ? request.length : answer.length - handedOn(request);
    const path = join(called, `${kind}.${state}.bin`);
    if (size <= (this.#most.get(path) ?? -Infinity)) return;
    this.#most.set(path, size);
    mkdirSync(join(this.#folder, called), { recursive: true, mode: 0o700 });
    writeFileSync(join(this.#folder, path), request, { mode: 0o600 });
  }
}

/** What `Recording` kept. Throws TypeError if it kept nothing there. */
export function recordedIn(folder: string): readonly RecordedRequest[] {
  const found = (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
    .toSorted()
    .flatMap((path): readonly RecordedRequest[] => {
      const [, called = '', kind = '', state = ''] = /^([^/]+)\/([^/.]+)\.([^/.]+)\.bin$/.exec(path) ?? [];
      if (!(state in STATES)) return [];
      const bytes = readFileSync(join(folder, path));
      const observed = decodeRequest(bytes).observed.resources.size;
      return [{ called, kind, observed, state: STATES[state as InName], bytes }];
    });
  if (found.length === 0) throw new TypeError(`cannot read requests from "${folder}": it has none`);
  return found;
}

/** Its absolute path. Throws TypeError for a folder that is not empty, or that git would see. */
export function recordingFolder(folder: string): string {
  const below = relative(ROOT, resolve(folder));
  if (!below.startsWith('..') && !/^\.cache(\/|$)/.test(below))
    throw new TypeError(
      `cannot record to "${folder}": requests may hold keys, and git would see them; accepted: a folder in .cache, or outside of this repository`,
    );
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new TypeError(`cannot record to "${folder}": it is not empty`);
  return resolve(folder);
}

/** Bytes of what earlier steps decided. */
function handedOn(request: Uint8Array): number {
  const { desired, context } = incoming(request);
  const parts = [desired.whole, context];
  return parts.reduce((sum, part) => sum + (part === undefined ? 0 : part.end - part.start), 0);
}
