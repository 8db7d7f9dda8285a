/** The tutorial is run: its commands in order, in one shell, and they print what the page shows. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../../cli/files/repository.ts';
import { freePorts } from '../e2e/lab/ports.ts';

const page = readFileSync(join(ROOT, 'docs/tutorial.md'), 'utf8');

interface Step {
  readonly heading: string;
  readonly command: string;
  /** Address of a server that goes on while the others run. */
  readonly serves: string | undefined;
  /** Lines that its output contains, in any order. */
  readonly shown: readonly string[];
}

function steps(): readonly Step[] {
  const found: Step[] = [];
  let heading = '';
  for (const { groups = {} } of page.matchAll(
    /^## (?<heading>[^\n]*)$|^```(?<kind>sh|text)(?: background (?<serves>\S+))?\n(?<body>.*?)^```/gms,
  )) {
    const { kind, body = '', serves } = groups;
    heading = groups['heading'] ?? heading;
    const last = found.at(-1);
    if (kind === 'sh') found.push({ heading, command: body, serves, shown: [] });
    if (kind === 'text' && last !== undefined) found[found.length - 1] = { ...last, shown: body.trim().split('\n') };
  }
  return found;
}

// Tests of other runs use the same port of the page, and each step has a shell of its own.
const folder = mkdtempSync(join(tmpdir(), 'slipway-tutorial-'));
const env = { ...process.env, NO_COLOR: '1', PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` };
const { port } = await freePorts('port');
const elsewhere = (text: string): string =>
  text.replaceAll('$(mktemp -d)', folder).replaceAll('127.0.0.1:19443', `127.0.0.1:${port}`);
const servers: ChildProcess[] = [];
afterAll(() => {
  // A group: npm starts a shell, which starts the server.
  for (const { pid } of servers) if (pid !== undefined) process.kill(-pid);
  rmSync(folder, { recursive: true });
});

/** The first commands of the page, which make `slipway` and `$work`. */
const PREAMBLE = elsewhere(steps()[0]?.command ?? '');

test.for(
  steps().map((step) => [`${step.heading}: ${step.command.split('\n').at(-2)?.slice(0, 60) ?? ''}`, step] as const),
)('%s', async ([, { command, serves, shown }]) => {
  if (serves !== undefined) return serve(elsewhere(command), elsewhere(serves));
  const ran = spawnSync('bash', ['-ec', PREAMBLE + elsewhere(command)], { cwd: ROOT, env, encoding: 'utf8' });
  expect(ran.status, ran.stderr).toBe(0);
  for (const line of shown) expect(ran.stdout).toContain(elsewhere(line));
});

async function serve(command: string, address: string): Promise<void> {
  const server = spawn('bash', ['-ec', `exec ${command}`], { cwd: ROOT, env, stdio: 'ignore', detached: true });
  servers.push(server);
  const [host = '', port = ''] = address.split(':');
  while (!(await listens(host, Number(port)))) {
    expect(server.exitCode, 'it goes on until it is stopped').toBeNull();
    await sleep(100);
  }
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

test('the claim on the page equals its file', () => {
  const shown = /^```yaml\n(?<body>.*?)^```/ms.exec(page)?.groups?.['body'] ?? '';
  const objects = (text: string): readonly unknown[] => parseAllDocuments(text).map((one) => one.toJS() as unknown);
  expect(objects(shown)).toEqual(objects(readFileSync(join(ROOT, 'docs/tutorial/shop.yaml'), 'utf8')));
});
