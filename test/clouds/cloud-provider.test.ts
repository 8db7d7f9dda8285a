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
  const said = readObjects([join(folder, flavour)]).flatMap((composition) => {
    const kind = stringAt(composition, 'spec', 'compositeTypeRef', 'kind') as keyof typeof ASKING;
    const steps = at(composition, 'spec', 'pipeline') as readonly Json[];
    const named = (name: string) => steps.find((step) => stringAt(step, 'step') === name);
    // The step of a Cluster itself reads nothing of it.
    if (kind === 'Cluster') expect(stringAt(named('bootstrap'), 'input', 'cloudProvider')).toBeUndefined();
    return [stringAt(named(ASKING[kind]), 'input', 'cloudProvider') ?? 'external'];
  });
  expect(said).toHaveLength(3);
  expect(new Set(said)).toEqual(new Set([flavour === 'existing' ? 'none' : 'external']));
});
