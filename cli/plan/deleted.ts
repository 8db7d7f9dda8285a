/** The claims that a plan deletes, as given on the command line. */
import { existsSync } from 'node:fs';
import type { KubeObject } from '#lib/api/json.ts';
import { UsageError } from '../exit.ts';
import { refuseMisspelt } from '../files/misspelt.ts';
import { inNamespace, onlyIn } from '../files/namespaces.ts';
import { readPlaced } from '../files/read-objects.ts';
import { CLAIM_KINDS, kindOf, objectRef, REF_FORM } from '../object-ref.ts';
import { isClaim } from './plan-claims.ts';
import { nameOf, type Ref } from './world.ts';

/**
 * `KIND/NAME`, `KIND/NAMESPACE/NAME`, or a file or folder: every claim in it.
 * @param namespace  of what has none
 * @param next  the first file of the command line: perhaps the name, if only a kind is given
 */
export function parseRefs(text: string, namespace?: string, next?: string): readonly Ref[] {
  const isPath = /^[.-]|\.ya?ml$/.test(text) || existsSync(text);
  if (!isPath && kindOf(text.split('/')[0] ?? '') === 'Machine') throw ofMachine(text);
  const ref = isPath && !isRef(text) ? undefined : objectRef(text, `accept --delete "${text}"`, CLAIM_KINDS);
  if (ref !== undefined && (ref.namespace ?? namespace) !== (namespace ?? ref.namespace))
    throw new UsageError(`cannot accept --delete "${text}": --namespace is "${namespace}"; accepted: one namespace`);
  if (ref !== undefined) return [{ ...ref, namespace: ref.namespace ?? namespace }];
  if (isPath)
    return claimsIn(text, namespace).map((claim) => ({
      kind: claim.kind,
      namespace: claim.metadata?.namespace,
      name: nameOf(claim),
    }));
  const kind = kindOf(text);
  const form =
    next === undefined || existsSync(next) ? `${kind}/NAME or ${kind}/NAMESPACE/NAME` : `${kind}/${next}, as one word`;
  if (kind !== undefined) throw new UsageError(`cannot accept --delete "${text}": no name given; accepted: ${form}`);
  throw new UsageError(
    `cannot accept --delete "${text}": accepted: ${REF_FORM} of a Cluster or NodePool, such as NodePool/prod-memory, or a file or folder with claims`,
  );
}

/** Its pool composes another: nothing that the claims say changes. */
function ofMachine(text: string): UsageError {
  return new UsageError(
    `cannot accept --delete "${text}": accepted: Cluster, NodePool; a pool replaces a machine that kubectl delete machine.slipway.dev deletes: slipway simulate --delete Machine/NAME@TIME plays it`,
  );
}

/** Before a folder of the same name. */
function isRef(text: string): boolean {
  const kind = kindOf(text.split('/')[0] ?? '');
  return kind !== undefined && CLAIM_KINDS.includes(kind) && text.includes('/');
}

function claimsIn(path: string, namespace: string | undefined): readonly KubeObject[] {
  const read = inNamespace(readPlaced([path]), onlyIn(namespace), 'delete');
  refuseMisspelt(read, 'delete');
  return read.map(({ object }) => object).filter(isClaim);
}
