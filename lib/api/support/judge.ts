/** The fields of a claim that its flavour refuses: the same line from functions, `slipway validate` and `slipway plan`. */
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject, sameJson } from '../json.ts';
import { ClusterSpec } from '../kinds/cluster.ts';
import { MachineSpec } from '../kinds/machine.ts';
import { NodePoolSpec } from '../kinds/node-pool.ts';
import { type Leaf, leavesOf } from './leaves.ts';
import { BY_FLAVOUR, type ClaimKind, type FlavourField, type Places } from './rows.ts';
import type { FlavourColumn, Refused, Support } from './support.ts';

const SPECS: Readonly<Record<ClaimKind, z.ZodType>> = {
  Cluster: ClusterSpec,
  NodePool: NodePoolSpec,
  Machine: MachineSpec,
};

export interface RefusedField {
  /** Name of its row. */
  readonly row: FlavourField;
  /** Path in the claim, with the index of an item of a list. */
  readonly field: string;
  readonly value: Json;
  readonly accepted: string;
  /** The list that it is in, if nothing in it is accepted. */
  readonly inList?: Found;
}

/**
 * In the order of the column.
 * @param spec  of the claim, with or without its defaults
 */
export function refusedFields(kind: ClaimKind, spec: JsonObject, { fields }: FlavourColumn): readonly RefusedField[] {
  const ofList = (row: string, path: string): Found | undefined =>
    isRefusedWhole(row, fields) ? valuesAt({ spec }, path.slice(0, path.lastIndexOf('[]')))[0] : undefined;
  return (Object.entries(fields) as readonly (readonly [FlavourField, Support])[]).flatMap(([row, support]) => {
    const path = (BY_FLAVOUR[row] as Places)[kind];
    if (support.is !== 'refused' || path === undefined) return [];
    return valuesAt({ spec }, path)
      .filter(({ value }) => isAsked(value, support, leafAt(kind, path)))
      .map((found) => {
        const inList = ofList(row, path);
        const field = { row, field: found.path, value: found.value, accepted: support.accepted };
        return inList === undefined ? field : { ...field, inList };
      });
  });
}

/** A field of a list none of whose fields has any value that is accepted. */
function isRefusedWhole(row: string, fields: FlavourColumn['fields']): boolean {
  const list = /^.*\[\]/.exec(row)?.[0];
  if (list === undefined) return false;
  const others = Object.entries(fields).filter(([name]) => name.startsWith(list));
  return others.every(([, support]) => support.is === 'refused' && support.except === undefined);
}

/** What is not there, is empty, or is what its absence means, asks for nothing. */
function isAsked(value: Json, { except = [] }: Refused, leaf: Leaf | undefined): boolean {
  if (value === null || sameJson(value, leaf?.otherwise)) return false;
  if (typeof value === 'object' && Object.keys(value).length === 0) return false;
  return !except.some((one) => sameJson(one, value));
}

/** Every field of a kind that has no fields of its own. */
export function claimLeaves(kind: ClaimKind): readonly Leaf[] {
  const known = walked.get(kind);
  if (known !== undefined) return known;
  const leaves = leavesOf(SPECS[kind], 'spec');
  walked.set(kind, leaves);
  return leaves;
}

/** Schemas do not change. */
const walked = new Map<ClaimKind, readonly Leaf[]>();

function leafAt(kind: ClaimKind, path: string): Leaf | undefined {
  return claimLeaves(kind).find((leaf) => leaf.path === path);
}

interface Found {
  readonly path: string;
  readonly value: Json;
}

/** The values at a path of a leaf, each with the indexes that lead to it. */
export function valuesAt(document: JsonObject, path: string): readonly Found[] {
  const steps = path.replaceAll('[]', '.[]').split('.');
  return steps.reduce<readonly Found[]>(
    (here, step) => here.flatMap((one) => membersOf(one, step)),
    [{ path: '', value: document }],
  );
}

function membersOf({ path, value }: Found, step: string): readonly Found[] {
  if (step === '[]')
    return Array.isArray(value) ? value.map((item: Json, index) => ({ path: `${path}[${index}]`, value: item })) : [];
  const member = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return member === undefined ? [] : [{ path: path === '' ? step : `${path}.${step}`, value: member }];
}
