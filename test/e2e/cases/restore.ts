/** Follows docs/restore.md: Secrets of a cluster are deleted while no function runs, and restored. */
import { webcrypto } from 'node:crypto';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { refOf } from '../lab/api.ts';
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { condition } from '../packages/install.ts';
import { type Case, hold } from './case.ts';
import { follow, RESTORE } from './documented.ts';
import { TEAM, clusterRef, isReady, machinesOf, nameOf } from './scene.ts';

const WAIT = { seconds: 240, every: 500 } as const;

export const restoreCase: Case = {
  name: 'restore',
  after: ['claim'],
  // With room for every event, a reply in progress would mark each Secret again before the test could see that the mark
  // is missing.
  defaults: true,
  async run(lab, log) {
    await follow(lab, RESTORE, 'Back up');
    const secrets = await secretsOf(lab);
    hold('the status names five Secrets, each with its origin', secrets.length === 5, secrets.map(nameOf).join());
    const machines = (await machinesOf(lab)).map(nameOf);
    for (const secret of secrets) {
      await lose(lab, secret);
      await lab.api.apply(plain(secret));
      await whole(lab, secret);
      log(`${nameOf(secret)} restored`);
    }
    await refuseAnother(lab, secrets);
    log('another key of service accounts refused');
    await returnTooSoon(lab, secrets);
    log('without a mark before anybody was asked');
    const after = (await machinesOf(lab)).map(nameOf);
    hold('no machine was touched', machines.join() === after.join(), after.join());
    return `${secrets.length} Secrets lost and restored, a wrong one refused`;
  },
};

/** As the status names them. */
async function secretsOf({ api }: Lab): Promise<readonly KubeObject[]> {
  const cluster = await api.get(clusterRef('prod'));
  const records = Object.values((at(cluster, 'status', 'certificates', 'secrets') ?? {}) as Record<string, unknown>);
  const names = records.map((record) => stringAt(record, 'name') ?? '');
  return Promise.all(names.map((name) => api.get({ apiVersion: 'v1', kind: 'Secret', namespace: TEAM, name })));
}

/** As in a backup without labels, annotations and owners. */
function plain(secret: KubeObject): KubeObject {
  const { apiVersion, kind } = secret;
  const metadata = { name: nameOf(secret), namespace: TEAM };
  return { apiVersion, kind, metadata, type: secret['type'], data: secret['data'] };
}

const TRIES = 20;

/**
 * Deletes it while no function runs, until the Cluster reports that it is gone. A reply in progress, or one that uses
 * Crossplane's cached copy of the Secret, restores it unchanged.
 */
async function lose(lab: Lab, secret: KubeObject): Promise<void> {
  const line = `cannot read Secret "${TEAM}/${nameOf(secret)}": it was created and no longer exists; restore it from a backup`;
  for (let tries = 0; tries < TRIES; tries += 1) {
    await halted(lab, async () => {
      await lab.kubectl('-n', TEAM, 'delete', 'secret', nameOf(secret));
    });
    const outcome = await until<'said' | 'back'>(`the Cluster says: ${line}`, WAIT, async () => {
      const conditions = await conditionsOf(lab);
      if (conditions.includes(line)) return { found: 'said' };
      return (await lab.api.find(refOf(secret))) === undefined ? { yet: conditions } : { found: 'back' };
    });
    if (outcome === 'said') return;
  }
  throw new Error(`${nameOf(secret)} came back ${TRIES} times`);
}

/** While no function of the pipeline of the Cluster runs. */
async function halted({ runtime }: Lab, act: () => Promise<void>): Promise<void> {
  const functions = ['function-cluster', 'function-bootstrap'].flatMap((name) => runtime.functions.get(name) ?? []);
  hold('both functions of the Cluster run', functions.length === 2);
  await Promise.all(functions.map((one) => one.halt()));
  await act();
  for (const one of functions) one.resume();
}

/** The messages of its conditions. */
async function conditionsOf({ api }: Lab): Promise<string> {
  const { status } = await api.get(clusterRef('prod'));
  return JSON.stringify(status?.['conditions']).replaceAll('\\"', '"');
}

