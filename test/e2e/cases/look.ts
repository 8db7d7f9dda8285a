/** What users see of a Ready cluster: columns, and the trace in the README; and every object matches its schema. */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { writtenKinds } from '#simulator/cloud-stand-in.ts';
import { image, xpkg } from '../../../package/build/image.ts';
import { layer } from '../../../package/build/layer.ts';
import { ROOT } from '../binaries/find.ts';
import type { Lab } from '../lab/lab.ts';
import { type Case, hold } from './case.ts';
import { SLIPWAY, TEAM } from './scene.ts';

/** Conditions of Cluster API (v1beta2), and the three of Crossplane. */
const COLUMNS = {
  'cluster.slipway.dev':
    'NAME VERSION INFRASTRUCTURE INITIALIZED CP-DESIRED CP-READY CP-UP-TO-DATE SYNCED READY COMPOSITION AGE',
  'nodepool.slipway.dev':
    'NAME CLUSTER DESIRED CURRENT READY-REPLICAS AVAILABLE UP-TO-DATE PHASE SYNCED READY COMPOSITION AGE',
  'machine.slipway.dev': 'NAME CLUSTER NODE FAILURE-DOMAIN PHASE VERSION SYNCED READY COMPOSITION AGE',
} as const;

export const lookCase: Case = {
  name: 'look',
  after: ['claim'],
  defaults: true,
  async run(lab) {
    for (const [kind, expected] of Object.entries(COLUMNS)) {
      const [head = ''] = (await lab.kubectl('-n', TEAM, 'get', kind)).split('\n');
      const seen = head.trim().split(/\s+/).join(' ');
      hold(`kubectl get ${kind} shows ${expected}`, seen === expected, seen);
    }
    const trace = await lab.cli('resource', 'trace', 'cluster.slipway.dev/prod', '-n', TEAM);
    const real = new Set(trace.split('\n').map(squeezed));
    const shown = traceInReadme();
    hold('README shows a trace', shown.length > 10);
    const invented = shown.filter((line) => !real.has(squeezed(line)));
    hold("every line of README's trace is real", invented.length === 0, invented.join(' | '));
    return `columns, trace, ${await validate(lab)} objects valid`;
  },
};

/** Without the last part of the name of a machine, which its pool's uid is in. */
const squeezed = (line: string): string =>
  line
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(prod-[a-z-]+-\d)-[a-z\d]{5}\b/g, '$1');

/** Lines that stand for omitted lines begin with an ellipsis. */
function traceInReadme(): readonly string[] {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const block = /^```\n(?<body>NAME +SYNCED +READY.*?)^```/ms.exec(text)?.groups?.['body'] ?? '';
  return block.split('\n').filter((line) => line.trim() !== '' && !/^[│├└─\s]*…/.test(line));
}

/** `crossplane resource validate` on all composed objects, with the definitions that the API server serves. */
async function validate(lab: Lab): Promise<number> {
  const folder = join(lab.folder, 'validate');
  const write = (name: string, objects: readonly object[]): string => {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(
      join(folder, name, 'all.yaml'),
      objects.map((object) => stringify(object, { compat: 'yaml-1.1' })).join('---\n'),
    );
    return join(folder, name);
  };
  const definitions = await lab.api.list({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' });
  const ours = [
    ...writtenKinds(SIMULATED_CLOUDS),
    ...['Cluster', 'NodePool', 'Machine'].map((kind) => ({ apiVersion: SLIPWAY, kind })),
  ];
  const kinds = ours.filter(({ apiVersion }) => apiVersion !== 'v1');
  const objects = (await Promise.all(kinds.map((kind) => lab.api.list({ ...kind, namespace: TEAM })))).flat();
  const [schemas, resources] = [write('schemas', definitions), write('resources', objects)];
  const own = ['--crossplane-image', await crossplaneImage(lab)];
  const said = await lab.cli('resource', 'validate', schemas, resources, '--cache-dir', join(folder, 'cache'), ...own);
  const total =
    /Total (?<all>\d+) resources: (?<missing>\d+) missing schemas, (?<good>\d+) success cases, (?<bad>\d+) failure/.exec(
      said,
    );
  hold('crossplane resource validate says so', total !== null, said.split('\n').at(-2));
  const { missing, good, bad } = total?.groups ?? {};
  hold(
    'every object fits its schema',
    missing === '0' && bad === '0',
    said
      .split('\n')
      .filter((line) => line.startsWith('[x]'))
      .slice(0, 3)
      .join(' | '),
  );
  return Number(good);
}

/** Where the command looks for the definitions of Crossplane: an image with a folder crds/. */
async function crossplaneImage({ binaries, folder, registry }: Lab): Promise<string> {
  const source = join(binaries.manifests, 'crds');
  const entries = readdirSync(source).map((file) => ({
    path: `crossplane/crds/${file}`,
    mode: 0o644,
    content: readFileSync(join(source, file)),
  }));
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
  // The command refuses an image without any label.
  const packaged = image([await layer(entries)], architecture, undefined, 'stable');
  const file = join(folder, 'packages/crossplane.xpkg');
  writeFileSync(file, await xpkg(packaged));
  await registry.push(file, 'crossplane/crossplane:stable');
  return `${registry.host}/crossplane/crossplane:stable`;
}
