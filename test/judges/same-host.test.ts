/**
 * One plan gives the same host with either program on first boot: the same files with the same bytes, modes and owners,
 * the same commands in the same order, and the same result. The module of cloud-init writes the files, and a reader of
 * the Ignition specification; the script in each is run.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlanUnit } from '#lib/api/contracts/bootstrap-plan.ts';
import { aPlan, aPlanFile, rendered } from '../../functions/provisioning/plan.fixture.ts';
import { SCRIPT_PATH } from '../../functions/provisioning/script.ts';
import { ignitionFiles, ignitionOf } from '../support/ignition.ts';
import { StandIns } from '../support/stand-ins.ts';
import { type CloudInit, cloudInitOf } from './cloud-init.ts';
import { runCommand } from './run.ts';

/** All paths of a plan are below it, so that they can be moved into a temporary folder. */
const PLACE = '/srv/it';
const SENTINEL = `${PLACE}/done`;
const UNITS = '/etc/systemd/system';
const IDS: Readonly<Record<string, number>> = { root: 0, daemon: 1, bin: 2 };

const WRITE_FILES = `
import json, sys, yaml
from cloudinit.config.cc_write_files import write_files
files = yaml.safe_load(open(sys.argv[1], "rb"))["write_files"]
for file in sorted(files, key=lambda file: file.get("defer", False)):
    write_files("write_files", [{**file, "path": sys.argv[2] + file["path"]}], "root:root")
`;

type Writer = (host: StandIns, text: string) => void;

function byCloudInit({ python, packages }: CloudInit): Writer {
  return (host, text) => {
    writeFileSync(host.at('user-data'), text);
    const args = ['-c', WRITE_FILES, host.at('user-data'), host.at('root')];
    const { ok, output } = runCommand(python, args, { env: { PYTHONPATH: packages } });
    if (!ok) throw new Error(output);
  };
}

const byIgnition: Writer = (host, text) => {
  const units = ignitionOf(text).systemd.units.flatMap(({ name, contents }) =>
    contents === undefined
      ? []
      : [
          {
            path: `${UNITS}/${name}`,
            bytes: Buffer.from(contents),
            permissions: '0644',
            owner: 'root:root',
            append: false,
          },
        ],
  );
  for (const { path, bytes, permissions, owner, append } of [...ignitionFiles(text), ...units]) {
    const place = host.at('root', path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, bytes, { flag: append ? 'a' : 'w' });
    chmodSync(place, parseInt(permissions, 8));
    const [user = 0, group = 0] = owner.split(':').map((name) => IDS[name] ?? Number(name));
    chownSync(place, user, group);
  }
};

const SEVERAL = ['claim pre', 'plan pre', 'bootstrap', 'plan post', 'claim post'] as const;

const content = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.constantFrom('a ${instanceId} b\n', '${failureDomain}', 'x\r\n', '').map((text) => Buffer.from(text)),
);

const file = fc.record({
  at: fc.nat({ max: 3 }),
  content,
  mode: fc.constantFrom('0644', '0600', '0755', '0400'),
  owner: fc.constantFrom('root:root', 'daemon:bin', '1000:1000', 'root:1001'),
  append: fc.boolean(),
  instanceVariables: fc.boolean(),
});

const given = fc.record({
  files: fc.array(file, { maxLength: 5 }),
  /** Indexes of files with join secrets. */
  joins: fc.uniqueArray(fc.nat({ max: 3 })),
  /** Whether each is enabled. */
  units: fc.array(fc.boolean(), { maxLength: 2 }),
  /** The number of commands of each kind. */
  counts: fc.tuple(fc.nat(2), fc.nat(2), fc.integer({ min: 1, max: 2 }), fc.nat(2), fc.nat(2)),
  /** The step that fails, counted over all steps; beyond the last: none. */
  fails: fc.nat(14),
  how: fc.constantFrom('false', 'exit 3', 'false; true', 'true\nfalse\ntrue', 'no-such-program', 'false | cat'),
});
type Given = typeof given extends fc.Arbitrary<infer Value> ? Value : never;

const pathOf = (index: number): string => `${PLACE}/file-${index}`;

/** A path that occurs again is appended to. */
function filesOf({ files }: Given) {
  return files.map(({ at, content: bytes, append, ...rest }, index) => {
    const again = files.slice(0, index).some((before) => before.at === at);
    return aPlanFile(pathOf(at), bytes, { ...rest, append: append || again });
  });
}

