/** The data for the Talos configuration of a machine. */
import type { Secrets } from '../machine-secrets.ts';
import type { MachineFacts } from '../machine-facts.ts';
import type { TalosConfig } from './config.ts';

export interface TalosFacts extends MachineFacts {
  readonly config: TalosConfig;
  readonly secrets: Secrets;
}

export function isControlPlane({ machine }: TalosFacts): boolean {
  return machine.spec.role === 'control-plane';
}

export function endpointUrl({ endpoint: { host, port } }: TalosFacts): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
