import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { at, type JsonObject } from '#lib/api/json.ts';
import { sha256 } from '#lib/api/names.ts';
import { MACHINE_TOKEN } from '../../../test/support/first-boot.ts';
import { expectNeverSmaller, expectOrderBlind, expectPure, replyOf } from '../../../test/support/function-laws.ts';
import { aRequest } from '../../../test/support/request.ts';
import { syntaxProblem } from '../../../test/judges/shell.ts';
import { run } from '../fn.ts';
import { masked } from '../masked.fixture.ts';
import { fileIn } from '../plans.fixture.ts';
import { K0sConfig, OF_THE_CLUSTER } from './config.ts';
import { clusterOf, EVERY_K0S, k0sMachine, type Kind, KINDS, kubeconfigIn, planOf, requestOf } from './k0s.fixture.ts';

const CONFIG = '/etc/k0s.yaml';
const INSTALL = '/etc/slipway/k0s-install.sh';
const DOWNLOAD = '/etc/slipway/k0s-download.sh';

const MARKS = {
  labels: { b: '2', 'example.com/a': '', 'node-role.kubernetes.io/x': '' },
  taints: [
    { key: 'dedicated', value: 'blue', effect: 'NoSchedule' },
    { key: 'a', effect: 'NoExecute' },
  ],
  provisioning: {
    registries: [{ host: 'docker.io', mirrors: ['https://mirror.example.com'] }],
    proxy: { https: 'http://proxy.example.com:3128' },
  },
};

describe('what a machine receives', () => {
  test.for(
    KINDS.flatMap((kind) => [
      { name: kind, kind, config: {}, spec: {} },
      { name: `${kind}-everything`, kind, config: EVERY_K0S, spec: MARKS },
    ]),
  )('$name', async ({ name, kind, config, spec }) => {
    await expect(masked(await planOf(kind, { config, spec }))).toMatchFileSnapshot(`golden/${name}.yaml`);
  });

  test('private keys and tokens are readable by root only; a worker gets no key at all', async () => {
    for (const kind of KINDS) {
      const { files } = await planOf(kind);
      const secret = files.filter(({ path }) => /\.key$|token|k0s\.yaml$/.test(path));
      expect(new Set(secret.map(({ mode }) => mode))).toEqual(new Set(['0600']));
      expect(files.some(({ path }) => path.endsWith('.key'))).toBe(kind !== 'worker');
      expect(files.some(({ path }) => path === CONFIG)).toBe(kind !== 'worker');
    }
  });

  test('every controller has the same configuration', async () => {
    const [first, other] = [
      await planOf('init', { config: EVERY_K0S }),
      await planOf('control-plane', { config: EVERY_K0S }),
    ];
    expect(fileIn(first, CONFIG)).toBe(fileIn(other, CONFIG));
  });

  test('files with a join token are removed once the machine is a node', async () => {
    expect((await planOf('init')).removeAfterBootstrap).toEqual([]);
    for (const kind of ['control-plane', 'worker'] as const)
      expect((await planOf(kind)).removeAfterBootstrap).toEqual(['/etc/k0s.token']);
  });
});

describe('the token of a machine', () => {
  test('is in none of the files of the machine that starts the cluster', async () => {
    const { files } = await planOf('init');
    expect(files.map(({ path }) => path).filter((path) => /token|manifests/.test(path))).toEqual([]);
  });

  test.for([
    { kind: 'control-plane' as const, user: 'controller-bootstrap', port: 9443 },
    { kind: 'worker' as const, user: 'kubelet-bootstrap', port: 6443 },
  ])('a $kind joins with its own token, and trusts only the authority of the cluster', async ({ kind, user, port }) => {
    const { secrets } = await clusterOf();
    expect(kubeconfigIn(await planOf(kind))).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      preferences: {},
      'current-context': 'k0s',
      contexts: [{ name: 'k0s', context: { cluster: 'k0s', user } }],
      clusters: [
        {
          name: 'k0s',
          cluster: {
            server: `https://api.example.com:${port}`,
            'certificate-authority-data': at(secrets['ca'], 'data', 'tls.crt'),
          },
        },
      ],
      users: [{ name: user, user: { token: MACHINE_TOKEN } }],
    });
  });

  test('are the same bytes every time, whatever system packs them', async () => {
    const [one, other] = [
      fileIn(await planOf('worker'), '/etc/k0s.token'),
      fileIn(await planOf('worker'), '/etc/k0s.token'),
    ];
    expect(one).toBe(other);
    expect(Buffer.from(one ?? '', 'base64')[9]).toBe(255);
  });
});

