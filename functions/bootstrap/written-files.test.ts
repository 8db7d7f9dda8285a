/** The files that plans always write, as the traits of each bootstrapper say. */
import { expect, test } from 'vitest';
import { plannedPaths } from '#lib/cloud/planned-files.ts';
import type { WrittenFile } from '#lib/cloud/traits.ts';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import type { BootstrapPlan, HostOs } from '#lib/api/contracts/bootstrap-plan.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { CERTIFICATE } from '../../test/support/everything.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { everyConfig } from './everything.fixture.ts';
import { run } from './fn.ts';
import { leastConfig } from './least.fixture.ts';
import { MACHINE_KINDS, type MachineKind, plansOf } from './plans.fixture.ts';
import { BOOTSTRAPPER_TABLES } from './traits.ts';

const VERSION = 'v1.35.4';

interface Planned {
  readonly kind: MachineKind;
  readonly os: HostOs;
  readonly paths: ReadonlySet<string>;
}

async function planned(provider: string): Promise<readonly Planned[]> {
  const { plan } = BOOTSTRAPPER_TABLES[provider]!;
  const { requestOf } = plansOf(provider);
  const systems = plan?.os ?? ['linux'];
  const wanted = [leastConfig(provider), everyConfig(provider, VERSION)].map((config) => ({
    version: VERSION,
    config,
  }));
  const all = systems.flatMap((os) =>
    MACHINE_KINDS.filter((kind) => os === 'linux' || kind === 'worker').flatMap((kind) =>
      wanted.map(async (one): Promise<Planned> => {
        const spec: JsonObject = { machine: { class: 'standard-4', os } };
        const reply = await replyOf(run, await requestOf(kind, { ...one, spec }));
        const made = reply.context[CONTEXT.bootstrapPlan] as unknown as BootstrapPlan | undefined;
        if (made === undefined) throw new Error(`${provider} has no plan: ${JSON.stringify(reply.conditions)}`);
        return { kind, os, paths: new Set('files' in made ? made.files.map(({ path }) => path) : []) };
      }),
    ),
  );
  return Promise.all(all);
}

/** In each plan for such a machine. */
function always(plans: readonly Planned[], kind: MachineKind, os: HostOs): ReadonlySet<string> {
  return plans
    .filter((one) => one.kind === kind && one.os === os)
    .map(({ paths }) => paths)
    .reduce((left, right) => left.intersection(right));
}

const ROLES = ['control-plane', 'worker'] as const;
const roleOf = (kind: MachineKind) => (kind === 'worker' ? 'worker' : 'control-plane');

const PROVIDERS = Object.entries(BOOTSTRAPPER_TABLES).flatMap(([name, { plan }]) =>
  plan?.kind === 'scripted' ? [name] : [],
);

/** Traits say for which configuration, or the configuration has it in another place. */
const DEPENDS: ReadonlySet<string> = new Set([
  '/etc/kubernetes/audit-policy.yaml',
  '/etc/kubernetes/authentication.yaml',
  '/etc/kubernetes/pki/etcd/ca.key',
]);

test.for(PROVIDERS)(
  '%s lists the files that its plans always write, and no others',
  { timeout: 60_000 },
  async (provider) => {
    const plans = await planned(provider);
    const listed: readonly WrittenFile[] = BOOTSTRAPPER_TABLES[provider]?.plan?.writes ?? [];
    for (const os of BOOTSTRAPPER_TABLES[provider]?.plan?.os ?? (['linux'] as const))
      for (const role of ROLES) {
        const kinds = MACHINE_KINDS.filter((kind) => plans.some((one) => one.os === os && one.kind === kind));
        const ofRole = kinds.filter((kind) => roleOf(kind) === role);
        if (ofRole.length === 0) continue;
        const written = new Set(ofRole.flatMap((kind) => [...always(plans, kind, os)]));
        const expected = listed.filter(
          (file) =>
            file.with === undefined &&
            file.unless === undefined &&
            (file.os ?? os) === os &&
            (file.role ?? role) === role,
        );
        expect(expected.map(({ path }) => path).toSorted(), `${role} on ${os}`).toEqual(
          [...written.difference(DEPENDS)].toSorted(),
        );
      }
  },
);

const HOST_SETTINGS: JsonObject = {
  registries: [
    { host: 'docker.io', mirrors: ['https://mirror.example.com'], caCertificate: CERTIFICATE },
    { host: 'registry.k8s.io', mirrors: ['https://mirror.example.com'] },
  ],
  proxy: { http: 'http://proxy.example.com:3128' },
};

/** Names that nobody else gives a file, which say what they are for. */
const OURS = [
  '/etc/kubernetes/patches/',
  '/etc/kubernetes/pki/etcd/ca.key',
  '/etc/sysctl.d/50-slipway-',
  '/etc/slipway/etcd/',
];

/** As a managed control plane reports it: without it, some plans wait. */
function withAuthority(request: Request): Request {
  const reported = (object: KubeObject): KubeObject =>
    object.kind === 'ClusterFacts'
      ? { ...object, spec: { ...object.spec, certificateAuthority: Buffer.from(CERTIFICATE).toString('base64') } }
      : object;
  const required = [...request.required].map(([key, found]) => [key, found.map(reported)] as const);
  return { ...request, required: new Map(required) };
}

const WITH_FILES = Object.entries(BOOTSTRAPPER_TABLES).flatMap(([name, { plan }]) =>
  plan !== undefined && 'writes' in plan ? [name] : [],
);

test.for(WITH_FILES)(
  '%s: where plans write files for mirrors, a proxy and the configuration is known of the claim',
  { timeout: 60_000 },
  async (provider) => {
    const { plan } = BOOTSTRAPPER_TABLES[provider]!;
    const { requestOf } = plansOf(provider);
    for (const config of [leastConfig(provider), everyConfig(provider, VERSION)]) {
      const { registries, proxy } = Provisioning.parse(HOST_SETTINGS);
      for (const role of ROLES) {
        const kinds = MACHINE_KINDS.filter(
          (kind) => roleOf(kind) === role && (plan?.kind === 'scripted' || kind === 'worker'),
        );
        const found = await Promise.all(
          kinds.map(async (kind) => {
            const wanted = { version: VERSION, config, spec: { provisioning: HOST_SETTINGS } };
            const reply = await replyOf(run, withAuthority(await requestOf(kind, wanted)));
            const made = reply.context[CONTEXT.bootstrapPlan] as unknown as BootstrapPlan | undefined;
            return made !== undefined && 'files' in made ? made.files.map(({ path }) => path) : [];
          }),
        );
        const newCluster = { config, version: VERSION };
        const known = new Set(plannedPaths(plan, { registries, proxy }, { os: 'linux', role, newCluster }));
        const written = new Set(found.flat());
        if (kinds.length === 0) continue;
        expect(written.size, `files of a ${role} to compare`).toBeGreaterThan(0);
        const unknown = [...written.difference(known)].filter((path) => !OURS.some((ours) => path.startsWith(ours)));
        expect(unknown.toSorted(), `written by a ${role}, and not known`).toEqual([]);
        expect([...known.difference(written)].toSorted(), `known of a ${role}, and not written`).toEqual([]);
      }
    }
  },
);
