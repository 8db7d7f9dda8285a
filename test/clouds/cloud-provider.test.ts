/** Every step of a flavour that asks says the same about a cloud controller manager: it has its own input. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, type Json, stringAt } from '#lib/api/json.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';

/** Kinds of Composition, and the step of each that asks. */
const ASKING = { Cluster: 'cluster', NodePool: 'nodepool', Machine: 'bootstrap' } as const;

const folder = join(ROOT, 'compositions');

test.for(readdirSync(folder))('%s', (flavour) => {
  const said = readObjects([join(folder, flavour)]).map((composition) => {
    const kind = stringAt(composition, 'spec', 'compositeTypeRef', 'kind') as keyof typeof ASKING;
    const steps = at(composition, 'spec', 'pipeline') as readonly Json[];
    const asking = steps.find((step) => stringAt(step, 'step') === ASKING[kind]);
    return stringAt(asking, 'input', 'cloudProvider') ?? 'external';
  });
  const one = flavour === 'existing' ? 'none' : 'external';
  expect(said).toEqual([one, one, one]);
});
