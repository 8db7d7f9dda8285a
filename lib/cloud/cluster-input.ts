/** What every cloud's Composition tells the cluster step; a cloud adds a section of its own. */
import { z } from 'zod';
import { inputFields, inputName, providerConfigRef } from '#lib/fn/input.ts';

const word = () => z.string().min(1).max(63);

export const CLUSTER_INPUT = {
  ...inputFields('ClusterInput'),
  regions: z
    .record(word(), word())
    .prefault({})
    .describe('Neutral words of claims to the cloud’s regions, such as eu-west to eu-west-1. Others pass through.'),
  zones: z
    .record(word(), z.array(word()).min(1).max(7))
    .prefault({})
    .describe('Zones to use, by the cloud’s region. A region that is not here uses its zones a, b and c.'),
  providerConfigRef: providerConfigRef(),
  tags: z
    .record(z.string().min(1).max(128), z.string().max(256))
    .prefault({})
    .describe('Tags on every cloud object of every cluster, beside those Slipway needs.'),
};

export type NeutralClusterInput = z.output<z.ZodObject<typeof CLUSTER_INPUT>>;

/** How messages call this input, the same as where it is read. */
export const INPUT_NAME = inputName('ClusterInput');
