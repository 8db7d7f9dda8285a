/** How machines are updated. */
import { z } from 'zod';
import { intOrPercent, onAdmission, withRule } from '../schema/rules.ts';
import { Drain } from './drain.ts';
import { time } from './text.ts';

const fallback = z
  .enum(['Recreate', 'Hold'])
  .default('Recreate')
  .describe(
    'What happens to a machine whose change cannot be made in place. Recreate: it is replaced. Hold: it stays as it is, and status names the blocking fields.',
  );

const rollout = {
  rolloutAfter: time()
    .optional()
    .describe(
      'Once this time has passed, machines created before it are replaced, in one roll-out for each value. This restarts machines without any other change.',
    ),
  expireAfter: z
    .string()
    .max(8)
    .regex(/^(2[4-9]|[3-9][0-9]|[1-9][0-9]{2,5})h$/, {
      error: 'is not accepted; accepted: hours from 24h on, such as 8000h',
    })
    .optional()
    .describe(
      'A machine is replaced once it is as old, such as 8000h: its certificates never expire, and its image never gets older. Default: machines live for ever, also when the certificates of a control plane expire, mostly after one year.',
    ),
  minReadySeconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(0)
    .describe('How many seconds a machine must have been ready to count as available.'),
};

/** A pool has at most as many machines. */
export const MOST_MACHINES = 2000;
const TOO_MANY = `is not accepted; accepted: at most ${MOST_MACHINES}, or a percentage such as 25%`;

const isZero = (value: number | string): boolean => value === 0 || value === '0%';

/** A pool's policy. */
export const UpdatePolicy = withRule(
  z.strictObject({
    strategy: z
      .enum(['RollingUpdate', 'OnDelete'])
      .default('RollingUpdate')
      .describe(
        'RollingUpdate replaces machines within maxSurge and maxUnavailable. OnDelete replaces only machines that you delete.',
      ),
    maxSurge: onAdmission(intOrPercent(), { cel: 'type(self) == string || self <= 2000', message: TOO_MANY })
      .default(1)
      .describe('How many machines may exist in addition to replicas, as a number or a percentage (rounded up).'),
    maxUnavailable: onAdmission(intOrPercent(), { cel: 'type(self) == string || self <= 2000', message: TOO_MANY })
      .default(0)
      .describe(
        'How many of replicas may be unavailable, as a number or a percentage (rounded down, but at least 1 if maxSurge is 0).',
      ),
    fallback,
    ...rollout,
    drain: Drain.prefault({}).describe('How a Node is drained before its machine is stopped or deleted.'),
  }),
  {
    // Two comparisons each: the API server refuses a list literal of a number and a string.
    cel: "!((self.maxSurge == 0 || self.maxSurge == '0%') && (self.maxUnavailable == 0 || self.maxUnavailable == '0%'))",
    holds: ({ maxSurge, maxUnavailable }) => !(isZero(maxSurge) && isZero(maxUnavailable)),
    message: 'must allow progress: maxSurge and maxUnavailable cannot both be zero',
  },
);

/** The policy of a control plane: always one machine after another, created before the old one is deleted. */
export const ControlPlaneUpdatePolicy = z.strictObject({
  fallback,
  ...rollout,
  drain: Drain.prefault({}).describe('How a Node is drained before its machine is stopped or deleted.'),
});

export type UpdatePolicy = z.output<typeof UpdatePolicy>;
