/**
 * Settings of a machine that runs, changed in place by the scripts of the functions: kernel parameters, modules, trusted
 * certificates, mirrors of registries, the kubelet. Each is looked for where it has its effect.
 *
 * Machines share the kernel of their host, so a module that is not loaded there cannot be loaded: the one that is asked
 * for is, and is recorded for the next boot.
 */
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { type JsonObject, type KubeObject, at } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { Machine as MachineKind } from '#lib/api/kinds/machine.ts';
import { parseAs } from '#lib/api/parse.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { readObjects } from '../../../cli/files/read-objects.ts';
import { kubeadm } from '../../../functions/bootstrap/kubeadm/kubeadm.ts';
import { updateScript } from '../../../functions/provisioning/update.ts';
import { hold } from '../../e2e/cases/case.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { newCa } from '../../support/booted-machines.ts';
import type { Lab } from '../lab/lab.ts';
import type { Machine } from '../lab/machine.ts';
import { apply, TEAM } from './provider.ts';

const KEEPALIVE = 'net.ipv4.tcp_keepalive_time';
const MODULE = 'overlay';
const REGISTRY = 'images.example.com';
/** Nobody answers there. */
const MIRROR = '10.0.0.1:5999';
const MAX_PODS = 43;

/** The scripts that the functions write for this machine when a claim changes all of its settings, by updater. */
export async function settingsOf(machine: Machine, version: string) {
  const { owner, cluster } = { owner: `Machine "${machine.name}"`, cluster: clusterClaim() };
  const spec = machine.spec as {
    readonly bootstrap: { readonly config: JsonObject };
    readonly provisioning: JsonObject;
  };
  const { config } = spec.bootstrap;
  const kubelet = at(config, 'kubeletConfiguration') as JsonObject;
  const ca = await newCa('private');
  const edited = parseAs(
    MachineKind,
    {
      apiVersion: API_VERSION,
      kind: 'Machine',
      metadata: { name: machine.name, namespace: TEAM },
      spec: {
        ...spec,
        version,
        bootstrap: {
          ...spec.bootstrap,
          config: { ...config, kubeletConfiguration: { ...kubelet, maxPods: MAX_PODS } },
        },
        provisioning: {
          ...spec.provisioning,
          sysctls: { [KEEPALIVE]: '602' },
          kernelModules: [MODULE],
          caCertificates: [ca],
          registries: [{ host: REGISTRY, mirrors: [`http://${MIRROR}`] }],
        },
      },
    },
    owner,
  );
  const [toVersion, toKubelet, toRegistries] = kubeadm.forUpdate!({ machine: edited, cluster, owner });
  const settings = [toKubelet!, toRegistries!, updateScript(edited.spec.provisioning)];
  return {
    ca,
    kubernetes: toVersion!.script,
    // As the machine step joins the parts of one updater.
    settings: settings.map(({ script }) => script).join(''),
  };
}

function clusterClaim(): Cluster {
  const claims = readObjects([join(import.meta.dirname, '../distributions/kubeadm.yaml')]);
  return parseAs(
    Cluster,
    claims.find(({ kind }) => kind === 'Cluster'),
    'the claim',
  );
}

/** @param ca  in PEM */
export async function checkSettings(lab: Lab, machine: Machine, ca: string): Promise<void> {
  const { name, exec } = machine;
  const keepalive = (await exec('sysctl', '-n', KEEPALIVE)).trim();
  hold('the kernel parameter is set', keepalive === '602', keepalive);
  const modules = (await exec('cat', '/etc/modules-load.d/90-slipway.conf')).trim();
  hold('the module is recorded for the next boot', modules === MODULE, modules);
  await exec('test', '-d', `/sys/module/${MODULE}`);
  const trusted = await exec('cat', '/etc/ssl/certs/ca-certificates.crt');
  const { fingerprint256 } = new X509Certificate(ca);
  const isTrusted = trusted
    .split(/(?<=-----END CERTIFICATE-----)/)
    .some((pem) => pem.includes('BEGIN') && new X509Certificate(pem).fingerprint256 === fingerprint256);
  hold('the host trusts the certificate', isTrusted);
  const { kubeletconfig } = JSON.parse(await lab.kubectl('get', '--raw', `/api/v1/nodes/${name}/proxy/configz`)) as {
    readonly kubeletconfig: JsonObject;
  };
  hold(
    'the kubelet says its new setting',
    kubeletconfig['maxPods'] === MAX_PODS,
    JSON.stringify(kubeletconfig['maxPods']),
  );
  hold(
    'and those of its cluster',
    kubeletconfig['cgroupDriver'] === 'cgroupfs' && kubeletconfig['maxOpenFiles'] === 20_000,
  );
  await checkMirror(lab, machine);
}

/** A pull goes to the mirror, which the container runtime reads from its file each time. */
async function checkMirror(lab: Lab, { name, exec }: Machine): Promise<void> {
  await apply(lab, pullOnly(name));
  await until('containerd asks the mirror', { seconds: 90, every: 1000 }, async () => {
    const log = await exec('journalctl', '--quiet', '--no-pager', '--unit=containerd.service', '--lines=400');
    return log.includes(MIRROR) ? { found: true } : { yet: log.slice(-300) };
  });
  await lab.kubectl('delete', 'pod', 'mirrored', '--namespace=default', '--grace-period=0', '--force', '--wait=false');
}

function pullOnly(nodeName: string): KubeObject {
  const containers = [{ name: 'main', image: `${REGISTRY}/of-a-mirror:1`, imagePullPolicy: 'Always' }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'mirrored', namespace: 'default' },
    spec: { nodeName, tolerations: [{ operator: 'Exists' }], containers },
  };
}

/** Since when services run that must not restart without a reason. */
export async function since({ exec }: Machine, ...services: readonly string[]): Promise<string> {
  return exec('systemctl', 'show', '--property=Id,ActiveEnterTimestampMonotonic', ...services);
}
