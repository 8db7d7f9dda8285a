/** What the shipped rules for AWS decide about one machine. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { aMachine, aNodePool } from '../../test/support/claims.ts';
import { Claims } from '../../functions/in-place-update/claims.ts';
import { changesBetween } from '../../functions/in-place-update/diff.ts';
import { InPlaceUpdateInput } from '../../functions/in-place-update/input.ts';
import { rulebook } from '../../functions/in-place-update/rulebook.ts';
import type { FieldDecision } from '../../functions/in-place-update/decision.ts';
import { decideAll, strongest } from '../../functions/in-place-update/rules.ts';

const AWS = InPlaceUpdateInput.parse(
  parse(readFileSync(join(import.meta.dirname, '../../clouds/aws/rules.yaml'), 'utf8')),
);

export interface Edit {
  /** Fields of the spec. */
  readonly old: JsonObject;
  readonly now: JsonObject;
  readonly status?: JsonObject;
}

/** Undefined: nothing changed. */
export function decision({ old, now, status = {} }: Edit): FieldDecision | undefined {
  const { spec, ...rest } = aMachine();
  const machine = (fields: JsonObject): KubeObject => ({ ...rest, spec: { ...spec, ...fields } });
  const [observed, desired] = [{ ...machine(old), status }, machine(now)];
  const decided = decideAll(changesBetween(observed, desired, 'Whole'), {
    book: rulebook(AWS),
    claims: new Claims([]),
    fallback: 'Recreate',
    observed,
    desired,
    composite: aNodePool(),
  });
  return strongest(decided);
}
