/** CompositeResourceDefinitions and CustomResourceDefinitions built from zod schemas. */
import type { z } from 'zod';
import type { KubeObject } from '../json.ts';
import { structuralSchema } from './structural.ts';

export interface PrinterColumn {
  readonly name: string;
  readonly jsonPath: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly description: string;
  /** 0 is shown always, anything above with -o wide only. */
  readonly priority?: number;
}

export interface Definition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly description: string;
  readonly spec: z.ZodType;
  readonly status?: z.ZodType;
  readonly columns: readonly PrinterColumn[];
  /** Paths of the scale subresource, for kinds `kubectl scale` works on. */
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath: string;
  };
}

const VERSION = 'v1alpha1';

/** A namespaced XRD of Crossplane v2. Crossplane adds spec.crossplane, status.conditions and its own columns. */
export function compositeResourceDefinition(definition: Definition): KubeObject {
  const { group, kind, plural, shortNames } = definition;
  return {
    apiVersion: 'apiextensions.crossplane.io/v2',
    kind: 'CompositeResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, shortNames: [...shortNames], categories: ['crossplane', 'slipway'] },
      versions: [
        {
          name: VERSION,
          served: true,
          referenceable: true,
          ...versionBody(definition),
          ...(definition.scale === undefined ? {} : { subresources: { scale: definition.scale } }),
        },
      ],
    },
  };
}

/** A plain namespaced CRD, for kinds a controller of ours serves and for function inputs. */
export function customResourceDefinition(definition: Definition): KubeObject {
  const { group, kind, plural, shortNames } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames: [...shortNames],
        categories: ['crossplane', 'managed', 'slipway'],
      },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          ...versionBody(definition),
          ...(definition.status === undefined ? {} : { subresources: { status: {} } }),
        },
      ],
    },
  };
}

function versionBody(definition: Definition): Record<string, unknown> {
  const { description, spec, status, columns } = definition;
  return {
    additionalPrinterColumns: columns.map((column) => ({ ...column })),
    schema: {
      openAPIV3Schema: {
        type: 'object',
        description,
        required: ['spec'],
        properties: {
          spec: { description: `What is wanted. ${description}`, ...structuralSchema(spec) },
          ...(status === undefined
            ? {}
            : { status: { description: 'What is observed.', ...structuralSchema(status, { status: true }) } }),
        },
      },
    },
  };
}
