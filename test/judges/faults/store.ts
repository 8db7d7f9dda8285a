/**
 * What a machine on AWS talks to on its first boot, on this machine: its metadata service, Secrets Manager with TLS, and
 * a proxy. The scripts are run by sh, Python and curl as on the machine.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runCommand } from '../run.ts';
import type { Checkout } from './checkout.ts';

/** No name server knows it: only a proxy leads there. */
const HOST = 'secretsmanager.eu-west-1.slipway.invalid';
/** Of this machine, but none that every proxy is left out for. */
const ADDRESS = '127.0.0.2';
const IDENTITY = JSON.stringify({ AccessKeyId: 'AKIAFAKE', SecretAccessKey: 'fake', Token: 'fake' });
const SEALED = JSON.stringify({ storage: { files: [] } });
const CERTIFICATE = 'certificate.pem';
const ANSWERS: Readonly<Record<string, string>> = {
  '/latest/api/token': 'session',
  '/latest/meta-data/iam/security-credentials/': 'prod-node',
  '/latest/meta-data/iam/security-credentials/prod-node': IDENTITY,
};

/** The script of cloud-init, in Python, and that of Ignition, in sh with curl and jq. */
export type Script = 'stub' | 'script';

interface Cloud {
  readonly metadata: string;
  /** Host and port of Secrets Manager. */
  readonly store: string;
  readonly proxy: string;
  /** Hosts that the proxy was asked for. */
  readonly asked: readonly string[];
  stop(): void;
}

async function portOf(server: Server, address = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return (server.address() as AddressInfo).port;
}

/** @param denials  how often Secrets Manager denies the secret before it has it */
async function aCloud(folder: string, denials: number): Promise<Cloud> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, CERTIFICATE)];
  const name = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST},IP:${ADDRESS}`];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const made = runCommand('openssl', ['req', ...kind, '-keyout', key, '-out', certificate, ...name]);
  if (!made.ok) throw new Error(made.output);
  const asked: string[] = [];
  const metadata = createServer((request, response) => response.end(ANSWERS[request.url ?? ''] ?? ''));
  let left = denials;
  const secret: RequestListener = (request, response) => {
    request.resume();
    left -= 1;
    if (left >= 0) response.writeHead(400).end(JSON.stringify({ __type: 'AccessDeniedException' }));
    else response.end(JSON.stringify({ SecretString: SEALED }));
  };
  const store = createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, secret);
  const storePort = await portOf(store, ADDRESS);
  const proxy = createServer((_, response) => response.writeHead(403).end());
  proxy.on('connect', (request, socket) => {
    asked.push((request.url ?? '').replace(/:.*/, ''));
    const there = connect(storePort, ADDRESS, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    for (const end of [socket, there]) end.on('error', () => undefined);
  });
  const servers = [metadata, store, proxy];
  const [metadataPort, proxyPort] = [await portOf(metadata), await portOf(proxy)];
  return {
    metadata: `http://127.0.0.1:${metadataPort}`,
    store: `${ADDRESS}:${storePort}`,
    proxy: `http://127.0.0.1:${proxyPort}`,
    asked,
    stop: () => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

export interface Network {
  /** Whether the machine finds Secrets Manager itself, and not only by the proxy of its claim. */
  readonly isOpen: boolean;
  /** Hosts that the claim wants without its proxy; undefined: it has no proxy. */
  readonly none?: readonly string[];
  readonly denials?: number;
  /** By how much the clock of the host has moved whenever somebody reads it, in seconds. */
  readonly jump?: number;
}

/** Whether the script fetches the data, and who was asked for it. */
export async function fetching(code: Checkout, script: Script, network: Network): Promise<string> {
  const { isOpen, none, denials = 0, jump = 0 } = network;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-judge-'));
  const cloud = await aCloud(folder, denials);
  try {
    const proxy = none === undefined ? {} : { proxy: { https: cloud.proxy, none: [...none] } };
    const place = { region: 'eu-west-1', host: isOpen ? cloud.store : HOST, secret: 'fake', ...proxy };
    const text = hereWith(code[script](place), folder, cloud, isOpen);
    const fetched = (await runAt(folder, text, jump)) === 0;
    const by = cloud.asked.length === 0 ? 'directly' : `by the proxy: ${[...new Set(cloud.asked)].join(', ')}`;
    return fetched ? `fetched ${by}` : `not fetched, asked ${by}`;
  } finally {
    cloud.stop();
    rmSync(folder, { recursive: true });
  }
}

/** With addresses and folders of this machine; where nothing can answer, it waits no ten minutes. */
function hereWith(script: string, folder: string, { metadata }: Cloud, isOpen: boolean): string {
  const changes = {
    'http://169.254.169.254': metadata,
    '"/var/lib/cloud': `"${folder}/cloud`,
    '"/etc/cloud': `"${folder}/cloud`,
    '/var/lib/slipway': folder,
    'time.sleep(5)': 'time.sleep(0.1)',
    'sleep 5\n': 'sleep 0.1\n',
    ...(isOpen ? {} : { 'SECONDS = 600': 'SECONDS = 1', '+ 600))': '+ 1))' }),
  };
  return Object.entries(changes).reduce((text, [there, instead]) => text.replaceAll(there, instead), script);
}

/** The exit code. */
async function runAt(folder: string, script: string, jump: number): Promise<number | null> {
  for (const name of ['bin', 'cloud/instance', 'cloud/cloud.cfg.d']) mkdirSync(join(folder, name), { recursive: true });
  const clock = `#!/bin/sh\necho >>${folder}/read\necho "$(($(/bin/date +%s) + $(wc -l <${folder}/read) * ${jump}))"\n`;
  writeFileSync(join(folder, 'bin/date'), clock);
  chmodSync(join(folder, 'bin/date'), 0o755);
  const certificate = join(folder, CERTIFICATE);
  const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
  const env = { PATH: path, SSL_CERT_FILE: certificate, CURL_CA_BUNDLE: certificate };
  const running = spawn('/bin/sh', ['-c', script], { env, stdio: 'ignore' });
  return new Promise((resolve) => running.on('close', resolve));
}
