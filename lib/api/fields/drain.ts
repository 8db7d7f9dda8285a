/** How a Node is emptied before it is deleted, or updated with a disruption. */
import { z } from 'zod';
import { own, sameJson } from '../json.ts';
import { LabelSelector } from './selector.ts';
import { duration } from './text.ts';

export const DrainRule = z.strictObject({
  behaviour: z
    .enum(['Drain', 'Skip', 'WaitCompleted'])
    .describe(
      'Drain: the pods are evicted. Skip: they stay. WaitCompleted: they are not evicted, and the drain waits until they have finished.',
    ),
  order: z
    .int()
    .min(-1000)
    .max(1000)
    .default(0)
    .describe(
      'Pods of a higher order are left alone until all of a lower order are gone. Pods that no rule selects have order 0.',
    ),
  podSelector: LabelSelector.prefault({}).describe('Labels of the pods. Default: all pods.'),
  namespaceSelector: LabelSelector.prefault({}).describe('Labels of their namespaces. Default: all namespaces.'),
});

export const Drain = z.strictObject({
  timeout: duration()
    .default('10m')
    .describe('How long the drain may take before onTimeout says what follows. 0s: no limit.'),
  onTimeout: z
    .enum(['Continue', 'Hold'])
    .default('Continue')
    .describe(
      'Continue: after the timeout the machine is stopped or deleted anyway, and so it is when its cluster was unreachable for 30 minutes. Hold: it stays, and the condition Drained of its WorkloadNode says what it waits for.',
    ),
  volumeDetachTimeout: duration()
    .default('10m')
    .describe('How long to wait, once the pods are gone, until volumes are detached. 0s: no limit.'),
  gracePeriodSeconds: z
    .int()
    .min(0)
    .max(86_400)
    .optional()
    .describe('How long evicted pods may take to end. Default: what each pod asks for.'),
  rules: z
    .array(DrainRule)
    .max(16)
    .prefault([])
    .describe('What is done with which pods; the first rule that selects a pod decides. Others are evicted.'),
  skip: z.boolean().default(false).describe('True: the Node is deleted without a drain.'),
});

/** What differs from the defaults, and the timeout: a definition of an earlier release knows no other fields. */
export function chosen(drain: Drain): Partial<Drain> & Pick<Drain, 'timeout'> {
  const defaults: Readonly<Record<string, unknown>> = Drain.parse({});
  const differs = ([key, value]: readonly [string, unknown]): boolean => !sameJson(value, own(defaults, key));
  return { ...Object.fromEntries(Object.entries(drain).filter(differs)), timeout: drain.timeout };
}

export type Drain = z.output<typeof Drain>;
export type DrainRule = z.output<typeof DrainRule>;
