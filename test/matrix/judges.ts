/**
 * The official validators of first-boot data, with the pairs that each can check. Every pair needs one that reads its
 * format; the others check parts of the data. A new format needs a line here.
 */
import { parse, stringify } from 'yaml';
import { K3S_KEYS } from '../../functions/bootstrap/k3s/config.ts';
import { RKE2_KEYS } from '../../functions/bootstrap/rke2/config.ts';
import { bottlerocketProblem, tomlReader } from '../judges/bottlerocket.ts';
import { SUPPORTED } from '../minors/supported.ts';
import { TALOS_VERSIONS } from '../judges/build-talos.ts';
import { canonicalProblem, decoderOf, k0sProblem, k3sProblem } from '../judges/decoders.ts';
import { CLOUD_INIT_RELEASES, cloudInitOf, commandProblem, schemaJudge, schemaOf } from '../judges/cloud-init.ts';
import { ignitionOf, ignitionProblem, systemdAnalyze, unitProblems } from '../judges/ignition.ts';
import { kubeadmOf, kubeadmProblem } from '../judges/kubeadm.ts';
import { nodeadmOf, nodeadmProblem } from '../judges/nodeadm.ts';
import { shellcheck, shellcheckProblems, syntaxProblem } from '../judges/shell.ts';
import { talosOf, talosProblem } from '../judges/talos.ts';
import { ignitionOf as configOf } from '../support/ignition.ts';
import { partsOf } from '../support/mime.ts';
import { fileIn, type FirstBootData, scriptsIn, unitsIn } from './first-boot-data.ts';
import { isScripted, type Pair } from './pairs.ts';

/** One checked item. */
export interface Finding {
  readonly where: string;
  readonly problem: string | undefined;
}

export interface Judge {
  readonly name: string;
  /** The format that it reads as a whole; if undefined, it checks parts. */
  readonly reads?: string;
  /** Takes seconds for every machine. */
  readonly slow?: true;
  readonly judges: (pair: Pair) => boolean;
  /** Why it is missing on this machine. */
  readonly missing: string | undefined;
  readonly verdict: (data: readonly FirstBootData[]) => readonly Finding[];
}

const pathOf = (found: object): string => ('path' in found ? String(found.path) : '');
const whyMissing = (found: object): string | undefined => ('missing' in found ? String(found.missing) : undefined);

type Whole = (text: string, of: string) => string | undefined;

function readerOf(format: string, name: string, found: object, problem: Whole): Judge {
  return {
    name,
    reads: format,
    judges: (pair) => pair.format === format,
    missing: whyMissing(found),
    verdict: (data) => data.map(({ of, text }) => ({ where: of, problem: problem(text, of) })),
  };
}

function cloudInitSchema(release: string): Judge {
  const found = schemaOf(release);
  const problems = 'path' in found ? schemaJudge(found.path) : () => [];
  const name = `the schema of cloud-init in Debian ${release}`;
  return readerOf('cloud-init', name, found, (text) => problems(text).join('; ') || undefined);
}

function cloudInitCommand(release: string): Judge {
  const found = cloudInitOf(release);
  const name = `cloud-init schema of Debian ${release}`;
  const judge = readerOf('cloud-init', name, found, (text) => commandProblem(found as never, text));
  // The minimum of a worker and the maximum of the first machine together cover everything.
  const telling = ({ of }: FirstBootData): boolean => of === 'worker' || of.startsWith('init, with');
  return { ...judge, slow: true, verdict: (data) => judge.verdict(data.filter(telling)) };
}

function ignitionValidate(format: string, specification: 2 | 3): Judge {
  const found = ignitionOf(specification);
  const name = `ignition-validate of specification ${specification}`;
  // It does not check a configuration that replaces the other.
  return readerOf(
    format,
    name,
    found,
    (text) => ignitionProblem(pathOf(found), text) ?? ignitionProblem(pathOf(found), JSON.stringify(configOf(text))),
  );
}

/** Data with an installation disk is for bare metal. */
function talosMachinery(version: string): Judge {
  const found = talosOf(version);
  return readerOf('talos', `Talos ${version}`, found, (text, of) =>
    talosProblem(pathOf(found), text, of.includes('everything') ? 'metal' : 'cloud'),
  );
}

/** nodeadm checks its own part; the other two validators check the part for cloud-init. */
function nodeadmCheck(): Judge {
  const found = nodeadmOf();
  return readerOf('nodeadm', 'nodeadm config check', found, (text) => nodeadmProblem(pathOf(found), text));
}

function nodeadmCloudConfig(release: string): Judge {
  const found = schemaOf(release);
  const problems = 'path' in found ? schemaJudge(found.path) : () => [];
  const name = `the schema of cloud-init in Debian ${release}, of the part that is for it`;
  return readerOf('nodeadm', name, found, (text) => {
    const part = partsOf(text).find(({ contentType }) => contentType === 'text/cloud-config');
    return part === undefined ? 'there is none' : problems(part.text).join('; ') || undefined;
  });
}

function bottlerocketList(): Judge {
  const found = tomlReader();
  const name = 'a reader of TOML, and a list of its settings,';
  return readerOf('bottlerocket', name, found, (text) => bottlerocketProblem(pathOf(found), text));
}

function kubeadmValidate(version: string): Judge {
  const found = kubeadmOf(version);
  const problem = (config: string | undefined): string | undefined =>
    config === undefined ? 'there is none' : kubeadmProblem(pathOf(found), config);
  return {
    name: `kubeadm ${version} config validate`,
    judges: ({ provider }) => provider === 'kubeadm',
    missing: whyMissing(found),
    verdict: (data) =>
      data.map((one) => ({
        where: `kubeadm.yaml of ${one.of}`,
        problem: problem(fileIn(one, '/etc/kubernetes/kubeadm.yaml')),
      })),
  };
}

