/** Labels, annotations and taints that a pool owns on its Nodes. */
import { z } from 'zod';

export const Taint = z.strictObject({
  key: z.string().min(1).max(317).describe('Key of the taint.'),
  value: z.string().max(63).optional().describe('Value of the taint.'),
  effect: z
    .enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
    .describe('What the taint does to pods that do not tolerate it.'),
});

export type Taint = z.output<typeof Taint>;

export const nodeMarks = {
  labels: z
    .record(z.string().max(317), z.string().max(63))
    .prefault({})
    .describe('Labels the Nodes carry. A label taken out here is taken off the Nodes.'),
  annotations: z
    .record(z.string().max(317), z.string().max(4096))
    .prefault({})
    .describe('Annotations the Nodes carry.'),
  taints: z.array(Taint).max(50).prefault([]).describe('Taints the Nodes carry.'),
};
