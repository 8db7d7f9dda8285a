/**
 * One reconcile by the engine of Crossplane: `crossplane composition render` with the core binary, without containers.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { PipelineEvent } from '#simulator/reconcile/pipeline.ts';
import { FUNCTIONS } from '../../../cli/files/repository.ts';
import { functionObject } from '../../../cli/functions/functions.ts';
import type { Binaries } from '../binaries/find.ts';
import { type CoreOutput, readCoreOutput } from './core-output.ts';
import type { Rendering } from './rendering.ts';
import type { Start } from './stages.ts';
import type { Wire } from './wire.ts';

/** The two programs of the engine: the command, and the one that it calls. */
export type EngineBinaries = Pick<Binaries, 'crossplane' | 'crossplane-core'>;

export class RealEngine {
  readonly #binaries: EngineBinaries;
  readonly #folder: string;
  readonly #wire: Wire;

  /** @param folder for the files of one reconcile at a time; used by nothing else */
  constructor(binaries: EngineBinaries, folder: string, wire: Wire) {
    mkdirSync(folder, { recursive: true });
    this.#binaries = binaries;
    this.#folder = folder;
    this.#wire = wire;
    // The command does not print what core deletes, nor what core writes to an XR that was refused.
    const [core, kept] = [binaries['crossplane-core'], this.#file('core.bin')];
    const script = ['#!/bin/sh', `"${core}" "$@" > "${kept}"`, 'code=$?', `cat "${kept}"`, 'exit $code', ''];
    writeFileSync(this.#file('core.sh'), script.join('\n'), { mode: 0o755 });
    this.#write('functions.yaml', functionObjects(wire));
  }

  async render(start: Start): Promise<Rendering> {
    this.#wire.begin(start.now);
    rmSync(this.#file('core.bin'), { force: true });
    const { printed, error } = await this.#run(start);
    const core = this.#coreOutput();
    const isOurs = ({ apiVersion }: KubeObject): boolean => apiVersion.startsWith('render.crossplane.io/');
    const [composite = core.composite, ...composed] = printed.filter((object) => !isOurs(object));
    const results = printed.filter((object) => isOurs(object) && object.kind === 'Result').map(resultOf);
    return {
      error,
      composite,
      composed,
      deleted: core.deleted,
      results: error === undefined ? results : core.events,
      context: contextOf(printed),
      asked: this.#wire.asked,
    };
  }

  async #run(start: Start): Promise<{ readonly printed: readonly KubeObject[]; readonly error: string | undefined }> {
    const options = { maxBuffer: 64 * 1024 * 1024, timeout: 300_000 };
    try {
      const { stdout } = await promisify(execFile)(this.#binaries.crossplane, [...this.#arguments(start)], options);
      const printed = parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject);
      return { printed, error: undefined };
    } catch (thrown) {
      const { stderr = '' } = thrown as { readonly stderr?: string };
      return { printed: [], error: stderr.trim() === '' ? String(thrown) : stderr.trim() };
    }
  }

  #arguments({ xr, composition, observed, required, definition }: Start): readonly string[] {
    const files = [this.#write('xr.yaml', [xr]), this.#write('composition.yaml', [composition])];
    return [
      'composition',
      'render',
      ...files,
      this.#file('functions.yaml'),
      ...(observed.length === 0 ? [] : ['--observed-resources', this.#write('observed.yaml', observed)]),
      ...(required.length === 0 ? [] : ['--required-resources', this.#write('required.yaml', required)]),
      ...(definition === undefined ? [] : ['--xrd', this.#write('definition.yaml', [definition])]),
      '--include-function-results',
      '--include-context',
      '--crossplane-binary',
      this.#file('core.sh'),
    ];
  }

  #coreOutput(): CoreOutput {
    const file = this.#file('core.bin');
    return existsSync(file) ? readCoreOutput(readFileSync(file)) : { composite: undefined, deleted: [], events: [] };
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }

  /** As JSON, which every YAML parser reads correctly: that of Crossplane still reads a bare `no` as false. */
  #write(name: string, objects: readonly object[]): string {
    const file = this.#file(name);
    writeFileSync(file, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
    return file;
  }
}

function contextOf(printed: readonly KubeObject[]): JsonObject {
  const context = printed.find(({ kind }) => kind === 'Context');
  return context === undefined ? {} : ((at(context, 'fields') ?? {}) as JsonObject);
}

function resultOf(object: KubeObject): PipelineEvent {
  const text = (field: string): string => stringAt(object, field) ?? '';
  const severity = text('severity') === 'Warning' ? 'Warning' : 'Normal';
  return { severity, reason: text('reason'), message: text('message') };
}

function functionObjects(wire: Wire): readonly object[] {
  return FUNCTIONS.map((name) => functionObject({ name, address: wire.address(name) }));
}