/** In any of its conditions. */
async function claimSays(lab: Lab, line: string): Promise<void> {
  await until(`the Cluster says: ${line}`, WAIT, async () => {
    const conditions = await conditionsOf(lab);
    return conditions.includes(line) ? { found: true } : { yet: conditions };
  });
}

/** The Cluster is Ready, and the Secret belongs to it, with the same content. */
async function whole({ api }: Lab, secret: KubeObject): Promise<void> {
  await until(`${nameOf(secret)} is restored`, WAIT, async () => {
    const [cluster, found] = [await api.get(clusterRef('prod')), await api.find(refOf(secret))];
    const owners = (found?.metadata?.['ownerReferences'] ?? []) as readonly unknown[];
    const isOwn = owners.some((owner) => stringAt(owner, 'uid') === cluster.metadata?.uid);
    const isSame = JSON.stringify(found?.['data']) === JSON.stringify(secret['data']);
    const isGood = condition(cluster, 'CertificatesAvailable')?.['status'] === 'True';
    const isSynced = condition(cluster, 'Synced')?.['status'] === 'True';
    return isOwn && isSame && isGood && isSynced && isReady(cluster) && found?.['immutable'] === true
      ? { found: true }
      : { yet: `own ${isOwn}, same ${isSame}, ${JSON.stringify(cluster.status?.['conditions'])}` };
  });
}

/** A valid key for service accounts that no cluster uses. */
async function refuseAnother(lab: Lab, secrets: readonly KubeObject[]): Promise<void> {
  const right = secrets.find((secret) => nameOf(secret) === 'prod-sa');
  const { publicKey, privateKey } = await webcrypto.subtle.generateKey(
    { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['sign', 'verify'],
  );
  const data = {
    'tls.crt': await pem('PUBLIC KEY', 'spki', publicKey),
    'tls.key': await pem('PRIVATE KEY', 'pkcs8', privateKey),
  };
  if (right === undefined) throw new Error('prod-sa is not among the Secrets');
  await lose(lab, right);
  await lab.api.apply({ ...plain(right), data });
  await claimSays(lab, `cannot use Secret "${TEAM}/prod-sa": it is not the key pair this cluster was created with`);
  await lab.kubectl('-n', TEAM, 'delete', 'secret', 'prod-sa');
  await follow(lab, RESTORE, 'Restore');
  await whole(lab, right);
}

async function pem(label: string, format: 'spki' | 'pkcs8', key: webcrypto.CryptoKey): Promise<string> {
  const body = Buffer.from(await webcrypto.subtle.exportKey(format, key)).toString('base64');
  const text = `-----BEGIN ${label}-----\n${(body.match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`;
  return Buffer.from(text).toString('base64');
}

/** Deleted and restored before a function could react; a reply in progress may still mark it. */
async function returnTooSoon(lab: Lab, secrets: readonly KubeObject[]): Promise<void> {
  const line = 'without required "crossplane.io/composition-resource-name" annotation';
  let said = false;
  for (let tries = 0; tries < TRIES && !said; tries += 1) {
    await halted(lab, async () => {
      for (const secret of secrets) {
        await lab.kubectl('-n', TEAM, 'delete', 'secret', nameOf(secret));
        await lab.api.apply(plain(secret));
      }
    });
    said = await until<boolean>(`the Cluster says: ${line}`, WAIT, async () => {
      if ((await conditionsOf(lab)).includes(line)) return { found: true };
      const now = await Promise.all(secrets.map((secret) => lab.api.find(refOf(secret))));
      const unmarked = now.filter((secret) => secret?.metadata?.annotations === undefined);
      return unmarked.length === 0 ? { found: false } : { yet: `${unmarked.length} without a mark` };
    });
  }
  hold('Crossplane took one of them for a stranger', said);
  await follow(lab, RESTORE, 'A backup without the annotation');
  for (const secret of secrets) await whole(lab, secret);
}