/**
 * A reader of one configuration file.
 * @param pathOn where it is on the machine; undefined: that machine has none
 */
function fileJudge(
  provider: string,
  name: string,
  found: object,
  pathOn: (data: FirstBootData) => string | undefined,
  problem: (text: string, data: FirstBootData) => string | undefined,
): Judge {
  return {
    name,
    judges: (pair) => pair.provider === provider,
    missing: whyMissing(found),
    verdict: (data) =>
      data.flatMap((one) => {
        const path = pathOn(one);
        if (path === undefined) return [];
        const text = fileIn(one, path);
        return [{ where: `${path} of ${one.of}`, problem: text === undefined ? 'there is none' : problem(text, one) }];
      }),
  };
}

function k0sReader(): Judge {
  const found = decoderOf('k0s');
  const path = ({ of }: FirstBootData) => (of.startsWith('worker') ? undefined : '/etc/k0s.yaml');
  return fileJudge('k0s', "k0s' own types", found, path, (text) => k0sProblem(pathOf(found), text));
}

/** RKE2 passes keys of its own to no flag of k3s, and all others to that of the same name. */
function k3sReader(provider: 'k3s' | 'rke2'): Judge {
  const found = decoderOf('k3s');
  const others = provider === 'rke2' ? ownKeysOf(RKE2_KEYS, K3S_KEYS) : [];
  const problem = (text: string, { of }: FirstBootData): string | undefined =>
    k3sProblem(pathOf(found), of.startsWith('worker') ? 'agent' : 'server', without(text, others));
  const name = `the command line of k3s${provider === 'rke2' ? ', of the keys that RKE2 passes on to it,' : ''}`;
  return fileJudge(provider, name, found, () => `/etc/rancher/${provider}/config.yaml`, problem);
}

type Keys = Readonly<Record<string, readonly string[]>>;

function ownKeysOf(keys: Keys, others: Keys): readonly string[] {
  const theirs = new Set(Object.values(others).flat());
  return Object.values(keys)
    .flat()
    .filter((key) => !theirs.has(key));
}

/** RKE2 has its own cloud controllers, which are named in a key that k3s does not have. */
function without(text: string, keys: readonly string[]): string {
  const settings = parse(text) as Readonly<Record<string, unknown>>;
  return stringify(
    Object.fromEntries(Object.entries(settings).filter(([key]) => ![...keys, 'cloud-provider-name'].includes(key))),
  );
}

const CANONICAL_FILES = { init: 'bootstrap', 'control-plane': 'control-plane', worker: 'worker' } as const;

function canonicalReader(): Judge {
  const found = decoderOf('canonical-kubernetes');
  const name = 'the API types of Canonical Kubernetes';
  return fileJudge(
    'canonical-kubernetes',
    name,
    found,
    () => '/etc/slipway/k8s.yaml',
    (text, { of }) =>
      canonicalProblem(pathOf(found), CANONICAL_FILES[(of.split(',')[0] ?? '') as keyof typeof CANONICAL_FILES], text),
  );
}

/**
 * A validator of parts that many machines share; each is checked once.
 * @param problems at the place of what they are about
 */
function partsJudge<Part extends { readonly name: string }>(
  name: string,
  found: object,
  partsIn: (data: FirstBootData) => readonly Part[],
  problems: (parts: readonly Part[]) => readonly (string | undefined)[],
): Judge {
  return {
    name,
    judges: isScripted,
    missing: whyMissing(found),
    verdict: (data) => {
      const parts = new Map(data.flatMap(partsIn).map((part) => [JSON.stringify(part), part]));
      const once = [...parts.values()];
      const said = problems(once);
      return once.map(({ name: where }, index) => ({ where, problem: said[index] }));
    },
  };
}

/** A socket needs the service of the same name. */
function withService<Unit extends { readonly name: string }>(unit: Unit, units: readonly Unit[]): readonly Unit[] {
  const service = unit.name.replace(/\.socket$/, '.service');
  return [unit, ...units.filter(({ name }) => name === service && name !== unit.name)];
}

const checker = shellcheck();
const analyze = systemdAnalyze();

export const JUDGES: readonly Judge[] = [
  ...CLOUD_INIT_RELEASES.map(cloudInitSchema),
  cloudInitCommand('sid'),
  ignitionValidate('ignition', 3),
  ignitionValidate('ignition-2.3', 2),
  talosMachinery(TALOS_VERSIONS['1.13']),
  nodeadmCheck(),
  ...CLOUD_INIT_RELEASES.map(nodeadmCloudConfig),
  bottlerocketList(),
  kubeadmValidate(SUPPORTED['1.35']),
  k0sReader(),
  k3sReader('k3s'),
  k3sReader('rke2'),
  canonicalReader(),
  partsJudge('sh -n', {}, scriptsIn, (scripts) => scripts.map(({ text }) => syntaxProblem(text))),
  partsJudge('shellcheck', checker, scriptsIn, (scripts) =>
    shellcheckProblems(
      pathOf(checker),
      scripts.map(({ text }) => text),
    ),
  ),
  partsJudge('systemd-analyze verify', analyze, unitsIn, (units) =>
    units.map((unit) => unitProblems(pathOf(analyze), withService(unit, units)).join('; ') || undefined),
  ),
];
