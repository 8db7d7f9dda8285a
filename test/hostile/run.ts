/** One hostile request: made from its seed, sent twice as bytes, and judged. */
import { pino } from 'pino';
import type { CompositionFunction } from '#lib/fn/function.ts';
import type { Request } from '#lib/fn/request.ts';
import { decodeAnswer } from '#lib/wire/answer.ts';
import { encodeRequest } from '#lib/wire/request.ts';
import { answer, type Answered } from '#lib/wire/shell.ts';
import { Chance } from '../sim/chance.ts';
import { replyOf } from '../support/function-laws.ts';
import { aWorld } from '../support/request.ts';
import { judge, type Judged } from './judge.ts';
import { hostile } from './mutation.ts';
import { SUBJECTS } from './requests.ts';

/** Without what is random by design: keys that are made once, and their fingerprints. */
function textOf({ bytes }: Answered): string {
  const { desired, ...rest } = decodeAnswer(bytes);
  const resources = [...desired.resources].map(([key, one]) => {
    const { data: _keys, ...others } = one.resource;
    return [key, one.ready, one.resource.kind === 'Secret' ? others : one.resource];
  });
  const { certificates: _hash, secrets: _fingerprints, ...status } = desired.composite?.status ?? {};
  return JSON.stringify([resources, status, rest, [...rest.requirements]]);
}

export interface Tried extends Judged {
  readonly seed: number;
  readonly changes: readonly string[];
}

interface Valid {
  readonly request: Request;
  readonly kept: ReadonlySet<string>;
}

/** Everything of one function that does not depend on a seed. */
export class Target {
  readonly #name: string;
  readonly #run: CompositionFunction;
  readonly #valid: readonly Valid[];

  private constructor(name: string, run: CompositionFunction, valid: readonly Valid[]) {
    this.#name = name;
    this.#run = run;
    this.#valid = valid;
  }

  static async of(name: string): Promise<Target> {
    const { run, valid } = SUBJECTS[name]!;
    const requests = await Promise.all(
      (await valid()).map(async (request) => ({
        request,
        kept: new Set((await replyOf(run, request)).resources.keys()),
      })),
    );
    return new Target(name, run, requests);
  }

  async try(seed: number): Promise<Tried> {
    const whole = await this.#tryPart(seed);
    if (whole.wrong.length === 0) return whole;
    // Fewer changes that are still wrong tell more.
    for (let only = 1; only < whole.changes.length; only += 1) {
      const part = await this.#tryPart(seed, only);
      if (part.wrong.length > 0) return part;
    }
    return whole;
  }

  async #tryPart(seed: number, only?: number): Promise<Tried> {
    const chance = new Chance(seed);
    const { request: valid, kept } = this.#valid[seed % this.#valid.length]!;
    const { request, changes } = hostile(valid, chance, only);
    const bytes = encodeRequest(request);
    const [first, logged] = await this.#call(bytes);
    const [second] = await this.#call(bytes);
    const judged = judge(this.#name, request, first, kept, logged);
    const same = textOf(first) === textOf(second);
    return {
      ...judged,
      seed,
      changes,
      wrong: [...judged.wrong, ...(same ? [] : ['two answers to the same request differ'])],
    };
  }

  async #call(bytes: Uint8Array): Promise<readonly [Answered, string]> {
    const lines: string[] = [];
    const logger = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(line) });
    return [await answer({ run: this.#run, logger }, bytes, aWorld()), lines.join('')];
  }
}
