/** nodeadm as validator of user data: the program itself, with a fake of EC2, and the schema of its NodeConfig. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { at, isJsonObject, type JsonObject } from '#lib/api/json.ts';
import { closedSchema } from '../support/closed-schema.ts';
import { NODE_CONFIG_CRD, NODEADM } from './build-nodeadm.ts';
import { cached, type Found } from './cache.ts';
import { runCommand } from './run.ts';

export function nodeadmOf(): Found {
  return cached(...NODEADM);
}

export function nodeConfigCrd(): Found {
  return cached(...NODE_CONFIG_CRD);
}

/**
 * The output of `nodeadm config check` for a machine with that user data; undefined when its configuration is valid.
 */
export function nodeadmProblem(nodeadm: string, userData: string): string | undefined {
  const args = [join(import.meta.dirname, 'instance-metadata.ts'), nodeadm, 'config', 'check'];
  const { ok, output } = runCommand(process.execPath, args, { input: userData });
  return ok && output.includes('Configuration is valid') ? undefined : output;
}

/**
 * A validator that lists the errors of the schema for a NodeConfig; unknown fields are listed by their dotted paths.
 */
export function nodeConfigJudge(crdPath: string): (nodeConfig: unknown) => readonly string[] {
  const [version] = at(parse(readFileSync(crdPath, 'utf8')), 'spec', 'versions') as unknown as readonly JsonObject[];
  const ajv = new Ajv.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(closedSchema(withRaw(at(version, 'schema', 'openAPIV3Schema'))));
  return (nodeConfig) => {
    if (validate(nodeConfig)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const unknown = (params as { readonly additionalProperty?: string }).additionalProperty;
      const place = instancePath.slice(1).replaceAll('/', '.');
      return unknown === undefined ? `${place}: ${message ?? ''}` : `${place}.${unknown}: unknown field`;
    });
  };
}

/** For a field of any type the generator of the CRD writes object. */
function withRaw(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withRaw);
  if (!isJsonObject(schema)) return schema;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true && schema['properties'] === undefined) return {};
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withRaw(value)]));
}
