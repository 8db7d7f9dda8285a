/** How machines get from what they are to what they should be. */
import { z } from 'zod';
import { intOrPercent, withRule } from '../schema/rules.ts';
import { duration, time } from './text.ts';

export const Drain = z.strictObject({
  timeout: duration()
    .default('10m')
    .describe('How long evictions may take before the machine goes anyway. 0s waits for ever.'),
});

const fallback = z
  .enum(['Recreate', 'Hold'])
  .default('Recreate')
  .describe(
    'What happens to a machine whose change nobody can carry out in place: it is replaced, or it stays as it is and the blocking fields are named in status.',
  );

const rollout = {
  rolloutAfter: time()
    .optional()
    .describe(
      'Once this time has come, machines made before it are replaced, one roll-out for each time: a restart without any other change.',
    ),
  minReadySeconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(0)
    .describe('How many seconds a machine must have been ready to count as available.'),
};

const isZero = (value: number | string): boolean => value === 0 || value === '0%';

/** A pool's policy. */
export const UpdatePolicy = withRule(
  z.strictObject({
    strategy: z
      .enum(['RollingUpdate', 'OnDelete'])
      .default('RollingUpdate')
      .describe('RollingUpdate replaces machines within the budgets; OnDelete only those somebody deletes.'),
    maxSurge: intOrPercent()
      .default(1)
      .describe('How many machines there may be beyond replicas, as a number or a percentage (rounded up).'),
    maxUnavailable: intOrPercent()
      .default(0)
      .describe(
        'How many of replicas may be unavailable, as a number or a percentage (rounded down, but not to none where maxSurge is none).',
      ),
    fallback,
    ...rollout,
    drain: Drain.prefault({}).describe('How a Node is emptied before its machine stops or goes.'),
  }),
  {
    // Two comparisons each: the API server refuses a list literal of a number and a string.
    cel: "!((self.maxSurge == 0 || self.maxSurge == '0%') && (self.maxUnavailable == 0 || self.maxUnavailable == '0%'))",
    holds: ({ maxSurge, maxUnavailable }) => !(isZero(maxSurge) && isZero(maxUnavailable)),
    message: 'must leave room: maxSurge and maxUnavailable cannot both be zero',
  },
);

/** The control plane's policy: always one machine after the other, created before the old one goes. */
export const ControlPlaneUpdatePolicy = z.strictObject({
  fallback,
  ...rollout,
  drain: Drain.prefault({}).describe('How a Node is emptied before its machine stops or goes.'),
});

export type UpdatePolicy = z.output<typeof UpdatePolicy>;
