/** Something that people write and that nothing accepts, alone in a claim that is right otherwise. */
import type { JsonObject } from '#lib/api/json.ts';

export interface Input {
  readonly name: string;
  readonly kind: 'Cluster' | 'NodePool';
  /** Replaces fields of the spec. */
  readonly spec: JsonObject;
  /** metadata.name; left out: one that is accepted. */
  readonly called?: string;
}

const of = (kind: Input['kind'], cases: Readonly<Record<string, JsonObject>>): readonly Input[] =>
  Object.entries(cases).map(([name, spec]) => ({ name, kind, spec }));

export const cluster = (cases: Readonly<Record<string, JsonObject>>) => of('Cluster', cases);
export const pool = (cases: Readonly<Record<string, JsonObject>>) => of('NodePool', cases);

export const settings = (config: JsonObject): JsonObject => ({ bootstrap: { config } });
export const host = (fields: JsonObject): JsonObject => ({ provisioning: fields });
