/**
 * provider-node updates a control plane and a worker in place to the next minor version, with the scripts of the
 * functions: their kubelets and static pods change, their Nodes stay, and so does every pod that a drain leaves. Before
 * that, and while the control plane is busy, the worker gets other settings without a drain, and no pod ends. It is
 * killed in the middle, and nothing runs twice. A script that fails is reported without what it must not tell.
 */
import { type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { hold } from '../../e2e/cases/case.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { NEXT_ARCHIVES } from '../image/kubeadm.ts';
import { NEW } from '../image/programs.ts';
import type { Lab } from '../lab/lab.ts';
import type { Machine } from '../lab/machine.ts';
import type { Case } from './case.ts';
import { checkSettings, settingsOf, since } from './settings.ts';
import { apply, condition, install, PAUSE_IMAGE, startProvider, TEAM } from './provider.ts';
import { pods } from './standing.ts';

const NEXT = NEW.version;
const SECRET = 'FAKE-password-of-a-registry';
/** Of a DaemonSet. */
export const EVERYWHERE = 'app=everywhere';
const COUNT = '/var/tmp/updates-that-ran';

export const updatesCase: Case = {
  name: 'updates',
  async run(lab) {
    const machines = lab.arrivals.map(({ machine }) => machine);
    const worker = machines.find(({ part }) => part === 'worker')!;
    const plane = machines.find(({ part }) => part === 'first control plane')!;
    await install(lab, [worker, plane]);
    await apply(lab, onEveryNode());
    await everywhere(lab, machines.length);
    const provider = startProvider(lab);
    for (const { name } of [worker, plane]) await condition(lab, name, 'Ready', 'Available');

    await order(lab, worker, 'fails', { broken: BROKEN });
    const said = await condition(lab, worker.name, 'Updated', 'Failed');
    hold(
      'the updater, its code and its output are reported',
      /broken .*exit code 3: cannot log in with \*\*\*/.test(said),
      said,
    );
    hold('the password is not', !said.includes(SECRET), said);

    const before = (await pods(lab.kubectl, EVERYWHERE)).join(', ');
    // A registry would have them.
    await plane.exec('sh', '-c', `for image in /${NEXT_ARCHIVES}/*.tar; do ctr -n k8s.io images import "$image"; done`);
    const { kubernetes } = await settingsOf(plane, NEXT);
    const planeSeconds = await timed(async () => {
      await order(lab, plane, 'plane', { counted, kubernetes }, { disruptive: true, version: NEXT });
      await until('the unit runs on the host', { seconds: 120, every: 500 }, async () => {
        const runs = await plane.exec('sh', '-c', `cat ${COUNT} 2>/dev/null || true`);
        return runs === '' ? { yet: 'not yet' } : { found: true };
      });
      await provider.kill();
    });
    const second = startProvider(lab);
    const { ca, settings } = await settingsOf(worker, NEXT);
    const [rest, settled] = await Promise.all([
      timed(() => updated(lab, plane)),
      timed(async () => {
        await order(lab, worker, 'settings', { 'node-configuration': settings });
        await updated(lab, worker);
        await checkSettings(lab, worker, ca);
      }),
    ]);
    const between = (await pods(lab.kubectl, EVERYWHERE)).join(', ');
    hold('no pod was lost or restarted for the settings', between === before, `${before} became ${between}`);
    const quiet = await since(worker, 'containerd.service');
    const workerSeconds = await timed(async () => {
      // The settings are there: they restart nothing any more.
      const scripts = { counted, 'node-configuration': settings, kubernetes };
      await order(lab, worker, 'worker', scripts, { disruptive: true, version: NEXT });
      await updated(lab, worker);
    });
    await second.stop();

    for (const machine of [plane, worker]) await checkHost(lab, machine);
    const images = await imagesOn(lab, plane);
    hold(
      'the static pods are of the next release',
      images.every((image) => image.endsWith(`:${NEXT}`)),
      images.join(),
    );
    await checkSettings(lab, worker, ca);
    const still = await since(worker, 'containerd.service');
    hold('settings that were there restarted nothing', still === quiet, `${quiet} became ${still}`);
    const after = (await pods(lab.kubectl, EVERYWHERE)).join(', ');
    hold('no pod that a drain leaves was lost or restarted', after === before, `${before} became ${after}`);
    const left = await lab.kubectl('get', 'pods,secrets', '--namespace=slipway-system', '--output=name');
    hold('nothing is left in the cluster', left.trim() === '', left);
    const took = `${Math.round(planeSeconds + rest)} s and ${Math.round(workerSeconds)} s`;
    return `${plane.name} and ${worker.name} run ${NEXT} after ${took}, settings changed in ${Math.round(settled)} s; every pod of the DaemonSet is the same`;
  },
};

const BROKEN = `password='${SECRET}'
echo "cannot log in with $password" >&2
exit 3
`;
const counted = `echo ran >>${COUNT}\n`;

async function order(
  lab: Lab,
  { name }: Machine,
  id: string,
  scripts: Readonly<Record<string, string>>,
  more: JsonObject = {},
): Promise<void> {
  const data = Object.entries(scripts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  const secret = `${name}-${id}`;
  const metadata = { name: secret, namespace: TEAM };
  await apply(lab, { apiVersion: 'v1', kind: 'Secret', metadata, data: Object.fromEntries(data) as JsonObject });
  const update = { id, updaters: Object.keys(scripts), payloadSecretRef: { name: secret }, timeout: '10m', ...more };
  const patch = JSON.stringify({ spec: { update } });
  await lab.kubectl('patch', 'workloadnode', name, `--namespace=${TEAM}`, '--type=merge', '--patch', patch);
}

/** Ends as soon as the update of a machine has failed. */
async function updated({ kubectl }: Lab, { name }: Machine): Promise<void> {
  const end = await until(`the update of "${name}" ends`, { seconds: 400, every: 1000 }, async () => {
    const object = JSON.parse(
      await kubectl('get', 'workloadnode', name, `--namespace=${TEAM}`, '--output=json'),
    ) as unknown;
    const update = at(object, 'status', 'update');
    const phase = stringAt(update, 'phase') ?? '';
    const isOver = (phase === 'Succeeded' || phase === 'Failed') && stringAt(update, 'pod') === undefined;
    return isOver && stringAt(update, 'id') === stringAt(object, 'spec', 'update', 'id')
      ? { found: `${phase}: ${stringAt(update, 'message') ?? ''}` }
      : { yet: `${phase} ${stringAt(update, 'message') ?? ''}` };
  });
  hold(`the update of ${name} succeeds`, end.startsWith('Succeeded'), end);
}

async function checkHost({ node }: Lab, { name, exec }: Machine): Promise<void> {
  const object = await node(name);
  const version = stringAt(object, 'status', 'nodeInfo', 'kubeletVersion');
  hold(`the kubelet of ${name} is of the next release`, version === NEXT, version);
  hold(`${name} takes pods again`, at(object, 'spec', 'unschedulable') !== true);
  const runs = (await exec('cat', COUNT)).trim().split('\n').length;
  hold(`the updaters of ${name} ran once`, runs === 1, `${runs} times`);
  const scripts = (await exec('sh', '-c', 'ls -A /run/slipway')).trim();
  hold(`no script is left on ${name}`, scripts === '', scripts);
}

async function imagesOn({ kubectl }: Lab, { name }: Machine): Promise<readonly string[]> {
  const fields = ['--namespace=kube-system', `--field-selector=spec.nodeName=${name}`];
  const images = await kubectl('get', 'pods', ...fields, '--output=jsonpath={.items[*].spec.containers[*].image}');
  return images.split(' ').filter((image) => /\/kube-/.test(image));
}

async function everywhere({ kubectl }: Lab, count: number): Promise<void> {
  await until('a pod runs on every Node', { seconds: 120, every: 1000 }, async () => {
    const phases = await kubectl(
      'get',
      'pods',
      `--selector=${EVERYWHERE}`,
      '--output=jsonpath={.items[*].status.phase}',
    );
    return phases === Array.from({ length: count }, () => 'Running').join(' ') ? { found: true } : { yet: phases };
  });
}

function onEveryNode(): KubeObject {
  const labels = { app: 'everywhere' };
  const containers = [{ name: 'main', image: PAUSE_IMAGE, imagePullPolicy: 'Never' }];
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'everywhere', namespace: 'default' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { tolerations: [{ operator: 'Exists' }], containers } },
    },
  };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = Date.now();
  await work();
  return (Date.now() - began) / 1000;
}
