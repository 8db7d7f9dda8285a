/** First-boot data of a machine, and the files and scripts in it, in any format. */
import { filesOf } from '../support/first-boot.ts';
import { ignitionFiles, ignitionOf, type IgnitionText } from '../support/ignition.ts';
import { partOf } from '../support/mime.ts';

export interface FirstBootData {
  /** Its machine: init, control-plane, worker. */
  readonly of: string;
  /** As in its payload Secret. */
  readonly format: string;
  readonly text: string;
}

interface File {
  readonly path: string;
  readonly bytes: Buffer;
}

type Unit = IgnitionText['systemd']['units'][number];

interface Carried {
  readonly files: readonly File[];
  /** In words of the format's own. */
  readonly units: readonly Unit[];
}

/** By format of a payload. Formats without files and units contain none. */
const READERS: Readonly<Record<string, (text: string) => Carried>> = {
  'cloud-config': (text) => ({ files: filesOf(text), units: [] }),
  ignition: (text) => ({ files: ignitionFiles(text), units: ignitionOf(text).systemd.units }),
  nodeadm: (text) => ({ files: [boothookIn(text), ...filesOf(partOf(text, 'text/cloud-config'))], units: [] }),
  talos: () => ({ files: [], units: [] }),
  bottlerocket: () => ({ files: [], units: [] }),
};

/** A script that cloud-init runs without a path of Slipway. */
function boothookIn(text: string): File {
  return { path: 'text/cloud-boothook', bytes: Buffer.from(partOf(text, 'text/cloud-boothook')) };
}

function carriedBy({ format, text }: FirstBootData): Carried {
  const read = READERS[format];
  if (read === undefined) throw new Error(`nobody takes first-boot data of format ${format} apart`);
  return read(text);
}

export function fileIn(data: FirstBootData, path: string): string | undefined {
  return carriedBy(data)
    .files.find((file) => file.path === path)
    ?.bytes.toString();
}

/** For drop-ins of services in the image. */
const STAND_IN = '[Service]\nExecStart=/bin/true\n';

export function unitsIn(data: FirstBootData): readonly Unit[] {
  const { files, units } = carriedBy(data);
  return [...units, ...unitsAmong(files)].map(({ contents = STAND_IN, ...unit }) => ({ ...unit, contents }));
}

const UNIT_FILE = /^\/etc\/systemd\/system\/(?<name>[^/]+\.[a-z]+)$/;
const DROP_IN = /^\/etc\/systemd\/system\/(?<unit>[^/]+\.[a-z]+)\.d\/(?<name>[^/]+\.conf)$/;

/** Units that are written as files. */
function unitsAmong(files: readonly File[]): readonly Unit[] {
  const units = new Map<string, { contents?: string; dropins: { name: string; contents: string }[] }>();
  const unit = (name: string) => units.get(name) ?? units.set(name, { dropins: [] }).get(name)!;
  for (const { path, bytes } of files) {
    const whole = UNIT_FILE.exec(path)?.groups;
    const dropIn = DROP_IN.exec(path)?.groups;
    if (whole !== undefined) unit(whole['name']!).contents = String(bytes);
    if (dropIn !== undefined) unit(dropIn['unit']!).dropins.push({ name: dropIn['name']!, contents: String(bytes) });
  }
  return [...units].map(([name, one]) => ({ name, ...one }));
}

export interface Script {
  readonly name: string;
  readonly text: string;
}

/**
 * Files that are scripts, and every command that the first-boot script runs in its own shell, except those of the
 * claim.
 */
export function scriptsIn(data: FirstBootData): readonly Script[] {
  const scripts = carriedBy(data).files.filter(({ bytes }) => bytes.subarray(0, 2).toString() === '#!');
  return scripts.flatMap(({ path, bytes }) => [{ name: path, text: String(bytes) }, ...commandsIn(String(bytes))]);
}

/** `run NAME COMMAND`, each a word that is quoted if needed. */
const RUN = /^run (?<name>'[^']*'|[^\s']+) (?<command>(?:'[^']*'|\\'|[^\s'\\])+)$/gm;

function commandsIn(script: string): readonly Script[] {
  const steps = [...script.matchAll(RUN)].map(({ groups }) => ({
    name: unquoted(groups?.['name'] ?? ''),
    text: `#!/bin/sh\nset -e\n${unquoted(groups?.['command'] ?? '')}\n`,
  }));
  return steps.filter(({ name }) => !name.startsWith('commands.'));
}

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|\\(')/g,
    (_, inside: string | undefined, quote: string | undefined) => inside ?? quote ?? '',
  );
}