describe('the service of k0s', () => {
  const install = async (kind: Kind, wanted = {}) => fileIn(await planOf(kind, wanted), INSTALL) ?? '';

  test('registers the node with the id that its cloud gives it', async () => {
    const plan = await planOf('worker');
    expect(fileIn(plan, INSTALL)).toContain(
      "'--kubelet-extra-args=--provider-id=aws:///${failureDomain}/${instanceId}'",
    );
    expect(plan.files.filter(({ instanceVariables }) => instanceVariables).map(({ path }) => path)).toEqual([INSTALL]);
  });

  test('keeps the taint of k0s for controllers, unless the claim has taints', async () => {
    expect(await install('init')).not.toMatch(/taints/);
    const own = await install('init', { spec: { taints: MARKS.taints } });
    expect(own).toContain('--no-taints');
    expect(own).toContain("'--taints=dedicated=blue:NoSchedule,a:NoExecute'");
    expect(await install('worker', { spec: { taints: MARKS.taints } })).not.toContain('--no-taints');
  });

  test('sets only labels that a kubelet may set itself', async () => {
    expect(await install('worker', { spec: { labels: MARKS.labels } })).toContain("'--labels=b=2,example.com/a='");
  });

  test.for([
    { version: 'v1.35.4', want: 'version = 2\n\n[plugins."io.containerd.grpc.v1.cri".registry]' },
    { version: 'v1.36.0', want: 'version = 3\n\n[plugins."io.containerd.cri.v1.images".registry]' },
  ])('the containerd of $version reads registry mirrors from the right place', async ({ version, want }) => {
    const plan = await planOf('worker', { version, spec: { provisioning: MARKS.provisioning } });
    expect(fileIn(plan, '/etc/k0s/containerd.d/slipway.toml')).toBe(
      `${want}\nconfig_path = "/etc/k0s/containerd.d/certs.d"\n`,
    );
    expect(fileIn(plan, '/etc/k0s/containerd.d/certs.d/docker.io/hosts.toml')).toContain('mirror.example.com');
    expect(plan.carries).toEqual(['registries']);
  });

  test.for([
    { kind: 'init' as const, service: 'k0scontroller' },
    { kind: 'worker' as const, service: 'k0sworker' },
  ])('$service gets the proxy, and reaches the cluster without it', async ({ kind, service }) => {
    const plan = await planOf(kind, { spec: { provisioning: MARKS.provisioning } });
    const text = fileIn(plan, `/etc/systemd/system/${service}.service.d/90-slipway-proxy.conf`);
    expect(text).toContain('HTTPS_PROXY=http://proxy.example.com:3128');
    expect(text).toContain('api.example.com');
    expect(plan.noProxy).toContain('api.example.com');
  });

  test('flags that look like other types of YAML 1.1 stay strings', async () => {
    const extraArgs = { a: 'on', b: 'yes', c: '0x1f', d: '1_000', e: '1:30', f: 'null', g: '~', h: '1e3', i: '' };
    const text = fileIn(await planOf('init', { config: { api: { extraArgs } } }), CONFIG) ?? '';
    expect(at(parse(text, { version: '1.1' }), 'spec', 'api', 'extraArgs')).toEqual(extraArgs);
  });
});

describe('the script that installs k0s', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-k0s-'));
    mkdirSync(join(folder, 'fake'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A fake program with that name, first on PATH. */
  const fake = (name: string, script: string) => {
    writeFileSync(join(folder, 'fake', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'fake', name), 0o755);
  };

  const ran = async (config: JsonObject, version = 'v1.35.4') => {
    const script = (fileIn(await planOf('worker', { config, version }), DOWNLOAD) ?? '')
      .replaceAll('/usr/local/bin', join(folder, 'bin'))
      .replaceAll('/opt/bin', join(folder, 'opt'));
    const path = `${join(folder, 'fake')}:${process.env['PATH'] ?? ''}`;
    const { status, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env: { PATH: path } });
    return { status, stderr };
  };
  const MACHINE = 'echo x86_64';
  const CURL =
    'while [ $# -gt 0 ]; do case "$1" in -o) shift; out=$1;; esac; last=$1; shift; done; echo "$last" >"$out"';

  test('downloads the release for the processor of the host, and installs it only when complete', async () => {
    fake('uname', MACHINE);
    fake('curl', CURL);
    const downloaded =
      'https://github.com/k0sproject/k0s/releases/download/v1.35.4%2Bk0s.1/k0s-v1.35.4%2Bk0s.1-amd64\n';
    const download = { sha256: { amd64: sha256(downloaded) } };
    expect(await ran({ release: 'k0s.1', download })).toEqual({ status: 0, stderr: '' });
    expect(readdirSync(join(folder, 'bin'))).toEqual(['k0s']);
    expect(readFileSync(join(folder, 'bin', 'k0s'), 'utf8')).toBe(downloaded);
  });

  test('downloads nothing for a processor whose checksum the claim does not have', async () => {
    fake('uname', 'echo aarch64');
    fake('curl', 'exit 99');
    expect(await ran({ download: { sha256: { amd64: 'a'.repeat(64) } } })).toEqual({
      status: 1,
      stderr: 'slipway: the claim has no checksum for arm64: spec.bootstrap.config.download.sha256.arm64\n',
    });
  });

  test('refuses a download with another checksum, and one that failed', async () => {
    fake('uname', MACHINE);
    fake('curl', CURL);
    expect((await ran({ download: { sha256: { amd64: 'a'.repeat(64) } } })).status).not.toBe(0);
    fake('curl', 'exit 22');
    expect((await ran({})).status).toBe(22);
    expect(readdirSync(join(folder, 'bin'))).toEqual([]);
  });

  test('accepts an image that has the release, and reports one that has another release', async () => {
    fake('curl', 'exit 99');
    fake('k0s', 'echo v1.35.4+k0s.0');
    expect((await ran({})).status).toBe(0);
    expect((await ran({ install: 'Skip' })).status).toBe(0);
    expect(await ran({ install: 'Skip' }, 'v1.35.5')).toEqual({
      status: 1,
      stderr: 'slipway: the image has v1.35.4+k0s.0, not v1.35.5+k0s.0\n',
    });
  });

  test.for(KINDS)('any shell can parse both scripts of a %s', async (kind) => {
    for (const config of [{}, EVERY_K0S]) {
      const plan = await planOf(kind, { config, spec: MARKS });
      for (const path of [DOWNLOAD, INSTALL]) expect(syntaxProblem(fileIn(plan, path) ?? 'if')).toBeUndefined();
    }
  });
});

