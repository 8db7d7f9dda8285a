/** Kinds from CustomResourceDefinitions and CompositeResourceDefinitions. */
import { SlipwayError } from '#lib/api/errors.ts';
import { type KubeObject, at, isJsonObject, sameJson, stringAt } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import type { Issue } from '#lib/api/parse.ts';
import { validateRules } from '#lib/api/schema/cel.ts';
import type { Kind } from './kinds.ts';
import { CONDITIONS, METADATA, type Schema } from './schema/node.ts';

/** The kind of a CustomResourceDefinition, in its storage version. */
export function kindOfCrd(crd: KubeObject): Kind {
  const version = versionOf(crd, 'storage');
  const hasStatus = at(version, 'subresources', 'status') !== undefined;
  return served(crd, version, { hasStatus, composite: false, schema: schemaOf(crd, version) });
}

/**
 * The kind that an XRD of Crossplane v2 defines: its own schema with the fields of Crossplane.
 * @param policy default update policy if the XRD sets none: an API server defaults every XRD to Automatic, one read
 * from a file has none
 */
export function kindOfXrd(xrd: KubeObject, policy?: 'Automatic'): Kind {
  const version = versionOf(xrd, 'referenceable');
  const own = schemaOf(xrd, version);
  const schema: Schema = {
    ...own,
    properties: {
      ...own.properties,
      spec: withMembers(own.properties?.['spec'], {
        crossplane: machinery(stringAt(xrd, 'spec', 'defaultCompositionUpdatePolicy') ?? policy),
      }),
      status: withMembers(own.properties?.['status'], { conditions: XR_CONDITIONS }),
    },
  };
  return served(xrd, version, { hasStatus: true, composite: true, schema });
}

function served(
  definition: KubeObject,
  version: unknown,
  parts: { readonly hasStatus: boolean; readonly composite: boolean; readonly schema: Schema },
): Kind {
  const schema: Schema = {
    ...parts.schema,
    properties: {
      ...parts.schema.properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: METADATA,
    },
  };
  return {
    apiVersion: `${stringAt(definition, 'spec', 'group') ?? ''}/${stringAt(version, 'name') ?? ''}`,
    kind: stringAt(definition, 'spec', 'names', 'kind') ?? '',
    namespaced: at(definition, 'spec', 'scope') === 'Namespaced',
    hasStatus: parts.hasStatus,
    composite: parts.composite,
    schema,
    check: (after, before) => ruleIssues(schema, after, before),
  };
}

/** CEL rules; a write that does not change spec is only checked by the other rules. */
function ruleIssues(schema: Schema, after: KubeObject, before: KubeObject | undefined): readonly Issue[] {
  if (before === undefined || !sameJson(after.spec, before.spec)) return validateRules(schema, after, before);
  const status = schema.properties?.['status'];
  return status === undefined ? [] : validateRules(status, after.status, before.status, 'status');
}

function versionOf(definition: KubeObject, chosen: 'storage' | 'referenceable'): unknown {
  const versions = at(definition, 'spec', 'versions');
  const list: readonly unknown[] = Array.isArray(versions) ? versions : [];
  const version = list.find((item) => at(item, chosen) === true) ?? list[0];
  if (version !== undefined && stringAt(definition, 'spec', 'names', 'kind') !== undefined) return version;
  throw new SlipwayError(
    'InvalidInput',
    `cannot load ${describeObject(definition)}: spec.names.kind and a ${chosen} entry of spec.versions are required`,
  );
}

function schemaOf(definition: KubeObject, version: unknown): Schema {
  const schema = at(version, 'schema', 'openAPIV3Schema');
  if (isJsonObject(schema)) return schema;
  throw new SlipwayError(
    'InvalidInput',
    `cannot load ${describeObject(definition)}: spec.versions[].schema.openAPIV3Schema is required`,
  );
}

function withMembers(schema: Schema | undefined, members: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', ...schema, properties: { ...schema?.properties, ...members } };
}

const text: Schema = { type: 'string' };
const named: Schema = { type: 'object', required: ['name'], properties: { name: text } };
const selector: Schema = {
  type: 'object',
  required: ['matchLabels'],
  properties: { matchLabels: { type: 'object', additionalProperties: text } },
};

/** spec.crossplane of a namespaced XR, as Crossplane adds it (crossplane-runtime pkg/xcrd). */
const machinery = (policy: string | undefined): Schema => ({
  type: 'object',
  properties: {
    compositionRef: named,
    compositionSelector: selector,
    compositionRevisionRef: named,
    compositionRevisionSelector: selector,
    compositionUpdatePolicy: {
      type: 'string',
      enum: ['Automatic', 'Manual'],
      ...(policy === undefined ? {} : { default: policy }),
    },
    resourceRefs: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'object',
        required: ['apiVersion', 'kind'],
        properties: { apiVersion: text, kind: text, name: text },
      },
    },
  },
});

const XR_CONDITIONS: Schema = {
  ...CONDITIONS,
  items: {
    type: 'object',
    required: ['lastTransitionTime', 'reason', 'status', 'type'],
    properties: {
      lastTransitionTime: text,
      message: text,
      reason: text,
      status: text,
      type: text,
      observedGeneration: { type: 'integer' },
    },
  },
};
