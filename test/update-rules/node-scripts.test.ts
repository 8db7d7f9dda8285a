/** The nodes on which the rules of a cloud let a script apply settings of the host. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { CLOUD_FIELDS } from '#clouds/fields.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { aMachine, aNodePool } from '../support/claims.ts';
import { BOOTSTRAPPERS } from '../../functions/bootstrap/registry.ts';
import { bootstrapperTraits } from '../../functions/bootstrap/traits.ts';
import { Claims } from '../../functions/in-place-update/claims.ts';
import { changesBetween } from '../../functions/in-place-update/diff.ts';
import { InPlaceUpdateInput } from '../../functions/in-place-update/input.ts';
import { rulebook } from '../../functions/in-place-update/rulebook.ts';
import { decideAll } from '../../functions/in-place-update/rules.ts';

/** Kinds of plan whose nodes have a shell. */
const WITH_SHELL: ReadonlySet<string> = new Set(['scripted', 'nodeadm']);

const CASES = Object.keys(CLOUD_FIELDS).flatMap((name) =>
  Object.keys(BOOTSTRAPPERS).map((provider) => ({
    name,
    provider,
    want: WITH_SHELL.has(bootstrapperTraits(provider).plan?.kind ?? '') ? 'Update' : 'Recreate',
  })),
);

test.for(CASES)('$name: a kernel setting that is added to a node by $provider: $want', ({ name, provider, want }) => {
  const rules: unknown = parse(readFileSync(join(import.meta.dirname, '../../clouds', name, 'rules.yaml'), 'utf8'));
  const [observed, desired] = [machine(provider, {}), machine(provider, { 'vm.max_map_count': '262144' })];
  const decided = decideAll(changesBetween(observed, desired, 'Whole'), {
    book: rulebook(InPlaceUpdateInput.parse(rules)),
    claims: new Claims([]),
    fallback: 'Recreate',
    observed,
    desired,
    composite: aNodePool(),
  });
  expect(decided.map(({ decision }) => decision)).toEqual([want]);
});

function machine(provider: string, sysctls: JsonObject): KubeObject {
  const { spec, ...rest } = aMachine();
  return { ...rest, spec: { ...spec, bootstrap: { provider, action: 'Join', config: {} }, provisioning: { sysctls } } };
}
