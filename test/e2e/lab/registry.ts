/** A package registry on loopback, and what the lab pushes to it and reads from it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Binaries } from '../binaries/find.ts';
import { freePorts } from './ports.ts';
import type { Processes } from './processes.ts';
import { until } from './waiting.ts';

export interface Registry {
  /** `localhost:PORT`: plain http is accepted for loopback names. */
  readonly host: string;
  /** Pushes an .xpkg file as `org/name:tag`. */
  push(file: string, reference: string): Promise<void>;
  /** The manifest of `org/name:tag` or `org/name@sha256:…`, for this machine's architecture. */
  manifest(repository: string, reference: string): Promise<Manifest>;
  blob(repository: string, digest: string): Promise<Buffer>;
}

export interface Manifest {
  readonly config: { readonly digest: string };
  readonly layers: readonly {
    readonly digest: string;
    readonly annotations?: Readonly<Record<string, string>>;
  }[];
}

const MANIFEST_TYPES = [
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
];
const INDEX_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];
const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'amd64';

export async function startRegistry(binaries: Binaries, processes: Processes): Promise<Registry> {
  const host = await startRegistryProgram(binaries['e2e-registry'], processes);
  return {
    host,
    push: (file, reference) => push(binaries.crossplane, file, `${host}/${reference}`),
    manifest: (repository, reference) => manifest(host, repository, reference),
    blob: async (repository, digest) => Buffer.from(await get(`http://${host}/v2/${repository}/blobs/${digest}`)),
  };
}

/** Its `localhost:PORT`, once it answers. */
export async function startRegistryProgram(program: string, processes: Processes): Promise<string> {
  const { registry } = await freePorts('registry');
  processes.start({ name: 'registry', program, args: [`-port=${registry}`] });
  const host = `localhost:${registry}`;
  await until('the registry answers', { seconds: 30 }, async () => {
    const { status } = await fetch(`http://${host}/v2/`);
    return status === 200 ? { found: true } : { yet: `status ${status}` };
  });
  return host;
}

async function push(cli: string, file: string, reference: string): Promise<void> {
  try {
    await promisify(execFile)(cli, ['xpkg', 'push', '-f', file, reference], { timeout: 300_000 });
  } catch (thrown) {
    const said = thrown instanceof Error ? (thrown.message.trim().split('\n').at(-1) ?? '') : String(thrown);
    throw new Error(`cannot push "${reference}": ${said}`, { cause: thrown });
  }
}

interface Index {
  readonly manifests?: readonly { readonly digest: string; readonly platform?: { readonly architecture?: string } }[];
}

async function manifest(host: string, repository: string, reference: string): Promise<Manifest> {
  const url = (what: string): string => `http://${host}/v2/${repository}/manifests/${what}`;
  const text = Buffer.from(await get(url(reference), [...MANIFEST_TYPES, ...INDEX_TYPES])).toString('utf8');
  const { manifests } = JSON.parse(text) as Index;
  if (manifests === undefined) return JSON.parse(text) as Manifest;
  const ours = manifests.find(({ platform }) => platform?.architecture === ARCHITECTURE) ?? manifests[0];
  return manifest(host, repository, ours?.digest ?? '');
}

async function get(url: string, accept: readonly string[] = []): Promise<ArrayBuffer> {
  const response = await fetch(url, { headers: accept.length === 0 ? {} : { accept: accept.join(', ') } });
  if (!response.ok) throw new Error(`cannot read "${url}": status ${response.status}`);
  return response.arrayBuffer();
}
