/** npm run package: builds every package into dist/ and prints what came out. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { messageOf } from '#lib/api/errors.ts';
import { sha256 } from '#lib/api/names.ts';
import { type Base, baseLayer, NODE_PATH, nodeVersion } from './base-image.ts';
import { bundleProgram, MAIN, programFiles } from './bundle.ts';
import { CATALOG, packageYaml, type PackageSource } from './catalog.ts';
import { type Architecture, image, xpkg } from './image.ts';
import { INPUTS_FILE, inputsOf, inputsText } from './inputs.ts';
import { layer } from './layer.ts';
import { type BuildFacts, provenance } from './provenance.ts';
import { releaseOf } from './release.ts';
import { npmComponents, sbom } from './sbom.ts';
import { updaterImage } from './updater-image.ts';

const HELP = `npm run package -- [options]

Builds every Slipway package as an .xpkg file with a list of what is inside (.cdx.json, CycloneDX), each program's
bundle for package/runtime/Dockerfile, provenance.intoto.json, which says what they were built from, and inputs.json, by
which npm run e2e knows whether they are of the present sources.

  --architectures LIST  comma-separated: amd64, arm64 (default: this machine's)
  --out DIR             where the files go (default: dist)
  --cache DIR           downloads for the base layer (default: .cache/package)
  --no-runtime          leave Node and the libraries out: for pushing onto a base image of your own
  --version VERSION     of the release: written to images, XRDs and Compositions, and what packages need of each
                        other (default: v and package.json's)
  --help                this text

Exit codes: 0 built · 1 failed · 2 usage
`;

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const MACHINE: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';

interface Built {
  readonly name: string;
  readonly architecture: string;
  readonly bytes: number;
  readonly bundle: number;
  readonly digest: string;
  /** Paths of the files that its program was made from. */
  readonly read: readonly string[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      architectures: { type: 'string', default: MACHINE },
      out: { type: 'string', default: 'dist' },
      cache: { type: 'string', default: join('.cache', 'package') },
      version: { type: 'string', default: `v${VERSION}` },
      'no-runtime': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const architectures = values.architectures.split(',').map(architecture);
  const release = releaseOf(values.version);
  const out = resolve(ROOT, values.out);
  mkdirSync(join(out, 'bundles'), { recursive: true });
  const built: Built[] = [];
  for (const arch of architectures) {
    if (!values['no-runtime'])
      process.stderr.write(`base layer ${arch}: Node and its libraries (about 10 s the first time)\n`);
    const base = values['no-runtime'] ? undefined : await baseLayer(ROOT, resolve(ROOT, values.cache), arch);
    for (const source of CATALOG) {
      // A Configuration has no code, so one file serves every architecture.
      if (source.runs === undefined && arch !== architectures[0]) continue;
      process.stderr.write(`${source.name} ${source.runs === undefined ? '' : arch}\n`);
      built.push(await build(source, arch, base, out, release));
    }
  }
  built.push(await buildUpdaterImage(out));
  writeFileSync(join(out, 'provenance.intoto.json'), provenance(factsOf(built, architectures, release)));
  const read = built.flatMap((one) => one.read);
  writeFileSync(join(out, INPUTS_FILE), inputsText(inputsOf(ROOT, read)));
  process.stdout.write(table(built, release));
}

/** The image that provider-node starts on nodes: one file for every architecture, and the same in every release. */
async function buildUpdaterImage(out: string): Promise<Built> {
  const name = 'node-updater.oci.tar';
  const { tar } = await updaterImage();
  writeFileSync(join(out, name), tar);
  return { name, architecture: 'any', bytes: tar.length, bundle: 0, digest: sha256(tar), read: [] };
}

function architecture(text: string): Architecture {
  if (text === 'amd64' || text === 'arm64') return text;
  throw new TypeError(`cannot build for architecture "${text}"; accepted: amd64, arm64`);
}

async function build(
  source: PackageSource,
  arch: Architecture,
  base: Base | undefined,
  out: string,
  version: string,
): Promise<Built> {
  const content = await layer(
    [{ path: 'package.yaml', mode: 0o644, content: Buffer.from(packageYaml(ROOT, source, version)) }],
    'base',
  );
  const bundle = source.runs === undefined ? undefined : await bundleProgram(ROOT, source.runs);
  const code = bundle?.code;
  // V8 refuses what another version or architecture compiled.
  const compile = arch === MACHINE && nodeVersion(ROOT) === process.versions.node;
  const files = bundle === undefined ? [] : programFiles(ROOT, bundle, compile);
  const parts = [...(base?.components ?? []), ...npmComponents(ROOT, bundle?.modules ?? [])];
  const listed = sbom(source.name, version, bundle === undefined ? [] : parts);
  const folder = join(out, 'bundles', source.name, arch);
  if (code !== undefined) mkdirSync(folder, { recursive: true });
  for (const { path, content } of files) writeFileSync(join(folder, path), content);
  const layers =
    code === undefined
      ? []
      : [
          ...(base === undefined ? [] : [base.layer]),
          await layer([
            ...files.map(({ path, content }) => ({ path: `app/${path}`, mode: 0o644, content })),
            { path: 'app/sbom.cdx.json', mode: 0o644, content: Buffer.from(listed) },
          ]),
        ];
  const runtime = {
    entrypoint: [NODE_PATH, `/app/${MAIN}`],
    user: '2000',
    workingDir: '/app',
    env: ['NODE_ENV=production'],
  };
  const packaged = image([...layers, content], arch, code === undefined ? undefined : runtime, version);
  const bytes = await xpkg(packaged);
  const file = code === undefined ? `${source.name}.xpkg` : `${source.name}-${arch}.xpkg`;
  writeFileSync(join(out, file), bytes);
  writeFileSync(join(out, file.replace(/xpkg$/, 'cdx.json')), listed);
  return {
    name: file,
    architecture: code === undefined ? 'any' : arch,
    bytes: bytes.length,
    bundle: code?.length ?? 0,
    digest: sha256(bytes),
    read: bundle?.read ?? [],
  };
}

function factsOf(built: readonly Built[], architectures: readonly Architecture[], release: string): BuildFacts {
  const git = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  return {
    release,
    architectures,
    commit: git.status === 0 ? git.stdout.trim() : undefined,
    lock: sha256(readFileSync(join(ROOT, 'package-lock.json'))),
    files: built.map(({ name, digest }) => ({ name, sha256: digest })),
  };
}

function table(built: readonly Built[], version: string): string {
  const width = Math.max(...built.map(({ name }) => name.length));
  const rows = built.map(({ name, bytes, bundle, digest }) =>
    [
      name.padEnd(width),
      mebibytes(bytes).padStart(9),
      (bundle === 0 ? '-' : kibibytes(bundle)).padStart(9),
      `sha256:${digest.slice(0, 12)}`,
    ].join('  '),
  );
  return [
    `Slipway ${version}`,
    ['PACKAGE'.padEnd(width), '     SIZE', '     CODE', 'DIGEST'].join('  '),
    ...rows,
    '',
  ].join('\n');
}

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
const kibibytes = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`;

try {
  await main();
} catch (thrown) {
  const usage = thrown instanceof TypeError;
  process.stderr.write(`package: ${messageOf(thrown)}\n`);
  process.exitCode = usage ? 2 : 1;
}
