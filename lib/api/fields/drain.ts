/** How a Node is emptied before it is deleted, or updated with a disruption. */
import { z } from 'zod';
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

// Only the timeout has a default in the schema: machines of earlier releases have no other field, and must not change.
export const Drain = z.strictObject({
  timeout: duration()
    .default('10m')
    .describe('How long the drain may take before onTimeout says what follows. 0s: no limit.'),
  onTimeout: z
    .enum(['Continue', 'Hold'])
    .optional()
    .describe(
      'Default: Continue. Continue: after the timeout the machine is stopped or deleted anyway, and so it is when its cluster was unreachable for 30 minutes. Hold: it stays, and the condition Drained of its WorkloadNode says what it waits for.',
    ),
  volumeDetachTimeout: duration()
    .optional()
    .describe('How long to wait, once the pods are gone, until volumes are detached. 0s: no limit. Default: 10m.'),
  gracePeriodSeconds: z
    .int()
    .min(0)
    .max(86_400)
    .optional()
    .describe('How long evicted pods may take to end. Default: what each pod asks for.'),
  rules: z
    .array(DrainRule)
    .max(16)
    .optional()
    .describe('What is done with which pods; the first rule that selects a pod decides. Others are evicted.'),
  skip: z.boolean().optional().describe('True: the Node is deleted without a drain.'),
});

export type Drain = z.output<typeof Drain>;
export type DrainRule = z.output<typeof DrainRule>;

type Chosen = 'onTimeout' | 'volumeDetachTimeout' | 'rules' | 'skip';

/** A drain with every default. */
export type DrainAsked = Omit<Drain, Chosen> & { readonly [Field in Chosen]-?: NonNullable<Drain[Field]> };

/** @param drain  as it is in an object; undefined: it says nothing */
export function drainAskedIn(drain: unknown): DrainAsked {
  const {
    onTimeout = 'Continue',
    volumeDetachTimeout = '10m',
    rules = [],
    skip = false,
    ...others
  } = Drain.parse(drain ?? {});
  return { ...others, onTimeout, volumeDetachTimeout, rules, skip };
}
