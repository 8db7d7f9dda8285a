/** `$(field)` in the values of a default: fields of the Cluster that a platform cannot know. */
import { SlipwayError } from '#lib/api/errors.ts';
import { bootstrapperTraits } from '../bootstrap/traits.ts';
import { INPUT_NAME } from './input.ts';
import { fieldOf, type Situation } from './situation.ts';

/** What selects control-plane Nodes: each bootstrapper labels them in its own way. */
const CONTROL_PLANE_NODES = 'bootstrap.controlPlaneNodes';

const PLACEHOLDER = /\$\(([A-Za-z.]+)\)/g;
const ONLY = /^\$\(([A-Za-z.]+)\)$/;

const ACCEPTED = ['metadata.name', 'spec.network.', 'status.infrastructure.', 'status.controlPlaneEndpoint.'] as const;

/** A text that is only a placeholder becomes the value with its type. */
export interface Filled {
  readonly value: unknown;
  /** Fields that are not known yet. */
  readonly unknown: readonly string[];
}

/** Throws InvalidInput for a field that no default may have. */
export function filled(value: unknown, situation: Situation): Filled {
  const unknown = new Set<string>();
  const known = (field: string): unknown => {
    if (field === CONTROL_PLANE_NODES)
      return bootstrapperTraits(situation.cluster.spec.bootstrap.provider).controlPlaneNodes;
    if (!ACCEPTED.some((one) => (one.endsWith('.') ? field.startsWith(one) : field === one)))
      throw new SlipwayError(
        'InvalidInput',
        `cannot accept ${INPUT_NAME}: defaults: $(${field}) is not accepted; accepted: fields of the Cluster below ${ACCEPTED.map((one) => one.replace(/\.$/, '')).join(', ')}, and ${CONTROL_PLANE_NODES}`,
      );
    const found = fieldOf(situation, field.split('.'));
    if (found === undefined || found === null) unknown.add(field);
    return found ?? '';
  };
  const fill = (here: unknown): unknown => {
    if (typeof here === 'string') {
      const [, whole] = ONLY.exec(here) ?? [];
      return whole === undefined
        ? here.replaceAll(PLACEHOLDER, (_, field: string) => textOf(field, known(field)))
        : known(whole);
    }
    if (Array.isArray(here)) return here.map(fill);
    if (typeof here !== 'object' || here === null) return here;
    return Object.fromEntries(Object.entries(here).map(([key, item]) => [key, fill(item)]));
  };
  return { value: fill(value), unknown: [...unknown] };
}

function textOf(field: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new SlipwayError(
    'InvalidInput',
    `cannot accept ${INPUT_NAME}: defaults: $(${field}) is an object, and cannot be part of a text`,
  );
}
