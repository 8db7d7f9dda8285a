/** Labels, annotations and taints that a pool owns on its Nodes. */
import { z } from 'zod';

export const Taint = z.strictObject({
  key: z
    .string()
    .max(317)
    .regex(/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/, {
      error: 'is not the key of a taint; accepted: a name such as example.com/team',
    })
    .describe('Key of the taint.'),
  value: z
    .string()
    .max(63)
    .regex(/^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/, {
      error: 'is not the value of a taint; accepted: letters, digits, -, _ and .',
    })
    .optional()
    .describe('Value of the taint.'),
  effect: z
    .enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
    .describe('What the taint does to pods that do not tolerate it.'),
});

export type Taint = z.output<typeof Taint>;

export const nodeMarks = {
  labels: z
    .record(z.string().max(317), z.string().max(63))
    .prefault({})
    .describe('Labels of the Nodes. A label removed here is removed from the Nodes.'),
  annotations: z.record(z.string().max(317), z.string().max(4096)).prefault({}).describe('Annotations of the Nodes.'),
  taints: z.array(Taint).max(50).prefault([]).describe('Taints of the Nodes.'),
};
