/**
 * Join tokens. k8sd creates one for each machine while the cluster runs. provider-node asks for it, and a joining machine
 * waits until it is in its Secret; a person may supply it, too. The token names the certificate of the cluster, so
 * nothing is trusted on first use.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import { JOIN_TOKEN_KEY, joinTokenName } from '#lib/api/contracts/node-join.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { belongsElsewhere } from '#lib/fn/claimed-secret.ts';
import type { Call, Waiting } from '../bootstrapper.ts';
import { dataOf } from '../secrets.ts';

/** Requirement name of the Secret. */
const REQUIRED = 'join-token';
const KEY = JOIN_TOKEN_KEY;

/** Token of one machine. Throws UnreadableSecret if it is not a token; never quotes it. */
export function requireJoinToken({ reply, composite: machine }: Call<Machine>): string | Waiting {
  const { name, namespace } = machine.metadata;
  const matchName = joinTokenName(name);
  const [secret] = reply.require(REQUIRED, { apiVersion: 'v1', kind: 'Secret', namespace, matchName }) ?? [];
  if (secret === undefined) {
    const command = `k8s get-join-token ${name}${machine.spec.role === 'worker' ? ' --worker' : ''}`;
    return {
      reason: 'WaitingForJoinToken',
      waiting: `waiting for Secret "${namespace}/${matchName}" with the join token that provider-node asks the cluster for; WorkloadNode "${namespace}/${name}" says why if it cannot; then create it with the output of "${command}" on a control-plane machine under the key ${KEY}`,
    };
  }
  const forbidden = belongsElsewhere(secret, machine.spec.clusterRef.name);
  if (forbidden !== undefined)
    throw new SlipwayError('UnreadableSecret', `cannot use Secret "${namespace}/${matchName}": ${forbidden}`);
  const token = (dataOf(secret)[KEY] ?? '').trim();
  if (/^[A-Za-z0-9+/_-]{32,}={0,2}$/.test(token)) return token;
  throw new SlipwayError(
    'UnreadableSecret',
    `cannot use Secret "${namespace}/${matchName}": ${token === '' ? `it has no key ${KEY}` : `its ${KEY} is not a join token`}`,
  );
}
