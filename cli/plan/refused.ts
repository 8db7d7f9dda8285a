/** A refused edit, with the message of whoever refuses it. */
import { z } from 'zod';
import { accepted, show, UNKNOWN_FIELD, withoutValue, withValue } from '#lib/api/issues.ts';
import { type KubeObject, own } from '#lib/api/json.ts';
import { LONGEST_NAME, nameFault } from '#lib/api/kinds/claim-name.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import { Machine } from '#lib/api/kinds/machine.ts';
import { NodePool } from '#lib/api/kinds/node-pool.ts';
import { type Issue, issuesOf } from '#lib/api/parse.ts';
import { rulesAt } from '#lib/api/schema/path.ts';
import { KEPT } from '#lib/api/schema/rules.ts';
import { isSecret, shownChange } from '#lib/api/shown.ts';
import { withOption } from '../files/namespaces.ts';
import { parsePath, type Path, valueAt } from './difference.ts';
import type { PlanEntry } from './entry.ts';
import type { Refusal } from './refusal.ts';
import type { Owner } from './resources.ts';
import { nameOf } from './world.ts';

/** A function refuses the claim: it is stored, but has no effect. */
export function refusedEntry(claim: KubeObject, owner: Owner, { step, field, reason }: Refusal): PlanEntry {
  return {
    ...about(claim, owner),
    field,
    decision: 'Refused',
    reason,
    blockedBy: step === undefined ? 'the choice of its Composition' : `step "${step}" of its Composition`,
    held: true,
  };
}

/** The API refuses the claim: it is not stored. */
export function refusedEntries(
  claim: KubeObject,
  live: KubeObject | undefined,
  owner: Owner,
  issues: readonly Issue[],
): readonly PlanEntry[] {
  return inOurWords(
    claim,
    withName(
      claim,
      issues.map((issue) => atItsField(claim, issue)),
    ),
  ).map(({ path, message }) => {
    const steps = parsePath(path);
    const secret = steps.length > 0 && isSecret(steps, claim);
    const change = shownChange({ old: valueAt(live, steps), new: valueAt(claim, steps) }, steps, claim);
    return {
      ...about(claim, owner),
      field: path,
      ...change,
      decision: 'Refused',
      reason: secret
        ? withoutSecret(message, claim, steps)
        : (kept(claim, steps, message, change) ?? withOption(withSubject(message))),
      blockedBy: 'the API',
      held: true,
    };
  });
}

/** A rule about the whole object begins with the field that it blames. */
function atItsField(claim: KubeObject, issue: Issue): Issue {
  const [, path, message] = /^((?:spec|metadata)\.[A-Za-z.]+) (.+)$/s.exec(issue.message) ?? [];
  if (issue.path !== '' || path === undefined || message === undefined) return issue;
  return { path, message: withValue(valueAt(claim, parsePath(path)), message) };
}

/** Of the name of a claim the functions accept less than the API server: the one rule of theirs that it breaks. */
function withName(claim: KubeObject, issues: readonly Issue[]): readonly Issue[] {
  const kind = Object.keys(LONGEST_NAME).find((one) => one === claim.kind) as keyof typeof LONGEST_NAME | undefined;
  const message = kind && nameFault(kind, nameOf(claim));
  const others = issues.filter(({ path }) => path !== 'metadata.name');
  return message === undefined || others.length === issues.length
    ? issues
    : [{ path: 'metadata.name', message }, ...others];
}

/** Of what is beside claims, only its own fields: the API server has no others to refuse. */
const KINDS: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(
    NODE_KINDS.flatMap(({ kind, spec }) => (spec === undefined ? [] : [[kind, z.looseObject({ spec })]])),
  ),
  Cluster,
  NodePool,
  Machine,
};

/**
 * What the functions say of the same fields: the API server says only which pattern a text does not match, and of a rule
 * about an object not which of its fields is wrong.
 */
function inOurWords(claim: KubeObject, issues: readonly Issue[]): readonly Issue[] {
  const { status: _status, ...document } = claim;
  const schema = own(KINDS, claim.kind);
  const parsed = schema?.safeParse(document, { error: accepted });
  if (schema === undefined || parsed?.error === undefined) return issues;
  const ours = issuesOf(schema, parsed.error, document);
  const theirs = new Set(issues.map(({ path }) => path));
  return issues.flatMap((issue) => {
    const same = ours.filter(({ path }) => path === issue.path);
    if (same.length > 0 || issue.path === '') return same.length > 0 ? same : [issue];
    const below = ours.filter(({ path }) => path.startsWith(`${issue.path}.`) && !theirs.has(path));
    return below.length > 0 ? below : [issue];
  });
}

/** Of a field that keeps its value, both: the one it has decides, and the rule is about the other. */
function kept(
  claim: KubeObject,
  steps: Path,
  message: string,
  { old, new: wanted }: Pick<PlanEntry, 'old' | 'new'>,
): string | undefined {
  const schema = own(KINDS, claim.kind);
  const rule = schema && rulesAt(schema, steps).find((one) => one.startsWith(KEPT) && message.endsWith(one));
  if (rule === undefined || old === undefined || wanted === undefined) return undefined;
  return `${old} cannot be changed to ${wanted}${rule.slice(KEPT.length)}`;
}

/** A rule of the API server says nothing of the value. */
function withSubject(message: string): string {
  return message.startsWith('is ') && !message.startsWith('is required') ? withoutValue(message) : message;
}

/** A message quotes the value that it refuses. */
function withoutSecret(message: string, claim: KubeObject, steps: Path): string {
  const value = valueAt(claim, steps);
  // Objects and lists are not quoted, and what is left out cannot be.
  if (value === undefined || typeof value === 'object' || message.startsWith('its value ')) return message;
  // Nor is that of a field which does not exist.
  if (message.startsWith(UNKNOWN_FIELD)) return message;
  const schema = own(KINDS, claim.kind);
  const rule = schema && rulesAt(schema, steps).find((one) => message.endsWith(one));
  const quoted = `${show(value)} `;
  const rest = message.startsWith(quoted) ? message.slice(quoted.length).split('; did you mean ')[0] : undefined;
  const isPlain = rest !== undefined && !rest.includes(String(value) || quoted);
  return withoutValue(rule ?? (isPlain ? rest : 'is not accepted'));
}

function about(
  claim: KubeObject,
  { cluster, pool }: Owner,
): Pick<PlanEntry, 'kind' | 'namespace' | 'name' | 'cluster' | 'pool'> {
  const { namespace } = claim.metadata ?? {};
  return {
    kind: claim.kind,
    ...(namespace === undefined ? {} : { namespace }),
    name: nameOf(claim),
    cluster,
    ...(pool === undefined ? {} : { pool }),
  };
}