function unitsOf({ units }: Given): readonly PlanUnit[] {
  return units.map((enabled, i) => ({ name: `it-${i}.service`, contents: `[Service]\n# ${i}\n`, enabled }));
}

/** Commands by kind; each logs its name first. */
function stepsOf({ counts }: Given): readonly (readonly string[])[] {
  return SEVERAL.map((kind, at) => Array.from({ length: counts[at] ?? 0 }, (_, index) => `step ${kind} ${index}`));
}

/** All calls that are possible, in order. */
function callsOf(one: Given): readonly string[] {
  const units = unitsOf(one);
  const enabled = units.filter((unit) => unit.enabled).map(({ name }) => `systemctl enable --now ${name}`);
  return [...(units.length === 0 ? [] : ['systemctl daemon-reload']), ...enabled, ...stepsOf(one).flat()];
}

function firstBootOf(one: Given, format: string): Promise<string> {
  const failing = callsOf(one)[one.fails];
  const commands = stepsOf(one).map((names) => names.map((name) => (name === failing ? `${name}\n${one.how}` : name)));
  const [before = [], pre = [], bootstrap = [], post = [], after = []] = commands;
  const plan = aPlan({
    files: filesOf(one),
    units: [...unitsOf(one)],
    commands: { pre, bootstrap, post },
    removeAfterBootstrap: one.joins.map(pathOf),
    sentinel: SENTINEL,
  });
  return rendered({ format, commands: { pre: before, post: after } }, plan);
}

function aHost(): StandIns {
  const host = new StandIns();
  host.programs('systemctl', 'step');
  host.program('cloud-init', 'case "$2" in v1.instance_id) printf i-0a ;; *) printf eu-west-1a ;; esac');
  host.program('curl', 'case "$*" in *instance-id) printf i-0a ;; *zone) printf eu-west-1a ;; *) printf fake ;; esac');
  mkdirSync(host.at('root', PLACE), { recursive: true });
  writeFileSync(host.at('root', pathOf(0)), 'of the image\n', { mode: 0o640 });
  return host;
}

/** Files below a folder, as text. */
function treeOf(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name !== 'slipway-bootstrap.service')
    .toSorted()
    .map((name) => {
      const { mode, uid, gid } = lstatSync(join(folder, name));
      return `${name} ${(mode & 0o7777).toString(8)} ${uid}:${gid} ${readFileSync(join(folder, name)).toString('base64')}`;
    });
}

async function boot(one: Given, format: string, write: Writer) {
  const host = aHost();
  try {
    write(host, await firstBootOf(one, format));
    const text = readFileSync(host.at('root', SCRIPT_PATH), 'utf8')
      .replaceAll(PLACE, host.at('root', PLACE))
      .replaceAll(UNITS, host.at('root', UNITS));
    const failing = callsOf(one)[one.fails] ?? '';
    const { status, stderr } = host.run(text, { FAIL: failing.startsWith('systemctl') ? failing : '' });
    const said = stderr.trim().split('\n').at(-1);
    return { status, said, log: host.log, tree: [PLACE, UNITS].map((place) => treeOf(host.at('root', place))) };
  } finally {
    host.remove();
  }
}

const found = cloudInitOf('sid');
const missing = process.getuid?.() !== 0 ? 'only root can give files away' : 'missing' in found ? found.missing : '';
if (missing !== '') process.stdout.write(`skipped: one plan makes one host: ${missing}\n`);

test.skipIf(missing !== '')('cloud-init and Ignition set up the same host for a plan', async () => {
  await fc.assert(
    fc.asyncProperty(given, async (one) => {
      const host = await boot(one, 'cloud-init', byCloudInit(found as CloudInit));
      expect(host.log, 'the first failure stops the rest').toEqual(callsOf(one).slice(0, one.fails + 1));
      const succeeds = one.fails >= callsOf(one).length;
      expect(host.status === 0, host.said).toBe(succeeds);
      expect(host.tree[0]?.some((line) => line.startsWith('done ')) === true, 'the sentinel').toBe(succeeds);
      for (const format of ['ignition', 'ignition-2.3'])
        expect(await boot(one, format, byIgnition), format).toEqual(host);
    }),
    { numRuns: 12 },
  );
});
