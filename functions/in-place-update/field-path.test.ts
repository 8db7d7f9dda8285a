import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { fieldPath } from '#lib/api/fields/field-path.ts';
import { MachineSpec } from '#lib/api/kinds/machine.ts';
import { covers, includes, knownSteps, stepsOf } from './field-path.ts';

describe('the path of a rule', () => {
  test.for([
    { path: 'spec.labels', steps: ['spec', 'labels'] },
    { path: 'spec.taints[*].value', steps: ['spec', 'taints', '*', 'value'] },
    { path: 'metadata.labels["example.org/team"]', steps: ['metadata', 'labels', 'example.org/team'] },
  ])('is split into steps: $path', ({ path, steps }) => {
    expect(stepsOf(path)).toEqual(steps);
  });

  test.for(['status.phase', 'spec.taints[0]', 'metadata.name', 'spec..labels', ''])(
    'is refused when it contains no field of ours: %s',
    (path) => {
      expect(fieldPath().safeParse(path).success).toBe(false);
    },
  );

  test.for([
    { rule: 'spec.taints[*].value', path: ['spec', 'taints', 3, 'value'], want: true, why: 'any item' },
    { rule: 'spec.taints', path: ['spec', 'taints', 3, 'value'], want: true, why: 'all fields below' },
    { rule: 'spec', path: ['spec', 'version'], want: true, why: 'a prefix' },
    { rule: 'spec.taints[*].value', path: ['spec', 'taints', 3, 'key'], want: false, why: 'another field' },
    {
      rule: 'spec.label',
      path: ['spec', 'labels'],
      want: false,
      why: 'a prefix consists of whole steps, not of letters',
    },
    { rule: 'spec.taints[*].value', path: ['spec', 'taints'], want: false, why: 'wider than the rule' },
  ])('$rule and $path: $want, $why', ({ rule, path, want }) => {
    expect(covers(stepsOf(rule), path)).toBe(want);
  });

  it('includes narrower paths, and never the other way round', () => {
    expect(includes(stepsOf('spec.machine'), stepsOf('spec.machine.rootDisk'))).toBe(true);
    expect(includes(stepsOf('spec.machine.rootDisk'), stepsOf('spec.machine'))).toBe(false);
  });
});

describe('a kind', () => {
  const schema = z.object({ spec: MachineSpec });
  test.for([
    { path: 'spec.machine.rootDisk.sizeGiB', want: 4 },
    { path: 'spec.machine.rootDsk.sizeGiB', want: 2 },
    { path: 'spec.lables', want: 1 },
    { path: 'spec.labels.team', want: 3 },
    { path: 'spec.taints[*].value', want: 4 },
    { path: 'spec.taints.value', want: 2 },
    { path: 'spec.bootstrap.config.clusterConfiguration.etcd', want: 5 },
    { path: 'spec.infrastructure.overrides[*].patch.spec', want: 6 },
  ])('has the field $path up to step $want', ({ path, want }) => {
    expect(knownSteps(schema, stepsOf(path))).toBe(want);
  });
});
