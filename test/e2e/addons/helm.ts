/** The program `helm`, with folders of its own: it packs and pushes charts, pulls them, and manages releases. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { type JsonObject, stringAt } from '#lib/api/json.ts';

export interface Chart {
  /** As a claim has it: https://… or oci://… */
  readonly repository: string;
  readonly name: string;
  readonly version: string;
}

/** How helm reaches a cluster. */
export interface Reach {
  /** File. */
  readonly kubeconfig: string;
  /** Address of the server, where its name in the kubeconfig leads nowhere on this host. */
  readonly server: string;
  readonly serverName: string;
}

export interface Installed {
  readonly chart: string;
  readonly version: string;
  readonly revision: number;
  readonly state: string;
  readonly values: JsonObject;
}

export interface Wanted {
  readonly name: string;
  readonly namespace: string;
  /** File of the chart. */
  readonly file: string;
  readonly values: JsonObject;
  /** Seconds; undefined: it does not wait. */
  readonly wait: number | undefined;
}

const LIMIT_MS = 180_000;

export class Helm {
  readonly #program: string;
  readonly #registry: string;
  readonly #folder: string;

  /** @param registry  `localhost:PORT`, which stands for every repository of charts */
  constructor(program: string, registry: string, folder: string) {
    this.#program = program;
    this.#registry = registry;
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** @param source  folder of the chart, which gets another name and version by its Chart.yaml */
  async push(source: string, { repository, name, version }: Chart): Promise<void> {
    const out = join(this.#folder, 'packed', placeOf(repository));
    await this.#run('package', source, `--version=${version}`, `--destination=${out}`);
    await this.#run('push', join(out, `${name}-${version}.tgz`), this.#mirror(repository), '--plain-http');
  }

  /** The file of the chart. */
  async pull({ repository, name, version }: Chart): Promise<string> {
    const out = join(this.#folder, 'pulled', placeOf(repository));
    const file = join(out, `${name}-${version}.tgz`);
    if (existsSync(file)) return file;
    mkdirSync(out, { recursive: true });
    try {
      await this.#run('pull', `${this.#mirror(repository)}/${name}:${version}`, '--plain-http', `--destination=${out}`);
    } catch (thrown) {
      const why = thrown instanceof Error ? (thrown.message.split(': ').at(-1) ?? '') : String(thrown);
      const what = `chart "${name}" version "${version}" of ${repository}`;
      throw new Error(`failed to pull ${what}: ${why}`, { cause: thrown });
    }
    return file;
  }

  /** What the chart is with these values, as YAML documents. */
  render({ name, namespace, file, values }: Omit<Wanted, 'wait'>): Promise<string> {
    return this.#run('template', name, file, `--namespace=${namespace}`, `--values=${this.#values(name, values)}`);
  }

  /** Undefined: there is no such release. */
  async installed(reach: Reach, name: string, namespace: string): Promise<Installed | undefined> {
    const of = [name, `--namespace=${namespace}`, '--output=json', ...flags(reach)];
    try {
      const about = JSON.parse(await this.#run('get', 'metadata', ...of)) as JsonObject;
      const values = JSON.parse(await this.#run('get', 'values', ...of)) as JsonObject | null;
      return {
        chart: stringAt(about, 'chart') ?? '',
        version: stringAt(about, 'version') ?? '',
        revision: Number(about['revision']),
        state: stringAt(about, 'status') ?? '',
        values: values ?? {},
      };
    } catch (thrown) {
      if (thrown instanceof Error && thrown.message.includes('release: not found')) return undefined;
      throw thrown;
    }
  }

  async install(reach: Reach, { name, namespace, file, values, wait }: Wanted): Promise<void> {
    const waits = wait === undefined ? [] : ['--wait', `--timeout=${wait}s`];
    const into = [`--namespace=${namespace}`, '--create-namespace', '--install'];
    await this.#run(
      'upgrade',
      name,
      file,
      ...into,
      `--values=${this.#values(name, values)}`,
      ...waits,
      ...flags(reach),
    );
  }

  async uninstall(reach: Reach, name: string, namespace: string): Promise<void> {
    await this.#run('uninstall', name, `--namespace=${namespace}`, '--ignore-not-found', ...flags(reach));
  }

  #mirror(repository: string): string {
    return `oci://${this.#registry}/charts/${placeOf(repository)}`;
  }

  #values(name: string, values: JsonObject): string {
    const file = join(this.#folder, `${name}.values.yaml`);
    writeFileSync(file, stringify(values), { mode: 0o600 });
    return file;
  }

  async #run(...args: readonly string[]): Promise<string> {
    const { PATH = '' } = process.env;
    const home = ['CACHE', 'CONFIG', 'DATA'].map((what) => [`HELM_${what}_HOME`, join(this.#folder, 'home', what)]);
    const env = { PATH, HOME: this.#folder, ...(Object.fromEntries(home) as Record<string, string>) };
    try {
      const { stdout } = await promisify(execFile)(this.#program, args, {
        env,
        timeout: LIMIT_MS,
        maxBuffer: 16 * 1024 * 1024,
      });
      return stdout;
    } catch (thrown) {
      const said = (thrown as { readonly stderr?: string }).stderr ?? '';
      const lines = said.split('\n').filter((line) => line.startsWith('Error: '));
      throw new Error((lines.at(-1) ?? said).replace(/^Error: /, '').trim() || 'helm ended without a word', {
        cause: thrown,
      });
    }
  }
}

function flags({ kubeconfig, server, serverName }: Reach): readonly string[] {
  return [`--kubeconfig=${kubeconfig}`, `--kube-apiserver=${server}`, `--kube-tls-server-name=${serverName}`];
}

/** https://charts.example.com/stable → charts.example.com/stable */
function placeOf(repository: string): string {
  return repository
    .replace(/^[a-z]+:\/\//, '')
    .replace(/\/+$/, '')
    .toLowerCase();
}
