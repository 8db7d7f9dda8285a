/** A Machine's spec as its schema reads it, for whoever compares two of them. */
import type { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { MachineSpec } from './machine.ts';

/**
 * With every default, so that what an older release left out is no difference. Fields that only a newer release knows
 * stay as they are. What no schema accepts is returned as it is.
 */
export function readMachineSpec(spec: JsonObject): JsonObject {
  const { known, newer } = read(spec);
  return newer.reduce<Json>((whole, path) => withValue(whole, path, at(spec, path)), known) as JsonObject;
}

/** The same without the fields that only a newer release knows. */
export function knownMachineSpec(spec: JsonObject): JsonObject {
  return read(spec).known;
}

interface Read {
  readonly known: JsonObject;
  readonly newer: readonly Path[];
}

function read(spec: JsonObject): Read {
  const parsed = MachineSpec.safeParse(spec);
  if (parsed.success) return { known: parsed.data as unknown as JsonObject, newer: [] };
  const newer = parsed.error.issues.flatMap(unknownFields);
  const again = MachineSpec.safeParse(newer.reduce<Json>(without, spec));
  return again.success ? { known: again.data as unknown as JsonObject, newer } : { known: spec, newer: [] };
}

type Path = readonly PropertyKey[];

function unknownFields(issue: z.core.$ZodIssue): readonly Path[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [];
}

function at(value: Json | undefined, [key, ...rest]: Path): Json | undefined {
  if (key === undefined) return value;
  const member = Array.isArray(value) ? value[Number(key)] : isJsonObject(value) ? value[String(key)] : undefined;
  return at(member as Json | undefined, rest);
}

function without(value: Json, path: Path): Json {
  return withValue(value, path, undefined);
}

function withValue(value: Json | undefined, [key, ...rest]: Path, member: Json | undefined): Json {
  if (key === undefined) return member ?? null;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (index === key ? withValue(item, rest, member) : item));
  const { [String(key)]: old, ...others } = isJsonObject(value) ? value : {};
  if (rest.length === 0 && member === undefined) return others;
  return { ...others, [String(key)]: withValue(old, rest, member) };
}
