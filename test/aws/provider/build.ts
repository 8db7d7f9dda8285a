/** Builds the cut-down provider from its Go modules into .cache/aws, with the CRDs of the same version. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { AWS_KINDS, groupOf } from '#clouds/aws/kinds.ts';
import { MissingError } from '../../e2e/binaries/find.ts';
import { CACHE, PROVIDER, PROVIDER_VERSION } from '../parts.ts';
import { type ApiVersion, kindsGo, MODULE } from './kinds-go.ts';
import { mainGo } from './main-go.ts';
import { cutDown } from './terraform.ts';

const FOLDER = join(CACHE, 'source');
const TERRAFORM = join(FOLDER, 'terraform');
const REPLACED = /^replace github\.com\/hashicorp\/terraform-provider-aws => (?<path>\S+) (?<version>\S+)$/m;

export function buildProvider(tell: (line: string) => void): void {
  mkdirSync(FOLDER, { recursive: true });
  const { Dir: source, Sum, GoModSum } = downloaded(MODULE, PROVIDER_VERSION, CACHE);
  const goMod = readFileSync(join(source, 'go.mod'), 'utf8');
  const { path = '', version = '' } = REPLACED.exec(goMod)?.groups ?? {};
  // Below the provider, so that it may import what is internal there.
  const own = `${goMod.replace(/^module .*$/m, `module ${MODULE}/slipway`)}\nrequire ${MODULE} ${PROVIDER_VERSION}\n`;
  write('go.mod', own);
  const sums = [`${MODULE} ${PROVIDER_VERSION} ${Sum}`, `${MODULE} ${PROVIDER_VERSION}/go.mod ${GoModSum}`];
  write('go.sum', `${readFileSync(join(source, 'go.sum'), 'utf8')}${sums.join('\n')}\n`);
  tell(`cutting ${path} ${version} down`);
  cutDown(downloaded(path, version, FOLDER).Dir, TERRAFORM);
  write('go.mod', own.replace(REPLACED, `replace github.com/hashicorp/terraform-provider-aws => ${TERRAFORM}`));
  write('main.go', mainGo(readFileSync(join(source, 'cmd/provider/monolith/zz_main.go'), 'utf8')));
  write('kinds.go', kindsGo(contentsOf(source)));
  copyFileSync(join(import.meta.dirname, 'trim.go'), join(FOLDER, 'trim.go'));
  compile();
  copyCrds(join(source, 'package/crds'));
}

/** It has another name until it is complete, so that an interrupted build does not look complete. */
function compile(): void {
  mkdirSync(dirname(PROVIDER.program), { recursive: true });
  const draft = `${PROVIDER.program}.part`;
  const flags = `-s -w -X=${MODULE}/internal/version.Version=${PROVIDER_VERSION}`;
  go(['build', '-trimpath', '-ldflags', flags, '-o', draft, '.'], FOLDER);
  renameSync(draft, PROVIDER.program);
}

function copyCrds(from: string): void {
  rmSync(PROVIDER.crds, { recursive: true, force: true });
  mkdirSync(PROVIDER.crds, { recursive: true });
  const prefixes = ['aws.m.upbound.io', ...new Set(AWS_KINDS.map(groupOf))];
  for (const file of readdirSync(from).filter((name) => prefixes.some((prefix) => name.startsWith(`${prefix}_`))))
    cpSync(join(from, file), join(PROVIDER.crds, file));
}

function contentsOf(source: string) {
  const serviceOf = (kind: (typeof AWS_KINDS)[number]): string => groupOf(kind).split('.')[0] ?? '';
  const services = [...new Set(AWS_KINDS.map(serviceOf))];
  const own = services.flatMap((group) =>
    readdirSync(join(source, 'apis/namespaced', group)).map((version) => ({ group, version })),
  );
  return {
    controllers: AWS_KINDS.map((kind) => `${serviceOf(kind)}/${kind.toLowerCase()}`),
    types: [...own, ...referredTo(source, own)],
    family: {
      namespaced: versionsIn(join(source, 'apis/namespaced')),
      cluster: versionsIn(join(source, 'apis/cluster')),
    },
  };
}

/** Types of other services that references of these may lead to. */
function referredTo(source: string, own: readonly ApiVersion[]): readonly ApiVersion[] {
  const files = own.map(({ group, version }) =>
    join(source, 'apis/namespaced', group, version, 'zz_generated.resolvers.go'),
  );
  const texts = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
  const found = texts.flatMap((text) => [...text.matchAll(/GetManagedResource\("([a-z0-9]+)\.[^"]*", "([a-z0-9]+)"/g)]);
  const names = new Set(found.map(([, group = '', version = '']) => `${group}/${version}`));
  for (const { group, version } of own) names.delete(`${group}/${version}`);
  return [...names].toSorted().map((name) => {
    const [group = '', version = ''] = name.split('/');
    return { group, version };
  });
}

function versionsIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => /^v\d+(?:alpha\d+|beta\d+)?$/.test(name));
}

interface Module {
  readonly Dir: string;
  readonly Sum: string;
  readonly GoModSum: string;
}

/** @param folder  whose go.sum says what it must be; without one, the database of checksums says it */
function downloaded(path: string, version: string, folder: string): Module {
  return JSON.parse(go(['mod', 'download', '-json', `${path}@${version}`], folder)) as Module;
}

function write(name: string, text: string): void {
  writeFileSync(join(FOLDER, name), text);
}

function go(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync('go', [...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=mod -buildvcs=false' },
  });
  if (status === 0) return stdout;
  // Of a download, the error is in its answer.
  const last = `${stderr ?? ''}${args.includes('-json') ? stdout : ''}`.trim().split('\n').slice(-5).join(' ');
  throw new MissingError(`cannot run go ${args.slice(0, 2).join(' ')}: ${last}`);
}
