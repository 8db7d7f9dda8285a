/** When a machine counts as unhealthy and is replaced. */
import { z } from 'zod';
import { intOrPercent } from '../schema/rules.ts';
import { duration } from './text.ts';

const UnhealthyCondition = z.strictObject({
  type: z.string().min(1).max(316).describe('Condition type of the Node.'),
  status: z.enum(['True', 'False', 'Unknown']).describe('The status that is unhealthy.'),
  timeout: duration().describe('How long it may last.'),
});

export const HealthPolicy = z.strictObject({
  nodeStartupTimeout: duration()
    .default('20m')
    .describe('How long a new machine may take to become a Node. 0s waits for ever.'),
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
    .describe('When more machines than this are unhealthy none is replaced: the fault lies elsewhere.'),
});

export type HealthPolicy = z.output<typeof HealthPolicy>;
