/** When a machine counts as unhealthy and is replaced. */
import { z } from 'zod';
import { intOrPercent, withRule } from '../schema/rules.ts';
import { duration } from './text.ts';

const UnhealthyCondition = z.strictObject({
  type: z
    .string()
    .min(1, { error: 'is not accepted; accepted: the type of a condition of Nodes, such as Ready' })
    .max(316)
    .describe('Condition type of the Node.'),
  status: z.enum(['True', 'False', 'Unknown']).describe('The status that counts as unhealthy.'),
  timeout: duration().describe('How long the condition may have this status.'),
});

/** Conditions of a Node, copied from the Node to the step that judges its health. */
export const nodeConditions = z
  .array(
    z.looseObject({
      type: z.string().describe('Type of the condition.'),
      status: z.string().describe('True, False or Unknown.'),
      lastTransitionTime: z.string().optional().describe('When the status changed.'),
    }),
  )
  .max(32)
  .optional()
  .describe('Conditions of the Node, as the Node has them.');

const RANGE = /^\[([0-9]{1,4})-([0-9]{1,4})\]$/;

// The pattern refuses invalid ranges; both checks may fail here.
const range = withRule(
  z.string().max(11).regex(RANGE, { error: 'is not a range; accepted: two whole numbers such as [1-3]' }),
  {
    cel: "int(self.substring(1, self.indexOf('-'))) <= int(self.substring(self.indexOf('-') + 1, self.size() - 1))",
    holds: (text) => {
      const bounds = rangeOf(text);
      return bounds === undefined || bounds.least <= bounds.most;
    },
    message: 'must not end before it begins',
  },
);

/** The bounds of an `unhealthyRange`, both included; undefined for what is none. */
export function rangeOf(text: string): { readonly least: number; readonly most: number } | undefined {
  const [, least, most] = RANGE.exec(text) ?? [];
  return least === undefined || most === undefined ? undefined : { least: Number(least), most: Number(most) };
}

export const HealthPolicy = z.strictObject({
  nodeStartupTimeout: duration()
    .default('20m')
    .describe(
      'How long a machine may have no Node: a new one until it becomes one, and one whose Node was deleted, even without unhealthyConditions. 0s: no limit.',
    ),
  unhealthyConditions: z
    .array(UnhealthyCondition)
    .max(16)
    .prefault([
      { type: 'Ready', status: 'False', timeout: '5m' },
      { type: 'Ready', status: 'Unknown', timeout: '5m' },
    ])
    .describe('Node conditions that, once they last too long, make a machine unhealthy.'),
  maxUnhealthy: intOrPercent()
    .default('40%')
    .describe(
      'If more machines than this are unhealthy, none is replaced, because the cause is probably elsewhere. A percentage is rounded down, but any percentage above 0% allows at least one machine.',
    ),
  unhealthyRange: range
    .optional()
    .describe(
      'Machines are replaced only while this many are unhealthy, both ends included: [1-3]. If set, it is used instead of maxUnhealthy.',
    ),
  maxInFlight: intOrPercent()
    .optional()
    .describe(
      'How many machines may be in replacement at the same time, as a number or a percentage (rounded up). Default: as many as maxUnhealthy allows.',
    ),
  retryPeriod: duration()
    .default('10m')
    .describe(
      'Minimum age of a replacement machine before it is replaced as well. Doubles with every retry, up to 2h.',
    ),
  minHealthyPeriod: duration()
    .default('1h')
    .describe('How long a replacement machine must have been healthy so that its failure does not count as a retry.'),
  maxRetry: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('How often failed replacement machines are replaced again. Default: no limit.'),
});

export type HealthPolicy = z.output<typeof HealthPolicy>;
