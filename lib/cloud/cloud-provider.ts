/** Whether a cloud controller manager sets up Nodes of a cluster, and with that who sets the labels of their cloud. */
import { z } from 'zod';

/** In the input of the steps that judge labels of claims. */
export const cloudProvider = () =>
  z
    .enum(['external', 'none'])
    .default('external')
    .describe(
      'As in BootstrapInput of the Machine. none: no cloud controller manager labels Nodes, so claims may set its labels, such as topology.kubernetes.io/zone. A claim can override this in spec.bootstrap.config.',
    );

/** @param config  of the bootstrapper, which comes before the input of the Composition */
export function hasCloudController(config: Readonly<Record<string, unknown>>, byDefault: 'external' | 'none'): boolean {
  return (config['cloudProvider'] ?? byDefault) !== 'none';
}