test('settings of CoreDNS are for k0s that knows them', async () => {
  const config = { network: { coreDNS: { replicas: 2 } } };
  const file = fileIn(await planOf('init', { config, version: 'v1.36.0' }), '/etc/k0s.yaml') ?? '';
  expect(parse(file)).toMatchObject({ spec: { network: { coreDNS: { replicas: 2 } } } });
});

test('every field of the configuration changes what some machine receives', async () => {
  expect(Object.keys(EVERY_K0S).toSorted()).toEqual(Object.keys(K0sConfig.shape).toSorted());
  const shown = async (kind: Kind, config: JsonObject) => {
    const { files } = await planOf(kind, { config });
    return [CONFIG, INSTALL, DOWNLOAD].map((path) => fileIn({ files } as ScriptedPlan, path)).join('\n');
  };
  const configs: Readonly<Record<string, JsonObject>> = {
    install: { install: 'Skip' },
    profile: { profile: 'default' },
  };
  for (const field of Object.keys(K0sConfig.shape).filter((name) => name !== 'encryptionAlgorithm')) {
    const config = configs[field] ?? { [field]: EVERY_K0S[field] };
    expect((await shown('init', config)) === (await shown('init', {})), field).toBe(false);
  }
});

test('controllers have the settings of the whole cluster; a pool may set the rest for itself', async () => {
  for (const field of OF_THE_CLUSTER) expect(Object.keys(K0sConfig.shape)).toContain(field);
  const poolConfig = {
    kubelet: { extraArgs: { 'max-pods': '20' } },
    profile: 'default',
    release: 'k0s.2',
    install: 'Skip',
  };
  const text = fileIn(await planOf('worker', { poolConfig }), INSTALL);
  expect(text).toContain('--profile=default');
  expect(text).toContain('--max-pods=20');
  expect(text).toContain('v1.35.4+k0s.2');
});

describe('what a machine waits for', () => {
  test.for([
    { kind: 'init' as const, asks: ['cluster', 'ca', 'etcd-ca', 'proxy-ca', 'sa'] },
    { kind: 'control-plane' as const, asks: ['cluster', 'ca', 'etcd-ca', 'proxy-ca', 'sa'] },
    { kind: 'worker' as const, asks: ['cluster', 'ca'] },
  ])('$kind requests just what it needs, always all of it', async ({ kind, asks }) => {
    const request = await requestOf(kind);
    for (const hidden of ['', 'ca']) {
      const required = new Map([...request.required].filter(([name]) => name !== hidden));
      const reply = await replyOf(run, { ...request, required });
      expect([...reply.requirements.keys()]).toEqual(asks);
      expect('slipway.dev/bootstrap-plan' in reply.context).toBe(
        hidden === '' || (kind === 'init' && hidden === 'join-token'),
      );
    }
  });

  test('is nothing more once its first-boot data is stored', async () => {
    const payload = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } };
    const reply = await replyOf(run, aRequest({ composite: k0sMachine('worker'), observed: { payload } }));
    expect(reply.requirements.size).toBe(0);
  });
});

test('the laws hold for every machine, whatever is missing', async () => {
  for (const kind of KINDS) {
    const request = await requestOf(kind, { config: EVERY_K0S, spec: MARKS });
    await expectPure(run, request);
    await expectOrderBlind(run, request);
    await expectNeverSmaller(run, request);
  }
});

test('each argument of the kubelet stays one word on the command line of the service', async () => {
  const word = fc.stringMatching(/^[A-Za-z0-9:/.,=_@+-]{0,20}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.stringMatching(/^[a-z][a-z-]{2,10}$/), word, { maxKeys: 3 }),
      async (extraArgs) => {
        const text = fileIn(await planOf('worker', { poolConfig: { kubelet: { extraArgs } } }), INSTALL) ?? '';
        const [, flags = ''] = /'--kubelet-extra-args=([^']*)'/.exec(text) ?? [];
        const read = Object.fromEntries(flags.split(/\s+/).map((flag) => flag.slice(2).split(/=(.*)/s).slice(0, 2)));
        for (const [name, value] of Object.entries(extraArgs)) expect(read[name]).toBe(value);
      },
    ),
    { numRuns: 30 },
  );
});
