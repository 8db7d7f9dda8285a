/** Which objects are meant, by their labels: the selector of Kubernetes. */
import { z } from 'zod';
import { own } from '../json.ts';
import { withRule } from '../schema/rules.ts';

const Requirement = withRule(
  z.strictObject({
    key: z
      .string()
      .min(1, { error: 'is not accepted; accepted: the key of a label, such as app' })
      .max(317)
      .describe('Key of the label.'),
    operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']).describe('How the label is compared.'),
    values: z.array(z.string().max(63)).max(32).default([]).describe('Values for In and NotIn; the others have none.'),
  }),
  {
    cel: "(self.operator == 'In' || self.operator == 'NotIn') == (size(self.values) > 0)",
    holds: ({ operator, values }) => (operator === 'In' || operator === 'NotIn') === values.length > 0,
    message: 'must have values for In and NotIn, and none for Exists and DoesNotExist',
  },
);

export const LabelSelector = z.strictObject({
  matchLabels: z
    .record(z.string().max(317), z.string().max(63))
    .prefault({})
    .describe('Labels that the object must have.'),
  matchExpressions: z.array(Requirement).max(16).prefault([]).describe('What must hold for its labels as well.'),
});

export type LabelSelector = z.output<typeof LabelSelector>;

/** Whether all of a selector holds; an empty one holds for every object. */
export function selects(
  { matchLabels, matchExpressions }: LabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, wanted]) => own(labels, key) === wanted) &&
    matchExpressions.every(({ key, operator, values }) => {
      const found = own(labels, key);
      if (operator === 'Exists') return found !== undefined;
      if (operator === 'DoesNotExist') return found === undefined;
      // As in Kubernetes, an object without the label is not in the values.
      return (found !== undefined && values.includes(found)) === (operator === 'In');
    })
  );
}
