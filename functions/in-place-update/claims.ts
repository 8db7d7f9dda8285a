/** Claims of other pipeline steps: which changed fields of which object they can update in place. */
import { type UpdateClaim, UpdateClaims } from '#lib/api/contracts/update-claims.ts';
import type { Json } from '#lib/api/json.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { Path } from './change.ts';
import { covers, type Step, stepsOf } from './field-path.ts';

interface ReadClaim extends UpdateClaim {
  readonly steps: readonly Step[];
}

export class Claims {
  /** By object; those about every object under the empty name. */
  readonly #byObject: ReadonlyMap<string, readonly ReadClaim[]>;

  constructor(claims: readonly UpdateClaim[]) {
    const read = claims.map((claim) => ({ ...claim, steps: stepsOf(claim.path) }));
    this.#byObject = Map.groupBy(read, ({ object }) => object ?? '');
  }

  /**
   * The claim for a field: the first that claims it, or else the first that refuses it. Claims about this object come
   * before claims about all objects.
   */
  about(object: string, path: Path): UpdateClaim | undefined {
    const about = [...(this.#byObject.get(object) ?? []), ...(this.#byObject.get('') ?? [])].filter(({ steps }) =>
      covers(steps, path),
    );
    return about.find(({ answer }) => answer === 'Claimed') ?? about[0];
  }
}

/**
 * Without a contract there are no claims. Throws BrokenContract for an invalid one, so that nothing is replaced because
 * of it.
 */
export function readClaims(context: Readonly<Record<string, Json | undefined>>): Claims {
  const received = context[CONTEXT.updateClaims];
  if (received === undefined) return new Claims([]);
  return new Claims(parseAs(UpdateClaims, received, `context ${CONTEXT.updateClaims}`, 'BrokenContract').claims);
}
