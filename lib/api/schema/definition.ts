/** CompositeResourceDefinitions and CustomResourceDefinitions built from zod schemas. */
import type { z } from 'zod';
import type { JsonObject, KubeObject } from '../json.ts';
import { INPUT_API_VERSION } from '../words.ts';
import type { Validation } from './rules.ts';
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
  /** Left out: `fields` are all that it has. */
  readonly spec?: z.ZodType;
  /** Fields beside spec and status. */
  readonly fields?: z.ZodObject;
  readonly status?: z.ZodType;
  /** Rules over the whole object; of metadata they see the name only. Crossplane keeps them from v2.0 on. */
  readonly rules?: readonly Validation[];
  readonly columns: readonly PrinterColumn[];
  /** Default: Namespaced. */
  readonly scope?: 'Cluster';
  /** Besides crossplane and slipway. Default: managed. */
  readonly categories?: readonly string[];
  /** Paths of the scale subresource, for kinds `kubectl scale` works on. */
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath: string;
  };
}

const VERSION = 'v1alpha1';
const IDENTITY = new Set(['apiVersion', 'kind']);
const [INPUT_GROUP = ''] = INPUT_API_VERSION.split('/');

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

/** A plain CRD, for kinds that a controller of ours serves. */
export function customResourceDefinition(definition: Definition): KubeObject {
  const { group, kind, plural, shortNames, scope = 'Namespaced', categories = ['managed'] } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames: [...shortNames],
        categories: ['crossplane', ...categories, 'slipway'],
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

export interface InputDefinition {
  readonly kind: string;
  readonly plural: string;
  readonly description: string;
  /** The whole input, apiVersion and kind with it. */
  readonly schema: z.ZodType;
}

/** A function's input: never stored by itself, so only its schema matters. Compositions carry it inline. */
export function inputDefinition({ kind, plural, description, schema }: InputDefinition): KubeObject {
  const { properties, required = [], ...rest } = structuralSchema(schema);
  const fields = Object.entries(properties ?? {}).filter(([name]) => !IDENTITY.has(name));
  const needed = (required as readonly string[]).filter((name) => !IDENTITY.has(name));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${INPUT_GROUP}` },
    spec: {
      group: INPUT_GROUP,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), categories: ['crossplane'] },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              ...(rest as JsonObject),
              description,
              properties: {
                apiVersion: { type: 'string', description: `Always ${INPUT_API_VERSION}.` },
                kind: { type: 'string', description: `Always ${kind}.` },
                metadata: { type: 'object' },
                ...(Object.fromEntries(fields) as JsonObject),
              },
              ...(needed.length === 0 ? {} : { required: needed }),
            },
          },
        },
      ],
    },
  };
}

function versionBody(definition: Definition): Record<string, unknown> {
  const { description, spec, fields, status, columns, rules = [] } = definition;
  const { properties, required = [] } = fields === undefined ? {} : structuralSchema(fields);
  return {
    additionalPrinterColumns: columns.map((column) => ({ ...column })),
    schema: {
      openAPIV3Schema: {
        type: 'object',
        description,
        required: [...(spec === undefined ? [] : ['spec']), ...(required as readonly string[])],
        ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules.map((rule) => ({ ...rule })) }),
        properties: {
          ...(spec === undefined
            ? {}
            : { spec: { description: `Desired state. ${description}`, ...structuralSchema(spec) } }),
          ...properties,
          ...(status === undefined
            ? {}
            : { status: { description: 'Observed state.', ...structuralSchema(status, { status: true }) } }),
        },
      },
    },
  };
}
