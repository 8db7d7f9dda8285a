/**
 * The six kinds of edit on every cloud: what the rules decide is what the provider can do, by the mutability of the
 * fields that the edit comes to. That a plan announces it and a simulation does it is tested with each example.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CLOUD_FIELDS } from '#clouds/fields.ts';
import { type CloudFields, madeOf } from '#lib/cloud/fields.ts';
import { InPlaceUpdateInput } from '../../functions/in-place-update/input.ts';
import { readExtract, rulesPath } from '../../generate/update-rules/files.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Each edit with the field of a Machine that it changes. A network is chosen by the failure domain, which has a subnet. */
const NEUTRAL = [
  { edit: 'label', path: 'spec.labels', decision: 'Patch' },
  { edit: 'taint', path: 'spec.taints', decision: 'Patch' },
  { edit: 'version', path: 'spec.version', decision: 'Recreate' },
];
const IN_THE_CLOUD = [
  { edit: 'class', path: 'spec.machine.class' },
  { edit: 'image', path: 'spec.machine.image' },
  { edit: 'network', path: 'spec.failureDomain' },
];

/** Without a condition: those are for changes that a script makes on the node, whatever the cloud. */
function decisionOf({ rules, otherwise }: InPlaceUpdateInput, path: string): string {
  const rule = rules.find((one) => one.when === undefined && (one.path === path || path.startsWith(`${one.path}.`)));
  return rule?.decision ?? otherwise;
}

/** Fields of the virtual machine that its provider refuses to change. */
function refusedIn(name: string, { kind }: CloudFields): readonly string[] {
  return readExtract(name)[kind]?.refused ?? [];
}

/** Recreate for what the provider refuses, or where the owner of the machine makes it; Update for what stops it. */
function possible(name: string, fields: CloudFields, path: string): string {
  const refused = refusedIn(name, fields);
  const made = madeOf(fields, path);
  const isRefused = ({ field, change }: (typeof made)[number]): boolean =>
    change === 'Replaces' || refused.some((one) => one.replaceAll('[]', '') === field.replaceAll('[]', ''));
  return made.length === 0 || made.some(isRefused) ? 'Recreate' : 'Update';
}

describe.for(Object.entries(CLOUD_FIELDS).map(([name, fields]) => ({ name, fields })))(
  'on $name',
  ({ name, fields }) => {
    const input = InPlaceUpdateInput.parse(parse(readFileSync(join(ROOT, rulesPath(name)), 'utf8')));

    test.for(NEUTRAL)('$edit: $decision', ({ path, decision }) => {
      expect(decisionOf(input, path)).toBe(decision);
    });

    test.for(IN_THE_CLOUD)('$edit: what the provider can do', ({ path }) => {
      expect(decisionOf(input, path)).toBe(possible(name, fields, path));
    });

    test('a field that the table says is changed in place is none that the provider refuses', () => {
      const refused = refusedIn(name, fields);
      const inPlace = fields.made.filter(({ change }) => change !== 'Replaces').map(({ field }) => field);
      expect(inPlace.filter((field) => refused.includes(field))).toEqual([]);
    });
  },
);
